/** A moment in a crawl: which pages are fetched, which are only known of, and what all of them really score. */
import { VISIBLE_RANKS } from '../../frontier/query-sketch.js'
import { NO_VERSION } from '../quality/timeline.js'
import type { VersionScores } from '../quality/version-scores.js'
import type { FrontierInput } from './frontier-input.js'

export interface CrawlScene {
  readonly input: FrontierInput
  /** By page: its version at this moment, or NO_VERSION. */
  readonly versions: Int32Array
  /** By page: 1 where it is fetched. */
  readonly isCrawled: Uint8Array
  /** Pages known of, ascending. */
  readonly frontier: Uint32Array
}

/** The K best answers of each query, K places each. */
export interface TopAnswers {
  /** NO_PAGE where there are fewer. */
  readonly pages: Int32Array
  /** 0 where there are fewer. */
  readonly scores: Float64Array
}

export const NO_PAGE = -1

/** Among these pages; score descending, then by number. */
export function topAnswers(
  scores: VersionScores,
  versions: Int32Array,
  isIncluded: (page: number) => boolean,
  ranks = VISIBLE_RANKS,
): TopAnswers {
  const queries = scores.weights.length
  const top = { pages: new Int32Array(queries * ranks).fill(NO_PAGE), scores: new Float64Array(queries * ranks) }
  versions.forEach((version, page) => {
    if (version === NO_VERSION || !isIncluded(page)) return
    forEachMatch(scores, version, (query, score) => insert(top, query * ranks, ranks, page, score))
  })
  return top
}

/** Every query that a version matches, ascending. */
export function forEachMatch(
  { matchEnds, queries, scores }: VersionScores,
  version: number,
  visit: (query: number, score: number) => void,
): void {
  for (let at = version === 0 ? 0 : matchEnds[version - 1]!; at < matchEnds[version]!; at++) {
    visit(queries[at]!, scores[at]!)
  }
}

/** What a version scores for a query; 0 where it does not match. */
export function scoreOf({ matchEnds, queries, scores }: VersionScores, version: number, query: number): number {
  if (version === NO_VERSION) return 0
  let [low, high] = [version === 0 ? 0 : matchEnds[version - 1]!, matchEnds[version]!]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (queries[middle]! < query) low = middle + 1
    else high = middle
  }
  return low < matchEnds[version]! && queries[low] === query ? scores[low]! : 0
}

/** By page: the weight of the queries of whose K best, over all pages there are, it is one (Crawl ordering by search impact, Eq. 1). */
export function trueImpacts(scene: CrawlScene, weights: ArrayLike<number>): Float64Array {
  const { input, versions, isCrawled, frontier } = scene
  const isKnown = isCrawled.slice()
  for (const page of frontier) isKnown[page] = 1
  const top = topAnswers(input.scores, versions, (page) => isKnown[page] === 1)
  const impacts = new Float64Array(versions.length)
  top.pages.forEach((page, at) => {
    if (page !== NO_PAGE) impacts[page]! += weights[Math.floor(at / VISIBLE_RANKS)]!
  })
  return impacts
}

/** Pages come by ascending number: one of an equal score stays before. */
function insert(top: TopAnswers, first: number, ranks: number, page: number, score: number): void {
  let at = first + ranks
  while (at > first && score > top.scores[at - 1]!) at--
  if (at === first + ranks) return
  top.scores.copyWithin(at + 1, at, first + ranks - 1)
  top.pages.copyWithin(at + 1, at, first + ranks - 1)
  top.scores[at] = score
  top.pages[at] = page
}
