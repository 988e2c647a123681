/** How often to crawl each page: the best allocation of crawls within bounds. */
import { FallingHeap } from '../math/heap.js'
import { type AllocationBounds, type CheckedBounds, checkBounds, type Gains } from './allocation-bounds.js'

/** Without a sample, the first worth that is tried is the highest gain divided by this. */
const FIRST_STEP = 8
/** With a sample, its worth is tried first, then a worth that is higher or lower by this factor. */
const STEP_FROM_SAMPLE = 1.05
/** From this many pages on, a sample of SAMPLE_SIZE pages is tried first. */
const SAMPLED_PAGES = 20_000
const SAMPLE_SIZE = 2000
/** Worths closer than this ratio are not told apart, as rounding may make a gain exceed the one before. */
const NEAREST = 1 + 1e-9
/** The last crawls are given away one by one: this many for each page, and at least FEW. */
const REST_PER_PAGE = 1 / 16
const FEW = 64

/**
 * How often to crawl each page so that the sum of all gains is largest within bounds: the result of giving crawls away
 * greedily one by one, in O(N log R) for each of the few worths tried.
 *
 * A crawl is made if it gains at least some worth, the multiplier. This worth is bracketed: at the ceiling too few
 * crawls are made, at the floor too many. A page for which both agree is settled and not looked at again, so most of
 * the work is done in the first few rounds. The greedy way also makes every crawl that gains the ceiling, and gives
 * away the rest. Where there are many pages, a sample of them says where to begin.
 */
export function allocate(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const checked = checkBounds(gains.pages, bounds)
  const search = new MultiplierSearch(gains, checked)
  if (gains.pages >= SAMPLED_PAGES) search.startAt(worthOfSample(gains, checked), STEP_FROM_SAMPLE)
  while (search.rest > Math.max(FEW, gains.pages * REST_PER_PAGE) && search.narrow()) {}
  addGreedily(gains, search.crawls, checked.maximums, search.rest)
  return search.crawls
}

/** The approximate worth at which all crawls are given away, found from equally spaced pages. */
function worthOfSample(gains: Gains, { minimums, maximums, rest }: CheckedBounds): number {
  const page = (nth: number) => Math.floor((nth * gains.pages) / SAMPLE_SIZE)
  const column = (values: Uint32Array) => Uint32Array.from({ length: SAMPLE_SIZE }, (_, nth) => values[page(nth)]!)
  const search = new MultiplierSearch(
    { pages: SAMPLE_SIZE, gain: (nth, crawls) => gains.gain(page(nth), crawls) },
    { minimums: column(minimums), maximums: column(maximums), rest: (rest * SAMPLE_SIZE) / gains.pages },
  )
  while (search.rest > 1 && search.narrow()) {}
  return search.ceiling
}

class MultiplierSearch {
  /** Crawls made at the ceiling, which are certain. */
  readonly crawls: Uint32Array
  /** Crawls that are not made at the ceiling. */
  rest: number
  readonly #gains: Gains
  /** Crawls made at the floor: the most that a page can get. */
  readonly #atMost: Uint32Array
  /** Pages for which ceiling and floor differ come first. */
  readonly #open: Uint32Array
  #openCount: number
  readonly #tried: Uint32Array
  #ceiling: number
  #floor = 0
  /** The worth to try next, unless it lies outside of the bracket. */
  #guess: number
  #step = FIRST_STEP

  constructor(gains: Gains, { minimums, maximums, rest }: CheckedBounds) {
    this.crawls = minimums.slice()
    this.rest = rest
    this.#gains = gains
    this.#atMost = maximums.slice()
    this.#open = Uint32Array.from(minimums, (_, page) => page)
    this.#openCount = this.#open.length
    this.#tried = new Uint32Array(gains.pages)
    this.#settle()
    this.#ceiling = this.#highestGain()
    this.#guess = this.#ceiling / FIRST_STEP
  }

  /** The lowest worth that is known to make no more crawls than there are. */
  get ceiling(): number {
    return this.#ceiling
  }

