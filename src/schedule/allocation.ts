import { type AllocationBounds, checkBounds, type Gains } from './allocation-bounds.js'
import { addGreedily } from './greedy-allocation.js'

/** While no worth is known that takes too many crawls, the next to be tried is this much lower. */
const DESCENT = 8
/** After so many descents all crawls that gain anything are tried at once. */
const MAX_DESCENTS = 12
/** Two worths as near as this are no longer told apart: rounding may make a gain look higher than the one before. */
const NEAREST = 1 + 1e-9
/** The last crawls are given away one by one: this many for each page, or a few. */
const REST_PER_PAGE = 1 / 16
const FEW = 64

/**
 * How often to crawl each page so that all gains together are largest, within bounds: the allocation of `allocateGreedily`, in
 * O(N log R) for each of the few worths tried.
 *
 * A crawl is made if it gains at least some worth, the multiplier. That worth is closed in on from both sides: at the ceiling too few crawls are
 * made, at the floor too many. A page for which both agree is settled and not asked again, so most of the work is in the first few rounds. Every
 * crawl that gains the ceiling is also made by the greedy way, and from there on it is followed.
 */
export function allocate(gains: Gains, bounds: AllocationBounds): Uint32Array {
  const checked = checkBounds(gains.pages, bounds)
  const search = new MultiplierSearch(gains, checked.minimums, checked.maximums, checked.rest)
  while (search.rest > Math.max(FEW, gains.pages * REST_PER_PAGE) && search.narrow()) {}
  addGreedily(gains, search.crawls, checked.maximums, search.rest)
  return search.crawls
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
  #descents = 0

  constructor(gains: Gains, minimums: Uint32Array, maximums: Uint32Array, rest: number) {
    this.crawls = minimums.slice()
    this.rest = rest
    this.#gains = gains
    this.#atMost = maximums.slice()
    this.#open = Uint32Array.from(minimums, (_, page) => page)
    this.#openCount = this.#open.length
    this.#tried = new Uint32Array(gains.pages)
    this.#settle()
    this.#ceiling = this.#highestGain()
  }

  /** Tries one worth; false when nothing is left to be learned that way. */
  narrow(): boolean {
    if (this.#openCount === 0 || this.#ceiling <= this.#floor * NEAREST || this.#ceiling === 0) return false
    const worth = this.#nextWorth()
    if (!(worth > this.#floor && worth < this.#ceiling)) return false
    const more = this.#tryWorth(worth)
    if (more > this.rest) {
      this.#floor = worth
      for (let at = 0; at < this.#openCount; at++) this.#atMost[this.#open[at]!] = this.#tried[at]!
    } else {
      this.#ceiling = worth
      this.rest -= more
      for (let at = 0; at < this.#openCount; at++) this.crawls[this.#open[at]!] = this.#tried[at]!
    }
    this.#settle()
    return true
  }

  #nextWorth(): number {
    if (this.#floor > 0) return Math.sqrt(this.#floor) * Math.sqrt(this.#ceiling)
    this.#descents++
    return this.#descents <= MAX_DESCENTS ? this.#ceiling / DESCENT : Number.MIN_VALUE
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
