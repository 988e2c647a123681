import { finiteMean, positive, requireObject } from '../../base/checks.js'
import { logGamma } from '../../math/gamma.js'
import { RenewalLaw, type UniformRandom } from '../update-law.js'

/**
 * Gbar(t) = e^-((t / scale)^shape): long-tailed below shape 1, Poisson at 1, more and more regular above. The paper
 * writes the same as e^(-lambda t^alpha): shape = alpha, scale = lambda^(-1 / alpha).
 */
export class WeibullLaw extends RenewalLaw {
  readonly kind = 'weibull'
  readonly shape: number
  readonly scale: number
  readonly meanInterval: number

  constructor(options: { readonly shape: number; readonly scale: number }) {
    super()
    const { shape, scale } = requireObject('options', options)
    this.shape = positive('shape', shape)
    this.scale = positive('scale', scale)
    this.meanInterval = finiteMean(scale * Math.exp(logGamma(1 + 1 / shape)), 'a Weibull law')
  }

  logSurvival(t: number): number {
    return -((t / this.scale) ** this.shape)
  }

  logDensity(t: number): number {
    const { shape, scale } = this
    // At 0 a power of 0 would meet the factor 0 of shape 1.
    const power = shape === 1 ? 0 : (shape - 1) * Math.log(t / scale)
    return Math.log(shape / scale) + power - (t / scale) ** shape
  }

  staleProbability(age: number): number {
    return Math.min(1, this.#moment(0, age) / this.meanInterval)
  }

  /** The integral of (d - t) Gbar(t) over [0, d], by the mean. */
  staleTime(length: number): number {
    return (length * this.#moment(0, length) - this.#moment(1, length)) / this.meanInterval
  }

  sampleInterval(random: UniformRandom): number {
    return this.scale * (-Math.log1p(-random())) ** (1 / this.shape)
  }

  /**
   * The integral of t^order Gbar(t) over [0, end]. With z = (end / scale)^shape and a = (order + 1) / shape it is the
   * lower incomplete gamma function, as the series end^(order+1) / (order + 1) e^-z sum of z^n / ((a + 1) … (a + n)):
   * all terms are positive.
   */
  #moment(order: 0 | 1, end: number): number {
    const z = (end / this.scale) ** this.shape
    const a = (order + 1) / this.shape
    if (z > beyondAll(a)) return (this.scale ** (order + 1) * Math.exp(logGamma(1 + a))) / (order + 1)
    let term = 1
    let sum = 1
    for (let n = 1; term > 1e-17 * sum; n++) {
      term *= z / (a + n)
      sum += term
    }
    return (end ** (order + 1) / (order + 1)) * Math.exp(-z) * sum
  }
}

/** Where the upper incomplete gamma function of a is nothing beside the whole. */
function beyondAll(a: number): number {
  return a + 40 + 10 * Math.sqrt(a)
}
