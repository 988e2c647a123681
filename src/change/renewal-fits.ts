/**
 * Fits renewal laws to visits by maximum likelihood. Visits saw whether there was an update since the visit before, not
 * when nor how many.
 */
import { climb } from '../math/nelder-mead.js'
import { ParetoLaw } from './laws/pareto.js'
import { PoissonLaw } from './laws/poisson.js'
import { WeibullLaw } from './laws/weibull.js'
import { choGarciaMolinaRate, irregularIntervalRate, totalsOf, type VisitHistory } from './rate-estimators.js'
import type { RenewalLaw } from './update-law.js'

export interface FittedLaw<Law> {
  readonly law: Law
  readonly logLikelihood: number
  /** The number of fitted parameters. */
  readonly parameters: number
}

/**
 * The shapes of which the likeliest is where the search starts, and the bounds beyond which no history can tell a law
 * from its limit.
 */
const WEIBULL_SHAPES = { starts: [0.6, 1, 2.5], min: 0.1, max: 20 } as const
const PARETO_SHAPES = { starts: [1.3, 2.5, 10], min: 1.01, max: 1000 } as const
/**
 * How far the mean may be from that of the fitted Poisson law, either way. Where a page changed often and then never
 * again, a Pareto law is the likelier the smaller its mean, until its parameters are no numbers any more; visits tell
 * nothing of what happens so much faster than they come.
 */
const MOST_LOG_MEAN_SHIFT = Math.log(1e9)
const FIRST_STEP = 0.5

/**
 * Where all visits saw a change, the likelihood has no maximum, and the rate is the finite one of Cho and
 * Garcia-Molina. REQUIRES: a visit that saw a change.
 */
export function fitPoisson(history: VisitHistory): FittedLaw<PoissonLaw> {
  const { visits, changes, totalMs } = totalsOf(history)
  const rate =
    changes === visits
      ? choGarciaMolinaRate({ visits, changes, intervalMs: totalMs / visits })
      : irregularIntervalRate(history)
  return { law: new PoissonLaw({ rate }), logLikelihood: poissonLogLikelihood(rate, history), parameters: 1 }
}

/** Visits are independent of each other, so there are no hidden updates to sum over. */
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

/** Searches over the logarithms of the mean interval and of the shape above its lower limit: every pair is a law. */
function fitByMeanAndShape<Law extends RenewalLaw>(
  history: VisitHistory,
  shapes: { readonly starts: readonly number[]; readonly min: number; readonly max: number },
  limit: number,
  lawOf: (meanMs: number, shape: number) => Law,
): FittedLaw<Law> {
  const lawAt = ([logMean = 0, logShape = 0]: readonly number[]) => lawOf(Math.exp(logMean), limit + Math.exp(logShape))
  const logMean = -Math.log(irregularIntervalRate(history))
  const value = (place: readonly number[]) => {
    const shape = limit + Math.exp(place[1]!)
    if (shape < shapes.min || shape > shapes.max) return Number.NEGATIVE_INFINITY
    if (Math.abs(place[0]! - logMean) > MOST_LOG_MEAN_SHIFT) return Number.NEGATIVE_INFINITY
    return renewalLogLikelihood(lawAt(place), history)
  }
  const starts = shapes.starts.map((shape) => [logMean, Math.log(shape - limit)])
  const values = starts.map(value)
  const peak = climb(value, starts[values.indexOf(Math.max(...values))]!, FIRST_STEP)
  return { law: lawAt(peak.place), logLikelihood: peak.value, parameters: 2 }
}

const CELLS = 8

/** The last gap between visits in which there was an update. */
interface Gap {
  readonly endMs: number
  readonly cellMs: number
  /**
   * For each cell, the probability that it holds the last update of the gap, given all that was seen until endMs,
   * divided by the survival from the cell to endMs. Times the survival to a later time, this is the probability that
   * there was no update since.
   */
  readonly weights: Float64Array
}

/**
 * ln of the probability of all visits under a renewal law. Times of the law are in milliseconds; the first visit is at
 * 0, when the law is in equilibrium ("Optimal crawling strategies", section 2.1). Hidden updates make this a sum over
 * all times at which they may have happened, computed forward in time.
 *
 * The time between two visits of which the later saw a change is cut into cells of equal length, and an update in a
 * cell counts as one in its middle. The future depends on the past only by the last update, so a weight is kept for
 * each cell that may hold it. A visit that saw a change leaves only the cells since the visit before; other visits just
 * let time pass. For Poisson laws, which have no memory, this is exact; for others the error falls with the square of
 * the length of a cell.
 */
export function renewalLogLikelihood(law: RenewalLaw, history: VisitHistory, cells = CELLS): number {
  let logLikelihood = 0
  let last: Gap | undefined
  let atMs = 0
  for (const { intervalMs, changed } of history) {
    const fromMs = atMs
    atMs += intervalMs
    if (!changed) continue
    const { gap, probability } = updatesBetween(law, last, fromMs, atMs, cells)
    if (!(probability > 0)) return Number.NEGATIVE_INFINITY
    logLikelihood += Math.log(probability)
    last = gap
  }
  return logLikelihood + Math.log(noUpdateUntil(law, last, atMs))
}

/**
 * The probability, given all that was seen until the end of `last`, that there is no update from there until fromMs and
 * at least one from fromMs until toMs; and the gap in that case.
 */
function updatesBetween(law: RenewalLaw, last: Gap | undefined, fromMs: number, toMs: number, cells: number) {
  const cellMs = (toMs - fromMs) / cells
  /** From the middle of a cell to the end of the k-th one after it. */
  const survivals = Float64Array.from({ length: cells }, (_, k) => law.survival((k + 0.5) * cellMs))
  const toOwnEnd = survivals[0]!
  const weights = firstUpdates(law, last, fromMs, cellMs, cells)
  for (let cell = 0; cell < cells; cell++) {
    // The first update since the last gap, or the first one since an earlier cell of this gap.
    for (let earlier = 0; earlier < cell; earlier++) {
      weights[cell]! += weights[earlier]! * (survivals[cell - earlier - 1]! - survivals[cell - earlier]!)
    }
    weights[cell]! /= toOwnEnd
  }
  const probability = weights.reduce((sum, weight, cell) => sum + weight * survivals[cells - 1 - cell]!, 0)
  const gap: Gap = { endMs: toMs, cellMs, weights: weights.map((weight) => weight / probability) }
  return { gap, probability }
}

/** For each cell from fromMs on, the probability that it holds the first update since the end of `last`. */
function firstUpdates(
  law: RenewalLaw,
  last: Gap | undefined,
  fromMs: number,
  cellMs: number,
  cells: number,
): Float64Array {
  const quiet = Float64Array.from({ length: cells + 1 }, (_, nth) => noUpdateUntil(law, last, fromMs + nth * cellMs))
  return Float64Array.from({ length: cells }, (_, cell) => quiet[cell]! - quiet[cell + 1]!)
}

/** The probability of no update from the end of `last`, or without it from the first visit, until atMs. */
function noUpdateUntil(law: RenewalLaw, last: Gap | undefined, atMs: number): number {
  if (last === undefined) return 1 - law.staleProbability(atMs)
  const { endMs, cellMs, weights } = last
  let sum = 0
  for (let cell = 0; cell < weights.length; cell++) {
    sum += weights[cell]! * law.survival(atMs - endMs + (weights.length - cell - 0.5) * cellMs)
  }
  return sum
}
