/** Laws by which pages of generated worlds are updated, drawn by chance. */
import { HOUR_MS, WEEK_MS } from '../../base/time.js'
import { ParetoLaw } from '../../change/laws/pareto.js'
import { PoissonLaw } from '../../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../change/laws/weibull.js'
import type { UpdateLaw } from '../../change/update-law.js'
import type { Randomness } from '../randomness.js'

export const GENERATED_LAWS = ['poisson', 'pareto', 'weibull', 'quasi-deterministic'] as const
export type GeneratedLawKind = (typeof GENERATED_LAWS)[number]

/** Heavy tails, but with a mean. */
const PARETO_SHAPES = { low: 1.2, high: 3 } as const
/** From bursts, below 1, to nearly regular updates. */
const WEIBULL_SHAPES = { low: 0.5, high: 4 } as const
/** An update that is due happens with at least this probability: fewer times, not less sure ones, make rare updates. */
const SURE_PROBABILITY = 0.5

/** With this mean interval, in milliseconds. Quasi-deterministic updates come at fixed hours of a period of weeks. */
export function drawLaw(kind: GeneratedLawKind, meanMs: number, random: Randomness): UpdateLaw {
  switch (kind) {
    case 'poisson':
      return new PoissonLaw({ rate: 1 / meanMs })
    case 'pareto': {
      const shape = within(PARETO_SHAPES, random)
      return new ParetoLaw({ shape, scale: meanMs * (shape - 1) })
    }
    case 'weibull': {
      const shape = within(WEIBULL_SHAPES, random)
      return new WeibullLaw({ shape, scale: meanMs / new WeibullLaw({ shape, scale: 1 }).meanInterval })
    }
    case 'quasi-deterministic':
      return drawTimes(meanMs, random)
  }
}

function drawTimes(meanMs: number, random: Randomness): QuasiDeterministicLaw {
  const period = WEEK_MS * Math.max(1, Math.ceil(meanMs / WEEK_MS))
  const hours = Math.round(period / HOUR_MS)
  const updates = period / meanMs
  const wanted = Math.min(hours, random.between(Math.ceil(updates), Math.ceil(updates / SURE_PROBABILITY)))
  const times = new Set<number>()
  while (times.size < wanted) times.add(random.between(1, hours) * HOUR_MS)
  const ascending = [...times].sort((a, b) => a - b)
  return new QuasiDeterministicLaw({
    period,
    times: ascending,
    probabilities: ascending.map(() => Math.min(1, updates / wanted)),
  })
}

function within({ low, high }: { readonly low: number; readonly high: number }, random: Randomness): number {
  return low + (high - low) * random.next()
}
