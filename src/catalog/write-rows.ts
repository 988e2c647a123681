/** The last writes in the catalog, a ring of rows: what each did to the answers, and what measuring that took. */
import type { Database } from 'better-sqlite3'
import type { WriteCommit } from '../refresh/writes/write-row.js'
import { inSqlite } from './connection.js'

/** In the order of the values that `validWrite` takes. */
const WRITE_COLUMNS = 'id, written_ms, at_ms, documents, shifts, index_us, measure_us, stake, pages'

/** Writes within a transaction of the caller. */
export function prepareWriteWriter(db: Database): (commit: WriteCommit) => void {
  const put = db.prepare(`INSERT INTO writes (${WRITE_COLUMNS}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const forget = db.prepare('DELETE FROM writes WHERE id <= ?')
  return ({ row, pages, kept }) => {
    const { writtenMs, atMs, documents, shifts, indexUs, measureUs, stake } = row
    const { lastInsertRowid } = put.run(writtenMs, atMs, documents, shifts, indexUs, measureUs, stake, pages)
    forget.run(Number(lastInsertRowid) - kept)
  }
}

export function readWrites(db: Database, afterId: number): readonly (readonly unknown[])[] {
  const text = `SELECT ${WRITE_COLUMNS} FROM writes WHERE id > ? ORDER BY id`
  return inSqlite(db.name, () => db.prepare(text).raw().all(afterId) as unknown[][])
}
