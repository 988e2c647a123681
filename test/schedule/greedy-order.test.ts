/** What the utility of a refresh is good for: an order of crawls, simulated beside what no order can pass. */
import { describe, expect, it } from 'vitest'
import { poissonUtility, refreshPeriodMs } from '../../src/change/divergence-curve.js'
import { binaryFreshnessRates } from '../../src/math/binary-freshness-rates.js'
import type { PageRates } from '../../src/math/harmonic-rates.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { solveThreshold } from '../support/solve-threshold.js'
import { randomPages, sumOf } from './random-pages.js'

describe('the greedy order by importance times utility', () => {
  it('keeps pages as fresh as the best rates could, to a hundredth', () => {
    withSeed('greedy order', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 5; round++) {
        const many = randomPages(random, 200)
        const bandwidth = 200 * 10 ** (random.next() - 0.5)
        const found = greedyFreshness(many, bandwidth)
        const { freshness } = binaryFreshnessRates(many.importance, many.changeRates, bandwidth)
        expect(found).toBeGreaterThanOrEqual(0.99 * freshness)
        // Crawls at even distances can do better than those at random moments: this is the most that any order can
        // reach.
        const most = mostFreshness(many, bandwidth)
        expect(most).toBeGreaterThanOrEqual(freshness)
        expect(found).toBeGreaterThanOrEqual(0.99 * most)
        expect(found).toBeLessThanOrEqual(most * 1.005)
      }
    })
  })
})

/**
 * The mean over time of the importance of fresh copies, in the mean over all changes, after everything has come to
 * rest.
 */
function greedyFreshness({ importance, changeRates }: PageRates, bandwidth: number): number {
  const crawledAt = new Float64Array(importance.length)
  const [crawls, settled] = [30_000, 10_000]
  let fresh = sumOf(importance, (mu, page) => (changeRates[page] === 0 ? mu : 0)) * ((crawls - settled) / bandwidth)
  const beginning = settled / bandwidth
  const end = crawls / bandwidth
  const freshTime = (page: number, until: number) => {
    // Of the time since the last crawl that lies behind the beginning.
    const d = changeRates[page]!
    const since = (age: number) => -Math.expm1(-d * age) / d
    const from = Math.max(0, beginning - crawledAt[page]!)
    const to = until - crawledAt[page]!
    return to > from && d > 0 ? importance[page]! * (since(to) - since(from)) : 0
  }
  for (let crawl = 1; crawl <= crawls; crawl++) {
    const now = crawl / bandwidth
    let best = 0
    let most = -1
    for (let page = 0; page < importance.length; page++) {
      const index = importance[page]! * poissonUtility(changeRates[page]!, now - crawledAt[page]!)
      if (index > most) [best, most] = [page, index]
    }
    fresh += freshTime(best, now)
    crawledAt[best] = now
  }
  for (let page = 0; page < importance.length; page++) fresh += freshTime(page, end)
  return fresh / (end - beginning)
}

/** Each page at its own even distance, such that all have the same index then (Cho and Garcia-Molina's optimum). */
function mostFreshness({ importance, changeRates }: PageRates, bandwidth: number): number {
  const periodAt = (page: number, threshold: number) =>
    refreshPeriodMs({ ratePerMs: changeRates[page]!, items: 1, share: importance[page]! }, threshold)
  const crawlsAt = (threshold: number) => sumOf(importance, (_, page) => 1 / periodAt(page, threshold))
  const threshold = solveThreshold(crawlsAt, bandwidth)
  return sumOf(importance, (mu, page) => {
    const changes = changeRates[page]! * periodAt(page, threshold)
    if (changeRates[page] === 0) return mu
    return changes === Number.POSITIVE_INFINITY ? 0 : (mu * -Math.expm1(-changes)) / changes
  })
}
