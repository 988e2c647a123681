/**
 * Cuts a set of directions in two such that E = Σ cos(p, centroid of p's side) is locally largest (spherical
 * 2-means; Tan and Mitra, Eq. 3). As rows have norm 1, the E of a side is the norm of its sum.
 */

import { drawAt } from '../math/draws.js'
import { normOf, type UnitRows } from './unit-rows.js'

/** The most passes over the rows. The search ends earlier if no row changes its side; late passes move few rows. */
const MAX_PASSES = 20
/** In a larger set, this many rows drawn at random decide which restart is best; all rows continue from there. */
const MOST_TRIED = 4000
/** The least gain of E by a cut, and the least distance between two seeds, per row. Less is rounding. */
const LEAST_GAIN = 1e-12
/** The rounding error of the product of two vectors. */
const ROUNDING = 1e-9
/** The least gain of E by moving a single row. Rounding could undo a smaller one. */
const LEAST_MOVE = 1e-9

/** Cuts sets one after the other, and reuses its arrays. */
export class TwoMeans {
  readonly #rows: UnitRows
  readonly #restarts: number
  readonly #seed: number
  #draws = 0
  /** By place in the searched set: 1 for rows on the left side. */
  readonly #sides: Uint8Array
  readonly #tried: Uint32Array
  /**
   * By place in the set that is searched: how far the contrast may have moved before the row has to be looked at again.
   */
  readonly #margins: Float64Array
  readonly #distances: Float64Array
  readonly #moved: Uint32Array
  readonly #left: Float64Array
  readonly #right: Float64Array
  readonly #total: Float64Array
  /**
   * Unit vector of the left side less that of the right one: a row belongs to the left if its product with this is
   * above 0.
   */
  readonly #contrast: Float64Array
  readonly #bestContrast: Float64Array

  /** `most`: rows in the largest set that will be cut. */
  constructor(rows: UnitRows, most: number, restarts: number, seed: number) {
    const tried = Math.min(most, MOST_TRIED)
    this.#rows = rows
    this.#restarts = restarts
    this.#seed = seed
    this.#sides = new Uint8Array(most)
    this.#tried = new Uint32Array(tried)
    this.#margins = new Float64Array(most)
    this.#distances = new Float64Array(tried)
    this.#moved = new Uint32Array(most)
    this.#left = new Float64Array(rows.width)
    this.#right = new Float64Array(rows.width)
    this.#total = new Float64Array(rows.width)
    this.#contrast = new Float64Array(rows.width)
    this.#bestContrast = new Float64Array(rows.width)
  }

  /**
   * Puts the left side of members[from … to - 1] before the right one, each in the order it had, and returns how many
   * are on the left; 0 when the set cannot be cut: its rows are all the same. REQUIRES: every member has a direction.
   */
  cut(members: Uint32Array, from: number, to: number): number {
    if (!this.#tryRestarts(members, from, to)) return 0
    this.#contrast.set(this.#bestContrast)
    const whole = this.#takeTotal(members, from, to)
    this.#search(members, from, to)
    // In a large set single rows matter too little.
    if (to - from <= MOST_TRIED) this.#refine(members, from, to)
    const criterion = normOf(this.#left) + normOf(this.#right)
    return criterion > whole + LEAST_GAIN * (to - from) ? this.#partition(members, from, to) : 0
  }

  /** Leaves the contrast of the best restart in #bestContrast; returns false when no two seeds differ. */
  #tryRestarts(members: Uint32Array, from: number, to: number): boolean {
    const tried = this.#chooseTried(members, from, to)
    this.#takeTotal(this.#tried, 0, tried)
    let best = Number.NEGATIVE_INFINITY
    for (let restart = 0; restart < this.#restarts; restart++) {
      if (!this.#chooseSeeds(tried)) continue
      const criterion = this.#search(this.#tried, 0, tried)
      if (criterion <= best) continue
      best = criterion
      this.#bestContrast.set(this.#contrast)
    }
    return best > Number.NEGATIVE_INFINITY
  }

  /** Chooses one row out of each of MOST_TRIED stretches of equal length. */
  #chooseTried(members: Uint32Array, from: number, to: number): number {
    const tried = Math.min(to - from, MOST_TRIED)
    const stretch = (to - from) / tried
    for (let at = 0; at < tried; at++) {
      const offset = stretch === 1 ? 0 : this.#draw() * stretch
      this.#tried[at] = members[from + Math.floor(at * stretch + offset)]!
    }
    return tried
  }

  /** Returns E of the set in one piece. */
  #takeTotal(members: Uint32Array, from: number, to: number): number {
    this.#total.fill(0)
    for (let at = from; at < to; at++) this.#rows.addTo(this.#total, members[at]!, 1)
    return normOf(this.#total)
  }

  /**
   * E of the cut that #contrast leads to, in #sides. A product with a row of norm 1 changes by no more than the
   * contrast moves, so a row that was farther from the border than that is where it was. REQUIRES: #total is that of
   * these members.
   */
  #search(members: Uint32Array, from: number, to: number): number {
    const rows = this.#rows
    const sides = this.#sides
    const margins = this.#margins
    const left = this.#left.fill(0)
    const contrast = this.#contrast
    sides.fill(0, 0, to - from)
    margins.fill(0, 0, to - from)
    this.#right.set(this.#total)
    /** How far the contrast has moved since the first pass. */
    let moved = ROUNDING
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      let moves = 0
      for (let at = from; at < to; at++) {
        if (margins[at - from]! > moved) continue
        const product = rows.dot(members[at]!, contrast)
        margins[at - from] = moved + Math.abs(product) - ROUNDING
        const side = sides[at - from]!
        // A row as near to one side as to the other stays where it is.
        if (side === 1 ? product >= 0 : product <= 0) continue
        sides[at - from] = 1 - side
        rows.addTo(left, members[at]!, 1 - 2 * side)
        moves++
      }
      if (moves === 0) break
      moved += this.#takeContrast()
    }
    return normOf(left) + normOf(this.#right)
  }

