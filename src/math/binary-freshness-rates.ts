/**
 * Crawl rates for which the mean freshness is largest when crawls come at random moments (Azar, Horvitz, Lubetzky,
 * Peres and Shahaf, Tractable near-optimal policies for crawling, 2018): maximise Σ μ r / (r + d) over rates r >= 0
 * that sum up to the bandwidth R. With a multiplier L
 *
 *   r = max(0, sqrt(μ d / L) - d),
 *
 * so a page that changes too often for its importance, μ / d <= L, is never crawled.
 */
import { parameter } from '../base/checks.js'
import { checkPageRates } from './harmonic-rates.js'

export interface BinaryFreshnessRates {
  /** The crawl rate of each page. The rates sum up to the bandwidth, unless there is no page to crawl. */
  readonly rates: Float64Array
  /** L: the gain in freshness per unit of additional bandwidth; 0 where there is no page to crawl. */
  readonly multiplier: number
  /** Σ μ r / (r + d). A page that never changes is always fresh. */
  readonly freshness: number
}

export function binaryFreshnessRates(
  importance: Float64Array,
  changeRates: Float64Array,
  bandwidth: number,
): BinaryFreshnessRates {
  checkPageRates({ importance, changeRates })
  parameter('bandwidth', bandwidth, { min: 0 })
  const scale = solveScale(importance, changeRates, bandwidth)
  const rates = new Float64Array(importance.length)
  let freshness = 0
  for (let page = 0; page < rates.length; page++) {
    const mu = importance[page]!
    const d = changeRates[page]!
    const rate = Math.max(0, geometricMean(mu, d) * scale - d)
    rates[page] = rate
    freshness += d === 0 ? mu : (mu * rate) / (rate + d)
  }
  return { rates, multiplier: scale === 0 ? 0 : 1 / scale ** 2, freshness }
}

/**
 * 1 / sqrt(L): the root s of Σ max(0, sqrt(μ d) s - d) = R; 0 where there is no page to crawl. The sum is convex and
 * piecewise linear, so Newton's method, started above the root where all pages count, reaches the root exactly. It
 * needs fewer passes over the pages than sorting them would.
 */
function solveScale(importance: Float64Array, changeRates: Float64Array, bandwidth: number): number {
  let scale = Number.POSITIVE_INFINITY
  for (;;) {
    let slope = 0
    let offset = bandwidth
    for (let page = 0; page < importance.length; page++) {
      const d = changeRates[page]!
      const mean = geometricMean(importance[page]!, d)
      if (mean === 0 || mean * scale <= d) continue
      slope += mean
      offset += d
    }
    const next = slope === 0 ? scale : offset / slope
    if (!(next < scale)) return scale === Number.POSITIVE_INFINITY ? 0 : scale
    scale = next
  }
}

/** The product of the roots rather than the root of the product, which underflows for very small numbers. */
function geometricMean(a: number, b: number): number {
  return Math.sqrt(a) * Math.sqrt(b)
}
