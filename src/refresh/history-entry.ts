/** What enters the refresh history of an index, and what becomes of it. */
import type { ClusterTables } from '../catalog/cluster-rows.js'
import type { RefreshCommit } from '../catalog/refresh-rows.js'
import type { SignalTables } from '../catalog/signal-rows.js'
import type { Key } from '../documents.js'
import type { SignalKind } from './signals/signal-kinds.js'

export type ObservedOutcome = 'same' | 'changed' | 'gone' | 'error'

/** The part of a commit that is the history's; the rest is the workload's. */
export type HistoryCommit = Pick<RefreshCommit, 'ledger' | 'removed' | 'signals' | 'clusters' | 'reviews'>

export type HistoryRows = Pick<HistoryCommit, 'ledger' | 'removed'>

export interface Observation {
  readonly doc: number
  readonly key: Key
  readonly outcome: ObservedOutcome
  readonly atMs: number
}

export interface Signal {
  readonly doc: number
  readonly key: Key
  readonly kind: SignalKind
  /** When it was heard. */
  readonly atMs: number
  /** When the page changed, as the signal says. */
  readonly valueMs: number | undefined
  /** True: it says that the page has not changed since its last refresh. */
  readonly isSame?: boolean
}

/** A write: when, and the keys of the documents put. */
export interface HistoryWrite {
  readonly atMs: number
  readonly keys: readonly Key[]
}

export interface HistoryEntry {
  readonly commit: HistoryCommit
  /** The write failed. */
  undo(): void
}

/** Where rows come from that an earlier process left. */
export interface HistorySource {
  rows(portion: number): Iterable<readonly (readonly unknown[])[]>
  documentsWithoutRow(): readonly number[]
  /** Numbers and keys of all documents, in any order. */
  keys(portion: number): Iterable<readonly (readonly unknown[])[]>
  /** No document has a larger number. */
  lastDocument(): number
  effectsOf(doc: number): Uint8Array
  signals(): SignalTables
  clusters(): ClusterTables
  reviewDays(): readonly (readonly unknown[])[]
  /** Values as they are stored, in the order of OpenQuestions. */
  questions(): readonly unknown[]
}