  /**
   * Moves single rows for as long as that adds to E. A search sees where a row belongs only as long as it pulls no
   * centroid along with it, so it may end with a small group torn apart; E of a set without a row, or with one more, is
   * exact here.
   */
  #refine(members: Uint32Array, from: number, to: number): void {
    const rows = this.#rows
    const left = this.#left
    const right = this.#right
    let leftNorm = normOf(left)
    let rightNorm = normOf(right)
    for (let pass = 0, moves = 1; pass < MAX_PASSES && moves > 0; pass++) {
      moves = 0
      for (let at = from; at < to; at++) {
        const row = members[at]!
        // The sign of what the left side gets and the right one loses.
        const sign = this.#sides[at - from] === 1 ? -1 : 1
        const nextLeft = Math.sqrt(Math.max(0, leftNorm ** 2 + 2 * sign * rows.dot(row, left) + 1))
        const nextRight = Math.sqrt(Math.max(0, rightNorm ** 2 - 2 * sign * rows.dot(row, right) + 1))
        if (!(nextLeft + nextRight > leftNorm + rightNorm + LEAST_MOVE)) continue
        this.#sides[at - from] = sign === 1 ? 1 : 0
        rows.addTo(left, row, sign)
        rows.addTo(right, row, -sign)
        leftNorm = normOf(left)
        rightNorm = normOf(right)
        moves++
      }
    }
  }

  /** The second seed is drawn by its distance from the first, as k-means++ does. */
  #chooseSeeds(count: number): boolean {
    const rows = this.#rows
    const tried = this.#tried
    const first = tried[Math.floor(this.#draw() * count)]!
    const share = this.#draw()
    const contrast = this.#contrast.fill(0)
    rows.addTo(contrast, first, 1)
    let sum = 0
    for (let at = 0; at < count; at++) {
      const distance = Math.max(0, 1 - rows.dot(tried[at]!, contrast))
      this.#distances[at] = distance
      sum += distance
    }
    if (!(sum > LEAST_GAIN * count)) return false
    let second = first
    let rest = share * sum
    for (let at = 0; at < count && rest >= 0; at++) {
      if (this.#distances[at] === 0) continue
      second = tried[at]!
      rest -= this.#distances[at]!
    }
    rows.addTo(contrast, second, -1)
    return true
  }

  /**
   * A side whose rows cancel each other out has no direction; it attracts nothing and repels nothing. Returns how far
   * the contrast moved.
   */
  #takeContrast(): number {
    const left = this.#left
    const right = this.#right
    const contrast = this.#contrast
    for (let at = 0; at < left.length; at++) right[at] = this.#total[at]! - left[at]!
    const leftNorm = normOf(left)
    const rightNorm = normOf(right)
    const leftScale = leftNorm > 0 ? 1 / leftNorm : 0
    const rightScale = rightNorm > 0 ? 1 / rightNorm : 0
    let squares = 0
    for (let at = 0; at < left.length; at++) {
      const next = left[at]! * leftScale - right[at]! * rightScale
      squares += (next - contrast[at]!) ** 2
      contrast[at] = next
    }
    return Math.sqrt(squares)
  }

  #partition(members: Uint32Array, from: number, to: number): number {
    let left = 0
    let right = 0
    for (let at = from; at < to; at++) {
      if (this.#sides[at - from] === 1) members[from + left++] = members[at]!
      else this.#moved[right++] = members[at]!
    }
    members.set(this.#moved.subarray(0, right), from + left)
    return right === 0 ? 0 : left
  }

  #draw(): number {
    return drawAt(this.#seed, this.#draws++)
  }
}
