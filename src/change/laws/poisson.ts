import { positive, requireObject } from '../../base/checks.js'
import { RenewalLaw, type UniformRandom } from '../update-law.js'

/** Updates at a constant rate, whatever came before: Gbar(t) = e^(-rate t). */
export class PoissonLaw extends RenewalLaw {
  readonly kind = 'poisson'
  readonly rate: number

  constructor(options: { readonly rate: number }) {
    super()
    const { rate } = requireObject('options', options)
    this.rate = positive('rate', rate)
  }

  get meanInterval(): number {
    return 1 / this.rate
  }

  logSurvival(t: number): number {
    return -this.rate * t
  }

  logDensity(t: number): number {
    return Math.log(this.rate) - this.rate * t
  }

  staleProbability(age: number): number {
    return -Math.expm1(-this.rate * age)
  }

  staleTime(length: number): number {
    return length * poissonStaleShare(this.rate * length)
  }

  sampleInterval(random: UniformRandom): number {
    return -Math.log1p(-random()) / this.rate
  }
}

/** Below this the closed form would lose digits to cancellation. */
const SERIES_BELOW = 0.5

/**
 * Phi(d) / d = 1 - (1 - e^-z) / z as a function of z = rate times d, to nearly full precision also where it is near 0:
 * first differences of it are what crawls are allocated by.
 */
export function poissonStaleShare(z: number): number {
  if (z >= SERIES_BELOW) return 1 + Math.expm1(-z) / z
  let term = z / 2
  let sum = term
  for (let n = 3; Math.abs(term) > 1e-17 * sum; n++) {
    term *= -z / n
    sum += term
  }
  return sum
}
