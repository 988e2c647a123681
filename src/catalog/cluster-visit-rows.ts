/**
 * The table `cluster_visits`, which an index has whose documents were clustered: a row for each document, with what the
 * last build saw of it (src/refresh/clusters/visits.ts).
 */
import type { Database, Statement } from 'better-sqlite3'
import type { Steps } from '../base/turns.js'
import { type ClusterVisits, VISIT_WIDTH, visitBytes } from '../ledger/cluster-visits.js'
import { inSqlite } from './connection.js'
import { findingNumbers } from './ledger-rows.js'

/** Within a transaction of the caller. */
export function createVisitTable(db: Database): void {
  db.exec('CREATE TABLE IF NOT EXISTS cluster_visits (doc INTEGER PRIMARY KEY, visit BLOB NOT NULL)')
}

/** Replaces all rows. Within a transaction of the caller. */
export function writeVisits(db: Database, visits: ClusterVisits): void {
  createVisitTable(db)
  db.exec('DELETE FROM cluster_visits')
  const put = db.prepare('INSERT INTO cluster_visits (doc, visit) VALUES (?, ?)')
  visits.docs.forEach((doc, nth) => {
    put.run(doc, visitBytes(visits, nth))
  })
}

interface Statements {
  readonly hasTable: Statement
  /** Undefined until there is a table. */
  visit: Statement | undefined
}

/** Made once: a build asks for the row of every document. */
const STATEMENTS = new WeakMap<Database, Statements>()

/** As it is stored; undefined where there is nothing. */
export function readVisitOf(db: Database, doc: number): unknown {
  return inSqlite(db.name, () => {
    const known = STATEMENTS.get(db) ?? { hasTable: db.prepare(FINDS_TABLE), visit: undefined }
    STATEMENTS.set(db, known)
    if (known.visit === undefined && known.hasTable.get() === undefined) return undefined
    known.visit ??= db.prepare('SELECT visit FROM cluster_visits WHERE doc = ?').pluck()
    return known.visit.get(doc)
  })
}

/** Documents whose rows are damaged, in steps. */
export function* damagedVisits(db: Database): Steps<number[]> {
  if (!hasVisitTable(db)) return []
  const wrong = `SELECT doc FROM cluster_visits WHERE (typeof(visit) <> 'blob' OR length(visit) <> ${8 * VISIT_WIDTH})`
  return yield* findingNumbers(db, 'cluster_visits', wrong)
}

const FINDS_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'cluster_visits'"

function hasVisitTable(db: Database): boolean {
  return db.prepare(FINDS_TABLE).get() !== undefined
}
