/**
 * Blocks by what the best page left in them can be worth at most, the best on top; among equal ones the lower document first.
 * A block's worth only ever falls, and only that of the block on top.
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
