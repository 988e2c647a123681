/**
 * Staleness-based refreshing, SBR (User-centric crawling, section 6.2.1; Cho and Garcia-Molina, SIGMOD 2000): as few stale pages as
 * possible. A copy is stale when the page has changed by at least a threshold of its shingles; such changes are taken for a
 * Poisson process, with the rate of the whole period. Crawls go where they lessen the mean time of staleness most.
 */
import { isLargeUpdate } from '../../change/shingles.js'
import { allocate } from '../../schedule/allocation.js'
import type { Timeline } from '../quality/timeline.js'
import { changesPerStep } from './change-rates.js'
import { planCrawls } from './crawl-plan.js'

/** Which pages are crawled at each step but the first. `differences`: by change, which part of the shingles it changed. */
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
