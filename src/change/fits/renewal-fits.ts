/** The renewal laws that make what visits saw most likely. */
import { ParetoLaw } from '../laws/pareto.js'
import { PoissonLaw } from '../laws/poisson.js'
import { WeibullLaw } from '../laws/weibull.js'
import { choGarciaMolinaRate } from '../rates/cho-garcia-molina.js'
import { irregularIntervalRate } from '../rates/irregular-intervals.js'
import type { RenewalLaw } from '../update-law.js'
import { totalsOf, type VisitHistory } from '../visit-history.js'
import { climb } from './nelder-mead.js'
import { renewalLogLikelihood } from './renewal-likelihood.js'

export interface FittedLaw<Law> {
  readonly law: Law
  readonly logLikelihood: number
  /** How many numbers were chosen. */
  readonly parameters: number
}

/** The shapes of which the likeliest is where the search starts, and the bounds that keep laws away from those that no history can tell from their limits. */
const WEIBULL_SHAPES = { starts: [0.6, 1, 2.5], min: 0.1, max: 20 } as const
const PARETO_SHAPES = { starts: [1.3, 2.5, 10], min: 1.01, max: 1000 } as const
const FIRST_STEP = 0.5

/**
 * REQUIRES: a visit that saw a change. Where all visits did, there is no largest likelihood, and the rate is that of Cho and
 * Garcia-Molina, which stays finite.
 */
export function fitPoisson(history: VisitHistory): FittedLaw<PoissonLaw> {
  const { visits, changes, totalMs } = totalsOf(history)
  const rate =
    changes === visits
      ? choGarciaMolinaRate({ visits, changes, intervalMs: totalMs / visits })
      : irregularIntervalRate(history)
  return { law: new PoissonLaw({ rate }), logLikelihood: poissonLogLikelihood(rate, history), parameters: 1 }
}

/** Visits are independent of each other, so there is nothing hidden to sum over. */
function poissonLogLikelihood(rate: number, history: VisitHistory): number {
  return history.reduce(
    (sum, { intervalMs, changed }) => sum + (changed ? Math.log(-Math.expm1(-rate * intervalMs)) : -rate * intervalMs),
    0,
  )
}

/** REQUIRES: a visit that saw a change and one that saw none. */
export function fitWeibull(history: VisitHistory): FittedLaw<WeibullLaw> {
  return fitByMeanAndShape(history, WEIBULL_SHAPES, 0, (meanMs, shape) => {
    const unit = new WeibullLaw({ shape, scale: 1 })
    return new WeibullLaw({ shape, scale: meanMs / unit.meanInterval })
  })
}

/** REQUIRES: a visit that saw a change and one that saw none. */
export function fitPareto(history: VisitHistory): FittedLaw<ParetoLaw> {
  return fitByMeanAndShape(
    history,
    PARETO_SHAPES,
    1,
    (meanMs, shape) => new ParetoLaw({ shape, scale: meanMs * (shape - 1) }),
  )
}

/** Searched on the logarithms of the mean interval and of the shape above its lower limit: all such pairs are laws. */
function fitByMeanAndShape<Law extends RenewalLaw>(
  history: VisitHistory,
  shapes: { readonly starts: readonly number[]; readonly min: number; readonly max: number },
  limit: number,
  lawOf: (meanMs: number, shape: number) => Law,
): FittedLaw<Law> {
  const lawAt = ([logMean = 0, logShape = 0]: readonly number[]) => lawOf(Math.exp(logMean), limit + Math.exp(logShape))
  const value = (place: readonly number[]) => {
    const shape = limit + Math.exp(place[1]!)
    if (shape < shapes.min || shape > shapes.max) return Number.NEGATIVE_INFINITY
    return renewalLogLikelihood(lawAt(place), history)
  }
  const logMean = -Math.log(irregularIntervalRate(history))
  const starts = shapes.starts.map((shape) => [logMean, Math.log(shape - limit)])
  const values = starts.map(value)
  const peak = climb(value, starts[values.indexOf(Math.max(...values))]!, FIRST_STEP)
  return { law: lawAt(peak.place), logLikelihood: peak.value, parameters: 2 }
}
