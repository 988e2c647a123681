/** Which pages to fetch in the next cycle: the whole of Crawl ordering by search impact, figure 4, from needy queries to the pages of the highest impact. */
import { numberOption } from '../option-checks.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import { hybridImpacts } from './hybrid.js'
import { meanTopScore, pageImpacts } from './impact.js'
import { type Improvability, needinessOf, needyQueries } from './neediness.js'
import type { NgramIndex } from './ngram-index.js'
import type { Ngrams } from './ngrams.js'
import { type Quadratic, quadraticAt } from './query-independent.js'
import { type OfferPage, QuerySketches, VISIBLE_RANKS } from './query-sketch.js'
import { topValues } from './top-values.js'

export interface CycleQueries {
  /** f(q), one for each query. */
  readonly frequencies: ArrayLike<number>
  readonly ngrams: readonly Ngrams[]
  /** The scores of today's K best answers, K for each query, best first; 0 where there are fewer. */
  readonly crawledScores: ArrayLike<number>
}

export interface CycleFrontier {
  /** Pages that may be fetched. Others that the index has are rivals only. */
  readonly pages: Uint32Array
  readonly index: NgramIndex
  /** S'(p, q) of a page that matches; 0 for a page that after all does not. */
  expectedScore(page: number, query: number): number
  /** Of each page in `pages`, at the same place. */
  readonly importance: ArrayLike<number>
}

export interface CycleOptions {
  /** c: pages to fetch. */
  readonly fetches: number
  readonly improvability: Improvability
  /** Without it, impact is that of queries alone. */
  readonly quadratic?: Quadratic | undefined
  /** Share of the queries that count as needy; all unless told. */
  readonly needyShare?: number
  /** ρ; 1 unless told. */
  readonly rho?: number
  /** K; 10 unless told. */
  readonly visibleRanks?: number
  /** V; a step at K unless told. */
  readonly visibility?: ViewLikelihood
  readonly queryWeight?: number
}

export interface CyclePlan {
  /** The pages to fetch, those of the highest impact first; of equals the one that is named first in the frontier. */
  readonly pages: Uint32Array
  /** Their impacts. */
  readonly impacts: Float64Array
  /** Neediest first. */
  readonly needy: Uint32Array
  /** Of the needy queries, in that order. Fetched pages go by made-up numbers in them. */
  readonly sketches: QuerySketches
  /** Of all pages of the frontier, at their places: from sketches, from importance. */
  readonly queryImpacts: Float64Array
  readonly independentImpacts: Float64Array
}

/** Numbers of fetched pages in the sketches begin here, downwards: the frontier's are lower. */
const LAST_PAGE = 2 ** 31 - 1

export function planCycle(queries: CycleQueries, frontier: CycleFrontier, options: CycleOptions): CyclePlan {
  const visibleRanks = numberOption('visibleRanks', options.visibleRanks, VISIBLE_RANKS, {
    min: 1,
    max: 127,
    integer: true,
  })
  const fetches = numberOption('fetches', options.fetches, 0, { min: 0, integer: true })
  checkColumns(queries, frontier, visibleRanks)
  const needy = chooseNeedy(queries, visibleRanks, options)
  const sketches = sketchQueries(needy, queries, frontier, visibleRanks, options.rho)
  const byPage = pageImpacts(sketches, highest(frontier.pages) + 1, options.visibility)
  const queryImpacts = Float64Array.from(frontier.pages, (page) => byPage[page]!)
  const { quadratic } = options
  const independentImpacts = new Float64Array(frontier.pages.length)
  if (quadratic !== undefined) {
    for (let at = 0; at < independentImpacts.length; at++) {
      independentImpacts[at] = quadraticAt(quadratic, frontier.importance[at]!)
    }
  }
  const weight = quadratic === undefined ? 1 : options.queryWeight
  const impacts = hybridImpacts(queryImpacts, independentImpacts, weight)
  const best = topValues(impacts, fetches)
  return {
    pages: best.map((at) => frontier.pages[at]!),
    impacts: Float64Array.from(best, (at) => impacts[at]!),
    needy,
    sketches,
    queryImpacts,
    independentImpacts,
  }
}

function chooseNeedy(queries: CycleQueries, visibleRanks: number, options: CycleOptions): Uint32Array {
  const { frequencies, crawledScores } = queries
  const meanScores = Float64Array.from({ length: frequencies.length }, (_, query) =>
    meanTopScore(crawledScores, visibleRanks, query * visibleRanks),
  )
  return needyQueries(needinessOf(frequencies, meanScores, options.improvability), options.needyShare ?? 1)
}

function sketchQueries(
  needy: Uint32Array,
  queries: CycleQueries,
  frontier: CycleFrontier,
  visibleRanks: number,
  rho?: number,
): QuerySketches {
  const offerAll = (nth: number, offer: OfferPage) => {
    const query = needy[nth]!
    for (let rank1 = 1; rank1 <= visibleRanks; rank1++) {
      offer(LAST_PAGE - rank1 + 1, queries.crawledScores[query * visibleRanks + rank1 - 1]!, true)
    }
    for (const page of frontier.index.matching(queries.ngrams[query]!, rho)) {
      offer(page, frontier.expectedScore(page, query), false)
    }
  }
  const frequencies = Float64Array.from(needy, (query) => queries.frequencies[query]!)
  // Nothing is taken out, so no sketch runs out.
  const sketches = new QuerySketches(frequencies, { visibleRanks, keptRanks: visibleRanks, refill: offerAll })
  for (let nth = 0; nth < needy.length; nth++) {
    offerAll(nth, (page, score, isCrawled) => sketches.offer(nth, page, score, isCrawled))
  }
  return sketches
}

function checkColumns(queries: CycleQueries, frontier: CycleFrontier, visibleRanks: number): void {
  const { length } = queries.frequencies
  const expected: readonly [string, number, number][] = [
    ['ngrams', queries.ngrams.length, length],
    ['crawledScores', queries.crawledScores.length, length * visibleRanks],
    ['importance', frontier.importance.length, frontier.pages.length],
  ]
  for (const [name, received, wanted] of expected) {
    if (received !== wanted) throw new RangeError(`${name} must be ${wanted} long, received ${received}`)
  }
}

function highest(pages: Uint32Array): number {
  let found = -1
  for (const page of pages) found = Math.max(found, page)
  return found
}
