/** How good answers are when one budget pays for pages never fetched and for refreshes, by how it is shared. */

import { replay } from '../../quality/replay.js'
import { BudgetSplit, type SplitPlan } from './budget-split.js'
import type { FrontierInput } from './input.js'
import { NewPageGains } from './new-page-gains.js'
import { comeLater } from './scenes.js'

export interface SplitTask {
  readonly plan: SplitPlan
  /** Fetches per step, as a share of the pages. */
  readonly budgetShare: number
  /** The share of the budget for new pages, in a fixed plan. */
  readonly newShare?: number
}

export interface SplitResult extends SplitTask {
  /** Fetches per step. */
  readonly budget: number
  readonly meanQuality: number
  readonly minQuality: number
  /** Pages fetched for the first time, over all steps. */
  readonly newPages: number
  readonly refreshes: number
}

/** `onDone`: told how much is done, from 0 to 1. */
export function splitReplay(input: FrontierInput, task: SplitTask, onDone: (done: number) => void): SplitResult {
  const timeline = comeLater(input.timeline, input.isHeldBack)
  const { plan, budgetShare, newShare } = task
  const budget = Math.max(1, Math.round(budgetShare * timeline.urls.length))
  const { atMs, urls } = timeline
  const last = atMs.length - 1
  // A step lasts until the next one, the last as long as the one before.
  const endMs = 2 * atMs[last]! - atMs[last - 1]!
  const chooser = new BudgetSplit(new NewPageGains(input), urls.length, {
    plan,
    budget,
    newShare: newShare ?? 0,
    endMs,
  })
  const { meanQuality, minQuality } = replay({ timeline, scores: input.scores }, chooser, {
    budget,
    // Nothing is asked of the loss share.
    untouched: 0,
    onStep: ({ step }) => onDone(step / last),
  })
  return {
    ...{ plan, budgetShare, ...(newShare === undefined ? {} : { newShare }), budget, meanQuality, minQuality },
    ...{ newPages: chooser.newPages, refreshes: chooser.refreshes },
  }
}
