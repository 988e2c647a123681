/** What every policy is: a pure judgement of a row of the ledger. */
import { columnBytes, type LedgerColumns } from '../../ledger/columns.js'
import { type DocumentSections, SECTION_BYTES } from '../../ledger/sections.js'
import type { SignalTrust } from '../../ledger/site-trust.js'
import type { ColumnName } from '../../ledger/table.js'
import type { LedgerTotals } from '../../ledger/totals.js'

/** All that a policy may know of the pages. */
export interface LedgerView {
  readonly columns: LedgerColumns
  /** All documents with a row have a number below this. */
  readonly rows: number
  readonly totals: LedgerTotals
  readonly trust: SignalTrust
  readonly sections: DocumentSections
  /** How much of what people ask is open, so that any page may answer it: 0 to 1. */
  readonly openShare: number
}

export interface Policy {
  readonly name: string
  /** Whether judgements depend on totals: if not, nothing has to be judged again when totals move. */
  readonly usesTotals: boolean
  /** Pages of a lower priority are not to be refreshed at all, whatever the budget; all are unless told. */
  readonly threshold?: number
  /**
   * The same policy, with what it has to know of all pages at once, such as a multiplier: a new object, which judges
   * until totals move or, with `learnsFromVisits`, many visits have come in. Without it the policy looks at one page at
   * a time.
   */
  prepare?(view: LedgerView): Policy
  /** Whether what is prepared goes by single visits. */
  readonly learnsFromVisits?: boolean
  /**
   * The gain in answer quality (ΔQ_A) to expect of refreshing the page at `atMs`, or another number by which to compare
   * pages. Never negative, never infinite, never NaN, and never falling as `atMs` grows.
   */
  priority(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** From `atMs` on, the priority of the page grows by no more than this per millisecond. */
  growthPerMs(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** Both at once, where that saves time. */
  judge?(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): Judgement
  /**
   * Of a fetch that gains this ΔQ_A for certain, such as that of a new page; without it priorities are in no such
   * currency.
   */
  priorityOfGain?(deltaQuality: number): number
  /** How history became the priority. */
  explain(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): PolicyExplanation
}

/** See `priority` and `growthPerMs` of Policy. */
export interface Judgement {
  readonly priority: number
  readonly growthPerMs: number
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

/**
 * What there is to know of a policy before one chooses it, as data: the command line, the lab and docs/policies.md show
 * it.
 */

export interface PolicyCard<Name extends string = string> {
  readonly name: Name
  /** What it is for, in one line. */
  readonly purpose: string
  /** Where it comes from; '-' for nowhere. */
  readonly paper: string
  /** The priority of a page. */
  readonly formula: string
  /** What it reads of a page's row of the ledger, unless told otherwise by options. */
  readonly columns: readonly ColumnName[]
  /** Whether it goes by the section of the page, too. */
  readonly usesSections?: boolean
  /** Of all that. */
  readonly bytesPerPage: number
}

/** `columns`: each once. */
export function policyCard<Name extends string>(card: Omit<PolicyCard<Name>, 'bytesPerPage'>): PolicyCard<Name> {
  return { ...card, bytesPerPage: columnBytes(card.columns) + (card.usesSections ? SECTION_BYTES : 0) }
}
