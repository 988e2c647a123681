/**
 * How often a page changes, as probabilities of a few rates instead of one estimate. So a page that was seen unchanged
 * once is likely calm rather than dead, and one that had changed at its only visit is not taken to change all the time.
 * Changes are a Poisson process: a visit after t finds one with probability 1 - e^(-λt), so the likelihood of a rate is
 *
 *   ln P(visits | λ) = -λ · (time of the unchanged intervals) + Σ over changed intervals t of ln(1 - e^(-λt) (1 - ε)).
 *
 * ε is the probability of a change that has nothing to do with the rate, such as a second edit right after the first.
 * Without it, a change after a very short time would favour the highest rate.
 *
 * The prior is the distribution of rates over pages, learnt from their visits by expectation maximisation (empirical
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

/** ε. */
const STRAY_CHANCE = 0.002

/** Below this likelihood its square, the likelihood of the next rate, is negligible. */
const NEGLIGIBLE = 1e-100

/** The probabilities of the rates of the grid; their sum is 1. */
export type RateChances = Readonly<Float64Array>

/** What visits saw of a page. */
export interface SeenIntervals {
  /** The total time of the intervals at whose ends the page was unchanged. */
  readonly sameMs: number
  /** The intervals at whose ends the page had changed, each above 0. */
  readonly changedMs: readonly number[]
  /** Further such intervals, all taken to be of one length. */
  readonly furtherChanged: { readonly count: number; readonly intervalMs: number }
}

/**
 * The likelihood of these visits for each rate of the grid, up to a common factor. e^(-λt) is the square of its value
 * at half the rate, which is the next rate of the grid: a product replaces an exponential.
 */
export function visitLikelihoods({ sameMs, changedMs, furtherChanged }: SeenIntervals): Float64Array {
  const likelihoods = new Float64Array(GRID_SIZE)
  if (furtherChanged.count === 0) sameLikelihoods(sameMs, likelihoods)
  else likelihoods.set(longLikelihoods(sameMs, furtherChanged))
  for (let nth = 0; nth < changedMs.length; nth++) timesChanged(changedMs[nth]!, likelihoods)
  return likelihoods
}

/** Multiplies likelihoods by that of a change within an interval, which is above 0. */
export function timesChanged(intervalMs: number, likelihoods: Float64Array): void {
  let same = Math.exp(-LOWEST_RATE_PER_MS * intervalMs)
  for (let at = GRID_SIZE - 1; at >= 0; at--) {
    likelihoods[at]! *= 1 - (1 - STRAY_CHANCE) * same
    same *= same
  }
}

/** Writes the likelihoods of intervals of this length in all, at whose ends the page was unchanged. */
export function sameLikelihoods(sameMs: number, likelihoods: Float64Array): void {
  let same = Math.exp(-LOWEST_RATE_PER_MS * sameMs)
  // After hundreds of years only the lowest rate is left.
  if (same < NEGLIGIBLE) {
    likelihoods.fill(0)
    likelihoods[GRID_SIZE - 1] = 1
    return
  }
  for (let at = GRID_SIZE - 1; at >= 0; at--) {
    likelihoods[at] = same
    same *= same
  }
}

/** Computed with logarithms, which no number of changes makes underflow. */
function longLikelihoods(sameMs: number, { count, intervalMs }: SeenIntervals['furtherChanged']): Float64Array {
  const logs = GRID_RATES_PER_MS.map((rate) => -rate * sameMs + count * changedLog(rate * intervalMs))
  const highest = Math.max(...logs)
  return logs.map((log) => Math.exp(log - highest))
}

function changedLog(updates: number): number {
  return Math.log(STRAY_CHANCE - (1 - STRAY_CHANCE) * Math.expm1(-updates))
}

/** The posterior of a page by Bayes' rule. */
export function posteriorChances(prior: RateChances, likelihoods: Readonly<Float64Array>): RateChances {
  const chances = new Float64Array(GRID_SIZE)
  addPosterior(chances, prior, likelihoods)
  return chances
}

/** Adds the posterior of a page to sums of posteriors. */
export function addPosterior(sums: Float64Array, prior: RateChances, likelihoods: Readonly<Float64Array>): void {
  let all = 0
  for (let at = 0; at < GRID_SIZE; at++) all += prior[at]! * likelihoods[at]!
  for (let at = 0; at < GRID_SIZE; at++) sums[at]! += (prior[at]! * likelihoods[at]!) / all
}

/**
 * The distribution of rates over the pages with these likelihoods. `first` is the distribution assumed before any page
 * was seen, with the weight of `firstPages` pages. It is above 0 for all rates, so that no rate is ever ruled out.
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

/** The probability that the page has changed after this time. */
export function changeChance(chances: RateChances, ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum -= chances[at]! * Math.expm1(-GRID_RATES_PER_MS[at]! * ageMs)
  // The probabilities sum up to 1 only up to rounding.
  return Math.min(1, sum)
}

/** For each rate of the grid, the curve of a copy of which each change takes one of `items` parts. */
export function gridCurves(items: number): readonly DivergenceCurve[] {
  return Array.from(GRID_RATES_PER_MS, (ratePerMs) => ({ ratePerMs, items, share: 1 }))
}

/** E[U(λ, age)] in milliseconds: the stale time that a refresh saves. `curves` holds one curve for each rate. */
export function meanUtility(chances: RateChances, curves: readonly DivergenceCurve[], ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum += chances[at]! * utilityAt(curves[at]!, ageMs)
  return sum
}

/** An upper bound of the growth of the mean utility per millisecond, from this age on. */
export function meanUtilityGrowth(chances: RateChances, curves: readonly DivergenceCurve[], ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum += chances[at]! * utilityGrowth(curves[at]!, ageMs)
  return sum
}

/** Probabilities that fall by half with every step of the grid away from a rate. */
export function chancesAround(ratePerMs: number): RateChances {
  const chances = GRID_RATES_PER_MS.map((rate) => 2 ** -Math.abs(Math.log2(rate / ratePerMs)))
  const sum = chances.reduce((total, chance) => total + chance, 0)
  return chances.map((chance) => chance / sum)
}
