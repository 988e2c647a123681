/** Which pages to refresh next: the best within a budget and the limits of hosts, without those that must wait. */
import { numberOption } from '../../base/checks.js'
import { HostLimit } from '../../base/hosts.js'
import { DAY_MS, HOUR_MS } from '../../base/time.js'
import { finish, type Steps } from '../../base/turns.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'

export interface Candidate {
  readonly doc: number
  readonly priority: number
}

export interface ChoiceRequest {
  /** Best first. No more are read than needed. */
  readonly candidates: Iterable<Candidate>
  /** How many pages to choose. */
  readonly budget: number
  /** How many pages of one host; no limit unless given. */
  readonly perHost?: number | undefined
  readonly hostOf?: ((doc: number) => string) | undefined
}

/** The best candidates, best first: as many as the budget allows, without those beyond the limit of their host. */
export function chooseRefreshes(request: ChoiceRequest): Candidate[] {
  return finish(choosingRefreshes(request))
}

/** The same in steps: a host may have had its share long before the budget is used up. */
export function* choosingRefreshes({ candidates, budget, perHost, hostOf }: ChoiceRequest): Steps<Candidate[]> {
  numberOption('budget', budget, 0, { min: 0, integer: true })
  numberOption('perHost', perHost, 1, { min: 1, integer: true })
  const hosts = new HostLimit(perHost === undefined || hostOf === undefined ? Number.POSITIVE_INFINITY : perHost)
  const chosen: Candidate[] = []
  if (budget === 0) return chosen
  for (const candidate of candidates) {
    if (hosts.take(() => hostOf!(candidate.doc))) chosen.push(candidate)
    if (chosen.length === budget) break
    yield
  }
  return chosen
}

/** How long a page that could not be fetched has to wait. Its priority does not change meanwhile. */
export interface BackOff {
  /** The wait after the first failure. Each further failure in a row doubles it. */
  readonly firstMs: number
  /** The longest wait. */
  readonly maxMs: number
}

export const DEFAULT_BACK_OFF: BackOff = { firstMs: HOUR_MS, maxMs: 7 * DAY_MS }

/** The earliest moment of the next attempt; -Infinity for a page whose last attempt succeeded. */
export function retryAtMs(columns: LedgerColumns, doc: number, backOff: BackOff = DEFAULT_BACK_OFF): number {
  const errors = columns.errors[doc]!
  if (errors === 0) return Number.NEGATIVE_INFINITY
  return columns.lastAttemptMs[doc]! + Math.min(backOff.firstMs * 2 ** (errors - 1), backOff.maxMs)
}

export function isWaiting(columns: LedgerColumns, doc: number, atMs: number, backOff?: BackOff): boolean {
  return atMs < retryAtMs(columns, doc, backOff)
}

/** Whether the page may be named: it does not wait after a failure, and was not refreshed just before. */
export function isReadyAt(columns: LedgerColumns, atMs: number, minIntervalMs: number): (doc: number) => boolean {
  const isOldEnough = (doc: number) => atMs - columns.refreshedMs[doc]! >= minIntervalMs
  return (doc) => !isWaiting(columns, doc, atMs) && (minIntervalMs === 0 || isOldEnough(doc))
}
