/** Refresh history and workload as rows of the catalog. The tables are in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { LEDGER_COLUMNS } from '../ledger/rows.js'
import { inSqlite } from './connection.js'
import { SPREAD_CHANGE_BITS } from './schema.js'

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
 * All rows, in order of their documents, in portions: LEDGER_NUMBERS numbers and the BLOBs `recent` and `profile`,
 * unless the catalog is damaged. The connection is asked for anew for each portion: the one that was shown before may
 * be closed meanwhile.
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

/**
 * Number and key of every document, in the order of keys and in portions, as above. The index over keys has both, so
 * that no document is read.
 */
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
