/** Sites and what is known of their signals as rows of the catalog. The tables are in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { KEEP_EFFECTS, LEDGER_COLUMNS, LEDGER_NUMBERS, packedProfile, RECENT_BYTES } from '../ledger/rows.js'
import type { SignalCommit, SignalTables } from '../ledger/sites.js'
import type { ClusterCommit, ClusterTables } from '../refresh/clusters/cluster-rows.js'
import type { ReviewCommit } from '../refresh/review/review-days.js'
import type { PrioritizerRows, StoredPrioritizer } from '../refresh/rows.js'
import type { StoredClicks, StoredQuery, StoredWorkload } from '../workload/workload-state.js'
import { inSqlite } from './connection.js'
import { frontierSize, frontierVersion, prepareFrontierWriter, readFrontier, readLessons } from './frontier-rows.js'
import {
  documentsWithoutRow,
  hasRefreshTables,
  lastDocument,
  readEffects,
  readKeys,
  readLedger,
} from './ledger-rows.js'
import type { StoredView } from './stored-view.js'

/** In the order of OpenQuestions. */
export const QUESTION_COLUMNS = 'unanswered, answered, answered_ms'

/** A parameter for each column. With `effects` among them, or leaving those of the row as they are. */
function putLedgerRow(columns: readonly string[]): string {
  const all = [...new Set([...columns, 'effects'])]
  return `INSERT INTO ledger (${all.join(', ')}) VALUES (${all.map((name) => (columns.includes(name) ? '?' : "x''")).join(', ')})
    ON CONFLICT (doc) DO UPDATE SET ${columns
      .slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`
}

/** Writes within a transaction of the caller. */
export function prepareRefreshWriter(db: Database): (commit: PrioritizerRows) => void {
  const put = db.prepare(putLedgerRow([...LEDGER_COLUMNS, 'effects']))
  const putKeeping = db.prepare(putLedgerRow(LEDGER_COLUMNS))
  const remove = db.prepare('DELETE FROM ledger WHERE doc = ?')
  const setStake = db.prepare('UPDATE ledger SET stake = ? WHERE doc = ?')
  const putQuery = db.prepare('INSERT OR REPLACE INTO queries (id, name, weight, at_ms) VALUES (?, ?, ?, ?)')
  const dropQuery = db.prepare('DELETE FROM queries WHERE id = ?')
  const clearClicks = db.prepare('DELETE FROM clicks')
  const putClicks = db.prepare('INSERT INTO clicks (rank, count) VALUES (?, ?)')
  const putSignals = prepareSignalWriter(db)
  const putClusters = prepareClusterWriter(db)
  const putReviews = prepareReviewWriter(db)
  const putFrontier = prepareFrontierWriter(db)
  const bump = db.prepare(
    'UPDATE refresh_state SET version = version + 1, next_query = ?, privacy = ?, unanswered = ?, answered = ?, answered_ms = ?',
  )
  return (commit) => {
    const { numbers, recent, profiles, effects, effectEnds } = commit.ledger
    // First: the rows of the commit are newer, and so are its removals.
    for (let at = 0; at < commit.stakes.length; at += 2) setStake.run(commit.stakes[at + 1], commit.stakes[at])
    let begin = 0
    for (let row = 0; row < effectEnds.length; row++) {
      const values = numbers.subarray(row * LEDGER_NUMBERS, (row + 1) * LEDGER_NUMBERS)
      const past = recent.subarray(row * RECENT_BYTES, (row + 1) * RECENT_BYTES)
      const profile = packedProfile(profiles, row)
      const end = effectEnds[row] as number
      if (end === KEEP_EFFECTS) {
        putKeeping.run(...values, past, profile)
      } else {
        put.run(...values, past, profile, effects.subarray(begin, end))
        begin = end
      }
    }
    for (const doc of commit.removed) remove.run(doc)
    for (const { id, name, weight, atMs } of commit.queries) putQuery.run(id, name, weight, atMs)
    for (const id of commit.droppedQueries) dropQuery.run(id)
    if (commit.clicks !== undefined) {
      clearClicks.run()
      for (const { rank1, count } of commit.clicks) putClicks.run(rank1, count)
    }
    if (commit.signals !== undefined) putSignals(commit.signals)
    if (commit.clusters !== undefined) putClusters(commit.clusters)
    if (commit.reviews !== undefined) putReviews(commit.reviews)
    if (commit.frontier !== undefined) putFrontier(commit.frontier)
    bump.run(
      commit.nextQueryId,
      commit.privacy,
      commit.questions.unanswered,
      commit.questions.answered,
      commit.questions.answeredMs,
    )
  }
}

