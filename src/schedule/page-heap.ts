/** Pages by what their next crawl is worth, the best on top; of equals the lowest page. Worths only fall, and only that of the top. */
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
