/**
 * What a prioritizer keeps in the catalog: its ledger, its frontier and its workload, which have files of their own,
 * and here how much of the workload is open, sites and what is known of their signals, clusters of documents, and
 * reviews.
 * Readers give values as the tables have them; whether they make sense is for the owner of each kind of row to say.
 */
import type { Database, Statement } from 'better-sqlite3'
import type { SignalCommit, SignalTables } from '../ledger/sites.js'
import type { ClusterCommit, ClusterTables } from '../refresh/clusters/cluster-rows.js'
import type { ReviewCommit } from '../refresh/review/review-days.js'
import type { LoadingLedger, StoredPrioritizer } from '../refresh/rows.js'
import { readVisitOf, writeVisits } from './cluster-visit-rows.js'
import { inSqlite } from './connection.js'
import { prepareCurveWriter, storedCurves } from './curve-rows.js'
import { frontierSize, frontierVersion, prepareFrontierWriter, readFrontier, readLessons } from './frontier-rows.js'
import { documentsWithoutRow, lastDocument, readEffects, readKeys, readLedger } from './ledger-rows.js'
import type { LedgerWriter } from './ledger-writer.js'
import type { StoredView } from './stored-view.js'
import type { RowsCommit } from './transactions.js'
import { prepareWorkloadWriter, readWorkload, workloadVersionOf } from './workload-rows.js'
import { prepareWriteWriter, readWrites } from './write-rows.js'

/** In the order of OpenQuestions. */
export const QUESTION_COLUMNS = 'unanswered, answered, answered_ms'

/** Number, name. */
export const SITE_COLUMNS = 'id, name'

/** Site, kind, and the counts in the order of SignalCounts. */
export const TRUST_COLUMNS = 'site, kind, signalled_changed, signalled_same, silent_changed, silent_same'

/** In the order of StoredCluster. */
export const CLUSTER_COLUMNS = 'id, size, known, probability, rate_per_ms, strength_ms, centroid, nearest'

/** In the order of StoredClustering. */
export const CLUSTERING_COLUMNS = 'at_ms, seed, documents, mean_cosine'

/** In the order of StoredReviewDay. */
export const REVIEW_COLUMNS =
  'day, refreshes, changes, expected_changes, expected_delta_quality, variance, delta_quality'

/** The refresh history in a catalog, as of the moment that `view` shows when asked. */
export function storedPrioritizer(
  view: () => StoredView,
  loadLedger?: (nowMs: number) => LoadingLedger,
): StoredPrioritizer {
  const connection = () => view().db
  return {
    loadLedger,
    get version() {
      return versionOf(connection())
    },
    get workloadVersion() {
      return workloadVersionOf(connection())
    },
    rows: (portion) => readLedger(connection, portion),
    lastDocument: () => lastDocument(connection()),
    documentsWithoutRow: () => documentsWithoutRow(connection()),
    keys: (portion) => readKeys(connection, portion),
    signals: () => readSignals(connection()),
    clusters: () => readClusters(connection()),
    clusterVisit: (doc) => readVisitOf(connection(), doc),
    reviewDays: () => readReviewDays(connection()),
    questions: () => readQuestions(connection()),
    effectsOf: (doc) => readEffects(connection(), doc),
    workload: () => readWorkload(connection()),
    curves: storedCurves(connection),
    writes: (afterId) => readWrites(connection(), afterId),
    frontier: {
      get version() {
        return frontierVersion(connection())
      },
      size: () => frontierSize(connection()),
      rows: (portion) => readFrontier(connection, portion),
      lessons: () => readLessons(connection()),
    },
  }
}

/** Writes within a transaction of the caller. */
export function prepareRowWriter(db: Database, ledger: LedgerWriter): (commit: RowsCommit) => void {
  const forget = db.prepare('DELETE FROM judgements WHERE doc = ?')
  const putWorkload = prepareWorkloadWriter(db)
  const putSignals = prepareSignalWriter(db)
  const putClusters = prepareClusterWriter(db)
  const putReviews = prepareReviewWriter(db)
  const putFrontier = prepareFrontierWriter(db)
  const putCurves = prepareCurveWriter(db)
  const putWrite = prepareWriteWriter(db)
  const putQuestions = db.prepare(
    'UPDATE refresh_state SET version = version + 1, unanswered = ?, answered = ?, answered_ms = ?',
  )
  return (commit) => {
    for (const doc of ledger.write(commit.ledger)) forget.run(doc)
    if (commit.workload !== undefined) putWorkload(commit.workload)
    const { unanswered, answered, answeredMs } = commit.questions
    putQuestions.run(unanswered, answered, answeredMs)
    if (commit.signals !== undefined) putSignals(commit.signals)
    if (commit.clusters !== undefined) {
      ledger.fold()
      putClusters(commit.clusters)
    }
    if (commit.reviews !== undefined) putReviews(commit.reviews)
    if (commit.frontier !== undefined) putFrontier(commit.frontier)
    if (commit.curves !== undefined) putCurves(commit.curves)
    if (commit.write !== undefined) putWrite(commit.write)
  }
}

