/**
 * Samples of the queries of a workload, drawn with replacement: how far a result is that of the queries that happened to be asked
 * (Efron, Bootstrap methods, percentile method). Everything that is lost is a sum over queries, so a sample is a count for each of them. The same
 * samples serve all rows of an experiment: what two of them have in common cancels out.
 */
import { Randomness } from '../randomness.js'

/** The ends of an interval. */
export type LowHigh = readonly [low: number, high: number]

const CONFIDENCE = 0.95

export class QueryResamples {
  readonly samples: number
  /** How often sample s has query q: [q * samples + s]. */
  readonly #counts: Uint16Array

  constructor(queries: number, seed: number, samples = 1000) {
    const random = new Randomness(seed)
    this.samples = samples
    this.#counts = new Uint16Array(queries * samples)
    for (let sample = 0; sample < samples; sample++)
      for (let draw = 0; draw < queries; draw++) this.#counts[random.between(0, queries - 1) * samples + sample]!++
  }

  /** By sample: what its queries lose together. */
  sums(losses: ArrayLike<number>): Float64Array {
    const { samples } = this
    const sums = new Float64Array(samples)
    for (let query = 0; query < losses.length; query++) {
      const loss = losses[query]!
      if (loss === 0) continue
      const begin = query * samples
      for (let sample = 0; sample < samples; sample++) sums[sample]! += this.#counts[begin + sample]! * loss
    }
    return sums
  }
}

/** Of values by sample. Samples that have none (NaN) are passed over; null where no finite end is left. */
export function percentileInterval(values: Float64Array): LowHigh | null {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  const [low, high] = [quantile((1 - CONFIDENCE) / 2), quantile((1 + CONFIDENCE) / 2)]
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}
