/** Rank correlations, samples drawn anew, and how sure a result is by them. */
import { studentQuantile } from '../../math/distributions.js'
import { centralInterval } from '../../math/quantiles.js'
import { Randomness } from '../worlds/randomness.js'

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * From -1 to 1; equal values share the mean of their ranks. NaN for fewer than two pairs, or where one side has one
 * value only.
 */
export function spearman(first: ArrayLike<number>, second: ArrayLike<number>): number {
  return pearson(ranksOf(first), ranksOf(second))
}

/**
 * The interval that holds this share of the correlations of samples drawn with replacement (Efron, Bootstrap methods,
 * percentile method). Samples without a correlation are passed over; NaN when none has one.
 */
export function spearmanInterval(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { samples, confidence, seed }: { readonly samples: number; readonly confidence: number; readonly seed: number },
): Interval {
  const random = new Randomness(seed)
  const correlations: number[] = []
  const [a, b] = [new Float64Array(first.length), new Float64Array(first.length)]
  for (let sample = 0; sample < samples && first.length > 0; sample++) {
    for (let at = 0; at < a.length; at++) {
      const drawn = random.between(0, a.length - 1)
      a[at] = first[drawn]!
      b[at] = second[drawn]!
    }
    const correlation = spearman(a, b)
    if (!Number.isNaN(correlation)) correlations.push(correlation)
  }
  const [low, high] = centralInterval(correlations, confidence)
  return { low, high }
}

function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from({ length: values.length }, (_, at) => at).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Float64Array(values.length)
  for (let begin = 0; begin < order.length; ) {
    let end = begin + 1
    while (end < order.length && values[order[end]!] === values[order[begin]!]) end++
    for (let at = begin; at < end; at++) ranks[order[at]!] = (begin + end - 1) / 2
    begin = end
  }
  return ranks
}

/** The linear correlation, from -1 to 1; NaN as for spearman(). */
export function pearson(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanA, meanB] = [mean(a), mean(b)]
  let [both, squaresA, squaresB] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    both += (a[at]! - meanA) * (b[at]! - meanB)
    squaresA += (a[at]! - meanA) ** 2
    squaresB += (b[at]! - meanB) ** 2
  }
  return both / Math.sqrt(squaresA * squaresB)
}

/** The ends of an interval. */
export type LowHigh = readonly [low: number, high: number]

const CONFIDENCE = 0.95

/**
 * Samples of the queries of a workload, drawn with replacement: how far a result is that of the queries that happened
 * to be asked (Efron, Bootstrap methods, percentile method). Everything that is lost is a sum over queries, so a sample
 * is a count for each of them. The same samples serve all rows of an experiment: what two of them have in common
 * cancels out.
 */
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

export interface MeanOfSeeds {
  readonly mean: number
  /** Of 95%, by Student's t; null for a single value. */
  readonly interval: LowHigh | null
}

/** The mean of values that differ by chance alone, and how sure it is. REQUIRES: at least one value. */
export function meanOfSeeds(values: readonly number[]): MeanOfSeeds {
  const { length } = values
  const mean = values.reduce((sum, value) => sum + value, 0) / length
  if (length < 2) return { mean, interval: null }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (length - 1)
  const half = studentQuantile((1 + CONFIDENCE) / 2, length - 1) * Math.sqrt(variance / length)
  return { mean, interval: [mean - half, mean + half] }
}

/** The interval of values by sample. Samples without a value (NaN) are passed over; null without a finite end. */
export function percentileInterval(values: Float64Array): LowHigh | null {
  const told = values.filter((value) => !Number.isNaN(value))
  const [low, high] = centralInterval(told, CONFIDENCE)
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : null
}
