import { describe, expect, it } from 'vitest'
import { searchBudget } from '../../../src/cli/demo/budget-search.js'

describe('the search for a budget', () => {
  it('finds the budget from which on the target is reached, to one step', async () => {
    for (const threshold of [21, 22, 40, 41, 60, 63, 65, 119, 160, 555, 600]) {
      const search = { target: threshold, from: 20, most: 600, step: 5 }
      const { budget, tried } = await searchBudget(async (budget) => budget, search)
      expect(budget).toBeGreaterThanOrEqual(threshold)
      expect(budget! - 5).toBeLessThan(threshold)
      expect(tried.map((each) => each.budget)).toEqual(tried.map((each) => each.budget).toSorted((a, b) => a - b))
      const below = tried.filter((each) => each.budget < budget!).at(-1)?.budget ?? 20
      expect(budget! - below).toBeLessThanOrEqual(5)
    }
  })

  it('names only a budget that was tried and reached it, also where more fetches are worth less', async () => {
    const shares = new Map([40, 45, 50, 55, 60, 65, 70, 75, 80].map((budget, at) => [budget, at % 3]))
    const { budget, tried } = await searchBudget(async (budget) => shares.get(budget)!, {
      ...{ target: 2, from: 20, most: 80, step: 5 },
    })
    expect(tried).toContainEqual({ budget, share: 2 })
  })

  it('says when even the most is not enough', async () => {
    const search = { target: 2, from: 7, most: 30, step: 1 }
    const { budget, tried } = await searchBudget(async () => 1, search)
    expect(budget).toBeNull()
    expect(tried.map((each) => each.budget)).toEqual([14, 28, 30])
  })
})
