/** Spearman's rank correlation, and how sure it is. */
import { Randomness } from '../randomness.js'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** From -1 to 1; equal values share the mean of their ranks. NaN for fewer than two pairs, or where one side has one value only. */
export function spearman(first: ArrayLike<number>, second: ArrayLike<number>): number {
  return pearson(ranksOf(first), ranksOf(second))
}

/**
 * The interval that holds this share of the correlations of samples drawn with replacement (Efron, Bootstrap methods, percentile
 * method). Samples without a correlation are passed over; NaN when none has one.
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
  const sorted = Float64Array.from(correlations).sort()
  const quantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return { low: quantile((1 - confidence) / 2), high: quantile((1 + confidence) / 2) }
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

/** From -1 to 1; NaN as for spearman(). */
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
