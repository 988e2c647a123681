/** What can be said to lab quality, and the runs that follow from it. */
import {
  checkQualityTask,
  QUALITY_POLICIES,
  type QualityMode,
  type QualityTask,
  type SignalRates,
} from '../lab/experiments/quality-experiment.js'
import type { TrialWorldName } from '../lab/worlds/trial-worlds.js'
import { budgetShares, type LabOutputOptions, type RunOptions, type WorldOptions } from './lab-options.js'

export interface LabQualityOptions extends Omit<WorldOptions, 'data'>, RunOptions, LabOutputOptions, SignalRates {
  readonly data?: string
  readonly queriesFile?: string
  readonly world?: TrialWorldName
  readonly worldPages: number
  readonly worldSteps: number
  readonly seeds: number
  readonly budgets?: readonly number[]
  readonly mode: readonly QualityMode[]
  readonly policies?: readonly string[]
}

export const FOLDER_BUDGETS = '0.1%,0.25%,0.5%,1%,2%,5%,10%'
/** Generated worlds are small: a tenth of a per cent of their pages is none. */
export const TRIAL_BUDGETS = '1%,5%,20%'

/** By mode, policy and budget. A named policy that has none of the modes is refused. */
export function tasksOf(
  { mode: modes, policies, budgets }: Pick<LabQualityOptions, 'mode' | 'policies' | 'budgets'>,
  unlessTold: { readonly policies: readonly string[]; readonly budgets: string },
): QualityTask[] {
  const hasMode = (policy: string, mode: QualityMode) =>
    QUALITY_POLICIES.find(({ name }) => name === policy)?.modes.includes(mode) === true
  const named = [...new Set(policies ?? unlessTold.policies)]
  if (policies !== undefined) {
    const misfit = named.find((policy) => !modes.some((mode) => hasMode(policy, mode)))
    if (misfit !== undefined) checkQualityTask({ policy: misfit, mode: modes[0]!, budgetShare: 1 })
  }
  const shares = budgets ?? budgetShares(unlessTold.budgets)
  return modes.flatMap((mode) =>
    named
      .filter((policy) => hasMode(policy, mode))
      .flatMap((policy) => shares.map((budgetShare) => ({ policy, mode, budgetShare }))),
  )
}
