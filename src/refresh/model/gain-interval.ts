/**
 * How much the sum of many gains can differ from what is expected of it. Each page gains nothing if it has not changed,
 * else a positive amount: sums of such are skewed and never negative, as a gamma distribution of the same mean and
 * variance.
 */
import { gammaQuantile } from '../../math/gamma.js'

/** Of one page; see gain-model.ts. */
export interface GainChances {
  /** That there is a gain, from 0 to 1. */
  readonly changeChance: number
  /** Its mean, if there is one. */
  readonly gainIfChanged: number
  /** The mean of its square by the square of its mean, if there is one: at least 1. */
  readonly spread: number
}

export interface GainSum {
  readonly mean: number
  readonly variance: number
}

export const NO_GAIN: GainSum = { mean: 0, variance: 0 }

/** Pages are taken to change independently of each other. */
export function withGain(sum: GainSum, { changeChance, gainIfChanged, spread }: GainChances): GainSum {
  const mean = changeChance * gainIfChanged
  const square = changeChance * spread * gainIfChanged ** 2
  return { mean: sum.mean + mean, variance: sum.variance + Math.max(0, square - mean ** 2) }
}

export interface GainInterval {
  readonly low: number
  readonly high: number
}

/**
 * In nine cases of ten the sum is between these, as often below as above; from 0 on where it may well be that nothing
 * is gained, and never without the mean.
 */
const INTERVAL_SHARE = 0.9

export function gainInterval({ mean, variance }: GainSum, share: number = INTERVAL_SHARE): GainInterval {
  if (mean <= 0 || variance <= 0) return { low: mean, high: mean }
  const shape = mean ** 2 / variance
  const scale = variance / mean
  const tail = (1 - share) / 2
  const low = scale * gammaQuantile(shape, tail)
  return { low: low < NEGLIGIBLE * mean ? 0 : low, high: Math.max(mean, scale * gammaQuantile(shape, 1 - tail)) }
}

/** The gamma distribution knows next to nothing, but not nothing at all, which sums of few chances often are. */
const NEGLIGIBLE = 1e-3
