/**
 * What is known about the refreshes of each page, column by column: policies read millions of rows, and a row of numbers in
 * arrays takes a fraction of an object. Row n is that of document n.
 */

/** How many of the last refreshes of a page are kept one by one. */
export const RECENT_REFRESHES = 6

/** Kind and number of elements of each column. ΔQ_A is `deltaQuality` throughout; times are milliseconds since 1970. */
const COLUMNS = {
  /** 1: the page is there and may be refreshed. */
  present: [Uint8Array, 1],
  /** Number of an outcome, see OUTCOMES; 0 where there is no row. */
  lastOutcome: [Uint8Array, 1],
  /** Failed attempts since the last success. */
  errors: [Uint16Array, 1],
  /** Refreshes after the first download. */
  refreshes: [Uint32Array, 1],
  /** Refreshes that found the page changed. */
  changes: [Uint32Array, 1],
  /** Refreshes with an interval, the only ones in sums and averages: |R| of User-centric crawling, section 6. */
  rated: [Uint32Array, 1],
  /** The first download. */
  createdMs: [Float64Array, 1],
  /** The last refresh, or the first download: LR of User-centric crawling. */
  refreshedMs: [Float64Array, 1],
  /** The last attempt, failed or not. */
  lastAttemptMs: [Float64Array, 1],
  /** Over the rated refreshes. */
  sumDeltaQuality: [Float64Array, 1],
  sumIntervalMs: [Float64Array, 1],
  /** Sum of deltaQuality / interval, per millisecond. */
  sumRate: [Float64Array, 1],
  lastDeltaQuality: [Float32Array, 1],
  /** As sumRate, but what is older counts less; `decayedWeight` is what `rated` would be. Their quotient is the mean. */
  decayedRate: [Float32Array, 1],
  decayedWeight: [Float32Array, 1],
  /** The page's value at stake in today's rankings, in units of deltaQuality. */
  stake: [Float32Array, 1],
  /** The last rated refreshes, as a ring: the next one goes to place rated % RECENT_REFRESHES. */
  recentIntervalSeconds: [Float32Array, RECENT_REFRESHES],
  recentDeltaQuality: [Float32Array, RECENT_REFRESHES],
} as const

type ColumnName = keyof typeof COLUMNS
const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

/** For writing. The arrays are replaced when the ledger grows: take them from here each time. */
export type LedgerColumnArrays = { [Name in ColumnName]: InstanceType<(typeof COLUMNS)[Name][0]> }

/** For reading. */
export type LedgerColumns = { readonly [Name in ColumnName]: ArrayLike<number> }

export const BYTES_PER_PAGE = COLUMN_NAMES.reduce((sum, name) => {
  const [kind, width] = COLUMNS[name]
  return sum + kind.BYTES_PER_ELEMENT * width
}, 0)

export function newColumns(rows: number): LedgerColumnArrays {
  const columns = COLUMN_NAMES.map((name) => {
    const [kind, width] = COLUMNS[name]
    return [name, new kind(rows * width)]
  })
  return Object.fromEntries(columns) as LedgerColumnArrays
}

/** Longer columns with the same beginning, in the same object. */
export function growColumns(columns: LedgerColumnArrays, rows: number): void {
  const grown = newColumns(rows)
  for (const name of COLUMN_NAMES) grown[name].set(columns[name])
  Object.assign(columns, grown)
}

export function clearRow(columns: LedgerColumnArrays, doc: number): void {
  for (const name of COLUMN_NAMES) {
    const width = COLUMNS[name][1]
    columns[name].fill(0, doc * width, (doc + 1) * width)
  }
}

/** The place of a page's n-th last rated refresh in the recent columns, n from 0. REQUIRES: n < recentCount. */
export function recentAt(columns: LedgerColumns, doc: number, back: number): number {
  const next = columns.rated[doc]! % RECENT_REFRESHES
  return doc * RECENT_REFRESHES + ((next - 1 - back + 2 * RECENT_REFRESHES) % RECENT_REFRESHES)
}

export function recentCount(columns: LedgerColumns, doc: number): number {
  return Math.min(columns.rated[doc]!, RECENT_REFRESHES)
}