  startAt(worth: number, step: number): void {
    this.#guess = worth
    this.#step = step
  }

  /** Tries one worth; returns false when the bracket cannot be narrowed further. */
  narrow(): boolean {
    if (this.#openCount === 0 || this.#ceiling <= this.#floor * NEAREST) return false
    const worth = this.#nextWorth()
    if (!(worth > this.#floor && worth < this.#ceiling)) return false
    const more = this.#tryWorth(worth)
    if (more > this.rest) {
      this.#floor = worth
      this.#guess = worth * this.#step
      for (let at = 0; at < this.#openCount; at++) this.#atMost[this.#open[at]!] = this.#tried[at]!
    } else {
      this.#ceiling = worth
      this.#guess = worth / this.#step
      this.rest -= more
      for (let at = 0; at < this.#openCount; at++) this.crawls[this.#open[at]!] = this.#tried[at]!
    }
    this.#step *= this.#step
    this.#settle()
    return true
  }

  #nextWorth(): number {
    if (this.#guess > this.#floor && this.#guess < this.#ceiling) return this.#guess
    if (this.#floor > 0) return Math.sqrt(this.#floor) * Math.sqrt(this.#ceiling)
    // Even low worths leave crawls over: try all crawls that gain anything.
    return Number.MIN_VALUE
  }

  /** How many more crawls gain this worth than the ceiling; those of each page are kept in #tried. */
  #tryWorth(worth: number): number {
    let more = 0
    for (let at = 0; at < this.#openCount; at++) {
      const page = this.#open[at]!
      const made = this.#crawlsWorth(page, worth)
      this.#tried[at] = made
      more += made - this.crawls[page]!
    }
    return more
  }

  /** The number of crawls of a page that gain at least this worth, found by steps that double and then halve. */
  #crawlsWorth(page: number, worth: number): number {
    const gains = this.#gains
    const most = this.#atMost[page]!
    // The last number of crawls known to be worth it, and the first known not to be.
    let low = this.crawls[page]!
    if (gains.gain(page, low) < worth) return low
    low++
    let step = 1
    while (low + step <= most && gains.gain(page, low + step - 1) >= worth) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, most + 1)
    while (high - low > 1) {
      const middle = low + ((high - low) >>> 1)
      if (gains.gain(page, middle - 1) >= worth) low = middle
      else high = middle
    }
    return low
  }

  #settle(): void {
    let kept = 0
    for (let at = 0; at < this.#openCount; at++) {
      const page = this.#open[at]!
      if (this.crawls[page]! < this.#atMost[page]!) this.#open[kept++] = page
    }
    this.#openCount = kept
  }

  #highestGain(): number {
    let highest = 0
    for (let at = 0; at < this.#openCount; at++) {
      const page = this.#open[at]!
      highest = Math.max(highest, this.#gains.gain(page, this.crawls[page]!))
    }
    return highest
  }
}

/**
 * Gives `rest` more crawls away, one after the other to the page that gains most by it, of equals to the lowest page.
 * Optimal, as gains never rise (Fox, Discrete optimization via marginal analysis, 1966). REQUIRES: the crawls fit below
 * the maximums.
 */
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
  const heap = new FallingHeap(pages, worths)
  let left = rest
  while (left > 0 && heap.topWorth > 0) {
    const page = heap.top!
    const made = ++crawls[page]!
    left--
    if (made < maximums[page]!) heap.lowerTop(gains.gain(page, made))
    else if (heap.size > 1) heap.removeTop()
    else return
  }
  addInOrder(crawls, maximums, left)
}

/** Crawls that gain nothing go to the lowest pages, as the heap would give them one by one. */
function addInOrder(crawls: Uint32Array, maximums: Uint32Array, rest: number): void {
  let left = rest
  for (let page = 0; left > 0; page++) {
    const more = Math.min(left, maximums[page]! - crawls[page]!)
    crawls[page]! += more
    left -= more
  }
}
