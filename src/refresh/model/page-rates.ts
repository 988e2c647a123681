/** How often a page changes, by what the ledger counts of its refreshes: changes per millisecond. */
import { DAY_MS, TICK_MS } from '../../base/time.js'
import { choGarciaMolinaRate } from '../../change/rate-estimators.js'
import type { SeenIntervals } from '../../change/rate-grid.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/columns.js'
import type { LedgerTotals } from '../../ledger/totals.js'

/** Of any page before any change was seen: one in three months. */
export const FIRST_RATE_PER_MS = 1 / (90 * DAY_MS)
/** Between two refreshes of a page, before any interval is known. */
const FIRST_INTERVAL_MS = 7 * DAY_MS

/**
 * The estimator of Cho and Garcia-Molina, as published: 0 for a page that was only seen unchanged. A page without
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

/** What is believed of a page before it was watched for long. */
export interface ChangePrior {
  readonly ratePerMs: number
  /** How long a page must have been watched to count as much as all others. */
  readonly weightMs: number
}

/**
 * The rate of all pages together, weighed as much as the mean interval between refreshes. Above 0, whatever was seen.
 */
export function changePrior(totals: LedgerTotals): ChangePrior {
  const weightMs = meanIntervalMs(totals)
  const ratePerMs = totals.changes > 0 ? (totals.changes + 0.5) / (totals.sumIntervalMs + weightMs) : FIRST_RATE_PER_MS
  return { ratePerMs, weightMs }
}

/** Between two refreshes of a page, over all pages. */
export function meanIntervalMs({ rated, sumIntervalMs }: LedgerTotals): number {
  return rated > 0 && sumIntervalMs > 0 ? Math.max(sumIntervalMs / rated, TICK_MS) : FIRST_INTERVAL_MS
}

/**
 * Changes by time watched, shrunk to what all pages do (as Grimes and Ford, Estimation of web page change rates, 2008,
 * propose): never 0 and never infinite, whatever was seen. Several changes between two refreshes are seen as one, so
 * that it is too low for pages that change much more often than they are refreshed.
 */
export function shrunkChangeRate(columns: LedgerColumns, doc: number, { ratePerMs, weightMs }: ChangePrior): number {
  const changes = Math.min(columns.changes[doc]!, columns.rated[doc]!)
  return (changes + ratePerMs * weightMs) / (columns.sumIntervalMs[doc]! + weightMs)
}

/** How long it was from one moment to a later one, by whatever clock. */
export type ElapsedMs = (fromMs: number, toMs: number) => number

const plainly: ElapsedMs = (fromMs, toMs) => toMs - fromMs

/**
 * The intervals between the rated refreshes of a page. The last six are known one by one; of those before, the sums, so
 * that they are taken to be of one length. A refresh without an interval has a bit among the changes and no place among
 * the intervals: where there was one lately, bits of other refreshes stand for it.
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

/** The last rated refreshes, newest first: the refresh before, the refresh itself, and whether that found a change. */
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

const NO_INTERVALS = { count: 0, intervalMs: TICK_MS } as const
