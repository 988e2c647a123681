/**
 * Every column of the ledger, declared once. From this table follow the arrays (column-arrays.ts), the row as an
 * object, its check and its packed form (rows.ts, blobs.ts), and the table `ledger` of the catalog
 * (catalog/ledger-rows.ts). A new column is one line here and its use. ΔQ_A is `deltaQuality` throughout; times are
 * milliseconds since 1970.
 */
import { SKETCH_MINIMA } from '../change/sketches.js'

/** How many of the last rated refreshes of a page are kept one by one. */
export const RECENT_REFRESHES = 6
/** How many observations a change profile holds: see profile.ts. */
export const PROFILE_OBSERVATIONS = 12
/** How many versions of a page can be the bases of further profiles: see versions.ts. */
export const MORE_PROFILES = 4

export type ArrayKind =
  | Uint8ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor
  | Float32ArrayConstructor
  | Float64ArrayConstructor

/**
 * What the number of a page means, and so which values a row may have:
 *
 * - flag: 0 or 1; a row has it as a boolean, and its name begins with "is".
 * - outcome: what came of the last attempt, as a number from 1; 0 where there is no row.
 * - count: a whole number from 0 to the largest that the array holds.
 * - time: a moment that a Date can hold.
 * - amount: from 0 to MAX_AMOUNT of rows.ts.
 */
export type Meaning = 'flag' | 'outcome' | 'count' | 'time' | 'amount'

/** Parts of the ledger whose bytes a page are counted separately. */
export type ColumnGroup = 'history' | 'profile' | 'signals' | 'cluster' | 'versions'

/** Columns that are kept together as bytes. A BLOB that names a column has no bytes at all where that column is 0. */
export const BLOBS = { recent: undefined, profile: 'profileState', versions: 'versions' } as const
export type BlobName = keyof typeof BLOBS

interface NumberPlace {
  readonly is: Meaning
  readonly of: ColumnGroup
  /** The name in the catalog, where that is not the row's name in snake case. */
  readonly sql?: string
}

interface BlobPlace {
  readonly blob: BlobName
  readonly of: ColumnGroup
  /** Elements a page; 1 unless told. */
  readonly width?: number
}

export interface Column<Kind extends ArrayKind = ArrayKind, Place = NumberPlace | BlobPlace> {
  readonly array: Kind
  /** Elements a page. */
  readonly width: number
  /** The largest whole number that an element holds; of an array of floats the largest that is safe. */
  readonly max: number
  readonly place: Place
}

export function column<Kind extends ArrayKind, const Place extends NumberPlace | BlobPlace>(
  array: Kind,
  place: Place,
): Column<Kind, Place> {
  const max = isWhole(array) ? 2 ** (8 * array.BYTES_PER_ELEMENT) - 1 : Number.MAX_SAFE_INTEGER
  return { array, width: ('width' in place ? place.width : undefined) ?? 1, max, place }
}

export function isWhole(array: ArrayKind): boolean {
  return array !== Float32Array && array !== Float64Array
}

