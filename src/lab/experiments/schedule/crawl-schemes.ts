/**
 * What the optimal allocation of crawls is worth beside simple ones: the comparisons of "Optimal crawling strategies",
 * section 5, as rows for a report.
 */

import { allocate } from '../../../schedule/allocation.js'
import { apportion } from '../../../schedule/allocation-bounds.js'
import { idealCrawls, type Phasing } from '../../../schedule/ideal-times.js'
import { crawlerSlots, type Slots } from '../../../schedule/slots.js'
import { StalenessTable } from '../../../schedule/staleness-table.js'
import { type CrawlTimes, makeTimetable } from '../../../schedule/timetable.js'
import { generateMixture, type MixtureOptions, type UpdateMixture } from './update-mixture.js'

const SCHEMES = [
  'optimal',
  'optimal-unweighted',
  'uniform',
  'weighted-uniform',
  'proportional',
  'weighted-proportional',
] as const

export type Scheme = (typeof SCHEMES)[number]

/** Whether a stale page counts by how often it embarrasses, or as one. */
export type Metric = 'embarrassment' | 'staleness'

export interface SchemeRow {
  readonly scheme: Scheme
  readonly metric: Metric
  readonly crawlsPerPage: number
  /** The share of time for which copies are stale: the mean over pages, by weight. */
  readonly staleness: number
}

/**
 * One row for each scheme. Schemes that differ by weights only are the same where staleness is counted: those with
 * weights are left out.
 */
export function compareSchemes(mixture: UpdateMixture, metric: Metric, crawlsPerPage: number): SchemeRow[] {
  const { laws, period } = mixture
  const weights = metric === 'embarrassment' ? mixture.weights : new Float64Array(laws.length).fill(1)
  const table = new StalenessTable(laws, { period, weights })
  const crawls = Math.round(crawlsPerPage * laws.length)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return SCHEMES.filter((scheme) => metric === 'embarrassment' || isUnweighted(scheme)).map((scheme) => ({
    scheme,
    metric,
    crawlsPerPage,
    staleness: table.objective(allocateBy(scheme, table, mixture, weights, crawls)) / total,
  }))
}

export interface CrawlerOptions {
  readonly crawlsPerPage: number
  readonly crawlers: number
  readonly phasing: Phasing
  /** Distances in slots whose shares of crawls are to be counted. */
  readonly windows?: readonly number[]
}

/** Figure 10: how far the crawls of an optimal allocation are from their ideal times, on equal crawlers. */
export function deviationOnCrawlers(
  options: MixtureOptions,
  { crawlsPerPage, crawlers, phasing, windows = [] }: CrawlerOptions,
): Deviation & { readonly phasing: Phasing } {
  const { laws, weights, period } = generateMixture(options)
  const crawls = Math.round(crawlsPerPage * laws.length)
  const capacities = [...apportion(new Float64Array(crawlers).fill(1), crawls)]
  const slots = crawlerSlots(capacities, period)
  const table = new StalenessTable(laws, { period, weights, latestCrawl: slots.times.at(-1) ?? 0 })
  const ideal = idealCrawls(table, allocate(table, { crawls }), phasing)
  return { phasing, ...timetableDeviation(ideal, slots, makeTimetable(ideal, slots), { capacities, period, windows }) }
}

function isUnweighted(scheme: Scheme): boolean {
  return scheme === 'optimal' || scheme === 'uniform' || scheme === 'proportional'
}

function allocateBy(
  scheme: Scheme,
  table: StalenessTable,
  { laws, period }: UpdateMixture,
  weights: Float64Array,
  crawls: number,
): Uint32Array {
  const rate = (page: number) => 1 / laws[page]!.meanInterval
  switch (scheme) {
    case 'optimal':
      return allocate(table, { crawls })
    case 'optimal-unweighted':
      return allocate(new StalenessTable(laws, { period }), { crawls })
    case 'uniform':
      return apportion(new Float64Array(laws.length).fill(1), crawls)
    case 'weighted-uniform':
      return apportion(weights, crawls)
    case 'proportional':
      return apportion(
        weights.map((_, page) => rate(page)),
        crawls,
      )
    case 'weighted-proportional':
      return apportion(
        weights.map((weight, page) => weight * rate(page)),
        crawls,
      )
  }
}

export interface Deviation {
  /** Crawls made before a time before which they must not be. */
  readonly early: number
  /** Distance from the ideal time in slots of the crawler that makes the crawl. */
  readonly meanSlots: number
  readonly maxSlots: number
  /** The share of crawls no more than 20 slots away ("Optimal crawling strategies", Figure 10). */
  readonly within20Slots: number
  /** The same for each of the `windows` that were asked for. */
  readonly within: readonly { readonly slots: number; readonly share: number }[]
}

export interface DeviationOptions {
  /** Slots of each crawler in a period. */
  readonly capacities: readonly number[]
  readonly period: number
  /** Distances in slots whose shares of crawls are to be counted. */
  readonly windows?: readonly number[]
}

const WINDOW_SLOTS = 20
/** Half a slot in a billion: slot times and ideal times are rounded. */
const TOLERANCE = 1e-9

/** How far a timetable is from what was ideal. */
export function timetableDeviation(
  crawls: CrawlTimes,
  slots: Slots,
  made: Uint32Array,
  { capacities, period, windows = [] }: DeviationOptions,
): Deviation {
  let early = 0
  let sum = 0
  let max = 0
  const counted = [WINDOW_SLOTS, ...windows]
  const within = new Float64Array(counted.length)
  for (let slot = 0; slot < made.length; slot++) {
    const crawl = made[slot]!
    const late = slots.times[slot]! - crawls.times[crawl]!
    if (late < 0 && crawls.neverEarly[crawl] === 1) early++
    const distance = (Math.abs(late) * capacities[slots.crawlers[slot]!]!) / period
    sum += distance
    max = Math.max(max, distance)
    for (let at = 0; at < counted.length; at++) if (distance <= counted[at]! + TOLERANCE) within[at]!++
  }
  const count = Math.max(1, made.length)
  const [within20Slots, ...shares] = Array.from(within, (crawls) => (made.length === 0 ? 1 : crawls / count))
  return {
    ...{ early, meanSlots: sum / count, maxSlots: max, within20Slots: within20Slots! },
    within: windows.map((slots, at) => ({ slots, share: shares[at]! })),
  }
}
