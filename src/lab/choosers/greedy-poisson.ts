/**
 * The greedy index of weighted Poisson pages: w U(t), with U(t) = 1/l - (t + 1/l) e^(-l t), l the rate of changes and t the age
 * of the copy (Olston and Pandey, WWW 2008, Eq. 4 for a page of one piece; the same index orders the optimum of Cho and
 * Garcia-Molina). The weight w is the page's value at stake. With rates that are learnt as published it is a policy of the product.
 */
import { poissonUtility } from '../../change/divergence-curve.js'
import type { Judge } from './judged-chooser.js'
import { GRID_RATES_PER_MS, type RatePosterior } from './rate-posterior.js'
import { currentStakes } from './value-at-stake.js'

/** `ratePerMs`: by page, known beforehand. */
export function greedyPoisson(ratePerMs: (page: number) => number): Judge {
  const stakes = currentStakes()
  return {
    ...stakes.judge,
    priority: (page, ageMs) => stakes.of(page) * poissonUtility(ratePerMs(page), ageMs),
  }
}

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
      const utility = GRID_RATES_PER_MS.reduce((sum, rate, at) => sum + chances[at]! * poissonUtility(rate, ageMs), 0)
      return stakes.of(page) * utility
    },
    observe: (page, outcome, ageMs) => posterior.note(page, outcome, ageMs),
  }
}
