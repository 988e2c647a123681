/**
 * The greedy index of weighted Poisson pages: w U(t), with U(t) = 1/l - (t + 1/l) e^(-l t), l the rate of changes and t
 * the age of the copy (Olston and Pandey, WWW 2008, Eq. 4 for a page of one piece; the same index orders the optimum of
 * Cho and Garcia-Molina). The weight w is the page's value at stake. With rates that are estimated as published it is a
 * policy of the product, `greedy-poisson`; here the rate is what visits leave likely.
 */

import { DAY_MS } from '../../base/time.js'
import { poissonUtility } from '../../change/divergence-curve.js'
import { choGarciaMolinaRate } from '../../change/rate-estimators.js'
import type { RefreshOutcome } from '../quality/replay.js'
import { forEachChange, type Timeline } from '../quality/timeline.js'
import { currentStakes } from './by-value.js'
import type { Judge } from './judged.js'

/** The utility is the mean over what the own visits leave likely of the rate: E[U], not U of one estimate. */
export function greedyPosterior(posterior: RatePosterior): Judge {
  const stakes = currentStakes()
  return {
    start: stakes.judge.start,
    beginStep: () => {
      stakes.judge.beginStep()
      posterior.learnPrior()
    },
    priority: (page, ageMs) => {
      const chances = posterior.chances(page)
      const utility = LAB_RATES_PER_MS.reduce((sum, rate, at) => sum + chances[at]! * poissonUtility(rate, ageMs), 0)
      return stakes.of(page) * utility
    },
    observe: (page, outcome, ageMs) => posterior.note(page, outcome, ageMs),
  }
}

/** From one change a day down to one in six years, each half of the one before. */
export const LAB_RATES_PER_MS: readonly number[] = Array.from({ length: 12 }, (_, at) => 2 ** -at / DAY_MS)
const RATES = LAB_RATES_PER_MS.length

/**
 * What a chooser's own visits say of how often pages change, as chances of a few rates instead of one estimate: a page
 * seen unchanged once is then likely calm, not dead. Changes are taken for a Poisson process: a visit after t finds
 * one with probability 1 - e^(-l t).
 *
 * The prior is how the rates are distributed over the pages visited so far (empirical Bayes: one step of expectation
 * maximisation each time it is asked for anew), beginning with all rates alike.
 */
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
    LAB_RATES_PER_MS.forEach((rate, at) => {
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

  /** The chances of the rates of the grid, for one page; their sum is 1. */
  chances(page: number): Float64Array {
    if (!this.#visited.has(page)) return this.#prior
    const logs = this.#logLikelihoods.subarray(page * RATES, (page + 1) * RATES)
    const highest = Math.max(...logs)
    const weights = this.#prior.map((chance, at) => chance * Math.exp(logs[at]! - highest))
    const sum = weights.reduce((total, weight) => total + weight, 0)
    return weights.map((weight) => weight / sum)
  }
}

/**
 * How often pages change, by the whole period: every step of a world looks at every page. By page: changes per step.
 * `counts`: whether a change does, by its place in the columns of the timeline; all unless told. 0 for a world of one
 * step.
 */
export function changesPerStep(timeline: Timeline, counts: (change: number) => boolean = () => true): Float64Array {
  const visits = timeline.atMs.length - 1
  if (visits === 0) return new Float64Array(timeline.urls.length)
  const changes = changeCounts(timeline, counts)
  return Float64Array.from(changes, (count) => choGarciaMolinaRate({ visits, changes: count, intervalMs: 1 }))
}

/** By page, after the first step. */
export function changeCounts(timeline: Timeline, counts: (change: number) => boolean = () => true): Uint32Array {
  const found = new Uint32Array(timeline.urls.length)
  forEachLaterChange(timeline, (change, page) => {
    if (counts(change)) found[page]!++
  })
  return found
}

/** Every change after the first step: its place in the columns of the timeline, its page and its step. */
export function forEachLaterChange(
  timeline: Timeline,
  visit: (change: number, page: number, step: number) => void,
): void {
  let change = timeline.changeEnds[0]!
  for (let step = 1; step < timeline.atMs.length; step++) {
    forEachChange(timeline, step, (page) => {
      visit(change, page, step)
      change++
    })
  }
}