/** Without rows that no writer made: a query that cannot be read is one that was never asked. */
function readWorkload(db: Database): StoredWorkload {
  const read = inSqlite(db.name, () => ({
    queries: db.prepare('SELECT id, name, weight, at_ms AS atMs FROM queries').all() as StoredQuery[],
    nextQueryId: db.prepare('SELECT next_query FROM refresh_state').pluck().get(),
    privacy: db.prepare('SELECT privacy FROM refresh_state').pluck().get(),
    clicks: db.prepare('SELECT rank AS rank1, count FROM clicks').all() as StoredClicks[],
  }))
  return soundWorkload(read)
}

/** Values as the tables have them, whatever they are. */
export interface WorkloadTables {
  readonly queries: readonly StoredQuery[]
  readonly nextQueryId: unknown
  readonly privacy: unknown
  readonly clicks: readonly StoredClicks[]
}

export function soundWorkload({ queries, nextQueryId, privacy, clicks }: WorkloadTables): StoredWorkload {
  const sound = queries.filter(
    ({ id, name, weight, atMs }) => isAmount(id) && typeof name === 'string' && isAmount(weight) && isAmount(atMs),
  )
  return {
    queries: [...new Map(sound.map((query) => [query.name, query])).values()],
    nextQueryId: isAmount(nextQueryId) ? (nextQueryId as number) : 1,
    // In doubt nothing is told.
    privacy: privacy === 'text' ? 'text' : 'hash',
    clicks: clicks.filter(({ rank1, count }) => rank1 > 0 && isAmount(count) && count > 0),
  }
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

/** Values as the table has them, in the order of OpenQuestions, whatever they are. */
function readQuestions(db: Database): readonly unknown[] {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 5) return []
    return db.prepare(`SELECT ${QUESTION_COLUMNS} FROM refresh_state`).raw().get() as unknown[]
  })
}

/** Grows with every change of what the functions above read. */
function refreshVersion(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT version FROM refresh_state').pluck().get() as number)
}

/** In the order in which rows are given. */
export const TRUST_COLUMNS = 'site, kind, signalled_changed, signalled_same, silent_changed, silent_same'

