/** What refreshes were expected to gain and what they did, day by day, as rows of the catalog. The table is in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { inSqlite } from './sqlite-failure.js'

export interface StoredReviewDay {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly refreshes: number
  readonly changes: number
  readonly expectedChanges: number
  readonly expectedDeltaQuality: number
  /** Of what was expected: see gain-interval.ts. */
  readonly variance: number
  readonly deltaQuality: number
}

export interface ReviewCommit {
  /** These are all rows that there are: whatever else the table holds is damage. */
  readonly isAll: boolean
  readonly days: readonly StoredReviewDay[]
  /** Days before it are forgotten. */
  readonly firstDay: number
}

/** In the order of StoredReviewDay. */
export const REVIEW_COLUMNS =
  'day, refreshes, changes, expected_changes, expected_delta_quality, variance, delta_quality'

/** Writes within a transaction of the caller. */
export function prepareReviewWriter(db: Database): (commit: ReviewCommit) => void {
  const put = db.prepare(`INSERT OR REPLACE INTO review_days (${REVIEW_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  const forget = db.prepare('DELETE FROM review_days WHERE day < ?')
  const clear = db.prepare('DELETE FROM review_days')
  return ({ isAll, days, firstDay }) => {
    if (isAll) clear.run()
    for (const row of days) {
      const { day, refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality } = row
      put.run(day, refreshes, changes, expectedChanges, expectedDeltaQuality, variance, deltaQuality)
    }
    forget.run(firstDay)
  }
}

/** Values as the table has them, in the order of StoredReviewDay, whatever they are. */
export function readReviewDays(db: Database): readonly (readonly unknown[])[] {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 4) return []
    return db.prepare(`SELECT ${REVIEW_COLUMNS} FROM review_days ORDER BY day`).raw().all() as unknown[][]
  })
}
