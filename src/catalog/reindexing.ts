/**
 * Fields and columns that an index has been given and that not all of its documents have yet. The row `reindexing` of
 * the table meta names them, as JSON, from the opening that adds them until every document has them: an opening that
 * finds the row begins anew with what is left.
 */
import type { Database } from 'better-sqlite3'
import { NOTHING_WAITS, type WaitingProperties } from '../base/waiting-properties.js'
import { inSqlite, openForLooking } from './connection.js'

const NAME = 'reindexing'

/** Writes within a transaction of the caller. What was waiting already goes on waiting. */
export function beginReindexing(db: Database, added: WaitingProperties): void {
  const before = waitingIn(db)
  const waiting: WaitingProperties = {
    fields: [...new Set([...before.fields, ...added.fields])],
    columns: [...new Set([...before.columns, ...added.columns])],
  }
  db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(NAME, JSON.stringify(waiting))
}

export function endReindexing(db: Database): void {
  db.prepare('DELETE FROM meta WHERE name = ?').run(NAME)
}

/** What documents wait for. */
export function waitingProperties(file: string): WaitingProperties {
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

function waitingIn(db: Database): WaitingProperties {
  const value = db.prepare('SELECT value FROM meta WHERE name = ?').pluck().get(NAME)
  if (typeof value !== 'string') return NOTHING_WAITS
  try {
    const { fields, columns } = JSON.parse(value) as Partial<Record<keyof WaitingProperties, unknown>>
    if (Array.isArray(fields) && Array.isArray(columns)) return { fields: namesIn(fields), columns: namesIn(columns) }
  } catch {
    // That there is a row says that documents wait.
  }
  return { fields: ['?'], columns: [] }
}

function namesIn(list: readonly unknown[]): readonly string[] {
  return list.filter((name) => typeof name === 'string')
}
