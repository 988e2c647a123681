/**
 * What a list gains when one page of it moves and the others make room: Eq. 6 and 7 of User-centric crawling for one query of
 * weight 1, in constant time.
 */
export class RankMoves {
  readonly #length: number
  readonly #view: Float64Array
  /** [r]: what the pages at ranks 1 … r gain together by moving up one rank, and lose by moving down one. */
  readonly #gains: Float64Array
  readonly #losses: Float64Array

  /** `values`: of the pages by rank, beginning with that at rank 1. `view`: see viewTable(), up to rank length + 1. */
  constructor(values: Float64Array, view: Float64Array) {
    const length = values.length
    this.#length = length
    this.#view = view
    this.#gains = new Float64Array(length + 1)
    this.#losses = new Float64Array(length + 1)
    for (let rank1 = 1; rank1 <= length; rank1++) {
      const value = values[rank1 - 1]!
      // Nobody moves up from rank 1.
      const gain = rank1 === 1 ? 0 : (view[rank1 - 1]! - view[rank1]!) * value
      this.#gains[rank1] = this.#gains[rank1 - 1]! + gain
      this.#losses[rank1] = this.#losses[rank1 - 1]! + (view[rank1]! - view[rank1 + 1]!) * value
    }
  }

  /** Of a page of this value that leaves one rank for another. 0: not in the list. */
  gain(rank1Before: number, rank1After: number, value: number): number {
    const self = (this.#view[rank1After]! - this.#view[rank1Before]!) * value
    const from = rank1Before === 0 ? this.#length + 1 : rank1Before
    const to = rank1After === 0 ? this.#length + 1 : rank1After
    if (from < to) return self + this.#gains[Math.min(to, this.#length)]! - this.#gains[from]!
    return self + this.#losses[to - 1]! - this.#losses[from - 1]!
  }
}
