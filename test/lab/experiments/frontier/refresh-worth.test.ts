import { describe, expect, it } from 'vitest'
import { RefreshWorth } from '../../../../src/lab/experiments/frontier/budget-split.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'

describe('what utility is worth', () => {
  it('is what refreshes brought, with twenty that brought a fiftieth', () => {
    withSeed('refresh worth', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const refreshes = Array.from({ length: 1 + random.int(60) }, () => ({
          utility: 1 + 100 * random.next(),
          gain: random.chance(0.5) ? 0 : 10 * random.next(),
          ageMs: 1000 * random.next(),
        }))
        const worth = new RefreshWorth()
        for (const { utility, gain, ageMs } of refreshes) worth.note(utility, gain, ageMs)
        // The loss grew evenly to the gain: t D(t) less the area under D.
        const steps = 1000
        const worths = refreshes.map(({ gain, ageMs }) => {
          const area = Array.from({ length: steps }, (_, at) => (gain * (at + 0.5)) / steps).reduce((a, b) => a + b, 0)
          return ageMs * gain - (area * ageMs) / steps
        })
        const mean = refreshes.reduce((sum, { utility }) => sum + utility, 0) / refreshes.length
        const all = [...worths, ...Array.from({ length: 20 }, () => 0.02 * mean)]
        const expected = all.reduce((sum, one) => sum + one, 0) / (mean * (refreshes.length + 20))
        expect(worth.perUtility / expected).toBeCloseTo(1, 9)
      }
    })
  })

  it('is a guess before any', () => {
    const worth = new RefreshWorth()
    expect(worth.perUtility).toBe(0.02)
    worth.note(0, 0, 5)
    expect(worth.perUtility).toBe(0.02)
  })
})
