/**
 * How stale the copy of a quasi-deterministic page is, whenever it was taken ("Optimal crawling strategies", Eq. 17).
 */
import type { QuasiDeterministicLaw } from '../change/laws/quasi-deterministic.js'

export interface CopyTime {
  readonly from: number
  readonly to: number
  /** How likely the copy is fresh at `from`. */
  readonly fresh: number
  /** The copy was taken before the period, so it has not seen an update at `from`. */
  readonly isFromStart?: boolean
}

/**
 * The expected time in [from, to] for which a copy is stale, which was taken at `from` or was there. Times are >= 0.
 */
export function staleTimeOfUpdates(
  { period, times, probabilities }: QuasiDeterministicLaw,
  { from, to, fresh, isFromStart = false }: CopyTime,
): number {
  let left = fresh
  let at = from
  let freshTime = 0
  for (let lap = Math.max(0, Math.floor(from / period) - 1); lap * period <= to && left > 0; lap++) {
    for (let nth = 0; nth < times.length; nth++) {
      const update = lap * period + times[nth]!
      if (update < from || (update === from && !isFromStart)) continue
      if (update >= to) break
      freshTime += left * (update - at)
      at = update
      left *= 1 - probabilities[nth]!
    }
  }
  return to - from - freshTime - left * (to - at)
}

/**
 * How likely a copy that was taken this long before the period is stale when the period begins (k_0). An update right
 * at the start belongs to the period, not to what was before. A copy of age 0 is as stale as the law says.
 */
export function staleAtStart({ period, times, probabilities, startStale }: QuasiDeterministicLaw, age: number): number {
  if (age === 0) return startStale
  let fresh = 1
  for (let nth = 0; nth < times.length; nth++) {
    // Periods before this one whose update at this time is younger than the copy.
    const updates = Math.max(0, Math.ceil((age + times[nth]!) / period) - 1)
    fresh *= (1 - probabilities[nth]!) ** updates
  }
  return 1 - fresh
}
