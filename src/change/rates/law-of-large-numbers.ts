/**
 * The rate of change of a page that is looked at at random times, as a Poisson process of a known rate p (Avrachenkov, Patil and
 * Thoppe, Change rate estimation and optimal freshness in web page crawling, 2020). A look sees a change with probability
 * λ / (λ + p), so by the law of large numbers p X / (n + α - X) goes to λ. Two counts are all it keeps.
 */
import { numberOption } from '../../option-checks.js'

export interface RandomVisits {
  readonly visits: number
  /** Visits that saw a change. */
  readonly changes: number
  /** Visits per millisecond. */
  readonly visitRatePerMs: number
  /** α, at least 0; above 0 it keeps the estimate finite where every visit saw a change. */
  readonly smoothing?: number
}

/** Changes per millisecond. */
export function lawOfLargeNumbersRate({ visits, changes, visitRatePerMs, smoothing = 1 }: RandomVisits): number {
  numberOption('visits', visits, 0, { min: 1, integer: true })
  numberOption('changes', changes, 0, { min: 0, max: visits, integer: true })
  numberOption('visitRatePerMs', visitRatePerMs, 0, { min: 0, aboveMin: true })
  numberOption('smoothing', smoothing, 1, { min: 0 })
  return changes === 0 ? 0 : (visitRatePerMs * changes) / (visits + smoothing - changes)
}
