/**
 * The tables `frontier`, which keeps the pages that are known and were not fetched, and `frontier_state`, which keeps
 * what fetched pages have taught.
 */
import type { Database } from 'better-sqlite3'
import type { FrontierRows } from '../frontier/frontier-state.js'
import { inSqlite, placeBehind } from './connection.js'

/** In the order in which rows are given. */
export const FRONTIER_COLUMNS = 'id, url, anchors, inlinks, added_ms, fetched_ms'

/** Writes within a transaction of the caller. */
export function prepareFrontierWriter(db: Database): (commit: FrontierRows) => void {
  const remove = db.prepare('DELETE FROM frontier WHERE id = ?')
  const put = db.prepare(`INSERT OR REPLACE INTO frontier (${FRONTIER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  const fetch = db.prepare('UPDATE frontier SET fetched_ms = ? WHERE url = ? AND fetched_ms IS NULL')
  const putLessons = db.prepare('UPDATE frontier_state SET lessons = ?')
  const bump = db.prepare('UPDATE frontier_state SET version = version + 1')
  return (commit) => {
    for (const id of commit.removed) remove.run(id)
    for (const { id, url, anchors, inlinks, addedMs, fetchedMs } of commit.put)
      put.run(id, url, Buffer.from(anchors, 'utf8'), inlinks, addedMs, fetchedMs ?? null)
    for (const url of commit.fetched) fetch.run(commit.fetchedMs, url)
    if (commit.lessons !== undefined) putLessons.run(commit.lessons)
    bump.run()
  }
}

/**
 * All rows, in order of their numbers, in portions: the values of FRONTIER_COLUMNS, whatever they are. The connection
 * is asked for anew for each portion: the one that was shown before may be closed meanwhile.
 */
export function* readFrontier(connection: () => Database, portion: number): Generator<readonly (readonly unknown[])[]> {
  const text = `SELECT ${FRONTIER_COLUMNS} FROM frontier WHERE id > ? ORDER BY id LIMIT ?`
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const db = connection()
    const rows = inSqlite(db.name, () => db.prepare(text).raw().all(last, portion)) as unknown[][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = placeBehind(last, rows.at(-1)?.[0], db.name)
  }
}

/** The number of pages that wait to be fetched. */
export function frontierSize(db: Database): number {
  const text = 'SELECT count(*) FROM frontier WHERE fetched_ms IS NULL'
  return inSqlite(db.name, () => db.prepare(text).pluck().get() as number)
}

/** Grows with every change of what the functions here read. */
export function frontierVersion(db: Database): number {
  return inSqlite(db.name, () => db.prepare('SELECT version FROM frontier_state').pluck().get() as number)
}

/** A BLOB, unless the catalog is damaged; empty before anything was learnt. */
export function readLessons(db: Database): unknown {
  return inSqlite(db.name, () => db.prepare('SELECT lessons FROM frontier_state').pluck().get())
}
