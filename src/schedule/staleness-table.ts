/** How stale pages are by the number of their crawls, and what a stale page costs. */
import { choiceOption, numberOption, parameter, positive } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { ParetoLaw, paretoStaleShare } from '../change/laws/pareto.js'
import { PoissonLaw, poissonStaleShare } from '../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'
import { RenewalLaw, type UpdateLaw } from '../change/update-law.js'
import type { Gains } from './allocation-bounds.js'
import { repeatedUpdateTimeCrawls, updateTimeCrawls } from './update-time-crawls.js'
import { staleAtStart, staleTimeOfUpdates } from './update-time-staleness.js'

enum Kind {
  Poisson,
  Pareto,
  Renewal,
  UpdateTimes,
}

/**
 * 'repeated': the period comes again and again, each copy stays until the next crawl of its page, in this period or a
 * later one, and staleness is that of the long run. 'fresh': one period is looked at by itself, and it begins with the
 * copies of the last crawls, which are fresh where nothing is said of them (Eq. 14).
 */
export type ScheduleStart = 'repeated' | 'fresh'

export const SCHEDULE_STARTS: readonly ScheduleStart[] = ['repeated', 'fresh']

export interface StalenessOptions {
  /** T, the length of the period that is scheduled. */
  readonly period: number
  /** Default 'fresh', as in the paper. */
  readonly start?: ScheduleStart
  /**
   * When each page was crawled last, counted from the start of the period, so at most 0 (the paper's t_0). Default 0.
   * A period that is repeated has the same staleness whatever came before: then they only say which pages go first.
   */
  readonly lastCrawls?: ArrayLike<number>
  /** w of each page. Default 1. */
  readonly weights?: ArrayLike<number>
  /** The latest time of a crawl in the period, which matters to pages with known update times. */
  readonly latestCrawl?: number
}

/**
 * A_i(x): for which share of a period the copy of page i is stale if it is crawled x times, at the best times ("Optimal
 * crawling strategies", Eq. 4). For every renewal law the best times are evenly spaced, with a gap d between crawls:
 *
 * - fresh: A(x) = Phi(d) / d with d = T / (x + 1), as all copies are fresh at 0 (Eq. 14).
 * - fresh, with a copy of age a at 0: d = (T + a) / (x + 1), the first crawl at d - a, and A(x) = ((x + 1) Phi(d) -
 *   Phi(a)) / T. If the copy is older than that, it is crawled at once, and A(x) = x Phi(T / x) / T.
 * - repeated: A(x) = Phi(d) / d with d = T / x, and A(0) = 1: a copy that is never taken anew is stale for ever.
 *
 * All are convex in x whatever the law: x Phi(T / x) is the perspective of the convex Phi.
 *
 * Laws are kept as columns of numbers, since the gains of a million pages are asked for many times.
 */
export class StalenessTable implements Gains {
  readonly pages: number
  readonly period: number
  readonly start: ScheduleStart
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
  /** By page: the age of the copy when the period begins; undefined where all are 0. */
  readonly #ages: Float64Array | undefined
  #lastPage = -1
  #lastCrawls = 0
  #lastStaleness = 0

  constructor(
    laws: readonly UpdateLaw[],
    { period, start, weights, lastCrawls, latestCrawl = period }: StalenessOptions,
  ) {
    this.pages = laws.length
    this.period = positive('period', period)
    this.start = choiceOption('start', start, 'fresh', SCHEDULE_STARTS)
    const ages = checkedAges(lastCrawls, laws.length)
    this.#ages = ages.some((age) => age > 0) ? ages : undefined
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
    if (this.hasUpdateTimes(page)) {
      return this.#curves[this.#first[page]! + Math.min(crawls, this.#second[page]!)]!
    }
    if (this.start === 'repeated') return crawls === 0 ? 1 : this.#staleShare(page, 1 / crawls)
    const age = this.ageAtStart(page) / this.period
    return age === 0 ? this.#staleShare(page, 1 / (crawls + 1)) : this.#staleFrom(page, crawls, age)
  }

  get hasLastCrawls(): boolean {
    return this.#ages !== undefined
  }

  /** Counted from the start of the period. */
  lastCrawl(page: number): number {
    return -this.ageAtStart(page)
  }

  /** The age of the copy when the period begins. */
  ageAtStart(page: number): number {
    return this.#ages === undefined ? 0 : this.#ages[page]!
  }

  /**
   * The expected stale time of a page between two crawls, or between a crawl and the end of the period. A crawl sees an
   * update of the same moment. The times may lie in the next period, too.
   */
  staleTime(page: number, from: number, to: number): number {
    const length = to - from
    if (!this.hasUpdateTimes(page)) return length * this.#staleShare(page, length / this.period)
    return staleTimeOfUpdates(this.#laws[page] as QuasiDeterministicLaw, { from, to, fresh: 1 })
  }

  /** The same from the start of the period until the first crawl of a period that does not repeat. */
  staleTimeAtStart(page: number, to: number): number {
    const age = this.ageAtStart(page)
    if (!this.hasUpdateTimes(page)) return this.staleTime(page, -age, to) - this.staleTime(page, -age, 0)
    const law = this.#laws[page] as QuasiDeterministicLaw
    return staleTimeOfUpdates(law, { from: 0, to, fresh: 1 - staleAtStart(law, age), isFromStart: true })
  }

  /** Whether the page is stale for ever, or never, if nobody crawls it in a period that is repeated. */
  staleUncrawled(page: number): number {
    if (!this.hasUpdateTimes(page)) return 1
    return this.#curves[this.#first[page]!]!
  }

  /** A(x) of a renewal law for a copy of some age; both in periods. */
  #staleFrom(page: number, crawls: number, age: number): number {
    const gap = (1 + age) / (crawls + 1)
    if (gap <= age) return this.#staleShare(page, 1 / crawls)
    return (1 + age) * this.#staleShare(page, gap) - age * this.#staleShare(page, age)
  }

  /** Phi(d) / d of a renewal law, for a gap in periods. */
  #staleShare(page: number, gap: number): number {
    const first = this.#first[page]!
    switch (this.#kinds[page]! as Kind) {
      case Kind.Poisson:
        return poissonStaleShare(first * gap)
      case Kind.Pareto:
        return paretoStaleShare(first, this.#second[page]! * gap)
      default: {
        const length = this.period * gap
        return length === 0 ? 0 : (this.#laws[page] as RenewalLaw).staleTime(length) / length
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
    const startStale = staleAtStart(law, this.ageAtStart(page))
    const crawls = this.start === 'repeated' ? repeatedUpdateTimeCrawls : updateTimeCrawls
    const { staleness, gains, times } = crawls(law, latestCrawl, startStale)
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

/** Ages of copies when the period begins. */
function checkedAges(lastCrawls: ArrayLike<number> | undefined, pages: number): Float64Array {
  const ages = new Float64Array(pages)
  if (lastCrawls === undefined) return ages
  if (lastCrawls.length !== pages) {
    throw new RangeError(`lastCrawls must be one for each of ${pages} pages, received ${lastCrawls.length}`)
  }
  for (let page = 0; page < pages; page++) {
    const time = lastCrawls[page]!
    if (time <= 0 && time > Number.NEGATIVE_INFINITY) ages[page] = -time
    else {
      throw new RangeError(
        `the last crawl of page ${page} must be a finite number of at most 0, counted from the start of the period, ` +
          `received ${describe(lastCrawls[page])}`,
      )
    }
  }
  return ages
}
