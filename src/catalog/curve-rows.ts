/**
 * The tables `curves`, one row a fit, and `curve_state`, what the curves have in common. They spare the next process a
 * fit; whoever reads them decides whether they can be used.
 */
import type { Database } from 'better-sqlite3'
import { finish } from '../base/turns.js'
import type { CurveCommit, CurveSource } from '../refresh/kept-curves.js'
import { mergeFits, packFit } from '../refresh/packed-curves.js'
import { inSqlite } from './connection.js'

/** From so many rows on, the fits become one row. */
const MERGED_FITS = 64

/** Writes within a transaction of the caller. */
export function prepareCurveWriter(db: Database): (commit: CurveCommit) => void {
  const clear = db.prepare('DELETE FROM curves')
  const put = db.prepare('INSERT INTO curves (bytes) VALUES (?)')
  const all = db.prepare('SELECT bytes FROM curves ORDER BY fit').pluck()
  const putState = db.prepare(`INSERT INTO curve_state (one, state, churn) VALUES (1, ?, x'')
    ON CONFLICT (one) DO UPDATE SET state = excluded.state`)
  const putChurn = db.prepare('UPDATE curve_state SET churn = ?')
  const merge = () => {
    const merged = packFit(finish(mergeFits(all.all())), new Uint32Array())
    clear.run()
    put.run(merged)
  }
  const count = db.prepare('SELECT count(*) FROM curves').pluck()
  return ({ changes, churn }) => {
    for (const { isAll, state, put: curves, removed } of changes) {
      if (isAll) clear.run()
      if (state !== undefined) putState.run(state)
      if (curves.ids.length > 0 || removed.length > 0) put.run(packFit(curves, removed))
    }
    if (changes.length > 0 && (count.get() as number) > MERGED_FITS) merge()
    if (churn !== undefined) putChurn.run(churn)
  }
}

/** The curves in a catalog, as of the moment that the connection shows when asked. */
export function storedCurves(connection: () => Database): CurveSource {
  const one = (column: string) => {
    const db = connection()
    return inSqlite(db.name, () => db.prepare(`SELECT ${column} FROM curve_state`).pluck().get())
  }
  return { state: () => one('state'), churn: () => one('churn'), fits: () => readFits(connection()) }
}

/** The fits whose curves are kept, oldest first: BLOBs, unless the catalog is damaged. */
export function readFits(db: Database): readonly unknown[] {
  return inSqlite(db.name, () => db.prepare('SELECT bytes FROM curves ORDER BY fit').pluck().all())
}

/** A BLOB, unless the catalog is damaged; undefined before the first fit. */
export function readCurveState(db: Database): unknown {
  return inSqlite(db.name, () => db.prepare('SELECT state FROM curve_state').pluck().get())
}

export function hasCurves(db: Database): boolean {
  return inSqlite(db.name, () => db.prepare('SELECT EXISTS (SELECT 1 FROM curves)').pluck().get()) === 1
}
