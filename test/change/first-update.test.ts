import { describe, expect, it } from 'vitest'
import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../src/change/laws/weibull.js'
import { firstUpdateAfter } from '../../src/change/update-law.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe('the first update after any moment', () => {
  it.each([
    new PoissonLaw({ rate: 0.3 }),
    new WeibullLaw({ shape: 3, scale: 2 }),
    new WeibullLaw({ shape: 0.5, scale: 2 }),
    new ParetoLaw({ shape: 1.2, scale: 1 }),
  ])('comes as soon as copies go stale: law %#', (law) => {
    withSeed('first update', (seed) => {
      const random = new SeededRandom(seed)
      for (let draw = 0; draw < 200; draw++) {
        const share = random.next()
        const update = firstUpdateAfter(law, 100, () => share)
        expect(law.staleProbability(update - 100)).toBeCloseTo(share, 6)
      }
    })
  })

  it('is the next time of a law that has times, and never comes where it cannot', () => {
    const law = new QuasiDeterministicLaw({ period: 7, times: [2], probabilities: [1] })
    expect(firstUpdateAfter(law, 8, () => 0)).toBe(9)
    expect(firstUpdateAfter(new ParetoLaw({ shape: 1.01, scale: 1e300 }), 0, () => 1 - 2 ** -53)).toBe(
      Number.POSITIVE_INFINITY,
    )
  })
})
