/** The limits of refresh periods, and the same read the other way round. */
import { describe, expect, it } from 'vitest'
import { boundedPeriodMs, dueByLimits, type PeriodLimits } from '../../src/change/period-limits.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe('a bounded period', () => {
  it('is cut by risk and by learning, but not below one tick', () => {
    const limits = { risk: 10, learningMs: 3 }
    const page = { thresholdMs: 2, fetches: 4, tickMs: 5 }
    expect(boundedPeriodMs(7, limits, page)).toBe(7)
    expect(boundedPeriodMs(26, limits, page)).toBe(12)
    expect(boundedPeriodMs(26, limits, { ...page, fetches: 9 })).toBe(20)
    expect(boundedPeriodMs(1, limits, page)).toBe(5)
  })

  it('grows by three thresholds with each fetch unless told, up to a hundred', () => {
    const of = (fetches: number) => boundedPeriodMs(Number.POSITIVE_INFINITY, {}, { thresholdMs: 2, fetches })
    expect([1, 2, 10, 33, 34, 1000].map(of)).toEqual([6, 12, 60, 198, 200, 200])
  })
})

describe('what is due by limits', () => {
  it('is the highest threshold whose period is over', () => {
    withSeed('limits', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 1000; round++) {
        const limits: PeriodLimits = {
          risk: random.pick([1, 3, 100, Number.POSITIVE_INFINITY]),
          ...(random.chance(0.5) ? { learning: random.pick([1, 3, 10]) } : { learningMs: 100 * random.next() }),
        }
        const ageMs = 1 + 1000 * random.next()
        const fetches = random.between(1, 50)
        const highest = dueByLimits(limits).dueMs(ageMs, fetches)
        const isOver = (thresholdMs: number) =>
          ageMs >= boundedPeriodMs(Number.POSITIVE_INFINITY, limits, { thresholdMs, fetches })
        expect(highest).toBeLessThanOrEqual(ageMs)
        if (highest > 0) expect(isOver(highest * (1 - 1e-9))).toBe(true)
        if (highest < ageMs) expect(isOver(highest * (1 + 1e-9) + 1e-9)).toBe(false)
      }
    })
  })
})
