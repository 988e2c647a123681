/**
 * Writes of which nobody keeps account, because the index was opened with `prioritizer: false`. What the catalog knows
 * of the documents that such a write changes is removed with it: it speaks of earlier versions. So are all curves,
 * which speak of all documents. `refresh_state.unrecorded` is 1 from the first such write until an opening with a
 * prioritizer begins the histories that are missing.
 */
import type { Database } from 'better-sqlite3'
import { NO_DOCUMENT } from '../engine.js'
import { Ledger } from '../ledger/ledger.js'
import { packedValues, packRows } from '../ledger/rows.js'
import { inSqlite, openForWriting } from './connection.js'
import { LEDGER_COLUMNS, prepareLedgerFold } from './ledger-rows.js'
import type { LedgerWriter } from './ledger-writer.js'

/** Takes the numbers of the documents that a batch changes or removes. Writes within a transaction of the caller. */
export function prepareUnrecordedWriter(db: Database, ledger: LedgerWriter): (numbers: Uint32Array) => void {
  const tables = ['ledger', 'ledger_changes', 'curves', 'curve_state']
  const anyRow = db.prepare(`SELECT ${tables.map((name) => `EXISTS (SELECT 1 FROM ${name})`).join(' OR ')}`).pluck()
  const forgetDocument = ['ledger', 'judgements'].map((table) => db.prepare(`DELETE FROM ${table} WHERE doc = ?`))
  const forgetCurves = ['curves', 'curve_state'].map((table) => db.prepare(`DELETE FROM ${table}`))
  const mark = db.prepare('UPDATE refresh_state SET version = version + 1, unrecorded = 1')
  // No other process writes: once there are no rows, none come.
  let isEmpty = false
  return (numbers) => {
    isEmpty ||= anyRow.get() === 0
    if (!isEmpty) {
      ledger.fold()
      for (const statement of forgetCurves) statement.run()
      for (const doc of numbers) if (doc !== NO_DOCUMENT) for (const statement of forgetDocument) statement.run(doc)
    }
    mark.run()
  }
}

/** Whether rows of documents may be missing. */
export function hasUnrecorded(db: Database): boolean {
  return inSqlite(db.name, () => db.prepare('SELECT unrecorded FROM refresh_state').pluck().get()) === 1
}

/**
 * Gives each document that was written without a prioritizer the row of a document of which nothing is known as of
 * `nowMs`, in one transaction. Pages of the frontier among them count as fetched. REQUIRES: the lock is held.
 */
export function beginMissingHistories(file: string, nowMs: number): void {
  inSqlite(file, () => {
    const db = openForWriting(file, 'process')
    try {
      if (hasUnrecorded(db)) db.transaction(() => beginIn(db, nowMs)).immediate()
    } finally {
      db.close()
    }
  })
}

function beginIn(db: Database, nowMs: number): void {
  prepareLedgerFold(db)()
  const ledger = new Ledger()
  ledger.created(0, nowMs)
  const [, ...values] = packedValues(packRows(ledger.columns, [0]), 0)
  db.prepare(
    `INSERT INTO ledger (${LEDGER_COLUMNS}, effects)
      SELECT doc, ${values.map(() => '?').join(', ')}, x'' FROM documents WHERE doc NOT IN (SELECT doc FROM ledger)`,
  ).run(...values)
  const fetched = 'fetched_ms IS NULL AND url IN (SELECT key FROM documents)'
  db.prepare(`UPDATE frontier SET fetched_ms = ? WHERE ${fetched}`).run(nowMs)
  db.prepare('UPDATE frontier_state SET version = version + 1').run()
  db.prepare('UPDATE refresh_state SET version = version + 1, unrecorded = 0').run()
}
