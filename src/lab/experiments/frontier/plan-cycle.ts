/**
 * Which pages to fetch in the next cycle: the whole of Crawl ordering by search impact, figure 4, from needy queries to
 * the pages of the highest impact.
 */

import { numberOption } from '../../../base/checks.js'
import { hybridImpacts, meanTopScore, pageImpacts } from '../../../frontier/impact/impact.js'
import { type Improvability, needinessOf, needyQueries } from '../../../frontier/impact/neediness.js'
import type { NgramIndex } from '../../../frontier/impact/ngram-index.js'
import type { Ngrams } from '../../../frontier/impact/ngrams.js'
import { fitQuadratic, type Quadratic, quadraticAt } from '../../../frontier/impact/query-independent.js'
import { type OfferPage, QuerySketches, VISIBLE_RANKS } from '../../../frontier/impact/query-sketch.js'
import type { RegressionTree } from '../../../frontier/impact/regression-tree.js'
import { topValues } from '../../../math/heap.js'
import type { ViewLikelihood } from '../../../workload/view-likelihood.js'
import { NO_VERSION } from '../../quality/timeline.js'
import { FrontierMatches } from './expected-scores.js'
import { type CrawlScene, drawPages, NO_PAGE, topAnswers, trueImpacts } from './scenes.js'

export interface FrontierCycleQueries {
  /** f(q), one for each query. */
  readonly frequencies: ArrayLike<number>
  readonly ngrams: readonly Ngrams[]
  /** The scores of today's K best answers, K for each query, best first; 0 where there are fewer. */
  readonly crawledScores: ArrayLike<number>
}

export interface FrontierCyclePages {
  /** Pages that may be fetched. Others that the index has are rivals only. */
  readonly pages: Uint32Array
  readonly index: NgramIndex
  /** S'(p, q) of a page that matches; 0 for a page that after all does not. */
  expectedScore(page: number, query: number): number
  /** The importance of each page in `pages`, at the same place. */
  readonly importance: ArrayLike<number>
}

export interface FrontierCycleOptions {
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

export interface FrontierCyclePlan {
  /** The pages to fetch, those of the highest impact first; of equals the one that is named first in the frontier. */
  readonly pages: Uint32Array
  /** Their impacts. */
  readonly impacts: Float64Array
  /** Neediest first. */
  readonly needy: Uint32Array
  /** The sketches of the needy queries, in that order. Fetched pages go by made-up numbers in them. */
  readonly sketches: QuerySketches
  /** The impacts of all pages of the frontier, at their places: from sketches, from importance. */
  readonly queryImpacts: Float64Array
  readonly independentImpacts: Float64Array
}

/** Numbers of fetched pages in the sketches begin here, downwards: the frontier's are lower. */
const LAST_PAGE = 2 ** 31 - 1

export function planFrontierCycle(
  queries: FrontierCycleQueries,
  frontier: FrontierCyclePages,
  options: FrontierCycleOptions,
): FrontierCyclePlan {
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

function chooseNeedy(queries: FrontierCycleQueries, visibleRanks: number, options: FrontierCycleOptions): Uint32Array {
  const { frequencies, crawledScores } = queries
  const meanScores = Float64Array.from({ length: frequencies.length }, (_, query) =>
    meanTopScore(crawledScores, visibleRanks, query * visibleRanks),
  )
  return needyQueries(needinessOf(frequencies, meanScores, options.improvability), options.needyShare ?? 1)
}

function sketchQueries(
  needy: Uint32Array,
  queries: FrontierCycleQueries,
  frontier: FrontierCyclePages,
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

function checkColumns(queries: FrontierCycleQueries, frontier: FrontierCyclePages, visibleRanks: number): void {
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

export interface ScenePlanOptions {
  /** The workload that the plan knows. */
  readonly queries: ArrayLike<number>
  readonly fetches: number
  readonly improvability: Improvability
  readonly needyShare?: number
}

/** The crawl-ordering policy of "Crawl ordering by search impact" on a scene, for all queries or some. */
export function planScene(
  matches: FrontierMatches,
  { tree, quadratic }: PastCycle,
  options: ScenePlanOptions,
): FrontierCyclePlan {
  const { queries, fetches, improvability, needyShare = 1 } = options
  const { input, frontier } = matches.scene
  const asked = Array.from(queries)
  return planFrontierCycle(
    {
      frequencies: asked.map((query) => input.scores.weights[query]!),
      ngrams: asked.map((query) => matches.ngrams[query]!),
      crawledScores: asked.flatMap((query) => [
        ...matches.top.scores.subarray(query * VISIBLE_RANKS, (query + 1) * VISIBLE_RANKS),
      ]),
    },
    {
      pages: frontier,
      index: matches.index,
      expectedScore: (page, at) => (tree === undefined ? 0 : matches.expectedScore(tree, page, asked[at]!)),
      importance: Array.from(frontier, (page) => matches.clues.importance(page)),
    },
    { fetches, improvability, quadratic, needyShare, rho: input.spec.rho },
  )
}

/** By query: how many of the pages fetched come among its K best. */
export function improvements({ scene }: FrontierMatches, fetched: Iterable<number>): Uint32Array {
  const { input, versions, isCrawled } = scene
  const isFetched = new Uint8Array(versions.length)
  for (const page of fetched) isFetched[page] = 1
  const top = topAnswers(input.scores, versions, (page) => isCrawled[page] === 1 || isFetched[page] === 1)
  const counts = new Uint32Array(input.scores.weights.length)
  top.pages.forEach((page, at) => {
    if (page !== NO_PAGE && isFetched[page] === 1) counts[Math.floor(at / VISIBLE_RANKS)]!++
  })
  return counts
}

/** The share of the fetched pages that the cycle before fetched. */
const PAST_SHARE = 0.2

/**
 * What a crawler learned when it fetched pages before. No history tells it, so a part of the fetched pages is taken
 * for the frontier of a cycle before, known as the frontier is known now; the rest is what had been fetched by then.
 */
export interface PastCycle {
  readonly matches: FrontierMatches
  /** Undefined where no page matched any query. */
  readonly tree: RegressionTree | undefined
  /** Impact by importance; undefined where nothing was fetched. */
  readonly quadratic: Quadratic | undefined
}

export function pastCycle(scene: CrawlScene): PastCycle {
  const past = pastScene(scene)
  const matches = new FrontierMatches(past)
  const impacts = trueImpacts(past, scene.input.scores.weights)
  const importance = Array.from(past.frontier, (page) => matches.clues.importance(page))
  return {
    matches,
    tree: matches.teach(),
    quadratic: fitQuadratic(
      importance,
      Array.from(past.frontier, (page) => impacts[page]!),
    ),
  }
}

function pastScene({ input, versions, isCrawled }: CrawlScene): CrawlScene {
  const crawled = Array.from(versions.keys()).filter((page) => isCrawled[page] === 1 && versions[page] !== NO_VERSION)
  // Another stream of chance than that of the pages held back.
  const isPast = drawPages(crawled, PAST_SHARE, input.spec.seed ^ 0x5bd1e995, versions.length)
  return {
    input,
    versions,
    isCrawled: isCrawled.map((is, page) => (is === 1 && isPast[page] === 0 ? 1 : 0)),
    frontier: Uint32Array.from(crawled.filter((page) => isPast[page] === 1)),
  }
}
