/**
 * How often a page changes, estimated from visits that saw whether it had changed. All estimators take the changes for
 * a Poisson process.
 */
import { choiceOption, numberOption, requireList, requireObject } from '../base/checks.js'

/** A visit sees whether the page has changed since the visit before, but neither when nor how often. */
export interface Visit {
  /** The time since the visit before, above 0. */
  readonly intervalMs: number
  /** Whether there was at least one change since the visit before. */
  readonly changed: boolean
}

/** Oldest first, without the first visit, which only fetched the page. */
export type VisitHistory = readonly Visit[]

const ESTIMATORS = {
  /** For equal intervals; of others only the mean counts. Always finite. */
  'cho-garcia-molina': (history) => {
    const { visits, changes, totalMs } = totalsOf(history)
    return choGarciaMolinaRate({ visits, changes, intervalMs: totalMs / visits })
  },
  /** For any intervals. Infinity when every visit saw a change. */
  'irregular-intervals': irregularIntervalRate,
  /** For visits at random times. Always finite. */
  'law-of-large-numbers': (history) => {
    const { visits, changes, totalMs } = totalsOf(history)
    return lawOfLargeNumbersRate({ visits, changes, visitRatePerMs: visits / totalMs })
  },
} as const satisfies Record<string, (history: VisitHistory) => number>

export type RateEstimatorName = keyof typeof ESTIMATORS

export const RATE_ESTIMATOR_NAMES = Object.keys(ESTIMATORS) as readonly RateEstimatorName[]

/** Changes per millisecond. */
export function estimateRate(history: VisitHistory, estimator: RateEstimatorName = 'cho-garcia-molina'): number {
  return ESTIMATORS[choiceOption('estimator', estimator, 'cho-garcia-molina', RATE_ESTIMATOR_NAMES)](history)
}

export interface RegularVisits {
  readonly visits: number
  /** Visits that saw a change. */
  readonly changes: number
  readonly intervalMs: number
}

/**
 * The rate of a Poisson process from visits at equal intervals, in changes per millisecond (Cho and Garcia-Molina,
 * Estimating frequency of change, 2003): -ln((n - X + 1/2) / (n + 1/2)) / interval, with X changes seen in n visits.
 * The halves remove most of the bias of the plain ratio and keep the estimate finite where every visit saw a change. It
 * is 0 where none did.
 */
export function choGarciaMolinaRate({ visits, changes, intervalMs }: RegularVisits): number {
  numberOption('visits', visits, 0, { min: 1, integer: true })
  numberOption('changes', changes, 0, { min: 0, max: visits, integer: true })
  numberOption('intervalMs', intervalMs, 0, { min: 0, aboveMin: true })
  return -Math.log1p(-changes / (visits + 0.5)) / intervalMs
}

/** Halvings of the bracket: more than a double has bits. */
const BISECTIONS = 100

/**
 * The rate of a Poisson process from visits at any intervals, in changes per millisecond, by maximum likelihood (Cho
 * and Garcia-Molina, Estimating frequency of change, 2003, section 5): the root λ of
 *
 *   sum over visits that saw a change of t / (e^(λt) - 1)  =  sum over the others of t.
 *
 * 0 when no visit saw a change, Infinity when every visit did.
 */
export function irregularIntervalRate(history: VisitHistory): number {
  const { visits, changes, totalMs } = totalsOf(history)
  if (changes === 0) return 0
  if (changes === visits) return Number.POSITIVE_INFINITY
  const changed = history.filter((visit) => visit.changed)
  const changedMs = changed.reduce((sum, { intervalMs }) => sum + intervalMs, 0)
  const unchangedMs = totalMs - changedMs
  // 1/λ - t/2 <= t / (e^(λt) - 1) <= 1/λ puts the root between the roots of the two bounds.
  let low = changes / (unchangedMs + changedMs / 2)
  let high = changes / unchangedMs
  for (let step = 0; step < BISECTIONS && low < high; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    const score = changed.reduce((sum, { intervalMs }) => sum + intervalMs / Math.expm1(middle * intervalMs), 0)
    if (score > unchangedMs) low = middle
    else high = middle
  }
  return (low + high) / 2
}

export interface RandomVisits {
  readonly visits: number
  /** Visits that saw a change. */
  readonly changes: number
  /** Visits per millisecond. */
  readonly visitRatePerMs: number
  /** α, at least 0; above 0 it keeps the estimate finite where every visit saw a change. */
  readonly smoothing?: number
}

/**
 * The rate of a Poisson process from visits at random times, in changes per millisecond (Avrachenkov, Patil and Thoppe,
 * Change rate estimation and optimal freshness in web page crawling, 2020). Visits are a Poisson process of a known
 * rate p and see a change with probability λ / (λ + p), so by the law of large numbers p X / (n + α - X) converges to
 * λ.
 */
export function lawOfLargeNumbersRate({ visits, changes, visitRatePerMs, smoothing = 1 }: RandomVisits): number {
  numberOption('visits', visits, 0, { min: 1, integer: true })
  numberOption('changes', changes, 0, { min: 0, max: visits, integer: true })
  numberOption('visitRatePerMs', visitRatePerMs, 0, { min: 0, aboveMin: true })
  numberOption('smoothing', smoothing, 1, { min: 0 })
  return changes === 0 ? 0 : (visitRatePerMs * changes) / (visits + smoothing - changes)
}

/** The sums that estimators of a rate need. */
export interface VisitTotals {
  readonly visits: number
  readonly changes: number
  readonly totalMs: number
}

/** RangeError for an empty history and for an interval that is not above 0. */
export function totalsOf(history: VisitHistory): VisitTotals {
  requireList('history', history)
  if (history.length === 0) throw new RangeError('history must hold at least one visit, received none')
  let changes = 0
  let totalMs = 0
  for (const [at, visit] of history.entries()) {
    const { intervalMs, changed } = requireObject(`history[${at}]`, visit)
    totalMs += numberOption(`history[${at}].intervalMs`, intervalMs, 0, { min: 0, aboveMin: true })
    if (changed) changes++
  }
  return { visits: history.length, changes, totalMs }
}
