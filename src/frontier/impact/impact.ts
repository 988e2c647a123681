/** The impact of pages not yet fetched: how often people would see them (Crawl ordering by search impact). */
import { numberOption } from '../../base/checks.js'
import type { ViewLikelihood } from '../../workload/view-likelihood.js'
import type { QuerySketches } from './query-sketch.js'

/**
 * I(p, Q) = Σ_q f(q) V(rank of p in the sketch of q) of Eq. 1, for each uncrawled page with a number below `pages`. By
 * default V is the step of the paper: 1 for every rank of a sketch. Beyond rank K it is 0, as a sketch ends there.
 */
export function pageImpacts(sketches: QuerySketches, pages: number, visibility?: ViewLikelihood): Float64Array {
  const impacts = new Float64Array(pages)
  for (let query = 0; query < sketches.queries; query++) {
    const length = sketches.length(query)
    const frequency = sketches.frequencies[query]!
    for (let rank1 = 1; rank1 <= length; rank1++) {
      if (sketches.isCrawledAt(query, rank1)) continue
      const page = sketches.pageAt(query, rank1)
      if (page < pages) impacts[page]! += frequency * (visibility === undefined ? 1 : visibility(rank1))
    }
  }
  return impacts
}

/**
 * Mean score of the K best answers that a query has today; a rank without an answer counts as 0. `scores` are those of
 * fetched pages, best first, of which the first K from `first` to `end` are read.
 */
export function meanTopScore(scores: ArrayLike<number>, visibleRanks: number, first = 0, end = scores.length): number {
  let sum = 0
  for (let at = first; at < Math.min(end, first + visibleRanks); at++) sum += scores[at]!
  return sum / visibleRanks
}

/** The weight of the query-based part in the paper's experiments, which were not sensitive to it. */
export const QUERY_WEIGHT = 0.9

/** Impact with and without queries, combined (section 5.4). */
export function hybridImpact(queryBased: number, queryIndependent: number, queryWeight = QUERY_WEIGHT): number {
  return queryWeight * queryBased + (1 - queryWeight) * queryIndependent
}

export function hybridImpacts(
  queryBased: ArrayLike<number>,
  queryIndependent: ArrayLike<number>,
  queryWeight = QUERY_WEIGHT,
): Float64Array {
  numberOption('queryWeight', queryWeight, QUERY_WEIGHT, { min: 0, max: 1 })
  if (queryBased.length !== queryIndependent.length) {
    const received = `${queryBased.length} and ${queryIndependent.length}`
    throw new RangeError(`both impacts must be of the same pages, received ${received}`)
  }
  return Float64Array.from({ length: queryBased.length }, (_, at) =>
    hybridImpact(queryBased[at]!, queryIndependent[at]!, queryWeight),
  )
}
