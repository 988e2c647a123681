import { parameter, positive } from '../change/law-parameters.js'
import { ParetoLaw, paretoStaleShare } from '../change/laws/pareto.js'
import { PoissonLaw, poissonStaleShare } from '../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'
import { RenewalLaw, type UpdateLaw } from '../change/update-law.js'
import { describe } from '../describe.js'
import { numberOption } from '../option-checks.js'
import type { Gains } from './allocation-bounds.js'
import { updateTimeCrawls } from './update-time-crawls.js'

enum Kind {
  Poisson,
  Pareto,
  Renewal,
  UpdateTimes,
}

export interface StalenessOptions {
  /** T, the length of the period that is scheduled; the copy is fresh at its start. */
  readonly period: number
  /** w of each page; 1 for all unless told. */
  readonly weights?: ArrayLike<number>
  /** No crawl is possible after this time of the period; matters to pages with known update times. */
  readonly latestCrawl?: number
}

/**
 * A_i(x): for which share of a period the copy of page i is stale if it is crawled x times, at the best times ("Optimal crawling
 * strategies", Eq. 4). For every renewal law the best times are evenly spaced, A(x) = Phi(d) / d with d = T / (x + 1), which is
 * convex in x whatever the law: it is the perspective of the convex Phi.
 *
 * Laws are kept as columns of numbers: a million pages are asked for their gains many times over.
 */
export class StalenessTable implements Gains {
  readonly pages: number
  readonly period: number
  readonly #laws: readonly UpdateLaw[]
  readonly #weights: Float64Array
  readonly #kinds: Uint8Array
  /** Poisson: rate times T. Pareto: its shape. Update times: where its curve begins. */
  readonly #first: Float64Array
  /** Pareto: T by its scale. Update times: the number of crawls that can be of use. */
  readonly #second: Float64Array
  readonly #curves: Float64Array
  readonly #curveGains: Float64Array
  readonly #curveTimes: Float64Array

  constructor(laws: readonly UpdateLaw[], { period, weights, latestCrawl = period }: StalenessOptions) {
    this.pages = laws.length
    this.period = positive('period', period)
    numberOption('latestCrawl', latestCrawl, period, { min: 0 })
    this.#laws = laws
    this.#weights = checkedWeights(weights, laws.length)
    this.#kinds = new Uint8Array(laws.length)
    this.#first = new Float64Array(laws.length)
    this.#second = new Float64Array(laws.length)
    const points = laws.reduce((sum, law) => sum + (law instanceof QuasiDeterministicLaw ? law.times.length + 2 : 0), 0)
    this.#curves = new Float64Array(points)
    this.#curveGains = new Float64Array(points)
    this.#curveTimes = new Float64Array(points)
    let used = 0
    for (const [page, law] of laws.entries()) used += this.#setLaw(page, law, used, latestCrawl)
  }

  /** w of a page. */
  weight(page: number): number {
    return this.#weights[page]!
  }

  /** A(x), unweighted. */
  staleness(page: number, crawls: number): number {
    const first = this.#first[page]!
    switch (this.#kinds[page]! as Kind) {
      case Kind.Poisson:
        return poissonStaleShare(first / (crawls + 1))
      case Kind.Pareto:
        return paretoStaleShare(first, this.#second[page]! / (crawls + 1))
      case Kind.UpdateTimes:
        return this.#curves[first + Math.min(crawls, this.#second[page]!)]!
      case Kind.Renewal: {
        const length = this.period / (crawls + 1)
        return (this.#laws[page] as RenewalLaw).staleTime(length) / length
      }
    }
  }

  /** w (A(x) - A(x + 1)): what one crawl more than `crawls` is worth. */
  gain(page: number, crawls: number): number {
    if (this.hasUpdateTimes(page)) {
      if (crawls >= this.#second[page]!) return 0
      return this.#weights[page]! * this.#curveGains[this.#first[page]! + crawls]!
    }
    // Rounding must not make a loss of it.
    return this.#weights[page]! * Math.max(0, this.staleness(page, crawls) - this.staleness(page, crawls + 1))
  }

  /** The most crawls of a page that can be of use: one for each possible update and one at the start, or no limit. */
  usefulCrawls(page: number): number {
    return this.hasUpdateTimes(page) ? this.#second[page]! : Number.POSITIVE_INFINITY
  }

  hasUpdateTimes(page: number): boolean {
    return this.#kinds[page] === Kind.UpdateTimes
  }

  /**
   * The best times for so many crawls of a page with known update times, ascending. Crawls beyond those that are of use are made again where the
   * first ones are. REQUIRES: hasUpdateTimes(page).
   */
  updateTimes(page: number, crawls: number): Float64Array {
    const start = this.#first[page]!
    const useful = this.#second[page]!
    const times = new Float64Array(crawls)
    for (let nth = 0; nth < crawls; nth++) times[nth] = this.#curveTimes[start + (nth % useful)]!
    return times.sort()
  }

  /** The sum of w A(x) over all pages (Eq. 5). */
  objective(crawls: ArrayLike<number>): number {
    let sum = 0
    for (let page = 0; page < this.pages; page++) sum += this.#weights[page]! * this.staleness(page, crawls[page]!)
    return sum
  }

  /** Returns how much of the curves it used. */
  #setLaw(page: number, law: UpdateLaw, used: number, latestCrawl: number): number {
    const { period } = this
    if (law instanceof PoissonLaw) {
      this.#kinds[page] = Kind.Poisson
      this.#first[page] = law.rate * period
    } else if (law instanceof ParetoLaw) {
      this.#kinds[page] = Kind.Pareto
      this.#first[page] = law.shape
      this.#second[page] = period / law.scale
    } else if (law instanceof QuasiDeterministicLaw) {
      return this.#setCurve(page, law, used, latestCrawl)
    } else if (law instanceof RenewalLaw) {
      this.#kinds[page] = Kind.Renewal
    } else {
      throw new TypeError(`the law of page ${page} must be a law of updates, received ${describe(law)}`)
    }
    return 0
  }

  #setCurve(page: number, law: QuasiDeterministicLaw, used: number, latestCrawl: number): number {
    if (law.period !== this.period) {
      throw new RangeError(
        `the update times of page ${page} must repeat after the period ${this.period}, they do after ${law.period}`,
      )
    }
    const { staleness, gains, times } = updateTimeCrawls(law, latestCrawl)
    this.#kinds[page] = Kind.UpdateTimes
    this.#first[page] = used
    this.#second[page] = gains.length
    this.#curves.set(staleness, used)
    this.#curveGains.set(gains, used)
    this.#curveTimes.set(times, used)
    return staleness.length
  }
}

function checkedWeights(weights: ArrayLike<number> | undefined, pages: number): Float64Array {
  if (weights === undefined) return new Float64Array(pages).fill(1)
  if (weights.length !== pages) {
    throw new RangeError(`weights must be one for each of ${pages} pages, received ${weights.length}`)
  }
  return Float64Array.from(weights, (weight, page) => parameter(`the weight of page ${page}`, weight, { min: 0 }))
}
