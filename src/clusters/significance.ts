/**
 * Whether two policies differ in the mean of what their answers are worth, or only by chance (Tan and Mitra, section 6.5 and Table 3: MAP@10 of
 * every query in every cycle). Two samples of any variance (Welch, The generalization of Student's problem, 1947).
 */
import { describe } from '../describe.js'
import { normalTail } from './normal-distribution.js'
import { studentTail } from './student-t.js'

export interface TwoSampleTest {
  /** Mean of the first less that of the second, in standard errors of this difference. */
  readonly t: number
  readonly meanDifference: number
  readonly standardError: number
  readonly degreesOfFreedom: number
  /** How likely means of the same population differ by as much either way, by Student's distribution. */
  readonly pValue: number
  /** The same by the normal distribution, as in the paper: for large samples. */
  readonly normalPValue: number
}

/** Samples of at least two values each. Where no value varies, t is 0 for equal means and else infinite. */
export function compareMeans(first: ArrayLike<number>, second: ArrayLike<number>): TwoSampleTest {
  const [a, b] = [momentsOf('first', first), momentsOf('second', second)]
  const meanDifference = a.mean - b.mean
  const squaredError = a.squaredError + b.squaredError
  const standardError = Math.sqrt(squaredError)
  const t = meanDifference === 0 ? 0 : meanDifference / standardError
  const spread = a.squaredError ** 2 / (a.count - 1) + b.squaredError ** 2 / (b.count - 1)
  const degreesOfFreedom = spread === 0 ? a.count + b.count - 2 : squaredError ** 2 / spread
  return {
    t,
    meanDifference,
    standardError,
    degreesOfFreedom,
    pValue: 2 * studentTail(Math.abs(t), degreesOfFreedom),
    normalPValue: 2 * normalTail(Math.abs(t)),
  }
}

interface Moments {
  readonly count: number
  readonly mean: number
  /** Variance of the mean. */
  readonly squaredError: number
}

function momentsOf(name: string, values: ArrayLike<number>): Moments {
  const count = values.length
  if (count < 2) throw new RangeError(`${name} must hold at least two values, received ${count}`)
  let sum = 0
  for (let at = 0; at < count; at++) {
    if (!Number.isFinite(values[at])) {
      throw new RangeError(`${name}[${at}] must be a finite number, received ${describe(values[at])}`)
    }
    sum += values[at]!
  }
  const mean = sum / count
  let squares = 0
  for (let at = 0; at < count; at++) squares += (values[at]! - mean) ** 2
  return { count, mean, squaredError: squares / (count - 1) / count }
}
