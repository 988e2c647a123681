/**
 * At which of its possible update times should a quasi-deterministic page be crawled? ("Optimal crawling strategies",
 * section 2.3.3, with u_{Q+1} = T and Eq. 18 weighted by the lengths of the intervals, which the text has otherwise.)
 */
import type { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'

export interface UpdateTimeCrawls {
  /** Crawl times, the most useful first: x crawls are made at the first x. Time 0 is among them. */
  readonly times: Float64Array
  /** A(x) for x = 0 … times.length: the share of the period for which the copy is stale. */
  readonly staleness: Float64Array
  /** gains[x] = A(x) - A(x + 1), never rising. */
  readonly gains: Float64Array
}

/**
 * One crawl after the other, each where staleness drops most, the earliest of equals. Freshness is a submodular
 * function of the set of crawls, so it is at least 1 - 1/e of the best possible for every x (Nemhauser and Wolsey), and
 * the drops never rise.
 *
 * `latest`: crawls after this time are not possible. `startStale`: how likely the copy is stale when the period begins
 * (k_0).
 */
export function updateTimeCrawls(
  law: QuasiDeterministicLaw,
  latest = law.period,
  startStale = law.startStale,
): UpdateTimeCrawls {
  return chosenCrawls(new CrawlChoice(law, startStale), latest)
}

/**
 * The same for a period that is repeated: a copy stays until the next crawl, in this period or the next one. Freshness
 * is submodular here, too: it is the expected time that lies between a crawl and the next update.
 */
export function repeatedUpdateTimeCrawls(
  law: QuasiDeterministicLaw,
  latest = law.period,
  startStale = law.startStale,
): UpdateTimeCrawls {
  return chosenCrawls(new RepeatedCrawlChoice(law, startStale), latest)
}

function chosenCrawls(choice: Choice, latest: number): UpdateTimeCrawls {
  const crawls = choice.countUntil(latest)
  const times = new Float64Array(crawls)
  const staleness = new Float64Array(crawls + 1)
  const gains = new Float64Array(crawls)
  staleness[0] = choice.staleShare()
  for (let x = 0; x < crawls; x++) {
    const at = choice.best(crawls)
    times[x] = choice.time(at)
    // Rounding must not make them rise, nor staleness negative.
    gains[x] = Math.min(choice.gain(at), gains[x - 1] ?? 1)
    staleness[x + 1] = Math.max(0, staleness[x]! - gains[x]!)
    choice.crawl(at)
  }
  return { times, staleness, gains }
}

/** What the greedy way needs to know of the times that are crawled. */
interface Choice {
  time(at: number): number
  /** How many of the times are not after the latest possible crawl. */
  countUntil(latest: number): number
  /** Of the first `count` times, the one that gains most. REQUIRES: one of them is not crawled. */
  best(count: number): number
  /** The staleness that a crawl takes away, as a share of the period. */
  gain(at: number): number
  crawl(at: number): void
  staleShare(): number
}

/**
 * Which update times are crawled, and what a crawl at each of the others would gain. A crawl makes the copy fresh where
 * it was stale with some probability: it gains that probability times the time for which a copy taken there is fresh,
 * until the next crawl. A new crawl at j changes the former up to the next crawl and the latter back to the one before.
 */
class CrawlChoice implements Choice {
  readonly #intervals: number
  /**
   * Interval i goes from starts[i] to starts[i + 1]; its update happens at its start, that of interval 0 before the
   * period.
   */
  readonly #starts: Float64Array
  readonly #updates: Float64Array
  readonly #isCrawled: Uint8Array
  readonly #stale: Float64Array
  readonly #freshTime: Float64Array

  constructor({ period, times, probabilities }: QuasiDeterministicLaw, startStale: number) {
    this.#intervals = times.length + 1
    this.#starts = new Float64Array(this.#intervals + 1)
    this.#starts.set(times, 1)
    this.#starts[this.#intervals] = period
    this.#updates = new Float64Array(this.#intervals)
    this.#updates.set(probabilities, 1)
    this.#updates[0] = startStale
    this.#isCrawled = new Uint8Array(this.#intervals)
    this.#stale = new Float64Array(this.#intervals)
    this.#freshTime = new Float64Array(this.#intervals)
    this.#spoilFrom(0, 1 - startStale)
    this.#lastUntil(this.#intervals - 1)
  }

  time(at: number): number {
    return this.#starts[at]!
  }

  /** The staleness as a share of the period. */
  gain(at: number): number {
    return (this.#stale[at]! * this.#freshTime[at]!) / this.#starts[this.#intervals]!
  }

  /** How many of the times are not after the latest possible crawl. */
  countUntil(latest: number): number {
    let count = 0
    while (count < this.#intervals && this.#starts[count]! <= latest) count++
    return count
  }

  /**
   * Of the first `count` times, the one that gains most, the earliest of equals. REQUIRES: one of them is not crawled.
   */
  best(count: number): number {
    let best = -1
    let gain = -1
    for (let at = 0; at < count; at++) {
      if (this.#isCrawled[at] === 1) continue
      const own = this.#stale[at]! * this.#freshTime[at]!
      if (own <= gain) continue
      best = at
      gain = own
    }
    return best
  }

  crawl(at: number): void {
    this.#isCrawled[at] = 1
    this.#spoilFrom(at, 1)
    if (at > 0) this.#lastUntil(at - 1)
  }

  /** Eq. 18. */
  staleShare(): number {
    let sum = 0
    for (let at = 0; at < this.#intervals; at++) sum += (this.#starts[at + 1]! - this.#starts[at]!) * this.#stale[at]!
    return sum / this.#starts[this.#intervals]!
  }

  /** A copy that is fresh at `start` with this probability loses it update by update, until the next crawl. */
  #spoilFrom(start: number, freshAtStart: number): void {
    let fresh = freshAtStart
    this.#stale[start] = 1 - fresh
    for (let at = start + 1; at < this.#intervals && this.#isCrawled[at] === 0; at++) {
      fresh *= 1 - this.#updates[at]!
      this.#stale[at] = 1 - fresh
    }
  }

  /**
   * Fresh times that end with interval `end`, backwards to the crawl before: the own length, and what is left after the
   * next update.
   */
  #lastUntil(end: number): void {
    let freshTime = 0
    for (let at = end; at >= 0; at--) {
      const kept = at === end ? 0 : (1 - this.#updates[at + 1]!) * freshTime
      freshTime = this.#starts[at + 1]! - this.#starts[at]! + kept
      this.#freshTime[at] = freshTime
      if (this.#isCrawled[at] === 1) return
    }
  }
}

/**
 * The same in a circle: behind the last interval comes the first one. The first crawl makes a copy fresh that would be
 * stale for ever; without possible updates a copy stays as it is.
 */
class RepeatedCrawlChoice implements Choice {
  readonly #period: number
  readonly #intervals: number
  /** Interval i goes from starts[i] to starts[i + 1]; its update happens at its start, and there is none at 0. */
  readonly #starts: Float64Array
  readonly #updates: Float64Array
  readonly #isCrawled: Uint8Array
  readonly #stale: Float64Array
  readonly #freshTime: Float64Array

  constructor({ period, times, probabilities }: QuasiDeterministicLaw, startStale: number) {
    this.#period = period
    this.#intervals = times.length + 1
    this.#starts = new Float64Array(this.#intervals + 1)
    this.#starts.set(times, 1)
    this.#starts[this.#intervals] = period
    this.#updates = new Float64Array(this.#intervals)
    this.#updates.set(probabilities, 1)
    this.#isCrawled = new Uint8Array(this.#intervals)
    this.#stale = new Float64Array(this.#intervals)
    this.#stale.fill(this.#updates.some((chance) => chance > 0) ? 1 : startStale)
    this.#freshTime = this.#freshTimesOfOnlyCrawls()
  }

  time(at: number): number {
    return this.#starts[at]!
  }

  countUntil(latest: number): number {
    let count = 0
    while (count < this.#intervals && this.#starts[count]! <= latest) count++
    return count
  }

  best(count: number): number {
    let best = -1
    let gain = -1
    for (let at = 0; at < count; at++) {
      if (this.#isCrawled[at] === 1) continue
      const own = this.#stale[at]! * this.#freshTime[at]!
      if (own <= gain) continue
      best = at
      gain = own
    }
    return best
  }

  gain(at: number): number {
    return (this.#stale[at]! * this.#freshTime[at]!) / this.#period
  }

  crawl(at: number): void {
    this.#isCrawled[at] = 1
    this.#stale[at] = 0
    let fresh = 1
    for (let next = this.#after(at); this.#isCrawled[next] === 0; next = this.#after(next)) {
      fresh *= 1 - this.#updates[next]!
      this.#stale[next] = 1 - fresh
    }
    let freshTime = 0
    for (let end = this.#before(at), before = end; ; before = this.#before(before)) {
      const kept = before === end ? 0 : (1 - this.#updates[this.#after(before)]!) * freshTime
      freshTime = this.#length(before) + kept
      this.#freshTime[before] = freshTime
      if (this.#isCrawled[before] === 1) return
    }
  }

  staleShare(): number {
    let sum = 0
    for (let at = 0; at < this.#intervals; at++) sum += this.#length(at) * this.#stale[at]!
    return sum / this.#period
  }

  #length(at: number): number {
    return this.#starts[at + 1]! - this.#starts[at]!
  }

  #after(at: number): number {
    return at + 1 === this.#intervals ? 0 : at + 1
  }

  #before(at: number): number {
    return at === 0 ? this.#intervals - 1 : at - 1
  }

  /**
   * How long a copy is fresh in a period if it was taken at the start of an interval. With Q, the probability of a
   * period without updates, F_i = (1 - Q) length_i + (1 - k_(i+1)) F_(i+1) follows from the time that a copy is fresh
   * for ever after, which is F_i / (1 - Q).
   */
  #freshTimesOfOnlyCrawls(): Float64Array {
    const freshTimes = new Float64Array(this.#intervals)
    let quiet = 1
    for (let at = 0; at < this.#intervals; at++) {
      if (at > 0) quiet *= 1 - this.#updates[at]!
      freshTimes[0]! += quiet * this.#length(at)
    }
    for (let at = this.#intervals - 1; at > 0; at--) {
      const next = this.#after(at)
      freshTimes[at] = (1 - quiet) * this.#length(at) + (1 - this.#updates[next]!) * freshTimes[next]!
    }
    return freshTimes
  }
}
