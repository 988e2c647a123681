/**
 * A millisecond in a hundred thousand days, and the other way round: no budget of refreshes asks for a threshold beyond
 * these.
 */
const LOWEST_MS = 1e-14
const HIGHEST_MS = 1e22
const FIRST_MS = 1e6
const FIRST_FACTOR = 16
const NEAREST = 1 + 1e-9

/**
 * The threshold at which so many refreshes are made. `refreshesAt` is the sum over all pages of 1 / period, which must
 * not grow with the threshold; where it jumps over the budget, the threshold is taken at which it is kept. 0 where the
 * budget is never used up, Infinity where it is always exceeded.
 */
export function solveThreshold(refreshesAt: (thresholdMs: number) => number, refreshesPerMs: number): number {
  // Too many refreshes at `low`, not too many at `high`.
  let low = FIRST_MS
  let high = FIRST_MS
  if (refreshesAt(FIRST_MS) > refreshesPerMs) {
    do {
      low = high
      high *= FIRST_FACTOR
      if (high > HIGHEST_MS) return Number.POSITIVE_INFINITY
    } while (refreshesAt(high) > refreshesPerMs)
  } else {
    do {
      high = low
      low /= FIRST_FACTOR
      if (low < LOWEST_MS) return 0
    } while (!(refreshesAt(low) > refreshesPerMs))
  }
  while (high > low * NEAREST) {
    const middle = Math.sqrt(low * high)
    if (refreshesAt(middle) > refreshesPerMs) low = middle
    else high = middle
  }
  return high
}
