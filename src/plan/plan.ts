/** A plan: what to do next, and what that is expected to bring. */
import type { Key } from '../base/keys.js'

interface Action {
  readonly key: Key
  /** The priority by the policy. Actions are compared by priority per cost. */
  readonly priority: number
  /** The share of today's answers that the page carries; 0 for a new page. */
  readonly stake: number
  /**
   * The share of all that refreshing everything now would gain. Of a new page, which comes on top of that, its gain in
   * the same unit.
   */
  readonly expectedGain: number
  /** The expected gain of this action and all before it. */
  readonly cumulativeGain: number
  /** What is known of the page and what the action is worth, for people to read. */
  readonly why: string
  /** The expected gain ΔQ_A. */
  readonly deltaQuality: number
  /** The expected cost. That of a probe includes the fetch that may follow. */
  readonly cost: number
}

export interface PlannedRefresh extends Action {
  /** 'refresh': fetch the document. 'probe': ask whether it has changed, and fetch it only then. */
  readonly kind: 'refresh' | 'probe'
  /** The probability that the document has changed since its last refresh. */
  readonly changeChance: number
  /** How likely the copy is still what the page says: 1 - changeChance. */
  readonly currentProbability: number
  /** The time since the last refresh. */
  readonly ageMs: number
  readonly refreshes: number
  /** Whether the document is in the plan to keep the limit of staleness. */
  readonly isDue: boolean
}

export interface PlannedNewPage extends Action {
  readonly kind: 'new'
  readonly impact: number
  readonly inlinks: number
}

export type PlannedAction = PlannedRefresh | PlannedNewPage

/** Whether the limit of staleness is kept. */
export interface StalenessReport {
  readonly maxStalenessMs: number
  /** Documents that are older than the limit already. */
  readonly late: number
  /** Documents that are in the plan to keep the limit. */
  readonly due: number
  /** Whether, with this budget in every cycle, no document exceeds the limit from now on. */
  readonly isKept: boolean
  /** The smallest limits of every cycle with which no document would be late; those of the plan if they suffice. */
  readonly needed: { readonly cost: number; readonly perHost: number | undefined }
}

/** What a budget is expected to reach. */
export interface CurvePoint {
  readonly budget: number
  /** The part of today's answers that is expected to come from current copies, 0 to 1. */
  readonly quality: number
}

export interface Plan {
  readonly at: number
  /** The plan in words. */
  readonly sentence: string
  /** What may be spent: as given, or with a target the smallest budget that reaches it. */
  readonly budget: number
  /** What is due comes first, then the best by priority per cost; of equals refreshes before new pages. */
  readonly actions: readonly PlannedAction[]
  /** The expected cost of all actions. */
  readonly cost: number
  /** The share of all that refreshing everything now would gain; new pages come on top. */
  readonly expectedGain: number
  /**
   * With a target: the part of today's answers that is expected to come from current copies, as they are and once the
   * plan is carried out.
   */
  readonly qualityNow: number | undefined
  readonly quality: number | undefined
  /** With a target: whether the plan reaches it. */
  readonly isReached: boolean | undefined
  /** With a target: the quality by budget, from no action to all that may be taken. */
  readonly curve: readonly CurvePoint[] | undefined
  readonly expected: {
    /** The gain ΔQ_A of all actions. */
    readonly deltaQuality: number
    /** The gain should lie between `low` and `high` nine times out of ten. */
    readonly low: number
    readonly high: number
    /** The gain as a share of the quality of all answers, from 0 to about 1. */
    readonly quality: number
    /** How many documents will be found changed. */
    readonly changes: number
  }
  /** Undefined unless the plan has a limit of staleness. */
  readonly staleness: StalenessReport | undefined
}
