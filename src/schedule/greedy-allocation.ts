import { type AllocationBounds, checkBounds, type Gains } from './allocation-bounds.js'
import { PageHeap } from './page-heap.js'

/**
 * How often to crawl each page: one crawl after the other to the page that gains most by it, the lowest page of equals. Optimal, as
 * gains never rise (Fox, "Discrete optimization via marginal analysis"). O(N + R log N): the reference for `allocate`.
 */
export function allocateGreedily(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const { minimums, maximums, rest } = checkBounds(gains.pages, bounds)
  const crawls = minimums.slice()
  addGreedily(gains, crawls, maximums, rest)
  return crawls
}

/** Gives `rest` more crawls away. REQUIRES: they fit below the maximums. */
export function addGreedily(gains: Gains, crawls: Uint32Array, maximums: Uint32Array, rest: number): void {
  if (rest === 0) return
  const open = crawls.reduce((count, made, page) => count + (made < maximums[page]! ? 1 : 0), 0)
  const pages = new Uint32Array(open)
  const worths = new Float64Array(open)
  for (let page = 0, at = 0; page < crawls.length; page++) {
    if (crawls[page]! >= maximums[page]!) continue
    pages[at] = page
    worths[at++] = gains.gain(page, crawls[page]!)
  }
  const heap = new PageHeap(pages, worths)
  let left = rest
  while (left > 0 && heap.topWorth > 0) {
    const page = heap.topPage
    const made = ++crawls[page]!
    left--
    if (made < maximums[page]!) heap.lowerTop(gains.gain(page, made))
    else if (heap.size > 1) heap.removeTop()
    else return
  }
  addInOrder(crawls, maximums, left)
}

/** Crawls that gain nothing go to the lowest pages: what the heap would do, one by one. */
function addInOrder(crawls: Uint32Array, maximums: Uint32Array, rest: number): void {
  let left = rest
  for (let page = 0; left > 0; page++) {
    const more = Math.min(left, maximums[page]! - crawls[page]!)
    crawls[page]! += more
    left -= more
  }
}
