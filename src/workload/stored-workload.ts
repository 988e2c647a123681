/** The workload as it is stored, and what a change of it writes. src/catalog/workload-rows.ts has the tables. */
import { type InboxMark, NOTHING_TAKEN, type QueryPrivacy } from './learnt-rows.js'
import type { DroppedQueries, QueryLogChanges, QueryRow } from './query-log.js'
import type { ClickRow } from './view-likelihood.js'

/** What is kept of a workload beside its queries and clicks. */
export interface KeptState extends DroppedQueries {
  /** Undefined: not said yet. */
  readonly maxQueries: number | undefined
  readonly halfLifeMs: number | undefined
  readonly lost: number
  readonly inbox: InboxMark
}

export const NOTHING_KEPT: KeptState = {
  ...{ dropped: 0, droppedWeight: 0, lost: 0 },
  ...{ maxQueries: undefined, halfLifeMs: undefined },
  inbox: NOTHING_TAKEN,
}

/** The workload as it is stored. */
export interface WorkloadRows {
  readonly queries: readonly QueryRow[]
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  readonly clicks: readonly ClickRow[]
  readonly kept: KeptState
}

/** What a stored copy of the workload has to take over. */
export interface WorkloadChanges extends QueryLogChanges {
  readonly isAny: boolean
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  /** All clicks, if any is new. */
  readonly clicks: readonly ClickRow[] | undefined
  readonly kept: KeptState
}

/** What the stored copy has beside queries and clicks. At first it is that of a new index. */
export class StoredCopy {
  #privacy: QueryPrivacy | undefined = 'text'
  #kept: KeptState | undefined = NOTHING_KEPT

  differs(privacy: QueryPrivacy, kept: KeptState): boolean {
    return privacy !== this.#privacy || this.#kept === undefined || !isSameState(kept, this.#kept)
  }

  set(privacy: QueryPrivacy, kept: KeptState): void {
    this.#privacy = privacy
    this.#kept = kept
  }

  /** After a write that failed nobody knows what it has. */
  forget(): void {
    this.#privacy = undefined
    this.#kept = undefined
  }
}

function isSameState(a: KeptState, b: KeptState): boolean {
  const { inbox, ...rest } = a
  return (
    Object.entries(rest).every(([name, value]) => b[name as keyof typeof rest] === value) &&
    Object.entries(inbox).every(([name, value]) => b.inbox[name as keyof InboxMark] === value)
  )
}
