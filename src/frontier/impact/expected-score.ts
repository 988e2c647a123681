/**
 * What is known about a page and a query before the page is fetched, as features from which a tree predicts the score
 * S' (Crawl ordering by search impact, sections 1.2 and 6.1). The tree is grown from pages fetched before: their
 * features as they were then, and their scores.
 */
import { meanTopScore } from './impact.js'
import { matchShare, type Ngrams } from './ngrams.js'
import { VISIBLE_RANKS } from './query-sketch.js'

/** What is known about a page without its content. */
export interface PageClues {
  readonly url: string
  readonly urlNgrams: Ngrams
  /** The n-grams of each anchor that leads to the page. */
  readonly anchorNgrams: readonly Ngrams[]
  /** The number of links to the page: at least the number of known anchors. */
  readonly inlinks: number
  /** Pages of its host that were fetched. */
  readonly hostPages: number
  /** Mean score of these pages over the queries that they match; 0 for none. */
  readonly hostMeanScore: number
}

export interface QueryClues {
  readonly ngrams: Ngrams
  readonly words: number
  /** The best score of today's answers, as good scores differ from query to query; 0 for none. */
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
  // The best anchor counts. The share of all anchors together would need their n-grams merged for every query.
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

/** Writes the features that depend on both the page and the query. */
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

/** The features that depend on the page only. */
export const FEATURES_OF_PAGE = [3, 4, 5, 7, 8] as const

export function writePageFeatures(row: Float64Array, at: number, page: Omit<PageClues, 'urlNgrams' | 'anchorNgrams'>) {
  row[at + 3] = Math.log1p(page.inlinks)
  row[at + 4] = urlDepth(page.url)
  row[at + 5] = page.url.length
  row[at + 7] = Math.log1p(page.hostPages)
  row[at + 8] = page.hostMeanScore
}

/** Writes the features that depend on the query only. */
export function writeQueryFeatures(row: Float64Array, at: number, query: Omit<QueryClues, 'ngrams'>): void {
  row[at + 6] = query.words
  row[at + 9] = query.bestScore
  row[at + 10] = query.meanTopScore
}

const BEFORE_PATH = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i
const [SLASH, QUESTION_MARK, HASH] = [47, 63, 35]

/** The number of parts of the path; 0 for a host alone. */
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
 * S' before a tree was grown: the mean score of the query's best answers, 1 for a query without answers, times a factor
 * from 1/2 to 1 that grows with the share of the query's n-grams in the URL or in one anchor.
 */
export function unlearntScore(urlShare: number, anchorShare: number, scores: ArrayLike<number>): number {
  const visible = Math.min(scores.length, VISIBLE_RANKS)
  const mean = visible === 0 ? 1 : meanTopScore(scores, visible)
  return mean * (0.5 + 0.5 * Math.max(urlShare, anchorShare))
}
