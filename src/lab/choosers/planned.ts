/**
 * A schedule made beforehand: how often each page is crawled in the whole period, and at which steps ("Optimal crawling
 * strategies", sections 2 and 3). User-centric crawling, section 6, schedules SBR and EBR so.
 */

import { PoissonLaw } from '../../change/laws/poisson.js'
import { isLargeUpdate } from '../../change/sketches.js'
import { allocate } from '../../schedule/allocation.js'
import { apportion } from '../../schedule/allocation-bounds.js'
import { idealCrawls, type Phasing } from '../../schedule/ideal-times.js'
import type { Slots } from '../../schedule/slots.js'
import { StalenessTable } from '../../schedule/staleness-table.js'
import { makeTimetable } from '../../schedule/timetable.js'
import type { Chooser } from '../quality/replay.js'
import { RepositoryQuality, type ScoredWorld } from '../quality/repository-quality.js'
import type { Timeline } from '../quality/timeline.js'
import { changeCounts, changesPerStep } from './by-rate.js'

export interface CrawlRequest {
  /** By page: changes per step. Pages that never change are not crawled. */
  readonly ratesPerStep: Float64Array
  /** By page: what it counts when it is stale; 1 for all unless told. Pages of weight 0 are not crawled. */
  readonly weights?: Float64Array
  /** Crawls of each step but the first. */
  readonly allowances: readonly number[]
  /** How many crawls each page of the table gets; `most` for one page, `crawls` for all together. */
  readonly allocate: (table: StalenessTable, bounds: { crawls: number; most: number }) => Uint32Array
  /** Default 'phased'. */
  readonly phasing?: Phasing
}

/**
 * Which pages are crawled at each step but the first. A crawl of a page that has one at the same step already is left
 * out.
 */
export function planCrawls({ ratesPerStep, weights, allowances, allocate, phasing }: CrawlRequest): number[][] {
  const weightOf = (page: number) => weights?.[page] ?? 1
  const pages = Uint32Array.from(ratesPerStep.keys()).filter((page) => ratesPerStep[page]! > 0 && weightOf(page) > 0)
  // No step needs more crawls than there are pages to crawl.
  const wanted = allowances.map((allowance) => Math.min(allowance, pages.length))
  const crawls = wanted.reduce((sum, count) => sum + count, 0)
  if (crawls === 0) return wanted.map(() => [])
  const laws = Array.from(pages, (page) => new PoissonLaw({ rate: ratesPerStep[page]! }))
  const table = new StalenessTable(laws, { period: wanted.length, weights: Array.from(pages, weightOf) })
  const ideal = idealCrawls(table, allocate(table, { crawls, most: wanted.length }), phasing)
  const made = makeTimetable(ideal, slotsOf(wanted))
  let slot = 0
  return wanted.map((count) => {
    const begin = slot
    slot += count
    return [...new Set(Array.from(made.subarray(begin, slot), (crawl) => pages[ideal.pages[crawl]!]!))]
  })
}

/** Those of a step lie evenly within the step before it; times are counted in steps. */
function slotsOf(counts: readonly number[]): Slots {
  const times = counts.flatMap((count, step) => Array.from({ length: count }, (_, at) => step + at / count))
  return { times: Float64Array.from(times), crawlers: new Uint32Array(times.length) }
}

/** `plan`: see planCrawls(). */
export function plannedChooser(plan: readonly (readonly number[])[]): Chooser {
  return { next: (step) => plan[step - 1]!, observe: () => {} }
}

/**
 * Refreshes in proportion to how often a page changes (Cho and Garcia-Molina, Synchronizing a database to improve
 * freshness, SIGMOD 2000, "proportional allocation"): what seems natural, and is worse than uniform for freshness.
 * With rates that are learnt it is a policy of the product. By the rates of the whole period, spread evenly over it.
 * `allowances`: refreshes of each step but the first.
 */
export function proportional(timeline: Timeline, allowances: readonly number[]): Chooser {
  const ratesPerStep = changesPerStep(timeline)
  const shares = ratesPerStep.filter((rate) => rate > 0)
  const plan = planCrawls({
    ratesPerStep,
    allowances,
    allocate: (_, { crawls, most }) => apportionWithin(shares, crawls, most),
  })
  return plannedChooser(plan)
}

/**
 * In proportion to shares, none more than `most`; what would be beyond goes to the others, again in proportion.
 * REQUIRES: shares are above 0, and `most` for each is enough.
 */
export function apportionWithin(shares: Float64Array, total: number, most: number): Uint32Array {
  const parts = new Uint32Array(shares.length)
  let open = Array.from(shares.keys())
  for (let left = total; open.length > 0; ) {
    const openShares = open.map((at) => shares[at]!)
    const given = apportion(openShares, left)
    open.forEach((at, index) => {
      parts[at] = Math.min(given[index]!, most)
    })
    const rest = open.filter((_, index) => given[index]! <= most)
    if (rest.length === open.length) break
    left -= (open.length - rest.length) * most
    open = rest
  }
  return parts
}

/**
 * Staleness-based refreshing, SBR (User-centric crawling, section 6.2.1; Cho and Garcia-Molina, SIGMOD 2000): as few
 * stale pages as possible. A copy is stale when the page has changed by at least a threshold of its shingles; such
 * changes are taken for a Poisson process, with the rate of the whole period. Crawls go where they lessen the mean
 * time of staleness most. Which pages are crawled at each step but the first. `differences`: by change, which part of
 * the shingles it changed.
 */
export function planByStaleness(
  timeline: Timeline,
  differences: Float64Array,
  threshold: number,
  allowances: readonly number[],
): number[][] {
  const ratesPerStep = changesPerStep(timeline, (change) => isLargeUpdate(differences[change]!, threshold))
  return planCrawls({ ratesPerStep, allowances, allocate: allocateOptimally })
}

/** No page more often than there are steps. */
export const allocateOptimally: Parameters<typeof planCrawls>[0]['allocate'] = (table, { crawls, most }) =>
  allocate(table, { crawls, maximums: new Uint32Array(table.pages).fill(most) })

/**
 * Embarrassment-based refreshing, EBR (User-centric crawling, section 6.2.2; Wolf et al., Optimal crawling strategies,
 * Eq. 8): as few clicks on stale answers as possible. A page weighs w = d · clicks: d is the share of its changes that
 * concern at least a threshold of its shingles, clicks what the positions of its copy in the answers of the workload
 * bring, sum of f(q) I(rank). All its changes are taken for a Poisson process, with the rate of the whole period.
 * Which pages are crawled at each step but the first. `clicks`: see clicksOf().
 */
export function planByEmbarrassment(
  { timeline }: ScoredWorld,
  differences: Float64Array,
  clicks: Float64Array,
  threshold: number,
  allowances: readonly number[],
): number[][] {
  const updates = changeCounts(timeline)
  const large = changeCounts(timeline, (change) => isLargeUpdate(differences[change]!, threshold))
  const weights = clicks.map((count, page) => (updates[page] === 0 ? 0 : count * (large[page]! / updates[page]!)))
  return planCrawls({ ratesPerStep: changesPerStep(timeline), weights, allowances, allocate: allocateOptimally })
}

/** By page: sum of f(q) I(rank) in the answers of the first step. */
export function clicksOf(world: ScoredWorld): Float64Array {
  const state = new RepositoryQuality(world)
  const clicks = new Float64Array(world.timeline.urls.length)
  state.weights.forEach((weight, query) => {
    state.localAnswers(query).forEach((page, at) => {
      clicks[page]! += weight * state.view[at + 1]!
    })
  })
  return clicks
}
