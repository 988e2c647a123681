/**
 * Fields that an index has been given and that not all of its documents have been analysed for. The row `reindexing` of
 * the table meta names them, a JSON list, from the opening that adds them until every document has them: an opening
 * that finds the row begins anew with what is left.
 */
import type { Database } from 'better-sqlite3'
import { inSqlite, openForLooking } from './connection.js'

const NAME = 'reindexing'

/** Writes within a transaction of the caller. Fields that were waiting already go on waiting. */
export function beginReindexing(db: Database, fields: readonly string[]): void {
  const waiting = [...new Set([...waitingIn(db), ...fields])]
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(NAME, JSON.stringify(waiting))
}

export function endReindexing(db: Database): void {
  db.prepare('DELETE FROM meta WHERE name = ?').run(NAME)
}

/** The fields that documents wait for. */
export function waitingFields(file: string): readonly string[] {
  return inSqlite(file, () => {
    const db = openForLooking(file)
    try {
      return waitingIn(db)
    } finally {
      db.close()
    }
  })
}

/** Whether the catalog has any document. */
export function hasDocuments(file: string): boolean {
  return inSqlite(file, () => {
    const db = openForLooking(file)
    try {
      return db.prepare('SELECT EXISTS (SELECT 1 FROM documents)').pluck().get() === 1
    } finally {
      db.close()
    }
  })
}

function waitingIn(db: Database): readonly string[] {
  const value = db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(NAME)
  if (typeof value !== 'string') return []
  try {
    const fields: unknown = JSON.parse(value)
    if (Array.isArray(fields)) return fields.filter((name) => typeof name === 'string')
  } catch {
    // That there is a row says that documents wait.
  }
  return ['?']
}
