/**
 * Embarrassment-based refreshing, EBR (User-centric crawling, section 6.2.2; Wolf et al., Optimal crawling strategies, Eq. 8): as few
 * clicks on stale answers as possible. A page weighs w = d · clicks: d is the share of its changes that concern at least a
 * threshold of its shingles, clicks what the positions of its copy in the answers of the workload bring, sum of f(q) I(rank). All
 * its changes are taken for a Poisson process, with the rate of the whole period.
 */
import { isLargeUpdate } from '../../change/shingles.js'
import { RepositoryQuality, type ScoredWorld } from '../quality/repository-quality.js'
import { changeCounts, changesPerStep } from './change-rates.js'
import { planCrawls } from './crawl-plan.js'
import { allocateOptimally } from './staleness-based.js'

/** Which pages are crawled at each step but the first. `clicks`: see clicksOf(). */
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
