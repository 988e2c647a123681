/**
 * One cycle of Crawl ordering by search impact (figure 4) inside an index: today's answers of the workload's queries →
 * the needy among them → pages of the frontier that match → expected scores → query sketches → impacts. A cycle looks
 * at many queries and pauses for the event loop. Pages that are fetched or added meanwhile count from the next cycle
 * on.
 */
import type { Pauses } from '../base/turns.js'
import { BestPlaces } from '../math/heap.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import type { AskedQueries } from './asked-queries.js'
import { type ImpactRules, KEPT_ANSWERS, visibilityOf } from './cycle-rules.js'
import type { FrontierPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import { pageImpacts } from './impact/impact.js'
import { type OfferPage, QuerySketches } from './impact/query-sketch.js'
import type { Lessons } from './lessons.js'
import { QueryJudge } from './query-judge.js'

/** Queries asked anew in one cycle; the others keep the answers that they had. */
const MAX_SEARCHES = 20_000
/** Queries whose sketches are made in one cycle. */
export const MAX_NEEDY = 10_000

/** What one cycle works with. */
export interface FrontierCycle {
  readonly pages: FrontierPages
  readonly lessons: Lessons
  readonly queries: AskedQueries
  readonly view: ViewLikelihood
  readonly rules: ImpactRules
  /** The sequence of the index now. */
  readonly sequence: number
  /** The best answers of the index to some words, best first. */
  readonly best: (words: string, limit: number) => { readonly numbers: Uint32Array; readonly scores: Float64Array }
  /** The number of the document with this URL. */
  readonly numberOf: (url: string) => number | undefined
}

/**
 * Asks queries anew whose answers may have changed, until all needy queries have current answers: the answers of one
 * query may show that another is needier. Returns all queries with current answers, heaviest first.
 */
export async function askQueries(cycle: FrontierCycle, pauses: Pauses): Promise<Uint32Array> {
  const { queries, lessons, sequence, best } = cycle
  for (let searches = 0; searches < MAX_SEARCHES; ) {
    // Which queries are needy is found in one go, which takes as long as the work between two pauses.
    await pauses.pause()
    const needy = queries.needy(lessons.improvability, MAX_NEEDY)
    const old = needy.filter((query) => !queries.isCurrent(query, sequence)).subarray(0, MAX_SEARCHES - searches)
    if (old.length === 0) break
    for (const query of old) {
      const { numbers, scores } = best(queries.name(query), KEPT_ANSWERS)
      queries.setAnswers(query, sequence, numbers, scores)
      if (pauses.isDue) await pauses.pause()
    }
    searches += old.length
  }
  return Uint32Array.from({ length: queries.size }, (_, row) => row).filter((row) => queries.isCurrent(row, sequence))
}

/** What a cycle expects of the pages, by their numbers. */
export interface CycleImpacts {
  /** Σ f(q) V(rank) over the needy queries for which the page is expected among the K best answers. */
  readonly queryImpacts: Float64Array
  /** The expected ΔQ_A, calibrated by what fetched pages have gained. */
  readonly deltaQuality: Float64Array
}

/** REQUIRES: the numbers of pages are held. */
export async function judgeFrontier(cycle: FrontierCycle, pauses: Pauses): Promise<CycleImpacts> {
  const { pages, queries, lessons, rules, view } = cycle
  const { visibleRanks } = rules
  const judge = new QueryJudge(cycle)
  await pauses.pause()
  // The order of summing must not depend on what was learnt, so that sums are rounded alike.
  const needy = queries.needy(lessons.improvability, MAX_NEEDY)
  const frequencies = Float64Array.from(needy, (query) => queries.frequencies[query]!)
  const deltaQuality = new Float64Array(pages.end)
  const offerAll = (nth: number, offer: OfferPage) => {
    const query = needy[nth]!
    offerAnswers(queries, query, visibleRanks, offer)
    const { numbers, scores, deltaQuality: gains } = judge.judge(query)
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at]!
      offer(number, scores[at]!, false)
      if (number < deltaQuality.length) deltaQuality[number]! += frequencies[nth]! * gains[at]!
    }
  }
  // No page is removed from a sketch, so none has to be refilled.
  const sketches = new QuerySketches(frequencies, {
    visibleRanks,
    keptRanks: visibleRanks,
    refill: offerAll,
  })
  for (let nth = 0; nth < needy.length; nth++) {
    offerAll(nth, (page, score, isCrawled) => sketches.offer(nth, page, score, isCrawled))
    if (pauses.isDue) await pauses.pause()
  }
  const queryImpacts = pageImpacts(sketches, deltaQuality.length, visibilityOf(rules, view))
  return { queryImpacts, deltaQuality: lessons.calibrated(deltaQuality) }
}

/** Fetched pages are numbered downwards from here in a sketch; pages of the frontier have lower numbers. */
const LAST_PAGE = 2 ** 31 - 1

export function offerAnswers(queries: AskedQueries, query: number, ranks: number, offer: OfferPage): void {
  queries.scores(query).forEach((score, at) => {
    if (at < ranks) offer(LAST_PAGE - at, score, true)
  })
}

/** Pages between two looks at the clock. */
const PORTION = 1024

/**
 * The waiting pages with the highest values, best first; of equals those with the most inlinks, then the lowest
 * numbers. `values` are by page number.
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
  // A page may have been fetched meanwhile.
  return Array.from(best.sorted(), (number) => pages.waiting(number)).filter((page) => page !== undefined)
}
