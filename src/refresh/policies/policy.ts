/** What every policy is: a pure judgement of a row of the ledger. */
import { columnBytes, type LedgerColumns } from '../../ledger/column-arrays.js'
import type { ColumnName } from '../../ledger/columns.js'
import { type DocumentSections, SECTION_BYTES } from '../../ledger/sections.js'
import type { SignalTrust } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import type { GainAtMoment, ModelledView } from '../model/gain-model.js'

/** All that a policy may know about the pages. */
export interface LedgerView {
  readonly columns: LedgerColumns
  /** All documents with a row have a number below this. */
  readonly rows: number
  readonly totals: LedgerTotals
  readonly trust: SignalTrust
  readonly sections: DocumentSections
  /** The share of the workload that no document answers, so that any page may come to answer it: 0 to 1. */
  readonly openShare: number
}

export interface Policy {
  readonly name: string
  /** Whether judgements depend on totals. If not, pages need not be judged again when totals move. */
  readonly usesTotals: boolean
  /** Pages of a lower priority are not to be refreshed at all, whatever the budget. Default: no threshold. */
  readonly threshold?: number
  /**
   * True if the policy decides by itself what signals mean. Otherwise signals count as evidence that multiplies its
   * priority (with-signals.ts).
   */
  readonly readsSignals?: boolean
  /**
   * The same policy with what it must know about all pages together, such as a multiplier: a new object, which judges
   * until totals move or, with `learnsFromVisits`, until many visits have come in. A policy without this method looks
   * at one page at a time.
   */
  prepare?(view: ModelledView): Policy
  /** Whether the prepared policy depends on single visits. */
  readonly learnsFromVisits?: boolean
  /**
   * The expected gain in answer quality (ΔQ_A) of refreshing the page at `atMs`, or another number by which pages are
   * compared. Never negative, never infinite, never NaN, and never falling as `atMs` grows.
   */
  priority(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** From `atMs` on, the priority of the page grows by no more than this per millisecond. */
  growthPerMs(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): number
  /** Both at once, where that saves time. Valid until the next call: its place may be written over. */
  judge?(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): Judgement
  /**
   * The priority of a fetch that is certain to gain this ΔQ_A, such as that of a new page. A policy without this method
   * has priorities that cannot be compared with gains.
   */
  priorityOfGain?(deltaQuality: number): number
  /** How history became the priority. */
  explain(columns: LedgerColumns, doc: number, atMs: number, totals: LedgerTotals): PolicyExplanation
}

/** See `priority` and `growthPerMs` of Policy. */
export interface Judgement {
  readonly priority: number
  readonly growthPerMs: number
  /** The expected ΔQ_A by the gain model, and its growth, where the policy judges by that. */
  readonly gain?: GainAtMoment
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

/** The description of a policy, as data, which the command line, the lab and docs/policies.md show. */
export interface PolicyCard<Name extends string = string> {
  readonly name: Name
  /** What the policy is for, in one line. */
  readonly purpose: string
  /** Where the policy was published; '-' for nowhere. */
  readonly paper: string
  /** The priority of a page. */
  readonly formula: string
  /** The columns of the ledger that the policy reads with its default options. */
  readonly columns: readonly ColumnName[]
  /** Whether the policy reads the section of the page, too. */
  readonly usesSections?: boolean
  /** The memory that the columns and sections take. */
  readonly bytesPerPage: number
}

/** A card with its bytes. `columns` names each column once. */
export function policyCard<Name extends string>(card: Omit<PolicyCard<Name>, 'bytesPerPage'>): PolicyCard<Name> {
  return { ...card, bytesPerPage: columnBytes(card.columns) + (card.usesSections ? SECTION_BYTES : 0) }
}
