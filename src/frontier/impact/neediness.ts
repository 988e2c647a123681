/**
 * Needy queries: those whose answers new pages would improve most (Crawl ordering by search impact, section 5.2). Only
 * their sketches are built.
 *
 *   neediness(q) = f(q) · improvability(x),   improvability(x) = e^(a + b x),
 *   x = mean score of the K best answers today
 *
 * a and b are fitted to past cycles, by how many new pages came among the K best answers of a query. Observations are
 * sorted by x into buckets of equal size, and a line is fitted to ln(mean improvement) by least squares, every bucket
 * with the same weight (section 6.3).
 */
import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { topValues } from '../../math/heap.js'

export interface Improvability {
  readonly a: number
  readonly b: number
}

/** Before anything was learnt, all queries are equally improvable, and the most frequent are the neediest. */
export const UNKNOWN_IMPROVABILITY: Improvability = { a: 0, b: 0 }

export function improvabilityAt({ a, b }: Improvability, meanScore: number): number {
  return Math.exp(a + b * meanScore)
}

/** f(q) · improvability(x) of each query. */
export function needinessOf(
  frequencies: ArrayLike<number>,
  meanScores: ArrayLike<number>,
  improvability: Improvability,
): Float64Array {
  if (frequencies.length !== meanScores.length) {
    throw new RangeError(
      `meanScores must be one for each of ${frequencies.length} queries, received ${meanScores.length}`,
    )
  }
  const neediness = new Float64Array(frequencies.length)
  for (let query = 0; query < neediness.length; query++)
    neediness[query] = frequencies[query]! * improvabilityAt(improvability, meanScores[query]!)
  return neediness
}

/** The neediest queries, neediest first: this share of all, rounded up, but none of neediness 0. */
export function needyQueries(neediness: ArrayLike<number>, share: number): Uint32Array {
  numberOption('share', share, 1, { min: 0, max: 1 })
  // A share of 0.07 of 100 queries must be 7, however the product is rounded.
  const count = Math.ceil(share * neediness.length - 1e-9)
  return topValues(neediness, count).filter((query) => neediness[query]! > 0)
}

/** ln y = a + b x by least squares. Undefined without points; b = 0 where all x are equal. REQUIRES: all y above 0. */
export function fitLogLinear(xs: ArrayLike<number>, ys: ArrayLike<number>): Improvability | undefined {
  const points = xs.length
  if (points === 0) return undefined
  const logs = Float64Array.from(ys, Math.log)
  const meanX = meanOf(xs)
  const meanLog = meanOf(logs)
  let spread = 0
  let common = 0
  for (let at = 0; at < points; at++) {
    spread += (xs[at]! - meanX) ** 2
    common += (xs[at]! - meanX) * (logs[at]! - meanLog)
  }
  const b = spread > 0 ? common / spread : 0
  return { a: meanLog - b * meanX, b }
}

export interface ImprovabilityFitOptions {
  /** How many points the line is fitted to. Default 20, and at most the number of observations. */
  readonly buckets?: number
}

/** Learns improvability from past cycles, from the latest `maxObservations`. */
export class ImprovabilityFit {
  readonly #meanScores: Float64Array
  readonly #improvements: Float64Array
  #added = 0

  constructor(maxObservations = 65_536) {
    numberOption('maxObservations', maxObservations, 1, { min: 1, max: 2 ** 28, integer: true })
    this.#meanScores = new Float64Array(maxObservations)
    this.#improvements = new Float64Array(maxObservations)
  }

  /** Observations held. */
  get size(): number {
    return Math.min(this.#added, this.#meanScores.length)
  }

  /** Adds a query of one cycle: its mean score before, and how many of the fetched pages are among its K best. */
  add(meanScore: number, improvement: number): void {
    if (!Number.isFinite(meanScore)) {
      throw new RangeError(`meanScore must be a finite number, received ${describe(meanScore)}`)
    }
    numberOption('improvement', improvement, 0, { min: 0 })
    const at = this.#added % this.#meanScores.length
    this.#meanScores[at] = meanScore
    this.#improvements[at] = improvement
    this.#added++
  }

  /**
   * Undefined while no query has ever improved. A bucket without any improvement has no logarithm and is left out.
   * Counted as half a page it would decide the line alone, and say less of other queries: docs/lab-frontier.md.
   */
  fit({ buckets = 20 }: ImprovabilityFitOptions = {}): Improvability | undefined {
    const most = numberOption('buckets', buckets, 20, { min: 1, max: 2 ** 20, integer: true })
    const size = this.size
    if (!this.#improvements.subarray(0, size).some((improvement) => improvement > 0)) return undefined
    const order = Uint32Array.from({ length: size }, (_, at) => at).sort((one, other) => this.#compare(one, other))
    const xs: number[] = []
    const ys: number[] = []
    const count = Math.min(most, size)
    for (let bucket = 0; bucket < count; bucket++) {
      const own = order.subarray(Math.floor((bucket * size) / count), Math.floor(((bucket + 1) * size) / count))
      const improvement = meanOf(Array.from(own, (at) => this.#improvements[at]!))
      if (improvement === 0) continue
      xs.push(meanOf(Array.from(own, (at) => this.#meanScores[at]!)))
      ys.push(improvement)
    }
    return fitLogLinear(xs, ys)
  }

  /** Equal scores are ordered by improvement, so that the order in which they were added does not matter. */
  #compare(one: number, other: number): number {
    return this.#meanScores[one]! - this.#meanScores[other]! || this.#improvements[one]! - this.#improvements[other]!
  }
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += values[at]!
  return sum / values.length
}
