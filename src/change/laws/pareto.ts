import { finiteMean, parameter, positive, requireObject } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { RenewalLaw, type UniformRandom } from '../update-law.js'

/** Heavy-tailed intervals: Gbar(t) = (scale / (scale + t))^shape; shape is the paper's alpha, scale its beta. */
export class ParetoLaw extends RenewalLaw {
  readonly kind = 'pareto'
  readonly shape: number
  readonly scale: number
  readonly meanInterval: number

  constructor(options: { readonly shape: number; readonly scale: number }) {
    super()
    const { shape, scale } = requireObject('options', options)
    this.shape = parameter('shape', shape, { min: 0, aboveMin: true })
    if (shape <= 1) {
      throw new RangeError(
        'the shape of a Pareto law must be above 1, otherwise its mean interval is infinite, ' +
          `received ${describe(shape)}`,
      )
    }
    this.scale = positive('scale', scale)
    this.meanInterval = finiteMean(scale / (shape - 1), 'a Pareto law')
  }

  logSurvival(t: number): number {
    return -this.shape * Math.log1p(t / this.scale)
  }

  logDensity(t: number): number {
    return Math.log(this.shape / this.scale) - (this.shape + 1) * Math.log1p(t / this.scale)
  }

  staleProbability(age: number): number {
    return -Math.expm1((1 - this.shape) * Math.log1p(age / this.scale))
  }

  staleTime(length: number): number {
    return length * paretoStaleShare(this.shape, length / this.scale)
  }

  sampleInterval(random: UniformRandom): number {
    return this.scale * Math.expm1(-Math.log1p(-random()) / this.shape)
  }
}

/**
 * Phi(d) / d as a function of y = d / scale: 1 - ((1 + y)^c - 1) / (c y) with c = 2 - shape.
 *
 * With L = ln(1 + y) the difference y - ((1 + y)^c - 1) / c is the sum over n >= 2 of L^n / n! (1 - c^(n-1)), and 1 -
 * c^(n-1) = (shape - 1)(1 + c + … + c^(n-2)). While staleness is unlikely all or nearly all of these terms are
 * positive, and nothing cancels; afterwards the closed form has lost no digits.
 */
export function paretoStaleShare(shape: number, y: number): number {
  if (y === 0) return 0
  const c = 2 - shape
  const log = Math.log1p(y)
  if ((shape - 1) * log >= 1) return 1 - (c === 0 ? log : Math.expm1(c * log) / c) / y
  let power = (log * log) / 2
  let geometric = 1
  let sum = power
  // A single term may be 0: the powers are what falls.
  for (let n = 3; power * Math.max(1, Math.abs(geometric)) > 1e-17 * sum; n++) {
    power *= log / n
    geometric = 1 + c * geometric
    sum += power * geometric
  }
  return ((shape - 1) * sum) / y
}