/** Writes within a transaction of the caller. */
function prepareSignalWriter(db: Database): (commit: SignalCommit) => void {
  const clear = ['sites', 'signal_trust'].map((table) => db.prepare(`DELETE FROM ${table}`))
  const putSite = db.prepare('INSERT OR REPLACE INTO sites (id, name) VALUES (?, ?)')
  const putTrust = db.prepare(`INSERT OR REPLACE INTO signal_trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  return ({ isAll, sites, trust }) => {
    if (isAll) for (const statement of clear) statement.run()
    for (const { number, name } of sites) putSite.run(number, name)
    for (const { site, kind, signalledChanged, signalledSame, silentChanged, silentSame } of trust)
      putTrust.run(site, kind, signalledChanged, signalledSame, silentChanged, silentSame)
  }
}

export function readSignals(db: Database): SignalTables {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 3) return { sites: [], trust: [] }
    return {
      sites: db.prepare('SELECT id, name FROM sites ORDER BY id').raw().all() as unknown[][],
      trust: db.prepare(`SELECT ${TRUST_COLUMNS} FROM signal_trust`).raw().all() as unknown[][],
    }
  })
}

/** Clusters of documents as rows of the catalog. The tables are in refresh-schema.ts. */

/** In the order of StoredCluster. */
export const CLUSTER_COLUMNS = 'id, size, known, probability, rate_per_ms, strength_ms, centroid, nearest'

/** In the order of StoredClustering. */
export const CLUSTERING_COLUMNS = 'at_ms, seed, documents, mean_cosine'

/** Writes within a transaction of the caller. */
function prepareClusterWriter(db: Database): (commit: ClusterCommit) => void {
  const clear = ['DELETE FROM clusters', 'DELETE FROM clustering', 'UPDATE ledger SET cluster = 0 WHERE cluster <> 0']
  const clearing = clear.map((text) => db.prepare(text))
  const put = db.prepare(`INSERT INTO clusters (${CLUSTER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const putClustering = db.prepare(`INSERT INTO clustering (one, ${CLUSTERING_COLUMNS}) VALUES (1, ?, ?, ?, ?)`)
  const assign = db.prepare('UPDATE ledger SET cluster = ? WHERE doc = ?')
  return ({ clustering, clusters, assignment }) => {
    for (const statement of clearing) statement.run()
    putClustering.run(clustering.atMs, clustering.seed, clustering.documents, clustering.meanCosine)
    for (const { number, size, known, probability, ratePerMs, strengthMs, centroid, nearest } of clusters)
      put.run(number, size, known, probability, ratePerMs, strengthMs, bytesOf(centroid), bytesOf(nearest))
    for (let at = 0; at < assignment.length; at += 2) assign.run(assignment[at + 1], assignment[at])
  }
}

export function readClusters(db: Database): ClusterTables {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 3) return { clustering: undefined, clusters: [] }
    return {
      clustering: db.prepare(`SELECT ${CLUSTERING_COLUMNS} FROM clustering`).raw().get() as unknown[] | undefined,
      clusters: db.prepare(`SELECT ${CLUSTER_COLUMNS} FROM clusters ORDER BY id`).raw().all() as unknown[][],
    }
  })
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/**
 * What refreshes were expected to gain and what they did, day by day, as rows of the catalog. The table is in
 * refresh-schema.ts.
 */

/** In the order of StoredReviewDay. */
export const REVIEW_COLUMNS =
  'day, refreshes, changes, expected_changes, expected_delta_quality, variance, delta_quality'

/** Writes within a transaction of the caller. */
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

/** Values as the table has them, in the order of StoredReviewDay, whatever they are. */
export function readReviewDays(db: Database): readonly (readonly unknown[])[] {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 4) return []
    return db.prepare(`SELECT ${REVIEW_COLUMNS} FROM review_days ORDER BY day`).raw().all() as unknown[][]
  })
}

/** The refresh history in a catalog, as of the moment that `view` shows when asked. */
export function storedRefresh(view: () => StoredView): StoredPrioritizer {
  // A catalog of the first format, opened for reading, is left as it is and has no history.
  const isThere = () => hasRefreshTables(view().db)
  return {
    get version() {
      return isThere() ? refreshVersion(view().db) : 0
    },
    rows: (portion) => (isThere() ? readLedger(() => view().db, portion) : []),
    lastDocument: () => lastDocument(view().db),
    documentsWithoutRow: () => (isThere() ? documentsWithoutRow(view().db) : []),
    keys: (portion) => (isThere() ? readKeys(() => view().db, portion) : []),
    signals: () => readSignals(view().db),
    clusters: () => readClusters(view().db),
    reviewDays: () => readReviewDays(view().db),
    questions: () => readQuestions(view().db),
    effectsOf: (doc) => readEffects(view().db, doc),
    workload: () =>
      isThere() ? readWorkload(view().db) : { queries: [], nextQueryId: 1, privacy: 'text', clicks: [] },
    frontier: {
      get version() {
        return frontierVersion(view().db)
      },
      size: () => frontierSize(view().db),
      rows: (portion) => readFrontier(() => view().db, portion),
      lessons: () => readLessons(view().db),
    },
  }
}
