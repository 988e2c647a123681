/** What keeps a refresh period within reason, and the threshold of utility from which all periods come. */

/** Divergence is a share. */
const LARGEST_DIVERGENCE = 1

export interface PeriodLimits {
  /** T: the utility from which on a refresh is worth it. */
  readonly thresholdMs: number
  /** ρ, at least 1: at most this many thresholds are risked between two refreshes; 10 unless told, as in the experiments of the paper. */
  readonly risk?: number
  /** l: how much longer the period may be after each refresh of a new page; without it there is no learning phase. */
  readonly learningMs?: number
  /** n: of this page, so far. */
  readonly refreshes?: number
  /** No period is shorter. */
  readonly tickMs?: number
}

/**
 * The period cut to ρ T / D_max, because a page can change in any way at any time (Recrawl scheduling based on information longevity,
 * section 4.5), and to l n, so that enough is seen of a new page (section 4.2); but to no less than one tick.
 */
export function boundedPeriodMs(periodMs: number, limits: PeriodLimits): number {
  const { thresholdMs, risk = 10, learningMs, refreshes = 0, tickMs = 0 } = limits
  const riskedMs = (risk * thresholdMs) / LARGEST_DIVERGENCE
  const learntMs = learningMs === undefined ? Number.POSITIVE_INFINITY : learningMs * refreshes
  return Math.max(tickMs, Math.min(periodMs, riskedMs, learntMs))
}

/** A millisecond in a hundred thousand days, and the other way round: no budget of refreshes asks for a threshold beyond these. */
const LOWEST_MS = 1e-14
const HIGHEST_MS = 1e22
const FIRST_MS = 1e6
const FIRST_FACTOR = 16
const NEAREST = 1 + 1e-9

/**
 * The threshold at which so many refreshes are made. `refreshesAt` is the sum over all pages of 1 / period, which must not grow with the threshold; where it
 * jumps over the budget, the threshold is taken at which it is kept. 0 where the budget is never used up, Infinity where it is always exceeded.
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
