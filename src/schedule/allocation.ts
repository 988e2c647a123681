import { FallingHeap } from '../math/heap.js'
import { type AllocationBounds, type CheckedBounds, checkBounds, type Gains } from './allocation-bounds.js'

/** Without anything to go by, the first worth to be tried is this much below the highest gain. */
const FIRST_STEP = 8
/**
 * With the worth of a sample to go by, it is tried first, then this much to the side where too few or too many crawls
 * are made.
 */
const STEP_FROM_SAMPLE = 1.05
/** Of this many pages or more, this many are tried first. */
const SAMPLED_PAGES = 20_000
const SAMPLE_SIZE = 2000
/** Two worths as near as this are no longer told apart: rounding may make a gain look higher than the one before. */
const NEAREST = 1 + 1e-9
/** The last crawls are given away one by one: this many for each page, or a few. */
const REST_PER_PAGE = 1 / 16
const FEW = 64

/**
 * How often to crawl each page so that all gains together are largest, within bounds: the allocation of
 * `allocateGreedily`, in O(N log R) for each of the few worths tried.
 *
 * A crawl is made if it gains at least some worth, the multiplier. That worth is closed in on from both sides: at the
 * ceiling too few crawls are made, at the floor too many. A page for which both agree is settled and not asked again,
 * so most of the work is in the first few rounds. Every crawl that gains the ceiling is also made by the greedy way,
 * and from there on it is followed. Of many pages a sample says where to begin.
 */
export function allocate(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const checked = checkBounds(gains.pages, bounds)
  const search = new MultiplierSearch(gains, checked)
  if (gains.pages >= SAMPLED_PAGES) search.startAt(worthOfSample(gains, checked), STEP_FROM_SAMPLE)
  while (search.rest > Math.max(FEW, gains.pages * REST_PER_PAGE) && search.narrow()) {}
  addGreedily(gains, search.crawls, checked.maximums, search.rest)
  return search.crawls
}

/** About the worth at which as many crawls are made as there are, from pages at equal distances. */
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
  /** Made at the ceiling: certain. */
  readonly crawls: Uint32Array
  /** Not yet made at the ceiling. */
  rest: number
  readonly #gains: Gains
  /** Made at the floor: no more than these. */
  readonly #atMost: Uint32Array
  /** Pages for which the two differ come first. */
  readonly #open: Uint32Array
  #openCount: number
  readonly #tried: Uint32Array
  #ceiling: number
  #floor = 0
  /** To be tried next, unless it lies outside of floor and ceiling. */
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

  /** The lowest worth known at which not too many crawls are made. */
  get ceiling(): number {
    return this.#ceiling
  }

  startAt(worth: number, step: number): void {
    this.#guess = worth
    this.#step = step
  }

  /** Tries one worth; false when nothing is left to be learned that way. */
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
    // Not even small worths take all crawls: try all that gain anything.
    return Number.MIN_VALUE
  }

  /** How many crawls more than at the ceiling gain this worth; which, is kept in #tried. */
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
 * How often to crawl each page: one crawl after the other to the page that gains most by it, the lowest page of equals.
 * Optimal, as gains never rise (Fox, "Discrete optimization via marginal analysis"). O(N + R log N): the reference for
 * `allocate`.
 */
export function allocateGreedily(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const { minimums, maximums, rest } = checkBounds(gains.pages, bounds)
  const crawls = minimums.slice()
  addGreedily(gains, crawls, maximums, rest)
  return crawls
}

/** Gives `rest` more crawls away. REQUIRES: they fit below the maximums. */
function addGreedily(gains: Gains, crawls: Uint32Array, maximums: Uint32Array, rest: number): void {
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

/** Crawls that gain nothing go to the lowest pages: what the heap would do, one by one. */
function addInOrder(crawls: Uint32Array, maximums: Uint32Array, rest: number): void {
  let left = rest
  for (let page = 0; left > 0; page++) {
    const more = Math.min(left, maximums[page]! - crawls[page]!)
    crawls[page]! += more
    left -= more
  }
}
