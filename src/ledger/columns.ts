/**
 * What is known about the refreshes of each page, column by column: policies read millions of rows, and a row of
 * numbers in arrays takes a fraction of an object. Row n is that of document n.
 */
import { SKETCH_MINIMA } from '../change/sketches.js'

/** How many of the last refreshes of a page are kept one by one. */
export const RECENT_REFRESHES = 6
/** Of one profile: see profile.ts. */
export const PROFILE_OBSERVATIONS = 12

/** Kind and number of elements of each column. ΔQ_A is `deltaQuality` throughout; times are milliseconds since 1970. */
const HISTORY_COLUMNS = {
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
  /**
   * As sumRate, but what is older counts less; `decayedWeight` is what `rated` would be. Their quotient is the mean.
   */
  decayedRate: [Float32Array, 1],
  decayedWeight: [Float32Array, 1],
  /** The page's value at stake in today's rankings, in units of deltaQuality. */
  stake: [Float32Array, 1],
  /** The last rated refreshes, as a ring: the next one goes to place rated % RECENT_REFRESHES. */
  recentIntervalSeconds: [Float32Array, RECENT_REFRESHES],
  recentDeltaQuality: [Float32Array, RECENT_REFRESHES],
} as const

/** How the page changes. Each has its meaning in profile.ts. */
const PROFILE_COLUMNS = {
  profileBaseMs: [Float64Array, 1],
  sketch: [Uint32Array, SKETCH_MINIMA],
  observedAgeSeconds: [Float32Array, PROFILE_OBSERVATIONS],
  observedDivergence: [Uint16Array, PROFILE_OBSERVATIONS],
  earlierRatePerDay: [Float32Array, 1],
  earlierShare: [Float32Array, 1],
  earlierItems: [Uint8Array, 1],
  profileState: [Uint8Array, 1],
  observations: [Uint8Array, 1],
  /**
   * Which of the last 32 refreshes found the page changed: a bit each, the newest in bit 0. There are min(refreshes,
   * 32) of them.
   */
  changeBits: [Uint32Array, 1],
} as const

/** What was heard of the page since its last refresh. */
const SIGNAL_COLUMNS = {
  /** Number of the site whose signals are trusted alike; 0 while none is known. */
  site: [Uint32Array, 1],
  /** Signals of a change since the last refresh, no more than 255. */
  signals: [Uint8Array, 1],
  /** Their kinds, a bit each. */
  signalKinds: [Uint8Array, 1],
  /** When the first of them was heard; 0 without any. */
  signalMs: [Float64Array, 1],
} as const

/** Of which family the page is. */
const CLUSTER_COLUMNS = {
  /** Number of a cluster of pages that change alike, from 1; 0 for a page that is in none. */
  cluster: [Uint16Array, 1],
} as const

const COLUMNS = { ...HISTORY_COLUMNS, ...PROFILE_COLUMNS, ...SIGNAL_COLUMNS, ...CLUSTER_COLUMNS } as const

export type ColumnName = keyof typeof COLUMNS
const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[]

/** For writing. The arrays are replaced when the ledger grows: take them from here each time. */
export type LedgerColumnArrays = { [Name in ColumnName]: InstanceType<(typeof COLUMNS)[Name][0]> }

/** For reading. */
export type LedgerColumns = { readonly [Name in ColumnName]: ArrayLike<number> }

type Shape = Readonly<Record<string, readonly [{ readonly BYTES_PER_ELEMENT: number }, number]>>

function bytesOf(columns: Shape): number {
  return Object.values(columns).reduce((sum, [kind, width]) => sum + kind.BYTES_PER_ELEMENT * width, 0)
}

/** Of a page, by what they are for. */
export const COLUMN_BYTES = {
  history: bytesOf(HISTORY_COLUMNS),
  profile: bytesOf(PROFILE_COLUMNS),
  signals: bytesOf(SIGNAL_COLUMNS),
  cluster: bytesOf(CLUSTER_COLUMNS),
} as const

export const BYTES_PER_PAGE = bytesOf(COLUMNS)

/** Of a page, in these columns. */
export function columnBytes(names: readonly ColumnName[]): number {
  return bytesOf(Object.fromEntries(names.map((name) => [name, COLUMNS[name]])))
}

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
