/** Which pages to refresh next, given how many and how many of one host. */
import { numberOption } from '../../base/checks.js'
import type { LedgerColumns } from '../../ledger/columns.js'

export interface Candidate {
  readonly doc: number
  readonly priority: number
}

export interface PlanRequest {
  /** Best first. No more are taken than needed. */
  readonly candidates: Iterable<Candidate>
  /** How many pages to choose. */
  readonly budget: number
  /** How many pages of one host; no limit unless told. */
  readonly perHost?: number | undefined
  readonly hostOf?: ((doc: number) => string) | undefined
}

/**
 * The best of the candidates, best first: as many as the budget allows, leaving out those whose host has had its share.
 */
export function planRefreshes({ candidates, budget, perHost, hostOf }: PlanRequest): Candidate[] {
  numberOption('budget', budget, 0, { min: 0, integer: true })
  numberOption('perHost', perHost, 1, { min: 1, integer: true })
  const isAllowed = perHost === undefined || hostOf === undefined ? () => true : limitPerHost(perHost, hostOf)
  const chosen: Candidate[] = []
  if (budget === 0) return chosen
  for (const candidate of candidates) {
    if (!isAllowed(candidate.doc)) continue
    chosen.push(candidate)
    if (chosen.length === budget) break
  }
  return chosen
}

/** Some pages by their priority, best first, equal ones by number: for pages that were found another way. */
export function rankSome(docs: Uint32Array, priority: (doc: number) => number): Candidate[] {
  return Array.from(docs, (doc) => ({ doc, priority: priority(doc) })).sort(
    (a, b) => b.priority - a.priority || a.doc - b.doc,
  )
}

function limitPerHost(perHost: number, hostOf: (doc: number) => string): (doc: number) => boolean {
  const taken = new Map<string, number>()
  return (doc) => {
    const host = hostOf(doc)
    const before = taken.get(host) ?? 0
    if (before === perHost) return false
    taken.set(host, before + 1)
    return true
  }
}

/** When to try a page again that could not be fetched. Its priority stays what it is; it only has to wait. */

export interface BackOff {
  /** The wait after the first failure; each further failure in a row doubles it. */
  readonly firstMs: number
  /** No wait is longer. */
  readonly maxMs: number
}

export const DEFAULT_BACK_OFF: BackOff = { firstMs: 3_600_000, maxMs: 7 * 86_400_000 }

/** -Infinity for a page whose last attempt succeeded. */
export function retryAtMs(columns: LedgerColumns, doc: number, backOff: BackOff = DEFAULT_BACK_OFF): number {
  const errors = columns.errors[doc]!
  if (errors === 0) return Number.NEGATIVE_INFINITY
  return columns.lastAttemptMs[doc]! + Math.min(backOff.firstMs * 2 ** (errors - 1), backOff.maxMs)
}

export function isWaiting(columns: LedgerColumns, doc: number, atMs: number, backOff?: BackOff): boolean {
  return atMs < retryAtMs(columns, doc, backOff)
}
