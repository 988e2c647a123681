/**
 * How often a page changes, from visits that saw whether it had. All estimators take the changes for a Poisson process.
 */
import { choiceOption, numberOption } from '../base/checks.js'

const ESTIMATORS = {
  /** For equal intervals; of others it knows the mean only. Always finite. */
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

/**
 * The rate of a Poisson process from visits at equal intervals (Cho and Garcia-Molina, Estimating frequency of change,
 * 2003): -ln((n - X + 1/2) / (n + 1/2)) / interval, with X changes seen in n visits. The halves take away most of the
 * bias of the plain ratio and keep the estimate finite where every visit saw a change. It is 0 where none did.
 */

export interface RegularVisits {
  readonly visits: number
  /** Visits that saw a change. */
  readonly changes: number
  readonly intervalMs: number
}

/** Changes per millisecond. */
export function choGarciaMolinaRate({ visits, changes, intervalMs }: RegularVisits): number {
  numberOption('visits', visits, 0, { min: 1, integer: true })
  numberOption('changes', changes, 0, { min: 0, max: visits, integer: true })
  numberOption('intervalMs', intervalMs, 0, { min: 0, aboveMin: true })
  return -Math.log1p(-changes / (visits + 0.5)) / intervalMs
}

/**
 * The rate of a Poisson process from visits at any intervals, by maximum likelihood (Cho and Garcia-Molina, Estimating
 * frequency of change, 2003, section 5): the root λ of
 *
 *   sum over visits that saw a change of t / (e^(λt) - 1)  =  sum over the others of t.
 */

/** Halvings of the bracket: more than a double has bits. */
const BISECTIONS = 100

/**
 * Changes per millisecond: 0 when no visit saw a change, Infinity when every visit did: such a history has no other
 * maximum.
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

/**
 * Of the estimate above, from the curvature of the log-likelihood there. Infinity when there is no finite rate above 0.
 */
export function irregularIntervalStandardError(history: VisitHistory, ratePerMs: number): number {
  if (!(ratePerMs > 0 && ratePerMs < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  let information = 0
  for (const { intervalMs, changed } of history) {
    // t² e^x / (e^x - 1)², in a form that neither overflows nor cancels.
    if (changed) information += (intervalMs / (2 * Math.sinh((ratePerMs * intervalMs) / 2))) ** 2
  }
  return 1 / Math.sqrt(information)
}

/**
 * The rate of change of a page that is looked at at random times, as a Poisson process of a known rate p (Avrachenkov,
 * Patil and Thoppe, Change rate estimation and optimal freshness in web page crawling, 2020). A look sees a change with
 * probability λ / (λ + p), so by the law of large numbers p X / (n + α - X) goes to λ. Two counts are all it keeps.
 */

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

/**
 * What is known of a page that is looked at now and then: whether it had changed since the look before, but neither
 * when nor how often.
 */

export interface Visit {
  /** Since the visit before; above 0. */
  readonly intervalMs: number
  /** At least one change since the visit before. */
  readonly changed: boolean
}

/** Oldest first. The first visit of all, which only fetched the page, is none of them. */
export type VisitHistory = readonly Visit[]

/** The sums that estimators of a rate ask for. */
export interface VisitTotals {
  readonly visits: number
  readonly changes: number
  readonly totalMs: number
}

/** RangeError for no visit at all and for an interval that is none. */
export function totalsOf(history: VisitHistory): VisitTotals {
  if (history.length === 0) throw new RangeError('history must hold at least one visit, received none')
  let changes = 0
  let totalMs = 0
  for (const [at, { intervalMs, changed }] of history.entries()) {
    totalMs += numberOption(`history[${at}].intervalMs`, intervalMs, 0, { min: 0, aboveMin: true })
    if (changed) changes++
  }
  return { visits: history.length, changes, totalMs }
}
