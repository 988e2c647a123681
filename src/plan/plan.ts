/** A plan: what to do next, and what that is expected to bring. */
import type { Key } from '../base/keys.js'

interface Action {
  readonly key: Key
  /** By which actions are compared, per cost: what the policy says of a refresh, and the same of a new page. */
  readonly priority: number
  /** ΔQ_A to be expected. */
  readonly deltaQuality: number
  /** To be expected: of a probe with the fetch that may follow. */
  readonly cost: number
}

export interface PlannedRefresh extends Action {
  /** 'refresh': fetch it. 'probe': ask whether it has changed, and fetch it if so. */
  readonly kind: 'refresh' | 'probe'
  /** How likely it is not what it was at its last refresh. */
  readonly changeChance: number
  readonly ageMs: number
  readonly refreshes: number
  /** It is in the plan so that no document gets older than the plan allows. */
  readonly isDue: boolean
}

export interface PlannedNewPage extends Action {
  readonly kind: 'new'
  readonly impact: number
  readonly inlinks: number
}

export type PlannedAction = PlannedRefresh | PlannedNewPage

/** Whether documents stay younger than the plan allows. */
export interface StalenessReport {
  readonly maxStalenessMs: number
  /** Documents that are older already. */
  readonly late: number
  /** Documents that are in the plan for their age. */
  readonly due: number
  /** True: with this budget in every cycle, none becomes older from now on. */
  readonly isKept: boolean
  /** The smallest limits, for every cycle, with which none would be late; those of the plan when they are enough. */
  readonly needed: { readonly cost: number; readonly perHost: number | undefined }
}

export interface Plan {
  readonly at: number
  /** What is due for its age first, then best first; of equals refreshes before new pages. */
  readonly actions: readonly PlannedAction[]
  /** Of all actions, to be expected. */
  readonly cost: number
  readonly expected: {
    /** ΔQ_A of all actions. */
    readonly deltaQuality: number
    /** Nine of ten times it should be between these. */
    readonly low: number
    readonly high: number
    /** The part of the quality of all answers that it is, from 0 to about 1. */
    readonly quality: number
    /** Documents that will be found changed. */
    readonly changes: number
  }
  /** Undefined unless the plan has a limit. */
  readonly staleness: StalenessReport | undefined
}
