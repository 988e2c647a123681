/**
 * How often a page changes, as chances of a few rates instead of one estimate: a page that was seen unchanged once is
 * then likely calm, not dead, and one that had changed at its only visit is not taken to change all the time. Changes
 * are a Poisson process: a visit after t finds one with probability 1 - e^(-λt), so that the visits of a page say of a
 * rate
 *
 *   ln P(visits | λ) = -λ · (time of the unchanged intervals) + Σ over changed intervals t of ln(1 - e^(-λt) (1 - ε)).
 *
 * ε is the chance that a change has nothing to do with the rate, such as a second edit right after the first: without
 * it a change within a moment would speak for each rate in proportion to it, and the highest would win.
 *
 * The prior is how the rates are distributed over pages, found from their visits by expectation maximisation (empirical
 * Bayes).
 */
import { HOUR_MS } from '../base/time.js'
import { type DivergenceCurve, utilityAt, utilityGrowth } from './divergence-curve.js'

/** Rates of the grid. */
export const GRID_SIZE = 16
/** From one change an hour down to one in 3.7 years, each half of the one before. */
export const GRID_RATES_PER_MS: Readonly<Float64Array> = Float64Array.from(
  { length: GRID_SIZE },
  (_, at) => 2 ** -at / HOUR_MS,
)

const LOWEST_RATE_PER_MS = GRID_RATES_PER_MS[GRID_SIZE - 1]!

/** ε: a visit that finds a change of another kind. */
const STRAY_CHANCE = 0.002

/** A likelihood of which the square, that of the next rate, is nothing beside it. */
const NEGLIGIBLE = 1e-100

/** By rate of the grid; their sum is 1. */
export type RateChances = Readonly<Float64Array>

/** What the visits of a page say of its rate. */
export interface SeenIntervals {
  /** Time of the intervals at whose ends nothing had changed, together. */
  readonly sameMs: number
  /** Of those at whose ends it had, each above 0. */
  readonly changedMs: readonly number[]
  /** Further such intervals, all taken to be of one length. */
  readonly furtherChanged: { readonly count: number; readonly intervalMs: number }
}

/**
 * By rate of the grid: how likely these visits are, up to a factor that all rates share. e^(-λt) is the square of that
 * at half the rate, which the grid has too: that costs a product where there would be a logarithm and an exponential.
 */
export function visitLikelihoods({ sameMs, changedMs, furtherChanged }: SeenIntervals): Float64Array {
  const likelihoods = furtherChanged.count === 0 ? sameLikelihoods(sameMs) : longLikelihoods(sameMs, furtherChanged)
  for (let nth = 0; nth < changedMs.length; nth++) {
    let same = Math.exp(-LOWEST_RATE_PER_MS * changedMs[nth]!)
    for (let at = GRID_SIZE - 1; at >= 0; at--) {
      likelihoods[at]! *= 1 - (1 - STRAY_CHANCE) * same
      same *= same
    }
  }
  return likelihoods
}

function sameLikelihoods(sameMs: number): Float64Array {
  const likelihoods = new Float64Array(GRID_SIZE)
  let same = Math.exp(-LOWEST_RATE_PER_MS * sameMs)
  // After hundreds of years only the lowest rate is left.
  if (same < NEGLIGIBLE) {
    likelihoods[GRID_SIZE - 1] = 1
    return likelihoods
  }
  for (let at = GRID_SIZE - 1; at >= 0; at--) {
    likelihoods[at] = same
    same *= same
  }
  return likelihoods
}

/** By logarithms: no number of changes is too large for them. */
function longLikelihoods(sameMs: number, { count, intervalMs }: SeenIntervals['furtherChanged']): Float64Array {
  const logs = GRID_RATES_PER_MS.map((rate) => -rate * sameMs + count * changedLog(rate * intervalMs))
  const highest = Math.max(...logs)
  return logs.map((log) => Math.exp(log - highest))
}

function changedLog(updates: number): number {
  return Math.log(STRAY_CHANCE - (1 - STRAY_CHANCE) * Math.expm1(-updates))
}

/** By Bayes' rule. */
export function posteriorChances(prior: RateChances, likelihoods: Readonly<Float64Array>): RateChances {
  const chances = new Float64Array(GRID_SIZE)
  addPosterior(chances, prior, likelihoods)
  return chances
}

/** Adds the chances by Bayes' rule to sums of such. */
export function addPosterior(sums: Float64Array, prior: RateChances, likelihoods: Readonly<Float64Array>): void {
  let all = 0
  for (let at = 0; at < GRID_SIZE; at++) all += prior[at]! * likelihoods[at]!
  for (let at = 0; at < GRID_SIZE; at++) sums[at]! += (prior[at]! * likelihoods[at]!) / all
}

/**
 * How rates are distributed over the pages whose likelihoods are given. `first` is what is believed before any page was
 * seen, worth `firstPages` pages; above 0 throughout, so that no rate is ever ruled out.
 */
export function learntPrior(
  pages: readonly Readonly<Float64Array>[],
  first: RateChances,
  firstPages: number,
  rounds: number,
): RateChances {
  let prior = first
  for (let round = 0; round < rounds && pages.length > 0; round++) {
    const sums = first.map((chance) => chance * firstPages)
    for (const page of pages) addPosterior(sums, prior, page)
    prior = sums.map((sum) => sum / (firstPages + pages.length))
  }
  return prior
}

/** How likely the page has changed after this time. */
export function changeChance(chances: RateChances, ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum -= chances[at]! * Math.expm1(-GRID_RATES_PER_MS[at]! * ageMs)
  // Chances add up to 1 but for rounding.
  return Math.min(1, sum)
}

/** A copy of which each change takes a part, out of `items` of them: see divergence-curve.ts. By rate of the grid. */
export function gridCurves(items: number): readonly DivergenceCurve[] {
  return Array.from(GRID_RATES_PER_MS, (ratePerMs) => ({ ratePerMs, items, share: 1 }))
}

/**
 * E[U(λ, age)], in milliseconds: what a refresh saves of the time for which a copy is stale. `curves`: one for each
 * rate.
 */
export function meanUtility(chances: RateChances, curves: readonly DivergenceCurve[], ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum += chances[at]! * utilityAt(curves[at]!, ageMs)
  return sum
}

/** No less than the growth of the mean utility per millisecond, from this age on. */
export function meanUtilityGrowth(chances: RateChances, curves: readonly DivergenceCurve[], ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum += chances[at]! * utilityGrowth(curves[at]!, ageMs)
  return sum
}

/** Chances that fall off by half with every step of the grid away from a rate. */
export function chancesAround(ratePerMs: number): RateChances {
  const chances = GRID_RATES_PER_MS.map((rate) => 2 ** -Math.abs(Math.log2(rate / ratePerMs)))
  const sum = chances.reduce((total, chance) => total + chance, 0)
  return chances.map((chance) => chance / sum)
}
