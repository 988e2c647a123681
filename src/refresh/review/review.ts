/** Whether refreshes have gained what was expected of them. */
import { DAY_MS, type Time } from '../../base/time.js'
import { gainInterval } from '../model/gain-interval.js'
import type { StoredReviewDay } from './review-days.js'
import { isTelling, type ReviewVerdict, reviewSentence, verdictOf } from './review-sentence.js'

export interface ReviewOptions {
  /** Days from this moment on. Default: all that are kept. */
  readonly since?: Time
  /** Days up to this moment. Default: all. */
  readonly until?: Time
}

/** The refreshes of some days, and what was expected of them just before. */
export interface ReviewSums {
  readonly refreshes: number
  /** Refreshes that found the document changed. */
  readonly changes: number
  readonly expectedChanges: number
  /** The measured gain ΔQ_A. */
  readonly deltaQuality: number
  readonly expectedDeltaQuality: number
  /** The measured gain should lie between `low` and `high` nine times out of ten. */
  readonly low: number
  readonly high: number
  /** What that says; 'too-few-to-tell' where `low` is so low that next to nothing would be as expected. */
  readonly verdict: ReviewVerdict
}

export interface ReviewedDay extends ReviewSums {
  /** The beginning of the day in UTC, in milliseconds since 1970. */
  readonly from: number
  /** Whether the measured gain lies between `low` and `high`. */
  readonly isWithin: boolean
}

export interface Review extends ReviewSums {
  /** The review in words. */
  readonly sentence: string
  /** Measured gain divided by expected gain; undefined when nothing was expected. */
  readonly ratio: number | undefined
  /** Slope of the line through 0 that best fits measured to expected gains of days; undefined as above. */
  readonly slope: number | undefined
  /**
   * The share of days whose measured gain lies between `low` and `high`, of the days with enough refreshes to tell;
   * undefined without such days.
   */
  readonly withinShare: number | undefined
  readonly days: readonly ReviewedDay[]
}

/** REQUIRES: `rows` in the order of time. */
export function reviewOf(
  rows: readonly StoredReviewDay[],
  { since, until }: { readonly since?: number; readonly until?: number } = {},
): Review {
  const first = Math.floor((since ?? Number.NEGATIVE_INFINITY) / DAY_MS)
  const last = Math.floor((until ?? Number.POSITIVE_INFINITY) / DAY_MS)
  const chosen = rows.filter(({ day }) => day >= first && day <= last)
  const days = chosen.map((row) => {
    const sums = sumsOf([row])
    const isWithin = row.deltaQuality >= sums.low && row.deltaQuality <= sums.high
    return { from: row.day * DAY_MS, ...sums, isWithin }
  })
  const telling = days.filter(isTelling)
  const sums = sumsOf(chosen)
  const total = (value: (row: StoredReviewDay) => number) => chosen.reduce((sum, row) => sum + value(row), 0)
  const squares = total(({ expectedDeltaQuality }) => expectedDeltaQuality ** 2)
  const products = total(({ expectedDeltaQuality, deltaQuality }) => expectedDeltaQuality * deltaQuality)
  return {
    ...sums,
    sentence: reviewSentence(sums),
    ratio: sums.expectedDeltaQuality > 0 ? sums.deltaQuality / sums.expectedDeltaQuality : undefined,
    slope: squares > 0 ? products / squares : undefined,
    withinShare: telling.length > 0 ? telling.filter(({ isWithin }) => isWithin).length / telling.length : undefined,
    days,
  }
}

function sumsOf(rows: readonly StoredReviewDay[]): ReviewSums {
  const total = (value: (row: StoredReviewDay) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  const expectedDeltaQuality = total((row) => row.expectedDeltaQuality)
  const interval = gainInterval({ mean: expectedDeltaQuality, variance: total((row) => row.variance) })
  const deltaQuality = total((row) => row.deltaQuality)
  return {
    refreshes: total((row) => row.refreshes),
    changes: total((row) => row.changes),
    expectedChanges: total((row) => row.expectedChanges),
    deltaQuality,
    expectedDeltaQuality,
    ...interval,
    verdict: verdictOf({ deltaQuality, expectedDeltaQuality, ...interval }),
  }
}
