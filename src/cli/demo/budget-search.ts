/** A budget that was tried, and what it came to. */
export interface TriedBudget {
  readonly budget: number
  readonly share: number
}

export interface BudgetSearch {
  /** It reaches the target, and its neighbour below does not; null if even the most does not. */
  readonly budget: number | null
  /** In ascending order of budgets. */
  readonly tried: readonly TriedBudget[]
}

/**
 * The budget from which on the target is reached, above a budget that does not reach it. Budgets grow twofold until one
 * does. Then the gap to the last one that does not is halved until it is one step wide.
 *
 * REQUIRES: from < most. The share that a budget comes to need not grow with every step.
 */
export async function searchBudget(
  shareAt: (budget: number) => Promise<number>,
  { target, from, most, step }: { target: number; from: number; most: number; step: number },
): Promise<BudgetSearch> {
  const tried: TriedBudget[] = []
  const isReached = async (budget: number) => {
    const share = await shareAt(budget)
    tried.push({ budget, share })
    return share >= target
  }
  const inOrder = () => tried.toSorted((a, b) => a.budget - b.budget)
  let low = from
  let high = Math.min(most, 2 * from)
  while (!(await isReached(high))) {
    if (high === most) return { budget: null, tried: inOrder() }
    low = high
    high = Math.min(most, 2 * high)
  }
  for (;;) {
    const middle = step * Math.round((low + high) / 2 / step)
    if (middle <= low || middle >= high) return { budget: high, tried: inOrder() }
    if (await isReached(middle)) high = middle
    else low = middle
  }
}
