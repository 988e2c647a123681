/**
 * Refreshes in proportion to how often a page changes (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD
 * 2000, "proportional allocation"): what seems natural, and is worse than uniform for freshness. With rates that are learnt it is a policy of
 * the product.
 */
import { apportion } from '../../schedule/apportionment.js'
import type { Chooser } from '../quality/replay.js'
import type { Timeline } from '../quality/timeline.js'
import { changesPerStep } from './change-rates.js'
import { planCrawls, plannedChooser } from './crawl-plan.js'

/** By the rates of the whole period, spread evenly over it. `allowances`: refreshes of each step but the first. */
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
