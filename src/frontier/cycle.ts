/**
 * One cycle of Crawl ordering by search impact (figure 4) inside an index: today's answers of the workload's queries →
 * the needy among them → pages of the frontier that match → expected scores → query sketches → impacts. It looks at
 * many queries, so it pauses for the event loop; pages that are fetched or added meanwhile count from the next cycle
 * on.
 */

import type { Pauses } from '../base/turns.js'
import { BestPlaces } from '../math/heap.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import type { AskedQueries } from './asked-queries.js'
import type { FrontierPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import { pageImpacts } from './impact/impact.js'
import { type OfferPage, QuerySketches, VISIBLE_RANKS } from './impact/query-sketch.js'
import type { Lessons } from './lessons.js'
import { QueryJudge } from './query-judge.js'

/** Queries asked anew in one cycle; the others keep the answers that they had. */
const MAX_SEARCHES = 20_000
/** Queries whose sketches are made in one cycle. */
export const MAX_NEEDY = 10_000

export interface AskingParts {
  readonly queries: AskedQueries
  readonly lessons: Lessons
  /** Of the index, now. */
  readonly sequence: number
  readonly best: (words: string, limit: number) => { readonly numbers: Uint32Array; readonly scores: Float64Array }
}

/**
 * Asks queries anew whose answers may have changed, until all that will be looked at have answers of now: what a query
 * is found to have may make another one needier than it. Gives all queries whose answers are of now, heaviest first.
 */
export async function askQueries(parts: AskingParts, keptAnswers: number, pauses: Pauses): Promise<Uint32Array> {
  const { queries, lessons, sequence, best } = parts
  for (let searches = 0; searches < MAX_SEARCHES; ) {
    const needy = queries.needy(lessons.improvability, MAX_NEEDY)
    const old = needy.filter((query) => !queries.isCurrent(query, sequence)).subarray(0, MAX_SEARCHES - searches)
    if (old.length === 0) break
    for (const query of old) {
      const { numbers, scores } = best(queries.name(query), keptAnswers)
      queries.setAnswers(query, sequence, numbers, scores)
      if (pauses.isDue) await pauses.pause()
    }
    searches += old.length
  }
  return Uint32Array.from({ length: queries.size }, (_, row) => row).filter((row) => queries.isCurrent(row, sequence))
}

export interface CycleParts {
  readonly pages: FrontierPages
  readonly lessons: Lessons
  readonly queries: AskedQueries
  readonly view: ViewLikelihood
}

/** By the numbers of pages. */
export interface CycleImpacts {
  /** Σ f(q) over the needy queries among whose best the page is expected to be. */
  readonly queryImpacts: Float64Array
  /** Expected ΔQ_A, as far as fetched pages say that it is to be believed. */
  readonly deltaQuality: Float64Array
}

/** REQUIRES: numbers of pages are held. */
export async function judgeFrontier(parts: CycleParts, pauses: Pauses): Promise<CycleImpacts> {
  const { pages, queries, lessons } = parts
  const judge = new QueryJudge(parts)
  // In an order that does not depend on what was learnt: sums are rounded alike then.
  const needy = queries.needy(lessons.improvability, MAX_NEEDY).sort()
  const frequencies = Float64Array.from(needy, (query) => queries.frequencies[query]!)
  const deltaQuality = new Float64Array(pages.end)
  const offerAll = (nth: number, offer: OfferPage) => {
    const query = needy[nth]!
    offerAnswers(queries, query, offer)
    const { numbers, scores, deltaQuality: gains } = judge.judge(query)
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at]!
      offer(number, scores[at]!, false)
      if (number < deltaQuality.length) deltaQuality[number]! += frequencies[nth]! * gains[at]!
    }
  }
  // Nothing is taken out, so no sketch runs out.
  const sketches = new QuerySketches(frequencies, { keptRanks: VISIBLE_RANKS, refill: offerAll })
  for (let nth = 0; nth < needy.length; nth++) {
    offerAll(nth, (page, score, isCrawled) => sketches.offer(nth, page, score, isCrawled))
    if (pauses.isDue) await pauses.pause()
  }
  return { queryImpacts: pageImpacts(sketches, deltaQuality.length), deltaQuality: lessons.calibrated(deltaQuality) }
}

/** Numbers of fetched pages in a sketch begin here, downwards: those of the frontier are lower. */
const LAST_PAGE = 2 ** 31 - 1

export function offerAnswers(queries: AskedQueries, query: number, offer: OfferPage): void {
  queries.scores(query).forEach((score, at) => {
    if (at < VISIBLE_RANKS) offer(LAST_PAGE - at, score, true)
  })
}

/** Pages between two looks at the clock. */
const PORTION = 1024

/**
 * The pages that wait and have the highest values, best first; of equals those with the most inlinks, then the lowest
 * numbers. `values`: by number.
 */
export async function bestPages(
  pages: FrontierPages,
  values: Float64Array,
  count: number,
  pauses: Pauses,
): Promise<FrontierPage[]> {
  const end = Math.min(pages.end, values.length)
  const best = new BestPlaces(
    Math.min(count, end),
    (a, b) => values[b]! - values[a]! || pages.inlinks(b) - pages.inlinks(a) || a - b,
  )
  for (let number = 0; number < end; number++) {
    if (number % PORTION === 0 && pauses.isDue) await pauses.pause()
    if (pages.waiting(number) !== undefined) best.offer(number)
  }
  // It may have been fetched meanwhile.
  return Array.from(best.sorted(), (number) => pages.waiting(number)).filter((page) => page !== undefined)
}
