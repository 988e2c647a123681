import { parameter, positive, requireNumbers, requireObject } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import type { UniformRandom, UpdateLaw } from '../update-law.js'

export interface QuasiDeterministicOptions {
  /** The pattern repeats after this time. */
  readonly period: number
  /** When an update may happen, ascending, in [0, period]. */
  readonly times: ArrayLike<number>
  /** How likely each of them does, independently of all others. */
  readonly probabilities: ArrayLike<number>
  /** How likely the copy is stale when a period begins, carried over from the last one (the paper's k_0). */
  readonly startStale?: number
}

/** Updates at known times that may or may not happen ("Optimal crawling strategies", section 2.3.3). */
export class QuasiDeterministicLaw implements UpdateLaw {
  readonly kind = 'quasi-deterministic'
  readonly period: number
  readonly times: Float64Array
  readonly probabilities: Float64Array
  readonly startStale: number
  readonly meanInterval: number

  constructor(options: QuasiDeterministicOptions) {
    const { period, times, probabilities, startStale = 0 } = requireObject('options', options)
    this.period = positive('period', period)
    this.times = Float64Array.from(requireNumbers('times', times))
    this.probabilities = Float64Array.from(requireNumbers('probabilities', probabilities))
    this.startStale = parameter('startStale', startStale, { min: 0, max: 1 })
    if (this.times.length !== this.probabilities.length) {
      throw new RangeError(
        `times and probabilities must be as many, received ${this.times.length} and ${this.probabilities.length}`,
      )
    }
    this.times.forEach((time, at) => {
      const isInside = time >= 0 && time <= period
      if (isInside && (at === 0 || time > this.times[at - 1]!)) return
      throw new RangeError(`times must ascend within [0, ${period}], times[${at}] is ${describe(time)}`)
    })
    this.probabilities.forEach((value, at) => {
      parameter(`probabilities[${at}]`, value, { min: 0, max: 1 })
    })
    this.meanInterval = period / this.probabilities.reduce((sum, value) => sum + value, 0)
  }

  freshProbability(from: number, to: number): number {
    const { period, times, probabilities } = this
    // Whole periods count at once; what is left is less than two of them long.
    const periods = Math.max(0, Math.floor((to - from) / period) - 1)
    const start = from + periods * period
    let fresh = this.#quietPeriod() ** periods
    for (let lap = Math.floor(start / period) - 1; lap * period <= to; lap++) {
      for (const [at, time] of times.entries()) {
        const update = lap * period + time
        if (update > start && update <= to) fresh *= 1 - probabilities[at]!
      }
    }
    return fresh
  }

  nextUpdate(after: number, random: UniformRandom): number {
    const { period, times, probabilities } = this
    const quiet = this.#quietPeriod()
    if (quiet === 1) return Number.POSITIVE_INFINITY
    // First what is left of the period, then, if nothing happened there, as many quiet ones as chance has it.
    let lap = Math.floor(after / period)
    for (const [at, time] of times.entries()) {
      if (lap * period + time > after && random() < probabilities[at]!) return lap * period + time
    }
    lap += 1 + (quiet === 0 ? 0 : Math.floor(Math.log1p(-random()) / Math.log(quiet)))
    return lap * period + times[this.#firstOfBusyPeriod(random)]!
  }

  /** How likely nothing happens in a whole period. */
  #quietPeriod(): number {
    return this.probabilities.reduce((quiet, value) => quiet * (1 - value), 1)
  }

  /** Which update is the first of a period that has one. */
  #firstOfBusyPeriod(random: UniformRandom): number {
    const { probabilities } = this
    let left = random() * (1 - this.#quietPeriod())
    let quiet = 1
    let last = 0
    for (const [at, value] of probabilities.entries()) {
      if (value > 0) last = at
      left -= quiet * value
      if (left < 0) return at
      quiet *= 1 - value
    }
    return last
  }
}
