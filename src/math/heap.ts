/**
 * Blocks by what the best page left in them can be worth at most, the best on top; among equal ones the lower document
 * first. A block's worth only ever falls, and only that of the block on top.
 */
export class BlockHeap {
  readonly #worths: Float64Array
  readonly #docs: Float64Array
  readonly #order: Uint32Array

  /** `docs` holds the lowest document that can have the worth. Both arrays become the heap's own. */
  constructor(worths: Float64Array, docs: Float64Array) {
    this.#worths = worths
    this.#docs = docs
    this.#order = new Uint32Array(worths.length)
    for (let block = 0; block < worths.length; block++) this.#order[block] = block
    for (let at = (this.#order.length >> 1) - 1; at >= 0; at--) this.#sink(at)
  }

  /** The best block; undefined when there are no blocks. */
  get top(): number | undefined {
    return this.#order[0]
  }

  worthOf(block: number): number {
    return this.#worths[block]!
  }

  docOf(block: number): number {
    return this.#docs[block]!
  }

  /** Gives the block on top a lower place. */
  lowerTop(worth: number, doc: number): void {
    const block = this.#order[0]!
    this.#worths[block] = worth
    this.#docs[block] = doc
    this.#sink(0)
  }

  #sink(start: number): void {
    const order = this.#order
    const block = order[start]!
    let at = start
    for (let child = 2 * at + 1; child < order.length; child = 2 * at + 1) {
      if (child + 1 < order.length && this.#isBefore(order[child + 1]!, order[child]!)) child++
      if (!this.#isBefore(order[child]!, block)) break
      order[at] = order[child]!
      at = child
    }
    order[at] = block
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#worths[a]! - this.#worths[b]!
    return difference > 0 || (difference === 0 && this.#docs[a]! < this.#docs[b]!)
  }
}

/**
 * Pages by what their next crawl is worth, the best on top; of equals the lowest page. Worths only fall, and only that
 * of the top.
 */
export class PageHeap {
  readonly #pages: Uint32Array
  /** By place in the heap, not by page: comparing reads one array. */
  readonly #worths: Float64Array
  #size: number

  /** Both arrays become the heap's own. */
  constructor(pages: Uint32Array, worths: Float64Array) {
    this.#pages = pages
    this.#worths = worths
    this.#size = pages.length
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at, this.#pages[at]!, this.#worths[at]!)
  }

  get size(): number {
    return this.#size
  }

  /** REQUIRES: the heap is not empty, here and below. */
  get topPage(): number {
    return this.#pages[0]!
  }

  get topWorth(): number {
    return this.#worths[0]!
  }

  lowerTop(worth: number): void {
    this.#sink(0, this.#pages[0]!, worth)
  }

  removeTop(): void {
    this.#size--
    if (this.#size > 0) this.#sink(0, this.#pages[this.#size]!, this.#worths[this.#size]!)
  }

  #sink(start: number, page: number, worth: number): void {
    const pages = this.#pages
    const worths = this.#worths
    let at = start
    for (let child = 2 * at + 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && isBefore(worths[child + 1]!, pages[child + 1]!, worths[child]!, pages[child]!))
        child++
      if (!isBefore(worths[child]!, pages[child]!, worth, page)) break
      pages[at] = pages[child]!
      worths[at] = worths[child]!
      at = child
    }
    pages[at] = page
    worths[at] = worth
  }
}

function isBefore(worth: number, page: number, otherWorth: number, otherPage: number): boolean {
  return worth > otherWorth || (worth === otherWorth && page < otherPage)
}

/**
 * The places of all values, the largest first, of equals the lowest place; for whoever does not know how many it will
 * need.
 */
export function* bestFirst(values: ArrayLike<number>): Generator<number, void, undefined> {
  const heap = Uint32Array.from({ length: values.length }, (_, place) => place)
  const isBefore = (a: number, b: number) => values[a]! > values[b]! || (values[a] === values[b] && a < b)
  const sink = (start: number, size: number, place: number) => {
    let at = start
    for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, place)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = place
  }
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at, heap.length, heap[at]!)
  for (let size = heap.length; size > 0; size--) {
    const best = heap[0]!
    sink(0, size - 1, heap[size - 1]!)
    yield best
  }
}

/** The places of the `count` largest values, the largest first; of equals the lowest place first. */
export function topValues(values: ArrayLike<number>, count: number): Uint32Array {
  const best = new BestPlaces(Math.min(count, values.length), (a, b) => values[b]! - values[a]! || a - b)
  for (let place = 0; place < values.length; place++) best.offer(place)
  return best.sorted()
}

/** The best of places that come one by one. */
export class BestPlaces {
  readonly #compare: (a: number, b: number) => number
  /** A heap with the worst of the best on top. */
  readonly #heap: Uint32Array
  #size = 0

  /** `compare`: below 0 when the first is the better one, and never 0. */
  constructor(count: number, compare: (a: number, b: number) => number) {
    this.#compare = compare
    this.#heap = new Uint32Array(count)
  }

  offer(place: number): void {
    if (this.#size < this.#heap.length) this.#rise(this.#size++, place)
    else if (this.#size > 0 && this.#compare(place, this.#heap[0]!) < 0) this.#sink(place)
  }

  /** All that are left, best first. */
  sorted(): Uint32Array {
    return this.#heap.slice(0, this.#size).sort(this.#compare)
  }

  #rise(start: number, place: number): void {
    const heap = this.#heap
    let at = start
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#compare(place, heap[parent]!) < 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = place
  }

  /** In place of the worst. */
  #sink(place: number): void {
    const heap = this.#heap
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (this.#compare(heap[child]!, place) < 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = place
  }
}
