/**
 * Pages that change by different laws, in the mixtures and with the weights of "Optimal crawling strategies", section
 * 5.
 */

import { numberOption } from '../../../base/checks.js'
import { ParetoLaw } from '../../../change/laws/pareto.js'
import { PoissonLaw } from '../../../change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../../change/laws/quasi-deterministic.js'
import type { UpdateLaw } from '../../../change/update-law.js'
import { clickFrequencies, embarrassmentWeight } from '../../../schedule/embarrassment.js'
import { Randomness } from '../../worlds/randomness.js'

export interface MixtureOptions {
  readonly pages: number
  readonly seed: number
  /** The length of the period in which `meanUpdates` happen on average; 1 unless told. */
  readonly period?: number
  /** Updates of a page in a period, over all pages; 1.5 unless told. */
  readonly meanUpdates?: number
  /** How alike pages are: the n-th changes in proportion to n^(theta - 1); 0 unless told, the most skewed. */
  readonly theta?: number
  /** Which part of the pages has which law; what is left is Poisson. 0.3 and 0.1 unless told. */
  readonly paretoShare?: number
  readonly quasiDeterministicShare?: number
  /** The shape of Pareto laws; 1.5 unless told. */
  readonly paretoShape?: number
}

export interface UpdateMixture {
  readonly period: number
  readonly laws: readonly UpdateLaw[]
  /** Embarrassment by stale copies (Eq. 8). */
  readonly weights: Float64Array
}

/**
 * Possible updates of a quasi-deterministic page in a period. The few pages that would have more take too long to plan.
 */
const MAX_UPDATE_TIMES = 1000
const RESULT_PAGES = 5
const PLACES = 10
/** From one result page to the next. */
const NEXT_PAGE_PROBABILITY = 0.8
/** How far the places at which a page is returned lie from their centre. The paper does not say. */
const PLACE_DEVIATION = 5

export function generateMixture(options: MixtureOptions): UpdateMixture {
  const { pages, seed, period = 1, meanUpdates = 1.5, theta = 0, paretoShape = 1.5 } = options
  const { paretoShare = 0.3, quasiDeterministicShare = 0.1 } = options
  numberOption('pages', pages, 1, { min: 1, integer: true })
  numberOption('theta', theta, 0, { min: 0, max: 1 })
  const random = new Randomness(seed)
  const rates = zipfRates(pages, theta, meanUpdates / period, random)
  const laws = Array.from(rates, (rate): UpdateLaw => {
    const chance = random.next()
    if (chance < quasiDeterministicShare) return updateTimesLaw(rate, period, random)
    if (chance < quasiDeterministicShare + paretoShare) {
      return new ParetoLaw({ shape: paretoShape, scale: (paretoShape - 1) / rate })
    }
    return new PoissonLaw({ rate })
  })
  return { period, laws, weights: embarrassmentWeights(pages, random) }
}

/** Rates of mean `meanRate`, the n-th highest in proportion to n^(theta - 1), in random order. */
function zipfRates(pages: number, theta: number, meanRate: number, random: Randomness): Float64Array {
  const rates = Float64Array.from({ length: pages }, (_, at) => (at + 1) ** (theta - 1))
  const scale = (meanRate * pages) / rates.reduce((sum, rate) => sum + rate, 0)
  for (let last = pages - 1; last >= 0; last--) {
    const other = random.between(0, last)
    const rate = rates[other]! * scale
    rates[other] = rates[last]!
    rates[last] = rate
  }
  return rates
}

/** Twice as many possible updates as are expected, as far as that goes, at random times. */
function updateTimesLaw(rate: number, period: number, random: Randomness): QuasiDeterministicLaw {
  const expected = rate * period
  const count = Math.min(MAX_UPDATE_TIMES, Math.max(1, Math.ceil(2 * expected)))
  // Each in a part of the period of its own, so that no two are the same.
  const times = Float64Array.from({ length: count }, (_, at) => ((at + random.next()) * period) / count)
  const probabilities = new Float64Array(count).fill(Math.min(1, expected / count))
  return new QuasiDeterministicLaw({ period, times, probabilities })
}

/**
 * Five result pages of ten places. Clicks fall like 1 / place, and by a factor from page to page; a page is returned
 * around a centre of its own; a stale copy is wrong with a probability of its own.
 */
function embarrassmentWeights(pages: number, random: Randomness): Float64Array {
  const places = RESULT_PAGES * PLACES
  const clicks = clickFrequencies({ places: PLACES, pages: RESULT_PAGES, onward: NEXT_PAGE_PROBABILITY })
  const byCentre = Array.from({ length: places }, (_, centre) => {
    const bell = (at: number) => Math.exp(-0.5 * ((at - centre) / PLACE_DEVIATION) ** 2)
    const sum = Array.from({ length: places }, (_, at) => bell(at)).reduce((a, b) => a + b)
    return embarrassmentWeight({ incorrect: 1, clicks, returned: grid((at) => bell(at) / sum) })
  })
  return Float64Array.from({ length: pages }, () => random.pick(byCentre) * random.next())
}

/** Rows are places, columns result pages; `at` counts through all places. */
function grid(cell: (at: number, page: number) => number): number[][] {
  return Array.from({ length: PLACES }, (_, place) =>
    Array.from({ length: RESULT_PAGES }, (_, page) => cell(page * PLACES + place, page)),
  )
}