/** Grows with every commit. */
function versionOf(db: Database): number {
  return inSqlite(db.name, () => {
    const statement = VERSION_STATEMENTS.get(db) ?? db.prepare('SELECT version FROM refresh_state').pluck()
    VERSION_STATEMENTS.set(db, statement)
    return statement.get() as number
  })
}

/** The version is asked for with every explanation. */
const VERSION_STATEMENTS = new WeakMap<Database, Statement>()

/** In the order of OpenQuestions. */
function readQuestions(db: Database): readonly unknown[] {
  return inSqlite(db.name, () => db.prepare(`SELECT ${QUESTION_COLUMNS} FROM refresh_state`).raw().get() as unknown[])
}

function prepareSignalWriter(db: Database): (commit: SignalCommit) => void {
  const clear = ['sites', 'signal_trust'].map((table) => db.prepare(`DELETE FROM ${table}`))
  const putSite = db.prepare(`INSERT OR REPLACE INTO sites (${SITE_COLUMNS}) VALUES (?, ?)`)
  const putTrust = db.prepare(`INSERT OR REPLACE INTO signal_trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  return ({ isAll, sites, trust }) => {
    if (isAll) for (const statement of clear) statement.run()
    for (const { number, name } of sites) putSite.run(number, name)
    for (const { site, kind, signalledChanged, signalledSame, silentChanged, silentSame } of trust)
      putTrust.run(site, kind, signalledChanged, signalledSame, silentChanged, silentSame)
  }
}

export function readSignals(db: Database): SignalTables {
  return inSqlite(db.name, () => ({
    sites: db.prepare(`SELECT ${SITE_COLUMNS} FROM sites ORDER BY id`).raw().all() as unknown[][],
    trust: db.prepare(`SELECT ${TRUST_COLUMNS} FROM signal_trust`).raw().all() as unknown[][],
  }))
}

function prepareClusterWriter(db: Database): (commit: ClusterCommit) => void {
  const clear = ['DELETE FROM clusters', 'DELETE FROM clustering', 'UPDATE ledger SET cluster = 0 WHERE cluster <> 0']
  const clearing = clear.map((text) => db.prepare(text))
  const put = db.prepare(`INSERT INTO clusters (${CLUSTER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const putClustering = db.prepare(`INSERT INTO clustering (one, ${CLUSTERING_COLUMNS}) VALUES (1, ?, ?, ?, ?)`)
  const assign = db.prepare('UPDATE ledger SET cluster = ? WHERE doc = ?')
  return ({ clustering, clusters, assignment, visits }) => {
    for (const statement of clearing) statement.run()
    putClustering.run(clustering.atMs, clustering.seed, clustering.documents, clustering.meanCosine)
    for (const { number, size, known, probability, ratePerMs, strengthMs, centroid, nearest } of clusters)
      put.run(number, size, known, probability, ratePerMs, strengthMs, bytesOf(centroid), bytesOf(nearest))
    for (let at = 0; at < assignment.length; at += 2) assign.run(assignment[at + 1], assignment[at])
    writeVisits(db, visits)
  }
}

export function readClusters(db: Database): ClusterTables {
  return inSqlite(db.name, () => ({
    clustering: db.prepare(`SELECT ${CLUSTERING_COLUMNS} FROM clustering`).raw().get() as unknown[] | undefined,
    clusters: db.prepare(`SELECT ${CLUSTER_COLUMNS} FROM clusters ORDER BY id`).raw().all() as unknown[][],
  }))
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

function prepareReviewWriter(db: Database): (commit: ReviewCommit) => void {
  const put = db.prepare(`INSERT OR REPLACE INTO review_days (${REVIEW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const forget = db.prepare('DELETE FROM review_days WHERE day < ?')
  const clear = db.prepare('DELETE FROM review_days')
  return ({ isAll, days, firstDay }) => {
    if (isAll) clear.run()
    for (const row of days) {
      const { day, refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality } = row
      put.run(day, refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality)
    }
    forget.run(firstDay)
  }
}

/** In the order of StoredReviewDay. */
export function readReviewDays(db: Database): readonly (readonly unknown[])[] {
  const text = `SELECT ${REVIEW_COLUMNS} FROM review_days ORDER BY day`
  return inSqlite(db.name, () => db.prepare(text).raw().all() as unknown[][])
}
