/** What every policy is: a pure judgement of a row of the ledger. */
import type { SectionTree } from '../change/sections/section-tree.js'
import type { LedgerColumns } from './ledger-columns.js'
import type { LedgerTotals } from './ledger-totals.js'

/** How far signals of changes can be believed, site by site; see the columns `site` and `signalKinds`. */
export interface SignalTrust {
  /** How much likelier these signals are of a page that has changed than of one that has not. 1: they say nothing. `kinds` 0: silence. */
  likelihoodRatio(site: number, kinds: number): number
  /** The share of its changes that a site signals, from 0 to 1; 0 for a site that never sent a signal. */
  recall(site: number): number
}

/** Of an index that never heard a signal. */
export const NO_TRUST: SignalTrust = { likelihoodRatio: () => 1, recall: () => 0 }

/** In which section of its site each document is: pages of a section are taken to change alike. */
export interface DocumentSections extends SectionTree {
  /** 0 for a document of which nothing is known. */
  of(doc: number): number
}

/** All documents are in one section. */
export const NO_SECTIONS: DocumentSections = { parents: [0], of: () => 0 }

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
   * The same policy, with what it has to know of all pages at once, such as a multiplier: a new object, which judges until totals
   * move or, with `learnsFromVisits`, many visits have come in. Without it the policy looks at one page at a time.
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
  /** Of a fetch that gains this ΔQ_A for certain, such as that of a new page; without it priorities are in no such currency. */
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
