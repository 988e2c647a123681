/** A mean that is made value by value, and how well it is known: the half width of its t-interval (Tan and Mitra, section 4.1). */
import { parameter } from '../change/law-parameters.js'
import { studentQuantile } from './student-t.js'

/** Of many groups at once. */
export class MeanIntervals {
  readonly counts: Uint32Array
  readonly means: Float64Array
  /** Squared distances from the mean, summed up as the mean moves (Welford, 1962). */
  readonly #squares: Float64Array
  /** By degrees of freedom: the quantile, once it was asked for. */
  readonly #quantiles: number[] = []
  readonly #probability: number

  /** `confidence`: how likely the interval holds the mean of the group, between 0 and 1. */
  constructor(groups: number, confidence: number) {
    parameter('confidence', confidence, { min: 0, max: 1 - 1e-12, aboveMin: true })
    this.counts = new Uint32Array(groups)
    this.means = new Float64Array(groups)
    this.#squares = new Float64Array(groups)
    this.#probability = (1 + confidence) / 2
  }

  add(group: number, value: number): void {
    const count = ++this.counts[group]!
    const distance = value - this.means[group]!
    this.means[group]! += distance / count
    this.#squares[group]! += distance * (value - this.means[group]!)
  }

  /** Infinite for fewer than two values. */
  halfWidth(group: number): number {
    const count = this.counts[group]!
    if (count < 2) return Number.POSITIVE_INFINITY
    const degrees = count - 1
    this.#quantiles[degrees] ??= studentQuantile(this.#probability, degrees)
    return this.#quantiles[degrees] * Math.sqrt(this.#squares[group]! / degrees / count)
  }
}
