/**
 * The tables `curves`, one row a query, and `curve_state`, what they have in common. They spare the next process a fit;
 * whoever reads them decides whether they can be used.
 */
import type { Database } from 'better-sqlite3'
import type { CurveCommit, CurveSource } from '../refresh/kept-curves.js'
import { inSqlite } from './connection.js'

/** Writes within a transaction of the caller. */
export function prepareCurveWriter(db: Database): (commit: CurveCommit) => void {
  const clear = db.prepare('DELETE FROM curves')
  const put = db.prepare('INSERT OR REPLACE INTO curves (query, bytes) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM curves WHERE query = ?')
  const putState = db.prepare(`INSERT INTO curve_state (one, state, churn) VALUES (1, ?, x'')
    ON CONFLICT (one) DO UPDATE SET state = excluded.state`)
  const putChurn = db.prepare('UPDATE curve_state SET churn = ?')
  return ({ changes, churn }) => {
    for (const { isAll, state, put: rows, removed } of changes) {
      if (isAll) clear.run()
      if (state !== undefined) putState.run(state)
      for (const id of removed) remove.run(id)
      let begin = 0
      rows.ids.forEach((id, row) => {
        const end = rows.ends[row] as number
        put.run(id, rows.bytes.subarray(begin, end))
        begin = end
      })
    }
    if (churn !== undefined) putChurn.run(churn)
  }
}

/** The curves in a catalog, as of the moment that the connection shows when asked. */
export function storedCurves(connection: () => Database): CurveSource {
  const one = (column: string) => {
    const db = connection()
    return inSqlite(db.name, () => db.prepare(`SELECT ${column} FROM curve_state`).pluck().get())
  }
  return {
    state: () => one('state'),
    churn: () => one('churn'),
    ids: () => {
      const db = connection()
      return inSqlite(db.name, () => db.prepare('SELECT query FROM curves').pluck().all())
    },
    rows: (portion) => readCurves(connection, portion),
  }
}

/**
 * Query and bytes of each row, whatever they are, in portions. The connection is asked for anew for each portion: the
 * one that was shown before may be closed meanwhile.
 */
export function* readCurves(
  connection: () => Database,
  portion: number,
): Generator<[query: unknown, bytes: unknown][]> {
  const text = 'SELECT query, bytes FROM curves WHERE query > ? ORDER BY query LIMIT ?'
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const db = connection()
    const rows = inSqlite(db.name, () => db.prepare(text).raw().all(last, portion)) as [unknown, unknown][]
    if (rows.length > 0) yield rows
    if (rows.length < portion) return
    last = Number(rows.at(-1)?.[0])
  }
}

/** A BLOB, unless the catalog is damaged; undefined before the first fit. */
export function readCurveState(db: Database): unknown {
  return inSqlite(db.name, () => db.prepare('SELECT state FROM curve_state').pluck().get())
}

export function hasCurves(db: Database): boolean {
  return inSqlite(db.name, () => db.prepare('SELECT EXISTS (SELECT 1 FROM curves)').pluck().get()) === 1
}
