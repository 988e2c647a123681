/**
 * The fewest edits between a text and the beginning of another one. An edit inserts, deletes or replaces one code
 * point, or makes two neighbours change places; no code point is edited twice (optimal string alignment). The first
 * code point is right, or the first two have changed places.
 *
 * Other texts come in their order, so that the rows of the edit-distance table are shared by those that begin alike.
 */
export class NearBeginnings {
  readonly #given: readonly string[]
  readonly #edits: number
  /** #rows[n]: of the distance table, after n code points of the text before. */
  readonly #rows: Uint8Array[]
  /** #nearest[n]: the smallest distance of a beginning of at most n code points. */
  readonly #nearest: number[]
  #points: string[] = []
  #isWhole = false

  constructor(given: string, edits: number) {
    this.#given = Array.from(given)
    this.#edits = edits
    this.#rows = [Uint8Array.from({ length: this.#given.length + 1 }, (_, at) => Math.min(at, edits + 1))]
    this.#nearest = [Math.min(this.#given.length, edits + 1)]
  }

  /** What a text that is near may begin with. */
  leads(): string[] {
    const [first, second] = this.#given
    if (first === undefined) return []
    return second === undefined || second === first ? [first] : [first, second + first]
  }

  /**
   * The edits of the nearest beginning, more than allowed where none is near. Where nothing that begins as the text
   * does can be near: how many code points suffice to see that, as a negative number.
   */
  distance(text: string): number {
    const points = Array.from(text)
    let depth = 0
    while (depth < this.#points.length && depth < points.length && points[depth] === this.#points[depth]) depth++
    this.#points = points
    while (depth < points.length) {
      const row = this.#step(depth)
      if (row === undefined) break
      depth++
      this.#rows[depth] = row
      const last = row[this.#given.length] as number
      this.#nearest[depth] = Math.min(this.#nearest[depth - 1] as number, last)
    }
    this.#isWhole = depth === points.length
    // What comes behind is of no use to the next text.
    if (depth < points.length) this.#points = points.slice(0, depth)
    const nearest = this.#nearest[depth] as number
    return nearest > this.#edits && depth < points.length ? -(depth + 1) : nearest
  }

  /** The edits of the whole text that distance() was called for last; more than allowed where it is not near. */
  get wholeDistance(): number {
    return this.#isWhole
      ? ((this.#rows[this.#points.length] as Uint8Array)[this.#given.length] as number)
      : this.#edits + 1
  }

  /** The row after one more code point; undefined where nothing can be near any more. */
  #step(depth: number): Uint8Array | undefined {
    const given = this.#given
    const point = this.#points[depth]
    const before = this.#rows[depth] as Uint8Array
    const beforeThat = this.#rows[depth - 1]
    const row = new Uint8Array(given.length + 1)
    const far = this.#edits + 1
    row[0] = Math.min(depth + 1, far)
    let least = row[0]
    for (let at = 1; at <= given.length; at++) {
      let best = Math.min((before[at] as number) + 1, (row[at - 1] as number) + 1)
      best = Math.min(best, (before[at - 1] as number) + (given[at - 1] === point ? 0 : 1))
      const isSwapped =
        beforeThat !== undefined && at > 1 && given[at - 1] === this.#points[depth - 1] && given[at - 2] === point
      if (isSwapped) best = Math.min(best, (beforeThat[at - 2] as number) + 1)
      row[at] = Math.min(best, far)
      least = Math.min(least, row[at] as number)
    }
    return least > this.#edits ? undefined : row
  }
}
