/**
 * Crawl rates that starve no page (Kolobov, Peres, Lu and Horvitz, Staying up to date with online content changes using
 * reinforcement learning for scheduling, 2019): the cost of a page is -μ ln(freshness), so a page that is never crawled
 * costs without end. All costs sum up, all crawls to the bandwidth R. With a multiplier L
 *
 *   a page that is crawled at random moments has the rate r = (-d + sqrt(d² + 4 μ d / L)) / 2 and the freshness r / (r + d);
 *   a page that tells of all its changes is crawled after each with the chance p = min(1, μ / (d L)), which is its freshness too.
 *
 * A page that never changes costs nothing, and neither it nor one without importance is crawled.
 */
import { parameter } from '../base/checks.js'
import { describe } from '../base/describe.js'

export interface HarmonicRates {
  /** Crawls of each page. They sum up to the bandwidth, unless there is no page to crawl. */
  readonly rates: Float64Array
  /** L: what more bandwidth would save; 0 where there is no page to crawl. */
  readonly multiplier: number
  /** -Σ μ ln(r / (r + d)). */
  readonly cost: number
}

export interface SplitBandwidth {
  /** Crawls of each page without signals. */
  readonly rates: Float64Array
  /** How likely a signal of each page with signals is followed by a crawl. */
  readonly chances: Float64Array
  readonly multiplier: number
  /** What all pages without signals take of the bandwidth. */
  readonly unsignalled: number
  readonly signalled: number
  readonly cost: number
}

const NO_PAGES: PageRates = { importance: new Float64Array(), changeRates: new Float64Array() }

export function harmonicRates(importance: Float64Array, changeRates: Float64Array, bandwidth: number): HarmonicRates {
  const { rates, multiplier, cost } = splitBandwidth({ importance, changeRates }, NO_PAGES, bandwidth)
  return { rates, multiplier, cost }
}

/**
 * p of each page that tells of all its changes; 1 for a page that never does. Where the bandwidth is enough, 1 for all
 * that are worth anything.
 */
export function signalledCrawlChances(
  importance: Float64Array,
  changeRates: Float64Array,
  bandwidth: number,
): Float64Array {
  return splitBandwidth(NO_PAGES, { importance, changeRates }, bandwidth).chances
}

/**
 * One bandwidth for pages without and with signals, at the least cost of all: then both parts have the same multiplier.
 */
export function splitBandwidth(without: PageRates, withSignals: PageRates, bandwidth: number): SplitBandwidth {
  checkPageRates(without)
  checkPageRates(withSignals)
  parameter('bandwidth', bandwidth, { min: 0 })
  const worth = solveWorth(without, withSignals, bandwidth)
  const random = randomCrawls(without, worth ?? 0)
  const told = toldCrawls(withSignals, worth ?? 0)
  return {
    rates: random.rates,
    chances: told.chances,
    multiplier: worth === undefined ? 0 : 1 / worth,
    unsignalled: random.crawls,
    signalled: told.crawls,
    cost: random.cost + told.cost,
  }
}

function randomCrawls({ importance, changeRates }: PageRates, worth: number) {
  const rates = new Float64Array(importance.length)
  let crawls = 0
  let cost = 0
  for (let page = 0; page < rates.length; page++) {
    const mu = importance[page]!
    const d = changeRates[page]!
    if (mu === 0 || d === 0) continue
    // The root, without the difference in it.
    const rate = (2 * mu * worth) / (1 + Math.sqrt(1 + (4 * mu * worth) / d))
    rates[page] = rate
    crawls += rate
    cost += mu * Math.log1p(d / rate)
  }
  return { rates, crawls, cost }
}

function toldCrawls({ importance, changeRates }: PageRates, worth: number) {
  const chances = new Float64Array(importance.length)
  let crawls = 0
  let cost = 0
  for (let page = 0; page < chances.length; page++) {
    const mu = importance[page]!
    const d = changeRates[page]!
    if (d === 0) chances[page] = 1
    if (mu === 0 || d === 0) continue
    const chance = Math.min(1, (mu * worth) / d)
    chances[page] = chance
    crawls += chance * d
    cost -= mu * Math.log(chance)
  }
  return { chances, crawls, cost }
}

/**
 * 1 / L: where all crawls together are the bandwidth; Infinity where that is more than all signals ask for and there is
 * nothing else to crawl, undefined where there is nothing at all. All crawls grow with it, ever slower, and a page's
 * are never more than μ times it. So Newton's method, begun where that bound would use up the bandwidth, comes up to
 * the root from below.
 */
function solveWorth(without: PageRates, withSignals: PageRates, bandwidth: number): number | undefined {
  const importance = importanceOfChanging(without) + importanceOfChanging(withSignals)
  if (importance === 0) return undefined
  let worth = bandwidth / importance
  for (;;) {
    let missing = bandwidth
    let slope = 0
    for (let page = 0; page < without.importance.length; page++) {
      const mu = without.importance[page]!
      const d = without.changeRates[page]!
      if (mu === 0 || d === 0) continue
      const root = Math.sqrt(1 + (4 * mu * worth) / d)
      missing -= (2 * mu * worth) / (1 + root)
      slope += mu / root
    }
    for (let page = 0; page < withSignals.importance.length; page++) {
      const mu = withSignals.importance[page]!
      const d = withSignals.changeRates[page]!
      missing -= Math.min(d, mu * worth)
      if (mu * worth < d) slope += mu
    }
    if (slope === 0) return Number.POSITIVE_INFINITY
    const next = worth + missing / slope
    // What is left then is rounding.
    if (!(next > worth * (1 + 2 * Number.EPSILON))) return worth
    worth = next
  }
}

function importanceOfChanging({ importance, changeRates }: PageRates): number {
  let sum = 0
  for (let page = 0; page < importance.length; page++) if (changeRates[page]! > 0) sum += importance[page]!
  return sum
}

/**
 * Pages by their place: what a fresh copy is worth, and how often the page changes, as a Poisson process. Rates are per
 * any unit of time, the same for changes, crawls and bandwidth.
 */
export interface PageRates {
  readonly importance: Float64Array
  readonly changeRates: Float64Array
}

export function checkPageRates({ importance, changeRates }: PageRates): void {
  if (importance.length !== changeRates.length) {
    throw new RangeError(
      `changeRates must be one for each of ${importance.length} pages, received ${changeRates.length} of them`,
    )
  }
  checkAll('importance', importance)
  checkAll('changeRates', changeRates)
}

function checkAll(name: string, values: Float64Array): void {
  for (let page = 0; page < values.length; page++) {
    const value = values[page]!
    if (value >= 0 && value <= Number.MAX_VALUE) continue
    throw new RangeError(`${name}[${page}] must be a finite number of at least 0, received ${describe(value)}`)
  }
}
