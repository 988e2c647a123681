import { describe, expect, it } from 'vitest'
import { forecastGains } from '../../../../src/lab/experiments/forecast/run.js'
import { type BudgetPoint, budgetsNeeded } from '../../../../src/lab/experiments/quality/budgets-needed.js'
import type { QualityInput } from '../../../../src/lab/experiments/quality/input.js'
import { spearman, spearmanInterval } from '../../../../src/lab/report/statistics.js'
import { seededRandom, withSeed } from '../../../support/seed.js'
import { scoredWorld } from '../../quality/scored-worlds.js'

const row = (budget: number, lossShare: number | null, policy = 'uniform'): BudgetPoint => ({
  ...{ policy, mode: 'online' as const, budget, budgetShare: budget / 1000, lossShare },
})

describe('budgets needed', () => {
  it('lie on the straight line between two budgets, in their logarithms', () => {
    const rows = [row(100, 0.2), row(1, 0.9), row(10, 0.6)]
    expect(budgetsNeeded(rows, [0.6])).toEqual([
      {
        policy: 'uniform',
        mode: 'online',
        share: 0.6,
        budget: expect.closeTo(10 ** 1.5, 9),
        budgetShare: expect.closeTo(10 ** -1.5, 9),
        isAtMost: false,
      },
    ])
    expect(budgetsNeeded(rows).map(({ share, budget }) => [share, budget?.toFixed(3)])).toEqual([
      [0.5, (10 ** 1.25).toFixed(3)],
      [0.75, (10 ** 1.875).toFixed(3)],
      [0.9, undefined],
    ])
  })

  it('are no more than the lowest budget that is enough already, and the first of several', () => {
    expect(budgetsNeeded([row(2, 0.1), row(4, 0.6)], [0.5])).toMatchObject([{ budget: 2, isAtMost: true }])
    const [first] = budgetsNeeded([row(1, 0.6), row(2, 0.4), row(4, 0.6), row(8, 0.3)], [0.5])
    expect(first!.budget).toBeCloseTo(Math.SQRT2, 12)
  })

  it('are told for every policy and mode, and for none of them where nothing is lost', () => {
    const rows = [row(1, null, 'a'), row(1, 0.5, 'b'), { ...row(1, 0.5, 'b'), mode: 'offline' as const }]
    expect(budgetsNeeded(rows, [0.5]).map(({ policy, mode, budget }) => [policy, mode, budget])).toEqual([
      ['a', 'online', null],
      ['b', 'online', 1],
      ['b', 'offline', 1],
    ])
    expect(budgetsNeeded([])).toEqual([])
  })
})

describe("Spearman's rank correlation", () => {
  it('is that of the ranks, counted one by one', () => {
    withSeed('spearman', (seed) => {
      const random = seededRandom('spearman', seed)
      for (let round = 0; round < 100; round++) {
        const [a, b] = [1, 2].map(() => Array.from({ length: 8 }, () => random.between(0, 5))) as [number[], number[]]
        const rank = (values: number[], value: number) =>
          values.filter((other) => other < value).length + values.filter((other) => other === value).length / 2
        const ranks = [a, b].map((values) => values.map((value) => rank(values, value))) as [number[], number[]]
        const centred = ranks.map((some) => some.map((value) => value - some.reduce((x, y) => x + y) / 8))
        const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * y[at]!, 0)
        const expected =
          dot(centred[0]!, centred[1]!) / Math.sqrt(dot(centred[0]!, centred[0]!) * dot(centred[1]!, centred[1]!))
        if (Number.isNaN(expected)) expect(spearman(a, b)).toBeNaN()
        else expect(spearman(a, b)).toBeCloseTo(expected, 12)
      }
    })
  })

  it('has an interval around it that narrows with more pairs', () => {
    const random = seededRandom('interval')
    const widths = [30, 3000].map((count) => {
      const a = Array.from({ length: count }, random.next)
      const b = a.map((value) => value + random.next())
      const { low, high } = spearmanInterval(a, b, { samples: 200, confidence: 0.95, seed: 1 })
      expect(low).toBeLessThan(spearman(a, b))
      expect(high).toBeGreaterThan(spearman(a, b))
      expect(spearmanInterval(a, b, { samples: 200, confidence: 0.95, seed: 1 })).toEqual({ low, high })
      expect(spearmanInterval(a, b, { samples: 200, confidence: 0.95, seed: 2 })).not.toEqual({ low, high })
      return high - low
    })
    expect(widths[1]!).toBeLessThan(widths[0]! / 4)
    expect(spearmanInterval([], [], { samples: 9, confidence: 0.9, seed: 1 })).toEqual({
      low: Number.NaN,
      high: Number.NaN,
    })
  })
})

describe('the forecast', () => {
  const DAY_MS = 86_400_000

  /** Page p changes at steps 1 to 4 and gains what is said, by step; a day lies between two steps. */
  function inputOf(gains: readonly (readonly number[])[]): QualityInput {
    const all = new Map(gains.map((_, page) => [page, { 0: 1 }]))
    const { timeline, scores } = scoredWorld(gains.length, [1], [all, all, all, all, all])
    const column = [gains.map(() => 0), ...[0, 1, 2, 3].map((step) => gains.map((ofPage) => ofPage[step]!))].flat()
    return {
      timeline: { ...timeline, atMs: timeline.atMs.map((_, step) => step * DAY_MS) },
      scores,
      spec: { data: '', scoring: 'tfidf', queries: 1, pages: 'always', seed: 3 },
      leftOut: 0,
      untouchedQuality: 1,
      untouchedLosses: new Float64Array(1),
      gains: { full: Float64Array.from(column) },
    }
  }

  it('compares gains per day of both halves', () => {
    const input = inputOf([
      [1, 2, 3, 4],
      [0, 0, 0, 0],
      [4, 4, 5, 5],
      [0, 1, 0, 0],
    ])
    const { lastOfFirst, pages, gainingPages, points } = forecastGains(input, { estimator: 'full' })
    expect(lastOfFirst).toBe(2)
    expect(points.map(({ url, first, second }) => [url, first.toFixed(9), second.toFixed(9)])).toEqual([
      ['page-0', (1.5).toFixed(9), (3.5).toFixed(9)],
      ['page-2', (4).toFixed(9), (5).toFixed(9)],
      ['page-3', (0.5).toFixed(9), (0).toFixed(9)],
    ])
    expect(gainingPages).toMatchObject({ count: 3, spearman: 1 })
    expect(pages.count).toBe(4)
    expect(pages.spearman).toBeCloseTo(spearman([1.5, 0, 4, 0.5], [3.5, 0, 5, 0]), 12)
    expect(forecastGains(input, { estimator: 'full' }).pages).toEqual(pages)
  })

  it('has nothing to compare where nothing was gained', () => {
    const none = { spearman: null, interval: null }
    const { pages, gainingPages, points } = forecastGains(inputOf([[0, 0, 0, 0]]), { estimator: 'full' })
    expect({ pages, gainingPages, points }).toEqual({
      pages: { count: 1, ...none },
      gainingPages: { count: 0, ...none },
      points: [],
    })
  })

  it('refuses estimates that the input does not have', () => {
    expect(() => forecastGains(inputOf([[0, 0, 0, 0]]), { estimator: 'single' })).toThrow(
      'the input has no gains by single',
    )
    expect(() => forecastGains(inputOf([[0, 0, 0, 0]]), { estimator: 'full', samples: 0 })).toThrow('samples must be')
  })
})
