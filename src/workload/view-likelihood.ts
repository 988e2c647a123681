/** How likely somebody views the answer at a rank, I(r) of User-centric crawling, Eq. 2, and its fit to clicks. */
import { MAX_AMOUNT, MAX_BOOST } from '../base/amounts.js'
import { amountOption, numberOption } from '../base/checks.js'
import { describe } from '../base/describe.js'

/** I(rank1), ranks counting from 1: finite, never negative, never rising. Only its proportions matter. */
export type ViewLikelihood = (rank1: number) => number

/** r^-exponent. */
const MAX_EXPONENT = 100

export function powerView(exponent: number): ViewLikelihood {
  numberOption('view', exponent, 0, { min: 0, aboveMin: true, max: MAX_EXPONENT })
  return (rank1) => rank1 ** -exponent
}

/** r^-3/2, as measured on a search engine (User-centric crawling, Eq. 2). */
export const DEFAULT_VIEW: ViewLikelihood = powerView(1.5)

export const HEAD_RANKS = 1024
const TAIL_BITS = { first: 11, last: 31 } as const

/** A likelihood as numbers, for the core, which cannot call a function. */
export interface SampledView {
  /** The likelihoods of the ranks 1 to 1024. */
  readonly head: Float64Array
  /** Pairs (rank, likelihood) for the ranks 2048, 4096, … 2^31. */
  readonly tail: Float64Array
}

/** Calls the function once for each rank. RangeError, with the rank, where it breaks its contract. */
export function sampleView(view: ViewLikelihood): SampledView {
  if (typeof view !== 'function') throw new TypeError(`view must be a function of the rank, received ${describe(view)}`)
  let before = Number.POSITIVE_INFINITY
  const sample = (rank1: number): number => {
    const value: unknown = view(rank1)
    const fault = faultOf(rank1, value, before)
    if (fault !== undefined) throw new RangeError(`view(${rank1}) must be ${fault}, received ${describe(value)}`)
    before = value as number
    return before
  }
  const head = Float64Array.from({ length: HEAD_RANKS }, (_, at) => sample(at + 1))
  const tail = new Float64Array((TAIL_BITS.last - TAIL_BITS.first + 1) * 2)
  for (let at = 0; at < tail.length; at += 2) {
    const rank1 = 2 ** (TAIL_BITS.first + at / 2)
    const previous = before
    tail.set([rank1, sample(rank1)], at)
    if (rank1 === 2 ** TAIL_BITS.last && before === previous && before > 0)
      throw new RangeError(`view(${rank1}) must be below that of rank ${rank1 / 2}: what is seen alike has no end`)
  }
  return { head, tail }
}

function faultOf(rank1: number, value: unknown, before: number): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return 'a finite number of at least 0'
  if (value > MAX_BOOST) return `at most ${MAX_BOOST}`
  if (rank1 === 1 && value === 0) return 'above 0'
  return value > before ? `at most that of the rank before, ${before}` : undefined
}

/** The last rank whose clicks are counted. Few people look further, and their clicks say little about the others. */
export const MAX_CLICK_RANK = 100
const MIN_CLICKS = 50
const MIN_RANKS = 3
const EXPONENT = { min: 0.1, max: 5 } as const
/**
 * The ratio of the ends of a bin of ranks, so that empty ranks far down are not bins of their own.
 */
const BIN_RATIO = 1.5

export interface ClickRow {
  readonly rank1: number
  readonly count: number
}

export class ClickCounts {
  readonly #counts = new Float64Array(MAX_CLICK_RANK)

  /** A rank beyond the last one is ignored. What is counted stays an amount, which is what can be read again. */
  add(rank1: number, count = 1): void {
    numberOption('rank1', rank1, 1, { min: 1, integer: true })
    amountOption('count', count, 1, { aboveMin: true })
    if (rank1 > MAX_CLICK_RANK) return
    this.#counts[rank1 - 1] = Math.min(MAX_AMOUNT, this.#counts[rank1 - 1]! + count)
  }

  /** Replaces all counts. */
  restore(rows: Iterable<ClickRow>): void {
    this.#counts.fill(0)
    for (const { rank1, count } of rows) this.add(rank1, count)
  }

  /** The ranks with clicks. */
  rows(): ClickRow[] {
    return Array.from(this.#counts, (count, at) => ({ rank1: at + 1, count })).filter(({ count }) => count > 0)
  }

  /** Clicks by rank; the first is that of rank 1. */
  get counts(): Float64Array {
    return this.#counts.slice()
  }

  get total(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0)
  }
}

/** scale · r^-exponent is the share of the clicks that the rank gets. */
export interface FittedView {
  readonly scale: number
  readonly exponent: number
  readonly clicks: number
  /**
   * r^-exponent without the scale, which would only rescale all gains, against those measured before the fit.
   */
  readonly view: ViewLikelihood
}

/**
 * A power law through click shares by least squares on log-log scale; `clicks[0]` is the count of rank 1. Shares are
 * averaged over bins of ranks that widen in proportion to the rank, and weigh as much as they have clicks: the variance
 * of the logarithm of a count is about its inverse. Undefined with fewer than 50 clicks, or clicks on fewer than 3
 * ranks or 2 bins.
 */
export function fitView(clicks: ArrayLike<number>): FittedView | undefined {
  const counts = Array.from(clicks, (count, at) => numberOption(`clicks[${at}]`, count, 0, { min: 0 }))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total < MIN_CLICKS || counts.filter((count) => count > 0).length < MIN_RANKS) return undefined
  const points = binsOf(counts).filter(({ weight }) => weight > 0)
  if (points.length < 2) return undefined

  const meanOf = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + point.weight * value(point), 0) / total
  const meanX = meanOf(({ x }) => x)
  const meanY = meanOf(({ y }) => y)
  const slope = meanOf(({ x, y }) => (x - meanX) * (y - meanY)) / meanOf(({ x }) => (x - meanX) ** 2)
  const exponent = Math.min(EXPONENT.max, Math.max(EXPONENT.min, -slope))
  const scale = Math.exp(meanY + exponent * meanX) / total
  return { scale, exponent, clicks: total, view: powerView(exponent) }
}

interface Point {
  /** Logarithm of the rank in the middle of the bin. */
  readonly x: number
  /** Logarithm of the mean clicks of its ranks. */
  readonly y: number
  readonly weight: number
}

function binsOf(counts: readonly number[]): Point[] {
  const points: Point[] = []
  for (let first = 1; first <= counts.length; ) {
    const last = Math.min(counts.length, Math.max(first, Math.ceil(first * BIN_RATIO) - 1))
    const weight = counts.slice(first - 1, last).reduce((sum, count) => sum + count, 0)
    points.push({ x: Math.log(first * last) / 2, y: Math.log(weight / (last - first + 1)), weight })
    first = last + 1
  }
  return points
}
