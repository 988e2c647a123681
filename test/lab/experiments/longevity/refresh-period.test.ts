import { describe, expect, it } from 'vitest'
import { type DivergenceCurve, refreshPeriodMs } from '../../../../src/change/divergence-curve.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { solveThreshold } from '../../../support/solve-threshold.js'

describe('the threshold of a budget', () => {
  it('is that at which as many refreshes are made', () => {
    withSeed('thresholds', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 20; round++) {
        const unitMs = 10 ** random.between(0, 10)
        const curves = Array.from({ length: 30 }, () => randomCurve(random, unitMs))
        const refreshesAt = (thresholdMs: number) =>
          curves.reduce((sum, curve) => sum + 1 / refreshPeriodMs(curve, thresholdMs), 0)
        const budget = (30 * (0.1 + 3 * random.next())) / unitMs
        const thresholdMs = solveThreshold(refreshesAt, budget)
        // Curves fall silent one by one as the threshold grows, so the sum may jump.
        expect(refreshesAt(thresholdMs)).toBeLessThanOrEqual(budget)
        expect(refreshesAt(thresholdMs / (1 + 1e-8))).toBeGreaterThan(budget * (1 - 1e-6))
      }
    })
  })

  it('is taken where a jump over the budget is done', () => {
    const refreshesAt = (thresholdMs: number) => (thresholdMs < 42 ? 3 : 1)
    expect(solveThreshold(refreshesAt, 2)).toBeCloseTo(42, 5)
    expect(refreshesAt(solveThreshold(refreshesAt, 2))).toBe(1)
  })

  it('is 0 where no budget is needed, Infinity where none is enough', () => {
    expect(solveThreshold(() => 0, 1)).toBe(0)
    expect(solveThreshold(() => 5, 5)).toBe(0)
    expect(solveThreshold(() => 5, 1)).toBe(Number.POSITIVE_INFINITY)
  })
})

function randomCurve(random: SeededRandom, unitMs: number): DivergenceCurve {
  return { ratePerMs: 10 ** (2 * random.next() - 1) / unitMs, items: random.pick([1, 2, 10]), share: random.next() }
}
