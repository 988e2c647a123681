/**
 * What is known of a page and a query before the page is fetched, as features from which a tree learns the score to
 * expect, S' (Crawl ordering by search impact, sections 1.2 and 6.1). It is taught by pages fetched before: their
 * features as they were then, and their scores.
 */

import { meanTopScore } from './impact.js'
import { matchShare, type Ngrams } from './ngrams.js'
import { VISIBLE_RANKS } from './query-sketch.js'

/** What is known of a page without its content. */
export interface PageClues {
  readonly url: string
  readonly urlNgrams: Ngrams
  /** Of each anchor that leads to it. */
  readonly anchorNgrams: readonly Ngrams[]
  /** Links that lead to it; at least as many as anchors that are known. */
  readonly inlinks: number
  /** Pages of its host that were fetched. */
  readonly hostPages: number
  /** Mean score of these pages, over the queries that they match; 0 for none. */
  readonly hostMeanScore: number
}

export interface QueryClues {
  readonly ngrams: Ngrams
  readonly words: number
  /** Of today's answers: what a good score is differs from query to query. 0 for none. */
  readonly bestScore: number
  readonly meanTopScore: number
}

/** In the order in which they lie in a row. */
export const PAIR_FEATURES = [
  'urlShare',
  'anchorShare',
  'logMatchingAnchors',
  'logInlinks',
  'urlDepth',
  'urlLength',
  'queryWords',
  'logHostPages',
  'hostMeanScore',
  'queryBestScore',
  'queryMeanTopScore',
] as const

/** Writes the features of a page for a query into `row`, from `at` on. */
export function writePairFeatures(row: Float64Array, at: number, page: PageClues, query: QueryClues): void {
  // The best anchor counts: a share of all together would need their n-grams merged for every query.
  let anchorShare = 0
  let matchingAnchors = 0
  for (const ngrams of page.anchorNgrams) {
    const share = matchShare(query.ngrams, ngrams)
    anchorShare = Math.max(anchorShare, share)
    if (share > 0) matchingAnchors++
  }
  writeMatchFeatures(row, at, matchShare(query.ngrams, page.urlNgrams), anchorShare, matchingAnchors)
  writePageFeatures(row, at, page)
  writeQueryFeatures(row, at, query)
}

/** Those that take both. */
export function writeMatchFeatures(
  row: Float64Array,
  at: number,
  urlShare: number,
  anchorShare: number,
  matchingAnchors: number,
): void {
  row[at] = urlShare
  row[at + 1] = anchorShare
  row[at + 2] = Math.log1p(matchingAnchors)
}

/** Features that a page has for all queries. */
export const FEATURES_OF_PAGE = [3, 4, 5, 7, 8] as const

export function writePageFeatures(row: Float64Array, at: number, page: Omit<PageClues, 'urlNgrams' | 'anchorNgrams'>) {
  row[at + 3] = Math.log1p(page.inlinks)
  row[at + 4] = urlDepth(page.url)
  row[at + 5] = page.url.length
  row[at + 7] = Math.log1p(page.hostPages)
  row[at + 8] = page.hostMeanScore
}

/** Features that a query has for all pages. */
export function writeQueryFeatures(row: Float64Array, at: number, query: Omit<QueryClues, 'ngrams'>): void {
  row[at + 6] = query.words
  row[at + 9] = query.bestScore
  row[at + 10] = query.meanTopScore
}

const BEFORE_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i
const [SLASH, QUESTION_MARK, HASH] = [47, 63, 35]

/** Parts of the path: 0 for a host alone. */
export function urlDepth(url: string): number {
  let depth = 0
  let isWithin = false
  for (let at = BEFORE_PATH.exec(url)?.[0].length ?? 0; at < url.length; at++) {
    const unit = url.charCodeAt(at)
    if (unit === QUESTION_MARK || unit === HASH) break
    if (unit !== SLASH && !isWithin) depth++
    isWithin = unit !== SLASH
  }
  return depth
}

/**
 * S' before anything was learnt: as the query's best answers score in the mean, 1 for a query without answers; half of
 * it if neither the URL nor any one anchor has all of the query.
 */
export function unlearntScore(urlShare: number, anchorShare: number, scores: ArrayLike<number>): number {
  const visible = Math.min(scores.length, VISIBLE_RANKS)
  const mean = visible === 0 ? 1 : meanTopScore(scores, visible)
  return mean * (0.5 + 0.5 * Math.max(urlShare, anchorShare))
}
