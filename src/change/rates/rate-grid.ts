/**
 * How often a page changes, as chances of a few rates instead of one estimate: a page that was seen unchanged once is then likely calm, not dead, and one
 * that had changed at its only visit is not taken to change all the time. Changes are a Poisson process: a visit after t finds one with
 * probability 1 - e^(-λt), so that the visits of a page say of a rate
 *
 *   ln P(visits | λ) = -λ · (time of the unchanged intervals) + Σ over changed intervals t of ln(1 - e^(-λt)).
 *
 * The prior is how the rates are distributed over pages, found from their visits by expectation maximisation (empirical Bayes).
 */
import { poissonUtility } from '../divergence-curve.js'

const HOUR_MS = 3_600_000
/** Rates of the grid. */
export const GRID_SIZE = 16
/** From one change an hour down to one in 3.7 years, each half of the one before. */
export const GRID_RATES_PER_MS: Readonly<Float64Array> = Float64Array.from(
  { length: GRID_SIZE },
  (_, at) => 2 ** -at / HOUR_MS,
)

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

/** By rate of the grid: the logarithm of how likely these visits are. */
export function visitLogLikelihoods({ sameMs, changedMs, furtherChanged }: SeenIntervals): Float64Array {
  const { count, intervalMs } = furtherChanged
  return GRID_RATES_PER_MS.map((rate) => {
    let sum = -rate * sameMs
    for (const interval of changedMs) sum += Math.log(-Math.expm1(-rate * interval))
    return count > 0 ? sum + count * Math.log(-Math.expm1(-rate * intervalMs)) : sum
  })
}

/** By Bayes' rule. */
export function posteriorChances(prior: RateChances, logLikelihoods: Readonly<Float64Array>): RateChances {
  let highest = Number.NEGATIVE_INFINITY
  for (const log of logLikelihoods) if (log > highest) highest = log
  let sum = 0
  const chances = new Float64Array(GRID_SIZE)
  for (let at = 0; at < GRID_SIZE; at++) {
    const chance = prior[at]! * Math.exp(logLikelihoods[at]! - highest)
    chances[at] = chance
    sum += chance
  }
  for (let at = 0; at < GRID_SIZE; at++) chances[at]! /= sum
  return chances
}

/**
 * How rates are distributed over the pages whose log-likelihoods are given. `first` is what is believed before any page was seen, worth
 * `firstPages` pages; above 0 throughout, so that no rate is ever ruled out.
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
    for (const page of pages) {
      const chances = posteriorChances(prior, page)
      for (let at = 0; at < GRID_SIZE; at++) sums[at]! += chances[at]!
    }
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

/** E[U(λ, age)], in milliseconds: what a refresh saves of the time for which a copy is stale. */
export function meanUtility(chances: RateChances, ageMs: number): number {
  let sum = 0
  for (let at = 0; at < GRID_SIZE; at++) sum += chances[at]! * poissonUtility(GRID_RATES_PER_MS[at]!, ageMs)
  return sum
}

/** Chances that fall off by half with every two steps of the grid away from a rate. */
export function chancesAround(ratePerMs: number): RateChances {
  const chances = GRID_RATES_PER_MS.map((rate) => 2 ** (-Math.abs(Math.log2(rate / ratePerMs)) / 2))
  const sum = chances.reduce((total, chance) => total + chance, 0)
  return chances.map((chance) => chance / sum)
}
