/** Which budget removes how much of the loss: Figure 4 of User-centric crawling, read from its other axis. */
import type { QualityMode } from './policies.js'

/** What of a row of the experiment it takes. */
export interface BudgetPoint {
  readonly policy: string
  readonly mode: QualityMode
  readonly budget: number
  readonly budgetShare: number
  readonly lossShare: number | null
}

export interface BudgetNeeded {
  readonly policy: string
  readonly mode: QualityMode
  /** The share that is to be removed of the loss of a repository that is never refreshed. */
  readonly share: number
  /** Refreshes per step; null when no budget of the rows is enough, or nothing is ever lost. */
  readonly budget: number | null
  /** The same as a share of the pages. */
  readonly budgetShare: number | null
  /** The lowest budget of the rows is enough already: the one needed is no more than that. */
  readonly isAtMost: boolean
}

/** The shares of the loss to remove, unless told. */
const REMOVED_SHARES: readonly number[] = [0.5, 0.75, 0.9]

/**
 * For each policy and mode, in the order of the rows. Between two budgets the loss is taken to be straight in the
 * logarithm of the budget.
 */
export function budgetsNeeded(
  rows: readonly BudgetPoint[],
  shares: readonly number[] = REMOVED_SHARES,
): BudgetNeeded[] {
  const curves = new Map<string, BudgetPoint[]>()
  for (const row of rows) {
    const name = `${row.mode} ${row.policy}`
    curves.set(name, [...(curves.get(name) ?? []), row])
  }
  return [...curves.values()].flatMap((curve) => {
    const ordered = curve.toSorted((a, b) => a.budget - b.budget)
    return shares.map((share) => ({
      policy: curve[0]!.policy,
      mode: curve[0]!.mode,
      share,
      ...reach(ordered, 1 - share),
    }))
  })
}

/** Where the curve comes down to a loss for the first time. */
function reach(curve: readonly BudgetPoint[], loss: number): Pick<BudgetNeeded, 'budget' | 'budgetShare' | 'isAtMost'> {
  const at = curve.findIndex(({ lossShare }) => lossShare !== null && lossShare <= loss)
  if (at === -1) return { budget: null, budgetShare: null, isAtMost: false }
  const end = curve[at]!
  const start = curve[at - 1]
  if (start === undefined) return { budget: end.budget, budgetShare: end.budgetShare, isAtMost: true }
  const part = (start.lossShare! - loss) / (start.lossShare! - end.lossShare!)
  const between = (low: number, high: number) => low * (high / low) ** part
  return {
    budget: between(start.budget, end.budget),
    budgetShare: between(start.budgetShare, end.budgetShare),
    isAtMost: false,
  }
}
