/** Rows of the ledger between columns and objects. */
import { type LedgerColumnArrays, type LedgerColumns, recentAt, recentCount } from './ledger-columns.js'
import { type LedgerRow, OUTCOMES, outcomeNumber, type PastRefresh, ROW_NUMBERS } from './ledger-row.js'
import { packedProfileOf, unpackProfile } from './profile-bytes.js'

/** The last rated refreshes, newest first. */
export function recentRefreshes(columns: LedgerColumns, doc: number): PastRefresh[] {
  const { recentIntervalSeconds, recentDeltaQuality } = columns
  return Array.from({ length: recentCount(columns, doc) }, (_, back) => {
    const at = recentAt(columns, doc, back)
    return { intervalMs: recentIntervalSeconds[at]! * 1000, deltaQuality: recentDeltaQuality[at]! }
  })
}

/** REQUIRES: there is a row. */
export function rowFrom(columns: LedgerColumns, doc: number): LedgerRow {
  const numbers = Object.fromEntries(ROW_NUMBERS.map((name) => [name, columns[name][doc]!]))
  return {
    ...(numbers as { [Name in (typeof ROW_NUMBERS)[number]]: number }),
    doc,
    isPresent: columns.present[doc] === 1,
    lastOutcome: OUTCOMES[columns.lastOutcome[doc]! - 1]!,
    profile: packedProfileOf(columns, doc),
    recent: recentRefreshes(columns, doc),
  }
}

/** REQUIRES: the row is sound, and its place is empty. */
export function rowInto(columns: LedgerColumnArrays, row: LedgerRow): void {
  const { doc } = row
  for (const name of ROW_NUMBERS) columns[name][doc] = row[name]
  columns.present[doc] = row.isPresent ? 1 : 0
  columns.lastOutcome[doc] = outcomeNumber(row.lastOutcome)
  unpackProfile(columns, doc, row.profile)
  row.recent.forEach(({ intervalMs, deltaQuality }, back) => {
    const at = recentAt(columns, doc, back)
    columns.recentIntervalSeconds[at] = intervalMs / 1000
    columns.recentDeltaQuality[at] = deltaQuality
  })
}
