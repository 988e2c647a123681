/**
 * Repeated bisection, step by step (Tan and Mitra, section 3.3): the set is cut in two, then one of the parts, and so on. The part with the largest loss is cut
 * next: its number of rows less its E, which is how much E could gain at most. What k parts are does not depend on how many are made after.
 */
import { TwoMeans } from './two-means.js'
import { normOf, type UnitRows } from './unit-rows.js'

/** What rounding alone can make of the loss of a row. */
const LEAST_LOSS = 1e-12

export interface Part {
  /** Its rows are members[from] … members[to - 1], in the order in which they were given. */
  readonly from: number
  readonly to: number
  /** Norm 1, or all zeros where the rows cancel each other out. */
  readonly centroid: Float64Array
  /** E of the part: Σ cos(row, centroid). */
  readonly criterion: number
}

export class Bisection {
  readonly #rows: UnitRows
  readonly #members: Uint32Array
  readonly #twoMeans: TwoMeans
  /** Parts that were found to be in one piece. */
  readonly #whole = new Set<Part>()
  readonly #parts: Part[] = []

  /** `members`: rows that have a direction, none twice; the array becomes the bisection's own. */
  constructor(rows: UnitRows, members: Uint32Array, restarts: number, seed: number) {
    this.#rows = rows
    this.#members = members
    this.#twoMeans = new TwoMeans(rows, members.length, restarts, seed)
    if (members.length > 0) this.#parts.push(this.#partOf(0, members.length))
  }

  get members(): Uint32Array {
    return this.#members
  }

  get parts(): readonly Part[] {
    return this.#parts
  }

  /** One part more; false when all parts consist of rows that are the same. */
  cutOnce(): boolean {
    for (;;) {
      const part = this.#worstPart()
      if (part === undefined) return false
      const left = this.#twoMeans.cut(this.#members, part.from, part.to)
      if (left === 0) {
        this.#whole.add(part)
        continue
      }
      this.#parts[this.#parts.indexOf(part)] = this.#partOf(part.from, part.from + left)
      this.#parts.push(this.#partOf(part.from + left, part.to))
      return true
    }
  }

  #worstPart(): Part | undefined {
    let worst: Part | undefined
    let most = 0
    for (const part of this.#parts) {
      const count = part.to - part.from
      const loss = count - part.criterion
      if (loss <= Math.max(most, LEAST_LOSS * count) || this.#whole.has(part)) continue
      most = loss
      worst = part
    }
    return worst
  }

  #partOf(from: number, to: number): Part {
    const centroid = new Float64Array(this.#rows.width)
    for (let at = from; at < to; at++) this.#rows.addTo(centroid, this.#members[at]!, 1)
    const criterion = normOf(centroid)
    // What is left of rows that cancel each other out is rounding, not a direction.
    const scale = criterion > LEAST_LOSS * (to - from) ? 1 / criterion : 0
    for (let at = 0; at < centroid.length; at++) centroid[at]! *= scale
    return { from, to, centroid, criterion: scale === 0 ? 0 : criterion }
  }
}
