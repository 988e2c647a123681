/** Student's distribution: of the mean of a few draws, in units of the standard error that they themselves show. */
import { parameter } from '../base/checks.js'
import { logGamma } from './gamma.js'

const TOLERANCE = 1e-16
const MAX_BETA_TERMS = 10_000

/** How likely a value is at most t. `degrees`: of freedom, above 0, not necessarily whole. */
export function studentDistribution(t: number, degrees: number): number {
  const above = studentTail(Math.abs(t), degrees)
  return t > 0 ? 1 - above : above
}

/** How likely a value is above t; exact also far out, where 1 less the distribution is 0. REQUIRES: t >= 0. */
export function studentTail(t: number, degrees: number): number {
  parameter('degrees', degrees, { min: 0, aboveMin: true })
  if (t === Number.POSITIVE_INFINITY) return 0
  // x near 0 far out, near 1 in the middle, where t² / (degrees + t²) is exact and x is not.
  const square = t * t
  const x = degrees / (degrees + square)
  return x < 0.5
    ? incompleteBeta(x, degrees / 2, 0.5) / 2
    : 0.5 - incompleteBeta(square / (degrees + square), 0.5, degrees / 2) / 2
}

/** t that a value is at most with this probability, between 0 and 1. */
export function studentQuantile(probability: number, degrees: number): number {
  parameter('probability', probability, { min: 0, max: 1, aboveMin: true })
  if (probability === 1) throw new RangeError('probability must be below 1, received 1')
  if (probability < 0.5) return -upperQuantile(probability, degrees)
  return upperQuantile(1 - probability, degrees)
}

/** By halving: a few microseconds, and right for any degrees. `tail` is at most 1/2. */
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

/** I_x(a, b), the regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on this side of the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const logFront = a * Math.log(x) + b * Math.log1p(-x) + logGammaOf(a + b) - logGammaOf(a) - logGammaOf(b)
  return (Math.exp(logFront) / a) * betaFraction(x, a, b)
}

/**
 * The continued fraction of Abramowitz and Stegun, 26.5.8, from its top down: after every term the value so far
 * (Lentz).
 */
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

/** Γ(x) = Γ(x + 1) / x, where logGamma() does not reach. */
function logGammaOf(x: number): number {
  return x >= 1 ? logGamma(x) : logGamma(x + 1) - Math.log(x)
}

/** The normal distribution with mean 0 and deviation 1. */

/** From here on the fraction needs few terms; below, the series does not cancel, as all its terms have one sign. */
const FAR = 3
const MAX_NORMAL_TERMS = 1000

/** How likely a value is at most z. */
export function normalDistribution(z: number): number {
  return z > 0 ? 1 - normalTail(z) : normalTail(-z)
}

/** How likely a value is above z; exact also far out. REQUIRES: z >= 0. */
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
