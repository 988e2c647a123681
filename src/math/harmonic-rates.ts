/**
 * Crawl rates that starve no page (Kolobov, Peres, Lu and Horvitz, Staying up to date with online content changes using
 * reinforcement learning for scheduling, 2019): the cost of a page is -μ ln(freshness), so a page that is never crawled
 * has infinite cost. The sum of all costs is least, subject to crawls that sum up to the bandwidth R. With a multiplier
 * L
 *
 *   a page that is crawled at random moments has the rate r = (-d + sqrt(d² + 4 μ d / L)) / 2
 *   and the freshness r / (r + d);
 *   a page that signals all its changes is crawled after each signal with the probability p = min(1, μ / (d L)),
 *   which is also its freshness.
 *
 * A page that never changes costs nothing. Neither such a page nor one without importance is crawled.
 */
import { parameter, requireNumbers } from '../base/checks.js'
import { describe } from '../base/describe.js'

/**
 * Importance and change rates of pages, by page number. Importance is what a fresh copy is worth; changes are a Poisson
 * process. Rates are per any unit of time, the same for changes, crawls and bandwidth.
 */
export interface PageRates {
  readonly importance: Float64Array
  readonly changeRates: Float64Array
}

export interface HarmonicRates {
  /** The crawl rate of each page. The rates sum up to the bandwidth, unless there is no page to crawl. */
  readonly rates: Float64Array
  /** L: the cost saved per unit of additional bandwidth; 0 where there is no page to crawl. */
  readonly multiplier: number
  /** -Σ μ ln(r / (r + d)). */
  readonly cost: number
}

export interface SplitBandwidth {
  /** The crawl rate of each page without signals. */
  readonly rates: Float64Array
  /** The probability, for each page with signals, that a signal is followed by a crawl. */
  readonly chances: Float64Array
  readonly multiplier: number
  /** The bandwidth that all pages without signals take together. */
  readonly unsignalled: number
  /** The bandwidth that all pages with signals take together. */
  readonly signalled: number
  readonly cost: number
}

const NO_PAGES: PageRates = { importance: new Float64Array(), changeRates: new Float64Array() }

export function harmonicRates(importance: Float64Array, changeRates: Float64Array, bandwidth: number): HarmonicRates {
  const { rates, multiplier, cost } = splitBandwidth({ importance, changeRates }, NO_PAGES, bandwidth)
  return { rates, multiplier, cost }
}

/**
 * p of each page that signals all its changes; 1 for a page that never changes. Where the bandwidth suffices, p is 1
 * for all pages of any importance.
 */
export function signalledCrawlChances(
  importance: Float64Array,
  changeRates: Float64Array,
  bandwidth: number,
): Float64Array {
  return splitBandwidth(NO_PAGES, { importance, changeRates }, bandwidth).chances
}

/** Splits one bandwidth between pages without and with signals at the least total cost: both have one multiplier. */
export function splitBandwidth(without: PageRates, withSignals: PageRates, bandwidth: number): SplitBandwidth {
  checkPageRates(without)
  checkPageRates(withSignals)
  parameter('bandwidth', bandwidth, { min: 0 })
  const worth = solveWorth(without, withSignals, bandwidth)
  const random = randomCrawls(without, worth ?? 0)
  const signalled = signalledCrawls(withSignals, worth ?? 0)
  return {
    rates: random.rates,
    chances: signalled.chances,
    multiplier: worth === undefined ? 0 : 1 / worth,
    unsignalled: random.crawls,
    signalled: signalled.crawls,
    cost: random.cost + signalled.cost,
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
    // The root of the quadratic equation in the form that subtracts no nearly equal numbers.
    const rate = (2 * mu * worth) / (1 + Math.sqrt(1 + (4 * mu * worth) / d))
    rates[page] = rate
    crawls += rate
    cost += mu * Math.log1p(d / rate)
  }
  return { rates, crawls, cost }
}

function signalledCrawls({ importance, changeRates }: PageRates, worth: number) {
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
 * The worth 1 / L at which all crawls together use up the bandwidth. Infinity if the bandwidth exceeds what all signals
 * ask for and there is nothing else to crawl; undefined if there is nothing to crawl at all. The crawls are a concave,
 * rising function of the worth, and those of a page are at most μ times it. So Newton's method, started where that
 * bound would use up the bandwidth, approaches the root from below.
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
    // A smaller step would only be rounding.
    if (!(next > worth * (1 + 2 * Number.EPSILON))) return worth
    worth = next
  }
}

function importanceOfChanging({ importance, changeRates }: PageRates): number {
  let sum = 0
  for (let page = 0; page < importance.length; page++) if (changeRates[page]! > 0) sum += importance[page]!
  return sum
}

export function checkPageRates({ importance, changeRates }: PageRates): void {
  requireNumbers('importance', importance)
  requireNumbers('changeRates', changeRates)
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
