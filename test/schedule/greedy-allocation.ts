/** The reference of `allocate`: crawls are given away one by one, which is optimal and slow. */
import { addGreedily } from '../../src/schedule/allocation.js'
import { type AllocationBounds, checkBounds, type Gains } from '../../src/schedule/allocation-bounds.js'

/**
 * How often to crawl each page: one crawl after the other goes to the page that gains most by it, of equals to the
 * lowest page. Optimal, as gains never rise (Fox, Discrete optimization via marginal analysis, 1966). O(N + R log N).
 */
export function allocateGreedily(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const { minimums, maximums, rest } = checkBounds(gains.pages, bounds)
  const crawls = minimums.slice()
  addGreedily(gains, crawls, maximums, rest)
  return crawls
}
