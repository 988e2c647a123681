import type { Steps } from '../base/turns.js'
import type { FrontierRows, FrontierSource } from '../frontier/frontier-state.js'
import type { LedgerParts } from '../ledger/ledger.js'
import type { OpenQuestions } from '../ledger/questions.js'
import type { LedgerRows } from '../ledger/rows.js'
import type { SignalCommit, SignalTables } from '../ledger/sites.js'
import type { Inbox, Outbox } from '../workload/learnt-rows.js'
import type { WorkloadChanges, WorkloadRows } from '../workload/stored-workload.js'
import type { JudgementRows } from './choose/judgements.js'
import type { ClusterCommit, ClusterTables } from './clusters/cluster-rows.js'
import type { KeptJudgement } from './judge/kept-judgement.js'
import type { CurveCommit, CurveSource } from './kept-curves.js'
import type { ReviewCommit } from './review/review-days.js'
import type { WriteCommit } from './writes/write-row.js'

/** What a write, an observation or a fit changes of what the prioritizer knows. */
export interface PrioritizerRows {
  readonly ledger: LedgerRows
  /** Documents that are no more. */
  readonly removed: Uint32Array
  readonly workload: WorkloadChanges
  /** Stakes as they were before the commit, of whichever rows: document and stake in turn. */
  readonly stakes: Float64Array
  readonly questions: OpenQuestions
  /** Undefined when nothing is known that was not before. */
  readonly signals: SignalCommit | undefined
  /** Undefined unless documents were clustered. */
  readonly clusters: ClusterCommit | undefined
  /** Undefined unless there were refreshes to be reviewed. */
  readonly reviews: ReviewCommit | undefined
  /** Undefined when it stays as it is. */
  readonly frontier: FrontierRows | undefined
  /** Undefined when no fit has changed them. */
  readonly curves: CurveCommit | undefined
  /** What a write did; undefined for other changes. */
  readonly write: WriteCommit | undefined
}

/** The part of the rows that is the history's. */
export type HistoryRows = Pick<PrioritizerRows, 'ledger' | 'removed' | 'signals' | 'clusters' | 'reviews'>

/** A ledger that was read on another thread. */
export interface LoadedLedger {
  readonly parts: LedgerParts
  /** Rows that could not be read. */
  readonly damagedRows: number
  /** Of the image that it was read from; undefined if it was read row by row. */
  readonly imageKey: string | undefined
  /** What the judge of the process that left the image knew. */
  readonly judgement?: KeptJudgement | undefined
}

/** A ledger that another thread is reading. */
export interface LoadingLedger {
  readonly loaded: Promise<LoadedLedger>
  /** For who cannot go on without it: the thread of the caller waits. */
  wait(): LoadedLedger
}

/** Where rows come from that an earlier process left. */
export interface HistorySource {
  /** Begins to read all rows and keys on another thread. Undefined where that is not possible. */
  readonly loadLedger?: ((nowMs: number) => LoadingLedger) | undefined
  rows(portion: number): Iterable<readonly (readonly unknown[])[]>
  documentsWithoutRow(): readonly number[]
  /** Numbers and keys of all documents, in any order. */
  keys(portion: number): Iterable<readonly (readonly unknown[])[]>
  /** No document has a larger number. */
  lastDocument(): number
  effectsOf(doc: number): Uint8Array
  signals(): SignalTables
  clusters(): ClusterTables
  /** What the last build of clusters saw of a document, as it is stored; undefined where there is nothing. */
  clusterVisit(doc: number): unknown
  reviewDays(): readonly (readonly unknown[])[]
  /** Values as they are stored, in the order of OpenQuestions. */
  questions(): readonly unknown[]
}

/** What an earlier process left for the prioritizer, or another one is writing. */
export interface StoredPrioritizer extends HistorySource {
  /** Grows with every change. */
  readonly version: number
  /** The same of the workload alone. */
  readonly workloadVersion: number
  workload(): Steps<WorkloadRows>
  readonly curves: CurveSource
  /** The writes behind the one of this id, values as they are stored. */
  writes(afterId: number): readonly (readonly unknown[])[]
  readonly frontier: FrontierSource
}

/** Where the rows of the prioritizer are kept: nowhere, in the catalog, or in a catalog that somebody else writes. */
export interface PrioritizerStore {
  /** False: somebody else writes, and what is stored is read again when it has changed. */
  readonly isWriter: boolean
  /** Throws READ_ONLY where nothing can be written. */
  requireWriting(): void
  /** Undefined in memory. */
  readonly stored: StoredPrioritizer | undefined
  /** Makes rows durable that belong to no write. */
  commit(rows: PrioritizerRows): Promise<void>
  /** The same of what was learnt alone. `isForGood`: nothing that was dropped stays readable in the file. */
  /** Keeps what a judgement said of documents, for SQL; undefined where nobody could read it, or nothing is written. */
  readonly keepJudgements?: (rows: JudgementRows) => Promise<void>
  commitWorkload(changes: WorkloadChanges, options?: { readonly isForGood?: boolean }): Promise<void>
  /** Keeps a copy of a ledger that is as its rows are, for the next opening. Undefined where that is of no use. */
  readonly keepLedger?: (parts: LedgerParts, judgement: KeptJudgement | undefined) => Promise<void>
  /** What other processes have learnt. Undefined where there are none. */
  readonly inbox?: Inbox
  /** Where what is learnt goes that somebody else writes. */
  readonly outbox?: Outbox
}
