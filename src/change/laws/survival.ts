import { finiteMean, positive, requireNumbers, requireObject } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { integrate } from '../../math/quadrature.js'
import { RenewalLaw, type UniformRandom } from '../update-law.js'

export interface SurvivalLawOptions {
  /** Gbar(t) for t >= 0: 1 at 0, never rising, towards 0. */
  readonly survival: (t: number) => number
  /** -Gbar'(t); without it, it is taken from differences of the survival function. */
  readonly density?: (t: number) => number
  /** Without it, it is found by integration. */
  readonly meanInterval?: number
  /** Where the survival function jumps: integration cannot know. */
  readonly jumps?: readonly number[]
}

/** Twice the range of the exponents of numbers: whatever the scale of a law, its tail ends before. */
const MAX_DOUBLINGS = 2000
const NEGLIGIBLE = 1e-15

/** Any distribution of the intervals that has a mean, known by its survival function alone. */
export class SurvivalLaw extends RenewalLaw {
  readonly kind = 'survival'
  readonly meanInterval: number
  readonly #survival: (t: number) => number
  readonly #density: ((t: number) => number) | undefined
  readonly #jumps: readonly number[]

  constructor(options: SurvivalLawOptions) {
    super()
    const { survival, density, meanInterval, jumps = [] } = requireObject('options', options)
    if (typeof survival !== 'function') {
      throw new TypeError(`survival must be a function, received ${describe(survival)}`)
    }
    if (density !== undefined && typeof density !== 'function')
      throw new TypeError(`density must be a function, received ${describe(density)}`)
    if (survival(0) !== 1) throw new RangeError(`survival(0) must be 1, it is ${describe(survival(0))}`)
    this.#survival = survival
    this.#density = density
    this.#jumps = [...requireNumbers('jumps', jumps)].sort((a, b) => a - b)
    this.meanInterval = meanInterval === undefined ? this.#mean() : positive('meanInterval', meanInterval)
  }

  override survival(t: number): number {
    return this.#survival(t)
  }

  logSurvival(t: number): number {
    return Math.log(this.#survival(t))
  }

  logDensity(t: number): number {
    return Math.log(this.#density === undefined ? this.#slope(t) : this.#density(t))
  }

  /** 1 - lambda times the integral of Gbar over [s, inf) is lambda times that over [0, s]. */
  staleProbability(age: number): number {
    return Math.min(1, this.#integral(this.#survival, 0, age) / this.meanInterval)
  }

  staleTime(length: number): number {
    return this.#integral((t) => (length - t) * this.#survival(t), 0, length) / this.meanInterval
  }

  /** The smallest interval that no more than a share 1 - u of all exceed. */
  sampleInterval(random: UniformRandom): number {
    const share = 1 - random()
    let high = this.meanInterval
    for (let n = 0; this.#survival(high) > share && n < MAX_DOUBLINGS; n++) high *= 2
    let low = 0
    for (let middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
      if (this.#survival(middle) > share) low = middle
      else high = middle
    }
    return high
  }

  #slope(t: number): number {
    const step = 1e-5 * Math.max(t, 1e-3 * this.meanInterval)
    const before = Math.max(0, t - step)
    return (this.#survival(before) - this.#survival(t + step)) / (t + step - before)
  }

  /** Integrals over intervals that double, until they add nothing. */
  #mean(): number {
    let end = this.#median()
    let sum = this.#integral(this.#survival, 0, end)
    for (let n = 0; n < MAX_DOUBLINGS && Number.isFinite(2 * end); n++, end *= 2) {
      const more = this.#integral(this.#survival, end, 2 * end)
      sum += more
      if (!(more > NEGLIGIBLE * sum)) return finiteMean(sum, 'a survival function')
    }
    throw new RangeError('the mean interval of a survival function must be finite, its integral does not end')
  }

  #integral(f: (t: number) => number, low: number, high: number): number {
    const ends = [...this.#jumps.filter((jump) => jump > low && jump < high), high]
    return ends.reduce((sum, end, at) => sum + integrate(f, ends[at - 1] ?? low, end), 0)
  }

  #median(): number {
    let t = 1
    for (let n = 0; n < MAX_DOUBLINGS / 2 && this.#survival(t) > 0.5; n++) t *= 2
    for (let n = 0; n < MAX_DOUBLINGS / 2 && this.#survival(t / 2) <= 0.5; n++) t /= 2
    return t
  }
}
