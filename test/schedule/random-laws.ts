import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../src/change/laws/weibull.js'
import type { UpdateLaw } from '../../src/change/update-law.js'
import type { SeededRandom } from '../support/seed.js'

/** A law for a period of 1. Parameters are coarse now and then, so that pages are alike and gains equal. */
export function randomLaw(random: SeededRandom): UpdateLaw {
  const rate = random.chance(0.3) ? random.between(1, 3) : 10 ** (8 * random.next() - 4)
  const chance = random.next()
  if (chance < 0.5) return new PoissonLaw({ rate })
  if (chance < 0.75) {
    const shape = random.chance(0.3) ? 2 : 1.05 + 3 * random.next()
    return new ParetoLaw({ shape, scale: (shape - 1) / rate })
  }
  if (chance < 0.8) return new WeibullLaw({ shape: 0.4 + 2 * random.next(), scale: 1 / rate })
  return randomUpdateTimes(random, random.int(6))
}

export function randomUpdateTimes(random: SeededRandom, count: number): QuasiDeterministicLaw {
  const times = new Set(Array.from({ length: count }, () => (random.chance(0.3) ? random.int(10) / 10 : random.next())))
  return new QuasiDeterministicLaw({
    period: 1,
    times: [...times].sort((a, b) => a - b),
    probabilities: Array.from(times, () => (random.chance(0.2) ? 1 : random.next())),
    startStale: random.chance(0.5) ? 0 : random.next(),
  })
}
