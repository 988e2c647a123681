/** Sites and what is known of their signals as rows of the catalog. The tables are in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { inSqlite } from './sqlite-failure.js'

export interface StoredSite {
  readonly number: number
  readonly name: string
}

export interface StoredTrust {
  readonly site: number
  readonly kind: string
  readonly signalledChanged: number
  readonly signalledSame: number
  readonly silentChanged: number
  readonly silentSame: number
}

/** What a write, an observation or signals change. */
export interface SignalCommit {
  /** These are all rows that there are: whatever else the tables hold is damage. */
  readonly isAll: boolean
  readonly sites: readonly StoredSite[]
  readonly trust: readonly StoredTrust[]
}

/** Values as the tables have them, whatever they are. */
export interface SignalTables {
  /** Number, name. */
  readonly sites: readonly (readonly unknown[])[]
  /** Site, kind, and the four counts in the order of StoredTrust. */
  readonly trust: readonly (readonly unknown[])[]
}

/** In the order in which rows are given. */
export const TRUST_COLUMNS = 'site, kind, signalled_changed, signalled_same, silent_changed, silent_same'

/** Writes within a transaction of the caller. */
export function prepareSignalWriter(db: Database): (commit: SignalCommit) => void {
  const clear = ['sites', 'signal_trust'].map((table) => db.prepare(`DELETE FROM ${table}`))
  const putSite = db.prepare('INSERT OR REPLACE INTO sites (id, name) VALUES (?, ?)')
  const putTrust = db.prepare(`INSERT OR REPLACE INTO signal_trust (${TRUST_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`)
  return ({ isAll, sites, trust }) => {
    if (isAll) for (const statement of clear) statement.run()
    for (const { number, name } of sites) putSite.run(number, name)
    for (const { site, kind, signalledChanged, signalledSame, silentChanged, silentSame } of trust)
      putTrust.run(site, kind, signalledChanged, signalledSame, silentChanged, silentSame)
  }
}

export function readSignals(db: Database): SignalTables {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 3) return { sites: [], trust: [] }
    return {
      sites: db.prepare('SELECT id, name FROM sites ORDER BY id').raw().all() as unknown[][],
      trust: db.prepare(`SELECT ${TRUST_COLUMNS} FROM signal_trust`).raw().all() as unknown[][],
    }
  })
}
