/**
 * What the own visits say of how often pages change, as chances of a few rates instead of one estimate: a page seen unchanged once
 * is then likely calm, not dead. Changes are taken for a Poisson process: a visit after t finds one with probability 1 - e^(-l t).
 *
 * The prior is how the rates are distributed over the pages visited so far (empirical Bayes: one step of expectation maximisation each
 * time it is asked for anew), beginning with all rates alike.
 */
import { DAY_MS } from '../../base/time.js'
import type { RefreshOutcome } from '../quality/replay.js'

/** From one change a day down to one in six years, each half of the one before. */
export const GRID_RATES_PER_MS: readonly number[] = Array.from({ length: 12 }, (_, at) => 2 ** -at / DAY_MS)
const RATES = GRID_RATES_PER_MS.length

export class RatePosterior {
  /** By page and rate: the log-likelihood of its visits. */
  readonly #logLikelihoods: Float64Array
  readonly #visited = new Set<number>()
  /** By rate; their sum is 1. */
  #prior: Float64Array = new Float64Array(RATES).fill(1 / RATES)

  constructor(pages: number) {
    this.#logLikelihoods = new Float64Array(pages * RATES)
  }

  /** A visit that fetched the page for the first time saw no interval. */
  note(page: number, { kind }: RefreshOutcome, ageMs: number): void {
    if (kind === 'added' || ageMs <= 0) return
    this.#visited.add(page)
    GRID_RATES_PER_MS.forEach((rate, at) => {
      const same = -rate * ageMs
      this.#logLikelihoods[page * RATES + at]! += kind === 'same' ? same : Math.log(-Math.expm1(same))
    })
  }

  /** Takes the prior from the pages visited so far; every rate counts as one page more, so that none is ruled out. */
  learnPrior(): void {
    const sums = new Float64Array(RATES).fill(1)
    for (const page of this.#visited)
      this.chances(page).forEach((chance, at) => {
        sums[at]! += chance
      })
    this.#prior = sums.map((sum) => sum / (RATES + this.#visited.size))
  }

  /** Of the rates of the grid, for one page; their sum is 1. */
  chances(page: number): Float64Array {
    if (!this.#visited.has(page)) return this.#prior
    const logs = this.#logLikelihoods.subarray(page * RATES, (page + 1) * RATES)
    const highest = Math.max(...logs)
    const weights = this.#prior.map((chance, at) => chance * Math.exp(logs[at]! - highest))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return weights.map((weight) => weight / sum)
  }
}
