/** What is known of a page that is looked at now and then: whether it had changed since the look before, but neither when nor how often. */
import { numberOption } from '../option-checks.js'

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
