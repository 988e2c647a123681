import type { Step } from '../base/step.js'
import type { Steps } from '../base/turns.js'
import type { SearchEngine, StakeQuery } from '../engine.js'
import type { PageNews } from '../frontier/frontier-page.js'
import type { AddReport } from '../frontier/frontier-state.js'
import type { NamedQuery } from '../ledger/effects.js'
import type { JudgedMoment } from './choose/judgements.js'
import type { QueryCurve } from './explain/curve-explanations.js'
import type { RefreshHistory } from './history.js'
import type { Signal } from './observations.js'
import type { PolicyChoice } from './policies/registry.js'
import type { HistoryRows } from './rows.js'
import type { RecentWrite } from './writes/recent-writes.js'

/** What `index.refresh` and `index.clusters` need of the prioritizer that they belong to. */
export interface RefreshOwner {
  readonly engine: SearchEngine
  /** The policy that the index was opened with. */
  readonly policy: PolicyChoice | undefined
  now(): number
  /** Throws CLOSED or REENTRANT when a call may not go on. */
  check(): void
  /** Runs code of the user: what that calls of the index is refused until it returns. */
  shield<T>(code: () => T): T
  /** Throws READ_ONLY where nothing can be written. */
  requireWriting(): void
  /** The history as of now: what another process has written is read first. */
  history(): RefreshHistory
  queriesById(ids: ReadonlySet<number>): ReadonlyMap<number, NamedQuery>
  /**
   * Makes a change of the history and its rows durable. The change is made when it is its turn, in a loaded history,
   * in steps between which the event loop has its turn.
   */
  record(change: (history: RefreshHistory) => Steps<Step<HistoryRows>>): Promise<void>
  /** Records signals, and pages that are new to the frontier, as one change. */
  importSignals(news: SignalImport): Promise<AddReport>
  /** The queries that make the stake of a document, the largest share first; empty where they are not known. */
  stakeQueries(doc: number): readonly StakeQuery[]
  /** Keeps what a judgement by the policy of the index said, beside everything else. */
  keepJudgement(judgement: JudgedMoment): void
  /** The score→rank curve of a query; undefined for a query without one. */
  curve(query: unknown): QueryCurve | undefined
  /** Resolves when the newest history is loaded. */
  loaded(): Promise<void>
  /** Whether the workload has any query. */
  hasQueries(): boolean
  /**
   * Takes over what has been learnt: reads rows and lets new queries have a say in stakes. Waits no longer than
   * `waitMs` for the latter, which goes on in the background. Gives the share of the workload, by weight, whose queries
   * are measured. The history is loaded when it resolves.
   */
  takeOverLearnt(waitMs: number): Promise<number>
  /** So that `stakeQueries` answers at once. */
  prepareExplanations(): Promise<void>
  /** The writes behind the one of this id, oldest first, as far as they are kept. */
  writesAfter(id: number): RecentWrite[]
  /** Brings the score→rank curves up to date. */
  fit(): Promise<void>
}

export interface SignalImport {
  /** Asked for when it is their turn, in steps. */
  readonly judging: () => Steps<readonly Signal[]>
  /** Pages that may be new to the frontier. */
  readonly found: readonly PageNews[]
  readonly atMs: number
}
