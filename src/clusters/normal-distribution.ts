/** The normal distribution with mean 0 and deviation 1. */

/** From here on the fraction needs few terms; below, the series does not cancel, as all its terms have one sign. */
const FAR = 3
const MAX_TERMS = 1000

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
  for (let n = 1; n < MAX_TERMS && term > sum * 1e-17; n++) {
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
