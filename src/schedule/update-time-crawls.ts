/**
 * At which of its possible update times should a quasi-deterministic page be crawled? ("Optimal crawling strategies", section 2.3.3,
 * with u_{Q+1} = T and Eq. 18 weighted by the lengths of the intervals, which the text has otherwise.)
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
 * One crawl after the other, each where staleness drops most, the earliest of equals. Freshness is a submodular function of the set of
 * crawls, so it is at least 1 - 1/e of the best possible for every x (Nemhauser and Wolsey), and the drops never rise.
 *
 * `latest`: crawls after this time are not possible.
 */
export function updateTimeCrawls(law: QuasiDeterministicLaw, latest = law.period): UpdateTimeCrawls {
  const { period, startStale } = law
  // Interval i goes from starts[i] to starts[i + 1]; its update happens at its start, that of interval 0 before the period.
  const intervals = law.times.length + 1
  const starts = new Float64Array(intervals + 1)
  starts.set(law.times, 1)
  starts[intervals] = period
  const updates = new Float64Array(intervals)
  updates.set(law.probabilities, 1)
  updates[0] = startStale
  const isCrawled = new Uint8Array(intervals)
  let crawls = 0
  while (crawls < intervals && starts[crawls]! <= latest) crawls++
  const result = {
    times: new Float64Array(crawls),
    staleness: new Float64Array(crawls + 1),
    gains: new Float64Array(crawls),
  }
  result.staleness[0] = staleShare(starts, updates, isCrawled)
  for (let x = 0; x < crawls; x++) {
    const { at, gain } = bestCrawl(starts, updates, isCrawled, crawls)
    isCrawled[at] = 1
    result.times[x] = starts[at]!
    result.staleness[x + 1] = staleShare(starts, updates, isCrawled)
    result.gains[x] = Math.min(gain / period, result.gains[x - 1] ?? Number.POSITIVE_INFINITY)
  }
  return result
}

/** Eq. 18. */
function staleShare(starts: Float64Array, updates: Float64Array, isCrawled: Uint8Array): number {
  let fresh = 1
  let stale = 0
  for (let at = 0; at < updates.length; at++) {
    fresh = isCrawled[at] === 1 ? 1 : fresh * (1 - updates[at]!)
    stale += (starts[at + 1]! - starts[at]!) * (1 - fresh)
  }
  return stale / starts[updates.length]!
}

/**
 * A crawl at interval j makes the copy fresh where it was so with probability p, until the next crawl: it gains 1 - p times the
 * fresh time of a copy taken at j. Going backwards, that time is the length of j plus what is left of it after the next update.
 */
function bestCrawl(
  starts: Float64Array,
  updates: Float64Array,
  isCrawled: Uint8Array,
  candidates: number,
): { readonly at: number; readonly gain: number } {
  const stale = new Float64Array(updates.length)
  let fresh = 1
  for (let at = 0; at < updates.length; at++) {
    fresh = isCrawled[at] === 1 ? 1 : fresh * (1 - updates[at]!)
    stale[at] = 1 - fresh
  }
  let best = { at: -1, gain: -1 }
  let freshTime = 0
  for (let at = updates.length - 1; at >= 0; at--) {
    const isLast = at === updates.length - 1
    const kept = isLast || isCrawled[at + 1] === 1 ? 0 : (1 - updates[at + 1]!) * freshTime
    freshTime = starts[at + 1]! - starts[at]! + kept
    if (at >= candidates || isCrawled[at] === 1) continue
    const gain = stale[at]! * freshTime
    if (gain >= best.gain) best = { at, gain }
  }
  return best
}
