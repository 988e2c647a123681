/** What every policy is: a pure judgement of a row of the ledger. */
import type { LedgerColumns } from './ledger-columns.js'
import type { LedgerTotals } from './ledger-totals.js'

export interface Policy {
  readonly name: string
  /** Whether judgements depend on totals: if not, nothing has to be judged again when totals move. */
  readonly usesTotals: boolean
  /**
   * The gain in answer quality (ΔQ_A) to expect of refreshing the page at `atMs`, or another number by which to compare
   * pages. Never negative, never infinite, never NaN, and never falling as `atMs` grows.
   */
  priority(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** From `atMs` on, the priority of the page grows by no more than this per millisecond. */
  growthPerMs(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** How history became the priority. */
  explain(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): PolicyExplanation
}

export interface PolicyExplanation {
  /** How the priority follows from the terms, by their names. */
  readonly formula: string
  readonly terms: Readonly<Record<string, number>>
}

/** Time since the last refresh, at least 0. */
export function ageMs(columns: LedgerColumns, doc: number, atMs: number): number {
  return Math.max(0, atMs - columns.refreshedMs[doc]!)
}
