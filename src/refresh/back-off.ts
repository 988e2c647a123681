/** When to try a page again that could not be fetched. Its priority stays what it is; it only has to wait. */
import type { LedgerColumns } from './ledger-columns.js'

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
