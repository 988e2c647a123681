/** Student's distribution, and the normal distribution with mean 0 and deviation 1. */
import { parameter } from '../base/checks.js'
import { exactLogGamma } from './gamma.js'

/**
 * The probability of a value above t, exact even where 1 minus the distribution would round to 0. `degrees` of freedom
 * are above 0 and need not be whole. REQUIRES: t >= 0.
 */
export function studentTail(t: number, degrees: number): number {
  parameter('degrees', degrees, { min: 0, aboveMin: true })
  if (t === Number.POSITIVE_INFINITY) return 0
  // Near t = 0, x is close to 1 and loses digits, which t² / (degrees + t²) keeps.
  const square = t * t
  const x = degrees / (degrees + square)
  return x < 0.5
    ? incompleteBeta(x, degrees / 2, 0.5) / 2
    : 0.5 - incompleteBeta(square / (degrees + square), 0.5, degrees / 2) / 2
}

/** The t that a value does not exceed with this probability, between 0 and 1. */
export function studentQuantile(probability: number, degrees: number): number {
  parameter('probability', probability, { min: 0, max: 1, aboveMin: true })
  if (probability === 1) throw new RangeError('probability must be below 1, received 1')
  if (probability < 0.5) return -upperQuantile(probability, degrees)
  return upperQuantile(1 - probability, degrees)
}

/** Bisection takes a few microseconds and is right for any degrees. REQUIRES: tail <= 1/2. */
function upperQuantile(tail: number, degrees: number): number {
  if (tail === 0.5) return 0
  let low = 0
  let high = 1
  while (studentTail(high, degrees) > tail) {
    low = high
    high *= 2
  }
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (studentTail(middle, degrees) > tail) low = middle
    else high = middle
  }
  return high
}

const TOLERANCE = 1e-16
const MAX_BETA_TERMS = 10_000

/** I_x(a, b), the regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast only below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const logFront = a * Math.log(x) + b * Math.log1p(-x) + exactLogGamma(a + b) - exactLogGamma(a) - exactLogGamma(b)
  return (Math.exp(logFront) / a) * betaFraction(x, a, b)
}

/** The continued fraction of Abramowitz and Stegun, 26.5.8, evaluated from the top down by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let numerator = 1
  let denominator = 1 / notZero(1 - ((a + b) * x) / (a + 1))
  let value = denominator
  for (let m = 1; m < MAX_BETA_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    denominator = 1 / notZero(1 + even * denominator)
    numerator = notZero(1 + even / numerator)
    value *= numerator * denominator
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    denominator = 1 / notZero(1 + odd * denominator)
    numerator = notZero(1 + odd / numerator)
    const step = numerator * denominator
    value *= step
    if (Math.abs(step - 1) <= TOLERANCE) break
  }
  return value
}

function notZero(value: number): number {
  return value === 0 ? Number.MIN_VALUE * 2 ** 60 : value
}

/** From here on the fraction needs few terms; below, all terms of the series are positive and none cancel. */
const FAR = 3
const MAX_NORMAL_TERMS = 1000

/** The probability that a normal value is above z, exact even far out. REQUIRES: z >= 0. */
export function normalTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < FAR) return 0.5 - density * seriesOf(z)
  return density === 0 ? 0 : density / fractionOf(z)
}

/** z + z³/3 + z⁵/(3·5) + …: (Φ(z) - 1/2) / density (Abramowitz and Stegun, 26.2.11). */
function seriesOf(z: number): number {
  let term = z
  let sum = z
  for (let n = 1; n < MAX_NORMAL_TERMS && term > sum * 1e-17; n++) {
    term *= (z * z) / (2 * n + 1)
    sum += term
  }
  return sum
}

/** z + 1/(z + 2/(z + 3/(z + …))): density / tail (Abramowitz and Stegun, 26.2.14), from below up. */
function fractionOf(z: number): number {
  let value = z
  for (let n = 200; n > 0; n--) value = z + n / value
  return value
}
