/** Refresh history and workload as rows of the catalog. The tables are in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { type ClusterCommit, prepareClusterWriter } from './cluster-rows.js'
import { type FrontierCommit, prepareFrontierWriter } from './frontier-rows.js'
import { SPREAD_CHANGE_BITS } from './refresh-schema.js'
import { prepareReviewWriter, type ReviewCommit } from './review-rows.js'
import { prepareSignalWriter, type SignalCommit } from './signal-rows.js'
import { inSqlite } from './sqlite-failure.js'

const LEDGER_COLUMNS = [
  ...['doc', 'is_present', 'last_outcome', 'errors', 'refreshes', 'changes', 'rated'],
  ...['created_ms', 'refreshed_ms', 'attempted_ms', 'sum_delta_quality', 'sum_interval_ms', 'sum_rate'],
  ...['last_delta_quality', 'decayed_rate', 'decayed_weight', 'stake'],
  ...['site', 'signals', 'signal_kinds', 'signal_ms', 'change_bits', 'cluster'],
  ...['recent', 'profile'],
] as const

/** Numbers of a row of the ledger, in the order of its columns, doc first; the BLOBs follow. */
export const LEDGER_NUMBERS = LEDGER_COLUMNS.length - 2
/** Bytes of the column `recent`. */
export const RECENT_BYTES = 48
/** Bytes of the column `profile`, which is empty where the last but one of them is 0. */
export const PROFILE_BYTES = 123
const PROFILE_STATE_AT = 121

/** Rows of the ledger, packed, so that they cross to the catalog's thread in a few pieces. */
export interface LedgerRows {
  /** LEDGER_NUMBERS for each row. */
  readonly numbers: Float64Array
  /** RECENT_BYTES for each row. */
  readonly recent: Uint8Array
  /** PROFILE_BYTES for each row. */
  readonly profiles: Uint8Array
  readonly effects: Uint8Array
  /** Where the effects of each row end. KEEP_EFFECTS: those of the row in the table stay. */
  readonly effectEnds: Float64Array
}

export const KEEP_EFFECTS = -1

/** What a query is called: by its text, or by hashes of its words. */
export type QueryPrivacy = 'text' | 'hash'

export interface StoredQuery {
  readonly id: number
  readonly name: string
  readonly weight: number
  readonly atMs: number
}

export interface StoredClicks {
  readonly rank1: number
  readonly count: number
}

/** How much of what people ask is open, as refreshes may answer it: parts of the workload, by weight, from 0 to 1. */
export interface OpenQuestions {
  /** No document answers it, as of the last fit. */
  readonly unanswered: number
  /** None did until a refresh brought the answer: as it counted at `answeredMs`. */
  readonly answered: number
  readonly answeredMs: number
}

/** In the order of OpenQuestions. */
export const QUESTION_COLUMNS = 'unanswered, answered, answered_ms'

