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
import { type OfferPage, QuerySketches } from './impact/query-sketch.js'
import type { KeptSketches, MadeSketch } from './kept-sketches.js'
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

/** REQUIRES: the numbers of pages are held. `kept`: the sketches of earlier cycles. */
export async function judgeFrontier(cycle: FrontierCycle, kept: KeptSketches, pauses: Pauses): Promise<CycleImpacts> {
  const { pages, queries, lessons, rules, view } = cycle
  const visibility = visibilityOf(rules, view)
  const judge = new QueryJudge(cycle)
  await pauses.pause()
  // The order of summing must not depend on what was learnt, so that sums are rounded alike.
  const needy = queries.needy(lessons.improvability, MAX_NEEDY)
  const deltaQuality = new Float64Array(pages.end)
  const queryImpacts = new Float64Array(pages.end)
  const sketching = kept.begin(cycle, {
    candidates: (query) => judge.candidates(query),
    make: (query) => sketchQuery(cycle, judge, query),
  })
  for (const query of needy) {
    const frequency = queries.frequencies[query]!
    const { numbers, deltaQuality: gains, seen, seenRanks } = sketching.sketch(query)
    // Pages that came meanwhile are behind the end.
    for (let at = 0; at < numbers.length; at++)
      if (numbers[at]! < deltaQuality.length) deltaQuality[numbers[at]!]! += frequency * gains[at]!
    for (let at = 0; at < seen.length; at++)
      if (seen[at]! < queryImpacts.length)
        queryImpacts[seen[at]!]! += Math.fround(frequency) * visibility(seenRanks[at]!)
    if (pauses.isDue) await pauses.pause()
  }
  sketching.end()
  return { queryImpacts, deltaQuality: lessons.calibrated(deltaQuality) }
}

/** What the pages that match would do to the answers of one query. */
function sketchQuery(
  { queries, rules: { visibleRanks } }: FrontierCycle,
  judge: QueryJudge,
  query: number,
): MadeSketch {
  const { numbers, scores, deltaQuality } = judge.judge(query)
  // One query, of which no page is removed, so that it has not to be refilled.
  const sketch = new QuerySketches([1], { visibleRanks, keptRanks: visibleRanks, refill: () => {} })
  const offer: OfferPage = (page, score, isCrawled) => sketch.offer(0, page, score, isCrawled)
  offerAnswers(queries, query, visibleRanks, offer)
  for (let at = 0; at < numbers.length; at++) offer(numbers[at]!, scores[at]!, false)
  const ranks = Array.from({ length: sketch.length(0) }, (_, at) => at + 1)
  const seenRanks = Uint8Array.from(ranks.filter((rank1) => !sketch.isCrawledAt(0, rank1)))
  const seen = Uint32Array.from(seenRanks, (rank1) => sketch.pageAt(0, rank1))
  return { numbers, deltaQuality, seen, seenRanks }
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
