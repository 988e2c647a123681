/**
 * Which law a page follows, from visits that saw whether it had changed since the visit before, but not when. All laws
 * are fitted by maximum likelihood to the same visits, so their likelihoods can be compared. The best law has the
 * smallest Akaike criterion, corrected for few observations (Hurvich and Tsai, Regression and time series model
 * selection in small samples, 1989):
 *
 *   2 k - 2 ln likelihood + 2 k (k + 1) / (n - k - 1), for k parameters and n visits that saw a change.
 *
 * The criterion makes up for the advantage of a law with more parameters. Observations are the changes, as events are
 * in survival analysis: if a page changed once, the visits without a change say little about a shape, and some regular
 * law always explains the one change better than chance does. Unlike a held-out sample, the criterion uses all visits,
 * of which most pages have few.
 */
import { requireList, requireObject } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { QuasiDeterministicLaw } from './laws/quasi-deterministic.js'
import { totalsOf, type VisitHistory } from './rate-estimators.js'
import { type FittedLaw, fitPareto, fitPoisson, fitWeibull } from './renewal-fits.js'
import type { LawKind, UpdateLaw } from './update-law.js'

/** A general survival function has no parameters to fit. */
export type FittedKind = Exclude<LawKind, 'survival'>

export const FITTED_KINDS = [
  'poisson',
  'weibull',
  'pareto',
  'quasi-deterministic',
] as const satisfies readonly FittedKind[]

export interface LawFit extends FittedLaw<UpdateLaw> {
  /** The corrected criterion; Infinity where there are too few changes for this many parameters. */
  readonly akaike: number
}

export interface LawFitOptions {
  /** Default: all kinds. */
  readonly kinds?: readonly FittedKind[]
  /** Without known times no quasi-deterministic law is fitted. */
  readonly updateTimes?: UpdateTimes
}

/** When the updates of a quasi-deterministic page may happen. */
export interface UpdateTimes {
  readonly periodMs: number
  /** When an update may happen, ascending, in [0, periodMs]. */
  readonly timesMs: readonly number[]
  /** The time of the first visit, before the history begins. The pattern repeats from 0. */
  readonly startMs: number
}

/**
 * The fitted laws, the best first, and of equally good ones that with fewer parameters. Times are in milliseconds. None
 * for a page that no visit saw changed. Where every visit saw a change, only Poisson and quasi-deterministic laws are
 * fitted, as such visits say nothing about the shape of an interval.
 */
export function fitLaws(history: VisitHistory, options: LawFitOptions = {}): LawFit[] {
  const { kinds = FITTED_KINDS, updateTimes } = requireObject('options', options)
  if (updateTimes !== undefined) requireObject('updateTimes', updateTimes)
  for (const kind of requireList('kinds', kinds)) {
    if (!FITTED_KINDS.includes(kind))
      throw new RangeError(`kinds must be among ${FITTED_KINDS.join(', ')}, received ${describe(kind)}`)
  }
  const { visits, changes } = totalsOf(history)
  if (changes === 0) return []
  const fits: FittedLaw<UpdateLaw>[] = []
  if (kinds.includes('poisson')) fits.push(fitPoisson(history))
  if (kinds.includes('weibull') && changes < visits) fits.push(fitWeibull(history))
  if (kinds.includes('pareto') && changes < visits) fits.push(fitPareto(history))
  if (kinds.includes('quasi-deterministic') && updateTimes !== undefined) {
    const fit = fitQuasiDeterministic(history, updateTimes)
    if (fit !== undefined) fits.push(fit)
  }
  // A law under which the visits are practically impossible is left out.
  const possible = fits.filter(({ logLikelihood }) => Number.isFinite(logLikelihood))
  return possible
    .map((fit) => ({ ...fit, akaike: akaike(fit, changes) }))
    .sort((a, b) => (a.akaike === b.akaike ? a.parameters - b.parameters : a.akaike - b.akaike))
}

function akaike({ parameters: k, logLikelihood }: FittedLaw<UpdateLaw>, changes: number): number {
  const spare = changes - k - 1
  return spare > 0 ? 2 * k - 2 * logLikelihood + (2 * k * (k + 1)) / spare : Number.POSITIVE_INFINITY
}

const MAX_ROUNDS = 1000
const TOLERANCE = 1e-10

/**
 * The probabilities with which the known times of a quasi-deterministic page bring an update ("Optimal crawling
 * strategies", section 2.3.3), by maximum likelihood. Which of the times since the last visit brought it is hidden, so
 * the maximum is found by expectation maximisation. Undefined when a visit saw a change that none of the times can have
 * brought.
 */
export function fitQuasiDeterministic(
  history: VisitHistory,
  { periodMs, timesMs, startMs }: UpdateTimes,
): FittedLaw<QuasiDeterministicLaw> | undefined {
  const lawOf = (probabilities: readonly number[]) =>
    new QuasiDeterministicLaw({ period: periodMs, times: timesMs, probabilities })
  // Checks the pattern before anything is computed from it.
  lawOf(timesMs.map(() => 0))
  let atMs = startMs
  const gaps = history.map(({ intervalMs, changed }) => {
    const fromMs = atMs
    atMs += intervalMs
    return { changed, chances: timesMs.map((time) => occurrences(time, periodMs, fromMs, fromMs + intervalMs)) }
  })
  if (gaps.some(({ changed, chances }) => changed && chances.every((count) => count === 0))) return undefined
  const probabilities = climbed(gaps, timesMs.length)
  return {
    law: lawOf(probabilities),
    logLikelihood: gaps.reduce((sum, gap) => sum + logProbability(gap, probabilities), 0),
    parameters: timesMs.length,
  }
}

interface VisitGap {
  readonly changed: boolean
  /** How often each of the times lies in the gap. */
  readonly chances: readonly number[]
}

function climbed(gaps: readonly VisitGap[], times: number): number[] {
  const totals = Array.from({ length: times }, (_, at) => gaps.reduce((sum, { chances }) => sum + chances[at]!, 0))
  let probabilities: number[] = totals.map((total) => (total === 0 ? 0 : 0.5))
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = probabilities
    const updates = before.map(() => 0)
    for (const { changed, chances } of gaps) {
      if (!changed) continue
      const changeProbability = 1 - quietProbability(chances, before)
      for (const [at, count] of chances.entries()) updates[at]! += (count * before[at]!) / changeProbability
    }
    probabilities = updates.map((count, at) => (totals[at] === 0 ? 0 : Math.min(1, count / totals[at]!)))
    if (probabilities.every((value, at) => Math.abs(value - before[at]!) <= TOLERANCE)) break
  }
  return probabilities
}

function logProbability({ changed, chances }: VisitGap, probabilities: readonly number[]): number {
  const quiet = quietProbability(chances, probabilities)
  return Math.log(changed ? 1 - quiet : quiet)
}

function quietProbability(chances: readonly number[], probabilities: readonly number[]): number {
  return chances.reduce((quiet, count, at) => quiet * (1 - probabilities[at]!) ** count, 1)
}

/** How many of the times … time - period, time, time + period … lie in (from, to]. */
function occurrences(time: number, period: number, from: number, to: number): number {
  return Math.floor((to - time) / period) - Math.floor((from - time) / period)
}
