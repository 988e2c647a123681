/** What the user may choose of how impact is estimated (Crawl ordering by search impact, section 5). */
import { choiceOption, numberOption } from '../base/checks.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import { QUERY_WEIGHT } from './impact/impact.js'
import { VISIBLE_RANKS } from './impact/query-sketch.js'

/** How the paper calls them: ρ, K, V and the weight of the query-based part. */
export interface ImpactOptions {
  /**
   * ρ: the share of the n-grams of a query that URL and anchors of a page must have to match it. A smaller share finds
   * more pages and takes longer. What scores to expect is learnt from the pages that match so. Default 1.
   */
  readonly rho?: number
  /** K: the ranks at which a page is seen, from 1 to 20. Default 10. */
  readonly visibleRanks?: number
  /**
   * V: 'step' counts all K ranks alike, as the paper does; 'view' weighs them by the view likelihood of the workload.
   * Default 'step'.
   */
  readonly visibility?: 'step' | 'view'
  /** The weight of the impact by queries, from 0 to 1; the rest is that of the impact by inlinks. Default 0.9. */
  readonly queryWeight?: number
}

/** ImpactOptions, checked. */
export type ImpactRules = Required<ImpactOptions>

export const IMPACT_OPTIONS = ['rho', 'visibleRanks', 'visibility', 'queryWeight'] as const
export const VISIBILITIES = ['step', 'view'] as const

/** Answers kept of a query: twice K by default, so that answers which new pages pushed out are still known. */
export const KEPT_ANSWERS = 2 * VISIBLE_RANKS

export function readImpactRules(options: Partial<Record<(typeof IMPACT_OPTIONS)[number], unknown>>): ImpactRules {
  const ranks = { min: 1, max: KEPT_ANSWERS, integer: true }
  return {
    rho: numberOption('rho', options.rho, 1, { min: 0, max: 1 }),
    visibleRanks: numberOption('visibleRanks', options.visibleRanks, VISIBLE_RANKS, ranks),
    visibility: choiceOption('visibility', options.visibility, 'step', VISIBILITIES),
    queryWeight: numberOption('queryWeight', options.queryWeight, QUERY_WEIGHT, { min: 0, max: 1 }),
  }
}

export const DEFAULT_RULES: ImpactRules = readImpactRules({})

/** V, for the ranks up to K. */
export function visibilityOf({ visibility }: ImpactRules, view: ViewLikelihood): ViewLikelihood {
  return visibility === 'step' ? () => 1 : view
}

/**
 * What the impact by inlinks is to be multiplied by: it is learnt as a number of the first ten ranks, each of which
 * counts 1.
 */
export function inlinkScale(rules: ImpactRules, view: ViewLikelihood): number {
  const visibility = visibilityOf(rules, view)
  let sum = 0
  for (let rank1 = 1; rank1 <= rules.visibleRanks; rank1++) sum += visibility(rank1)
  return sum / VISIBLE_RANKS
}
