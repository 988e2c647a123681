/** How stale pages are by the number of their crawls, and what a stale page costs. */
import { numberOption, parameter, positive, requireList, requireObject } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { ParetoLaw, paretoStaleShare } from '../change/laws/pareto.js'
import { PoissonLaw, poissonStaleShare } from '../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'
import { RenewalLaw, type UpdateLaw } from '../change/update-law.js'
import type { Gains } from './allocation-bounds.js'
import { updateTimeCrawls } from './update-time-crawls.js'

enum Kind {
  Poisson,
  Pareto,
  Renewal,
  UpdateTimes,
}

export interface StalenessOptions {
  /** T, the length of the period that is scheduled. All copies are fresh at its start. */
  readonly period: number
  /** w of each page. Default 1. */
  readonly weights?: ArrayLike<number>
  /** The latest time of a crawl in the period, which matters to pages with known update times. */
  readonly latestCrawl?: number
}

/**
 * A_i(x): for which share of a period the copy of page i is stale if it is crawled x times, at the best times ("Optimal
 * crawling strategies", Eq. 4). For every renewal law the best times are evenly spaced, A(x) = Phi(d) / d with d = T /
 * (x + 1), which is convex in x whatever the law: it is the perspective of the convex Phi.
 *
 * Laws are kept as columns of numbers, since the gains of a million pages are asked for many times.
 */
export class StalenessTable implements Gains {
  readonly pages: number
  readonly period: number
  readonly #laws: readonly UpdateLaw[]
  readonly #weights: Float64Array
  readonly #kinds: Uint8Array
  /** Poisson: rate times T. Pareto: shape. Update times: where the curve of the page begins. */
  readonly #first: Float64Array
  /** Pareto: T divided by scale. Update times: the number of crawls that can be useful. */
  readonly #second: Float64Array
  readonly #curves: Float64Array
  readonly #curveGains: Float64Array
  readonly #curveTimes: Float64Array
  #lastPage = -1
  #lastCrawls = 0
  #lastStaleness = 0

  constructor(laws: readonly UpdateLaw[], { period, weights, latestCrawl = period }: StalenessOptions) {
    this.pages = laws.length
    this.period = positive('period', period)
    numberOption('latestCrawl', latestCrawl, period, { min: 0 })
    this.#laws = laws
    for (const [page, law] of laws.entries())
      if (typeof law?.freshProbability !== 'function')
        throw new TypeError(`the law of page ${page} must be a law of updates, received ${describe(law)}`)
    this.#weights = checkedWeights(weights, laws.length)
    this.#kinds = new Uint8Array(laws.length)
    this.#first = new Float64Array(laws.length)
    this.#second = new Float64Array(laws.length)
    const points = laws.reduce((sum, law) => sum + (law instanceof QuasiDeterministicLaw ? law.times.length + 2 : 0), 0)
    this.#curves = new Float64Array(points)
    this.#curveGains = new Float64Array(points)
    this.#curveTimes = new Float64Array(points)
    let used = 0
    for (let page = 0; page < laws.length; page++) used += this.#setLaw(page, laws[page]!, used, latestCrawl)
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
    // A caller that asks for the gains of a page one after the other has computed this before.
    const isKnown = page === this.#lastPage && crawls === this.#lastCrawls
    const before = isKnown ? this.#lastStaleness : this.staleness(page, crawls)
    const after = this.staleness(page, crawls + 1)
    this.#lastPage = page
    this.#lastCrawls = crawls + 1
    this.#lastStaleness = after
    // Rounding must not turn a gain into a loss.
    return this.#weights[page]! * Math.max(0, before - after)
  }

  /** The most crawls of a page that can be useful: one for each possible update and one at the start, or no limit. */
  usefulCrawls(page: number): number {
    return this.hasUpdateTimes(page) ? this.#second[page]! : Number.POSITIVE_INFINITY
  }

  hasUpdateTimes(page: number): boolean {
    return this.#kinds[page] === Kind.UpdateTimes
  }

  /**
   * The best times of this many crawls of a page with known update times, ascending. Crawls beyond the useful ones
   * are made again where the first ones are. REQUIRES: hasUpdateTimes(page).
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

  /** Returns how many entries of the curves the law takes. */
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
  const column = Float64Array.from(weights)
  for (let page = 0; page < pages; page++) {
    // The name in the message is costly, and nearly all weights are valid.
    if (!(column[page]! >= 0 && column[page]! <= Number.MAX_VALUE))
      parameter(`the weight of page ${page}`, weights[page], { min: 0 })
  }
  return column
}

export interface EmbarrassmentFactors {
  /** d: the probability that a stale copy of the page answers a query wrongly. */
  readonly incorrect: number
  /** c[j][k]: how often the result at place j of result page k is clicked. */
  readonly clicks: readonly (readonly number[])[]
  /** b[j][k]: the probability that the page is returned at place j of result page k. */
  readonly returned: readonly (readonly number[])[]
}

/**
 * w = d times the sum of c[j][k] b[j][k]: what a stale page costs the one who answers with it ("Optimal crawling
 * strategies", Eq. 8).
 */
export function embarrassmentWeight(factors: EmbarrassmentFactors): number {
  const { incorrect, clicks, returned } = requireObject('factors', factors)
  for (const [name, rows] of Object.entries({ clicks, returned }))
    for (const [at, row] of requireList(name, rows).entries()) requireList(`${name}[${at}]`, row)
  const shape = (rows: readonly (readonly number[])[]) => rows.map((row) => row.length).join(' ')
  if (shape(clicks) !== shape(returned)) {
    throw new RangeError(
      'clicks and returned must have the same places, ' +
        `received rows of ${describe(shape(clicks))} and ${describe(shape(returned))}`,
    )
  }
  let sum = 0
  for (const [j, row] of clicks.entries()) {
    for (const [k, click] of row.entries()) {
      const c = parameter(`clicks[${j}][${k}]`, click, { min: 0 })
      sum += c * parameter(`returned[${j}][${k}]`, returned[j]?.[k], { min: 0, max: 1 })
    }
  }
  return parameter('incorrect', incorrect, { min: 0, max: 1 }) * sum
}