export const LEDGER = {
  /** The page is there and may be refreshed. */
  present: column(Uint8Array, { is: 'flag', of: 'history' }),
  /** What came of the last attempt: the number of an outcome, see OUTCOMES in rows.ts. */
  lastOutcome: column(Uint8Array, { is: 'outcome', of: 'history' }),
  /** Failed attempts since the last success. */
  errors: column(Uint16Array, { is: 'count', of: 'history' }),
  /** Refreshes after the first download. */
  refreshes: column(Uint32Array, { is: 'count', of: 'history' }),
  /** Refreshes that found the page changed. */
  changes: column(Uint32Array, { is: 'count', of: 'history' }),
  /** Refreshes with an interval, the only ones in sums and averages: |R| of User-centric crawling, section 6. */
  rated: column(Uint32Array, { is: 'count', of: 'history' }),
  /** The first download. */
  createdMs: column(Float64Array, { is: 'time', of: 'history' }),
  /** The last refresh, or the first download: LR of User-centric crawling. */
  refreshedMs: column(Float64Array, { is: 'time', of: 'history' }),
  /** The last attempt, failed or not. */
  lastAttemptMs: column(Float64Array, { is: 'time', of: 'history', sql: 'attempted_ms' }),
  /** Sum of deltaQuality over the measured refreshes: the rated ones without the unmeasured. */
  sumDeltaQuality: column(Float64Array, { is: 'amount', of: 'history' }),
  /** Sum of the intervals before the rated refreshes. */
  sumIntervalMs: column(Float64Array, { is: 'amount', of: 'history' }),
  /** Sum of deltaQuality / interval over the measured refreshes, per millisecond. */
  sumRate: column(Float64Array, { is: 'amount', of: 'history' }),
  /**
   * Rated refreshes that found a change whose gain nobody could measure, because there were no curves or no text. They
   * are changes and have intervals, but they are in no sum of gains.
   */
  unmeasured: column(Uint32Array, { is: 'count', of: 'history' }),
  /** As sumRate, but older refreshes count less. Divided by decayedWeight it is a mean. */
  decayedRate: column(Float32Array, { is: 'amount', of: 'history' }),
  /** The number of measured refreshes, weighted as in decayedRate. */
  decayedWeight: column(Float32Array, { is: 'amount', of: 'history' }),
  /** The page's value at stake in today's rankings, in units of deltaQuality. */
  stake: column(Float32Array, { is: 'amount', of: 'history' }),
  /** Intervals before the last rated refreshes, as a ring: the next one goes to place rated % RECENT_REFRESHES. */
  recentIntervalSeconds: column(Float32Array, { blob: 'recent', of: 'history', width: RECENT_REFRESHES }),
  /** What the same refreshes gained, at the same places; NaN for one that was not measured. */
  recentDeltaQuality: column(Float32Array, { blob: 'recent', of: 'history', width: RECENT_REFRESHES }),

  /** When the base version of the profile was fetched. */
  profileBaseMs: column(Float64Array, { blob: 'profile', of: 'profile' }),
  /** The smallest shingle hashes of the base version, ascending; 0xFFFFFFFF where there are no more. */
  sketch: column(Uint32Array, { blob: 'profile', of: 'profile', width: SKETCH_MINIMA }),
  /** Seconds from the base version to each observation, ascending. */
  observedAgeSeconds: column(Float32Array, { blob: 'profile', of: 'profile', width: PROFILE_OBSERVATIONS }),
  /** The divergence from the base version at each observation: its place among DIVERGENCES of profile.ts. */
  observedDivergence: column(Uint8Array, { blob: 'profile', of: 'profile', width: PROFILE_OBSERVATIONS }),
  /** Refreshes between each observation and the one before that made room; those beyond 255 are not counted. */
  skippedRefreshes: column(Uint8Array, { blob: 'profile', of: 'profile', width: PROFILE_OBSERVATIONS }),
  /** Changes per day of the curve that fitted the profile before this one. */
  earlierRatePerDay: column(Float32Array, { blob: 'profile', of: 'profile' }),
  /** The share of the page that changes, of the same curve. */
  earlierShare: column(Float32Array, { blob: 'profile', of: 'profile' }),
  /** The number of items of the same curve; 0: there is no such curve. */
  earlierItems: column(Uint8Array, { blob: 'profile', of: 'profile' }),
  /** 0: no profile; 1: live; 2: the page has a version by now that was not sketched. */
  profileState: column(Uint8Array, { blob: 'profile', of: 'profile' }),
  /** The number of observations. */
  observations: column(Uint8Array, { blob: 'profile', of: 'profile' }),

  /** The number of the site whose signals are trusted alike; 0 while none is known. */
  site: column(Uint32Array, { is: 'count', of: 'signals' }),
  /** Signals of a change since the last refresh; those beyond the largest number are not counted. */
  signals: column(Uint8Array, { is: 'count', of: 'signals' }),
  /** The kinds of these signals, a bit each, in the order of SIGNAL_KINDS. */
  signalKinds: column(Uint8Array, { is: 'count', of: 'signals' }),
  /** When the first of these signals was heard; 0 without any. */
  signalMs: column(Float64Array, { is: 'time', of: 'signals' }),

  /**
   * Which of the last 32 refreshes found the page changed: a bit each, the newest in bit 0. There are min(refreshes,
   * 32) of them.
   */
  changeBits: column(Uint32Array, { is: 'count', of: 'profile' }),
  /** The number of a cluster of pages that change alike, from 1; 0 for a page that is in none. */
  cluster: column(Uint16Array, { is: 'count', of: 'cluster' }),

  /** The number of versions that are kept as bases of further profiles; the group has no place before one is. */
  versions: column(Uint8Array, { blob: 'versions', of: 'versions' }),
  /** When each of them was fetched, ascending. */
  versionMs: column(Float64Array, { blob: 'versions', of: 'versions', width: MORE_PROFILES }),
  /** The sketch of each. */
  versionSketch: column(Uint32Array, { blob: 'versions', of: 'versions', width: MORE_PROFILES * SKETCH_MINIMA }),
} as const

export type ColumnName = keyof typeof LEDGER
