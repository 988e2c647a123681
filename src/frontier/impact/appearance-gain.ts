/**
 * What the appearance of a page adds to the quality of answers: ΔQ_A of User-centric crawling, Eq. 6, for a page that
 * the index did not have. The gains of refreshes are measured in ΔQ_A, too, so both can be compared.
 *
 * The page enters at rank r behind all others of its score, and those behind it move down by one
 * (docs/refresh-model.md, "appears"):
 *
 *   I(r) s + Σ_{k=r..n} (I(k+1) - I(k)) g(k),   g(k) the score at rank k
 *
 * which is never negative. The gain of fetching the page is the sum over the queries that it matches, each times its
 * frequency.
 */
import { describe } from '../../base/describe.js'
import type { ViewLikelihood } from '../../workload/view-likelihood.js'

/**
 * The gains of pages that appear in one answer list, for a query of weight 1. The head of a longer list suffices: it
 * overstates a gain by at most I(n + 1) times the last score of the head.
 */
export class AppearanceGains {
  readonly #scores: ArrayLike<number>
  readonly #view: Float64Array
  /** [r - 1]: what the pages at ranks r … n lose together by moving down one rank. */
  readonly #losses: Float64Array

  /** The object takes `scoresDescending` over. */
  constructor(scoresDescending: ArrayLike<number>, view: ViewLikelihood) {
    const length = scoresDescending.length
    this.#scores = scoresDescending
    this.#view = Float64Array.from({ length: length + 1 }, (_, at) => view(at + 1))
    this.#losses = new Float64Array(length + 1)
    for (let at = length - 1; at >= 0; at--) {
      if (at + 1 < length && !(scoresDescending[at]! >= scoresDescending[at + 1]!)) {
        throw new RangeError(
          `scoresDescending must not rise, received ${describe(scoresDescending[at + 1])} at rank ${at + 2}`,
        )
      }
      this.#losses[at] = this.#losses[at + 1]! + (this.#view[at]! - this.#view[at + 1]!) * scoresDescending[at]!
    }
  }

  /** The gain of a page with this score; 0 for a page that does not match. */
  gain(score: number): number {
    if (!(score > 0)) return 0
    const before = this.#countAtLeast(score)
    // Rounding may leave a little less than 0.
    return Math.max(0, this.#view[before]! * score - this.#losses[before]!)
  }

  /** The expected gain of a page that has one of these scores. Default: all are equally likely. */
  expectedGain(scores: ArrayLike<number>, probabilities?: ArrayLike<number>): number {
    let sum = 0
    for (let at = 0; at < scores.length; at++) {
      sum += this.gain(scores[at]!) * (probabilities === undefined ? 1 / scores.length : probabilities[at]!)
    }
    return sum
  }

  #countAtLeast(score: number): number {
    let low = 0
    let high = this.#scores.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#scores[middle]! >= score) low = middle + 1
      else high = middle
    }
    return low
  }
}
