/** How often a page changes, in changes per millisecond, estimated from what the ledger counts of its refreshes. */
import { DAY_MS, TICK_MS } from '../../base/time.js'
import { choGarciaMolinaRate } from '../../change/rate-estimators.js'
import type { SeenIntervals } from '../../change/rate-grid.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/column-arrays.js'
import type { LedgerTotals } from '../../ledger/totals.js'

/** The rate of any page before a change of any page was seen: one in three months. */
export const FIRST_RATE_PER_MS = 1 / (90 * DAY_MS)
/** The interval between two refreshes of a page, before any interval is known. */
const FIRST_INTERVAL_MS = 7 * DAY_MS

/**
 * The estimator of Cho and Garcia-Molina, as published: 0 for a page that was only ever seen unchanged. A page without
 * history has the rate of all pages together.
 */
export function publishedChangeRate(columns: LedgerColumns, doc: number, totals: LedgerTotals): number {
  const rated = columns.rated[doc]!
  if (rated > 0) return rateOf(rated, columns.changes[doc]!, columns.sumIntervalMs[doc]!)
  return totals.changes > 0 && totals.rated > 0
    ? rateOf(totals.rated, totals.changes, totals.sumIntervalMs)
    : FIRST_RATE_PER_MS
}

function rateOf(visits: number, changes: number, watchedMs: number): number {
  // A change that was seen without an interval is counted among the changes only.
  return choGarciaMolinaRate({
    visits,
    changes: Math.min(changes, visits),
    intervalMs: Math.max(watchedMs / visits, TICK_MS),
  })
}

/** What is assumed of a page that was not watched for long. */
export interface ChangePrior {
  readonly ratePerMs: number
  /** The prior weighs as much as watching the page for this long. */
  readonly weightMs: number
}

/** The rate of all pages together, with the weight of a mean interval between refreshes. Above 0, whatever was seen. */
export function changePrior(totals: LedgerTotals): ChangePrior {
  const weightMs = meanIntervalMs(totals)
  const ratePerMs = totals.changes > 0 ? (totals.changes + 0.5) / (totals.sumIntervalMs + weightMs) : FIRST_RATE_PER_MS
  return { ratePerMs, weightMs }
}

/** The mean interval between two refreshes of a page, over all pages. */
export function meanIntervalMs({ rated, sumIntervalMs }: LedgerTotals): number {
  return rated > 0 && sumIntervalMs > 0 ? Math.max(sumIntervalMs / rated, TICK_MS) : FIRST_INTERVAL_MS
}

/**
 * Changes by time watched, shrunk to the rate of all pages (as Grimes and Ford, Estimation of web page change rates,
 * 2008, propose): never 0 and never infinite, whatever was seen. Several changes between two refreshes are seen as one,
 * so the rate is too low for pages that change much more often than they are refreshed.
 */
export function shrunkChangeRate(columns: LedgerColumns, doc: number, { ratePerMs, weightMs }: ChangePrior): number {
  const changes = Math.min(columns.changes[doc]!, columns.rated[doc]!)
  return shrunkRate(changes, columns.sumIntervalMs[doc]!, ratePerMs * weightMs, weightMs)
}

/** The same with a prior that does not follow the other pages: half a change in a mean interval. */
export function plainlyShrunkChangeRate(columns: LedgerColumns, doc: number, totals: LedgerTotals): number {
  return shrunkRate(columns.changes[doc]!, columns.sumIntervalMs[doc]!, 0.5, meanIntervalMs(totals))
}

function shrunkRate(changes: number, watchedMs: number, priorChanges: number, priorMs: number): number {
  return (changes + priorChanges) / (watchedMs + priorMs)
}

/** The time from one moment to a later one, on any clock. */
export type ElapsedMs = (fromMs: number, toMs: number) => number

const plainly: ElapsedMs = (fromMs, toMs) => toMs - fromMs

const NO_INTERVALS = { count: 0, intervalMs: TICK_MS } as const

/**
 * The intervals between the rated refreshes of a page. The last six are known one by one. Of earlier ones only the sums
 * are known, so they are taken to be of equal length. A refresh without an interval has a bit among the changes but no
 * place among the intervals. Where there was one lately, the bits are those of neighbouring refreshes.
 */
export function seenIntervals(columns: LedgerColumns, doc: number, elapsedMs: ElapsedMs = plainly): SeenIntervals {
  const rated = columns.rated[doc]!
  const changedMs: number[] = []
  let sameMs = 0
  let recentMs = 0
  let recent = 0
  forEachRecentVisit(columns, doc, (fromMs, toMs, isChanged) => {
    const intervalMs = elapsedMs(fromMs, toMs)
    recent++
    recentMs += toMs - fromMs
    if (isChanged) changedMs.push(Math.max(intervalMs, TICK_MS))
    else sameMs += intervalMs
  })
  const further = rated - recent
  if (further <= 0) return { sameMs, changedMs, furtherChanged: NO_INTERVALS }
  const count = Math.min(further, Math.max(0, columns.changes[doc]! - changedMs.length))
  const intervalMs = Math.max(TICK_MS, (columns.sumIntervalMs[doc]! - recentMs) / further)
  return { sameMs: sameMs + (further - count) * intervalMs, changedMs, furtherChanged: { count, intervalMs } }
}

/**
 * Visits the last rated refreshes, newest first: the time of the refresh before, the time of the refresh, and whether
 * it found a change.
 */
export function forEachRecentVisit(
  columns: LedgerColumns,
  doc: number,
  visit: (fromMs: number, toMs: number, isChanged: boolean) => void,
): void {
  const bits = columns.changeBits[doc]!
  const count = recentCount(columns, doc)
  let toMs = columns.refreshedMs[doc]!
  for (let back = 0; back < count; back++) {
    const fromMs = toMs - columns.recentIntervalSeconds[recentAt(columns, doc, back)]! * 1000
    visit(fromMs, toMs, ((bits >>> back) & 1) === 1)
    toMs = fromMs
  }
}