/** What a write or an observation changes. */
export interface RefreshCommit {
  readonly ledger: LedgerRows
  /** Documents that are no more. */
  readonly removed: Uint32Array
  readonly queries: readonly StoredQuery[]
  readonly droppedQueries: readonly number[]
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  /** All of them, if any changed. */
  readonly clicks: readonly StoredClicks[] | undefined
  /** Stakes as they were before the commit, of whichever rows: document and stake in turn. */
  readonly stakes: Float64Array
  readonly questions: OpenQuestions
  /** Undefined when nothing is known that was not before. */
  readonly signals: SignalCommit | undefined
  /** Undefined unless documents were clustered. */
  readonly clusters: ClusterCommit | undefined
  /** Undefined unless there were refreshes to be reviewed. */
  readonly reviews: ReviewCommit | undefined
  /** Undefined when it stays as it is. */
  readonly frontier: FrontierCommit | undefined
}

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
export function prepareRefreshWriter(db: Database): (commit: RefreshCommit) => void {
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

/** The profile of a row; empty when it has none. */
export function packedProfile(profiles: Uint8Array, row: number): Uint8Array {
  const at = row * PROFILE_BYTES
  return profiles[at + PROFILE_STATE_AT] === 0 ? NO_BYTES : profiles.subarray(at, at + PROFILE_BYTES)
}

const NO_BYTES = new Uint8Array()

/** False in a catalog of the first format. */
export function hasRefreshTables(db: Database): boolean {
  return inSqlite(db.name, () => (db.pragma('user_version', { simple: true }) as number) >= 2)
}

/** What a catalog of the second format does not have is as if nothing were known. */
const SINCE_3: Readonly<Record<string, string>> = {
  ...{ site: '0', signals: '0', signal_kinds: '0', signal_ms: '0' },
  ...{ change_bits: SPREAD_CHANGE_BITS, cluster: '0', profile: "x''" },
}

/** LEDGER_NUMBERS numbers and the BLOBs `recent` and `profile`, of a table that has these columns. */
export function ledgerColumns(hasColumn: (name: string) => boolean): string {
  return LEDGER_COLUMNS.map((name) => (hasColumn(name) ? name : SINCE_3[name])).join(', ')
}

function ledgerColumnsOf(db: Database): string {
  const version = db.pragma('user_version', { simple: true }) as number
  return ledgerColumns((name) => version >= 3 || !(name in SINCE_3))
}

/**
 * All rows, in order of their documents, in portions: LEDGER_NUMBERS numbers and the BLOBs `recent` and `profile`, unless the catalog is damaged. The
 * connection is asked for anew for each portion: the one that was shown before may be closed meanwhile.
 */
export function* readLedger(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const text = (db: Database) => `SELECT ${ledgerColumnsOf(db)} FROM ledger WHERE doc > ? ORDER BY doc LIMIT ?`
  for (let last = -1; ; ) {
    const db = connection()
    const rows = inSqlite(db.name, () => db.prepare(text(db)).raw().all(last, portion)) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = Number(rows.at(-1)?.[0])
  }
}

/** Number and key of every document, in the order of keys and in portions, as above. The index over keys has both, so that no document is read. */
export function* readKeys(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const text = (after: string) => `SELECT doc, key FROM documents ${after} ORDER BY key LIMIT ?`
  for (let last: unknown[] = []; ; ) {
    const db = connection()
    const after = last.length === 0 ? '' : 'WHERE key > ?'
    const rows = inSqlite(db.name, () =>
      db
        .prepare(text(after))
        .raw()
        .all(...last, portion),
    ) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = [rows.at(-1)?.[1]]
  }
}

/** Documents that have no row in the ledger. */
export function documentsWithoutRow(db: Database): number[] {
  const text = 'SELECT doc FROM documents WHERE doc NOT IN (SELECT doc FROM ledger)'
  return inSqlite(db.name, () => db.prepare(text).pluck().all() as number[])
}

/** The other way round: rows whose document is not there. */
export function rowsWithoutDocument(db: Database): number[] {
  const text = 'SELECT doc FROM ledger WHERE doc NOT IN (SELECT doc FROM documents)'
  return inSqlite(db.name, () => db.prepare(text).pluck().all() as number[])
}

/** The largest number that a document has, -1 when there is none. */
export function lastDocument(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT ifnull(max(doc), -1) FROM documents').pluck().get() as number)
}

export function readEffects(db: Database, doc: number): Uint8Array {
  const value = inSqlite(db.name, () => db.prepare('SELECT effects FROM ledger WHERE doc = ?').pluck().get(doc))
  return value instanceof Uint8Array ? value : new Uint8Array()
}

export interface StoredWorkload {
  readonly queries: readonly StoredQuery[]
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  readonly clicks: readonly StoredClicks[]
}

/** Without rows that no writer made: a query that cannot be read is one that was never asked. */
export function readWorkload(db: Database): StoredWorkload {
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
export function readQuestions(db: Database): readonly unknown[] {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 5) return []
    return db.prepare(`SELECT ${QUESTION_COLUMNS} FROM refresh_state`).raw().get() as unknown[]
  })
}

/** Grows with every change of what the functions above read. */
export function refreshVersion(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT version FROM refresh_state').pluck().get() as number)
}
