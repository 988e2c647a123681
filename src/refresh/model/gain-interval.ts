/**
 * How far a sum of many gains can be off from its expectation. A page gains nothing if it has not changed, otherwise a
 * positive amount. Sums of such gains are skewed and never negative, like a gamma distribution with the same mean and
 * variance.
 */
import { gammaQuantile } from '../../math/gamma.js'

/** The distribution of the gain of one page; see gain-model.ts. */
export interface GainChances {
  /** The probability of a gain, 0 to 1. */
  readonly changeChance: number
  /** The mean gain, if there is one. */
  readonly gainIfChanged: number
  /** The mean squared gain divided by the squared mean, if there is a gain: at least 1. */
  readonly spread: number
}

export interface GainSum {
  readonly mean: number
  readonly variance: number
}

export const NO_GAIN: GainSum = { mean: 0, variance: 0 }

/** The sum with the gain of one more page. Pages are assumed to change independently of each other. */
export function withGain(sum: GainSum, { changeChance, gainIfChanged, spread }: GainChances): GainSum {
  const mean = changeChance * gainIfChanged
  const square = changeChance * spread * gainIfChanged ** 2
  return { mean: sum.mean + mean, variance: sum.variance + Math.max(0, square - mean ** 2) }
}

export interface GainInterval {
  readonly low: number
  readonly high: number
}

/** The probability that a sum lies in its interval. */
const INTERVAL_SHARE = 0.9
/** A lower end below this share of the mean is 0: sums of few chances often are, but a gamma distribution never is. */
const NEGLIGIBLE = 1e-3

/** The interval that holds the sum in `share` of all cases, misses above and below being alike. Contains the mean. */
export function gainInterval({ mean, variance }: GainSum, share: number = INTERVAL_SHARE): GainInterval {
  if (mean <= 0 || variance <= 0) return { low: mean, high: mean }
  const shape = mean ** 2 / variance
  const scale = variance / mean
  const tail = (1 - share) / 2
  const low = scale * gammaQuantile(shape, tail)
  return { low: low < NEGLIGIBLE * mean ? 0 : low, high: Math.max(mean, scale * gammaQuantile(shape, 1 - tail)) }
}
