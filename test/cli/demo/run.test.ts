import { describe, expect, it } from 'vitest'
import { runDemo } from '../../../src/cli/demo/run.js'

describe('the demonstration', () => {
  it('shows the same for several sites: the choice of the index is ahead of both others', async () => {
    const leads: number[] = []
    for (const seed of [1, 2, 3, 4, 5]) {
      const { strategies, oldestFirstNeeds } = await runDemo({ seed, weeks: 26, budget: 8, pages: 200 })
      const { freshdex, oldestFirst, random } = strategies
      const lead = freshdex.mean - Math.max(oldestFirst.mean, random.mean)
      expect(lead, `seed ${seed}`).toBeGreaterThan(0.02)
      expect(oldestFirstNeeds!.budget, `seed ${seed}`).toBeGreaterThanOrEqual(12)
      leads.push(lead)
    }
    expect(leads.reduce((sum, lead) => sum + lead, 0) / leads.length).toBeGreaterThan(0.05)
  })

  it('reports what it did', async () => {
    const weeks: number[] = []
    const report = await runDemo({ seed: 4, weeks: 8, budget: 5, pages: 120, onWeek: (week) => weeks.push(week) })
    expect(report).toMatchObject({ seed: 4, weeks: 8, budget: 5, site: { pages: 120, searchesPerWeek: 2000 } })
    expect(report.site.queries).toBeGreaterThan(30)
    for (const { byWeek, mean } of Object.values(report.strategies)) {
      expect(byWeek).toHaveLength(8)
      expect(mean).toBeCloseTo(byWeek.reduce((sum, share) => sum + share, 0) / 8, 12)
      // All begin with the whole site.
      expect(byWeek[0]).toBe(report.strategies.random.byWeek[0])
    }
    const { budget, tried } = report.oldestFirstNeeds!
    expect(tried.find((each) => each.budget === budget)!.share).toBeGreaterThanOrEqual(report.strategies.freshdex.mean)
    expect(weeks).toEqual(Array.from({ length: 8 * (3 + tried.length) }, (_, at) => at + 1))
    expect(report.next.pages).toHaveLength(10)
    expect(report.definition).toMatch(/first ten answers/)
  })

  it('is the same for the same seed', async () => {
    // Some of its pages go and others come, whose numbers in the index must not depend on the speed of the machine.
    const options = { seed: 10, weeks: 12, budget: 30, pages: 400 }
    expect(await runDemo(options)).toEqual(await runDemo(options))
  })

  it('seeks no budget where every page is fetched', async () => {
    const { oldestFirstNeeds, strategies } = await runDemo({ seed: 2, weeks: 4, budget: 30, pages: 30 })
    expect(oldestFirstNeeds).toBeNull()
    expect(strategies.freshdex).toEqual(strategies.oldestFirst)
  })
})
