/**
 * What pages of the frontier would do to the answers of one query: which of them match, what they are expected to score, and what their appearance would add to
 * the quality of the answers. REQUIRES: frontier, lessons and answers of the query stay as they are while one query is judged.
 */
import { AppearanceGains } from '../frontier/appearance-gain.js'
import { PAIR_FEATURES, type PageClues, type QueryClues, writePairFeatures } from '../frontier/expected-score.js'
import { meanTopScore } from '../frontier/impact.js'
import { anchorNgrams, MAX_ANCHORS, urlNgrams } from '../frontier/ngrams.js'
import { VISIBLE_RANKS } from '../frontier/query-sketch.js'
import { leafOf } from '../frontier/regression-tree.js'
import { topValues } from '../frontier/top-values.js'
import { unlearntScore } from '../frontier/unlearnt-score.js'
import { hostOf } from '../refresh/host.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import { anchorsOf, type FrontierPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import type { Lessons } from './lessons.js'
import type { QueryBook } from './query-book.js'

/** Pages of one query that are judged: of more that match, those with the most inlinks. */
export const MAX_CANDIDATES = 1000
/** Pages whose clues are kept for the next query. */
const KEPT_CLUES = 20_000

export interface JudgedPage {
  readonly number: number
  /** S', 0 where the page is expected not to match after all. */
  readonly score: number
  /** Expected ΔQ_A for a query of weight 1. */
  readonly deltaQuality: number
}

export interface JudgeParts {
  readonly pages: FrontierPages
  readonly lessons: Lessons
  readonly queries: QueryBook
  readonly view: ViewLikelihood
}

export class QueryJudge {
  readonly #parts: JudgeParts
  readonly #clues = new Map<number, PageClues>()
  readonly #row = new Float64Array(PAIR_FEATURES.length)

  constructor(parts: JudgeParts) {
    this.#parts = parts
  }

  /** All pages that matter to the query, in order of their numbers. */
  judge(query: number): JudgedPage[] {
    const numbers = this.#candidates(query)
    if (numbers.length === 0) return []
    const { queries, view } = this.#parts
    const gains = new AppearanceGains(queries.scores(query), view)
    return Array.from(numbers, (number) => this.#judgeOne(number, query, gains))
  }

  #candidates(query: number): Uint32Array {
    const { pages, queries } = this.#parts
    const numbers = pages.index.matching(queries.ngrams(query))
    if (numbers.length <= MAX_CANDIDATES) return numbers
    const inlinks = Float64Array.from(numbers, (number) => inlinksOf(pages.page(number) as FrontierPage))
    return topValues(inlinks, MAX_CANDIDATES)
      .map((at) => numbers[at]!)
      .sort()
  }

  #judgeOne(number: number, query: number, gains: AppearanceGains): JudgedPage {
    const { tree } = this.#parts.lessons
    const scores = this.#parts.queries.scores(query)
    this.#writeFeatures(number, query, scores)
    if (tree === undefined) {
      const score = unlearntScore(this.#row[0]!, this.#row[1]!, scores)
      return { number, score, deltaQuality: gains.gain(score) }
    }
    const leaf = leafOf(tree, this.#row)
    return {
      number,
      score: Math.max(0, tree.means[leaf] as number),
      deltaQuality: gains.expectedGain(tree.values[leaf] as readonly number[]),
    }
  }

  #writeFeatures(number: number, query: number, scores: Float32Array): void {
    const { pages, queries } = this.#parts
    const clues = this.#clues.get(number) ?? this.#keepClues(pages.page(number) as FrontierPage)
    writePairFeatures(this.#row, 0, clues, queryCluesOf(queries, query, scores))
  }

  #keepClues(page: FrontierPage): PageClues {
    if (this.#clues.size >= KEPT_CLUES) this.#clues.clear()
    const clues = cluesOf(page, this.#parts.lessons)
    this.#clues.set(page.id, clues)
    return clues
  }
}

/** At least as many as anchors are known. */
export function inlinksOf(page: FrontierPage): number {
  let anchors = page.anchors === '' ? 0 : 1
  for (let at = page.anchors.indexOf('\n'); at >= 0; at = page.anchors.indexOf('\n', at + 1)) anchors++
  return Math.max(page.inlinks, anchors)
}

/** What the quadratic goes by. */
export function importanceOf(page: FrontierPage): number {
  return Math.log1p(inlinksOf(page))
}

export function cluesOf(page: FrontierPage, lessons: Lessons): PageClues {
  const anchors = anchorsOf(page)
  const host = lessons.host(hostOf(page.url))
  return {
    url: page.url,
    urlNgrams: urlNgrams(page.url),
    anchorNgrams: anchors.slice(0, MAX_ANCHORS).map((anchor) => anchorNgrams([anchor])),
    inlinks: inlinksOf(page),
    hostPages: host.pages,
    hostMeanScore: host.meanScore,
  }
}

/** `scores`: of the answers that count, best first. */
export function queryCluesOf(queries: QueryBook, query: number, scores: ArrayLike<number>): QueryClues {
  return {
    ngrams: queries.ngrams(query),
    words: queries.words(query),
    bestScore: scores[0] ?? 0,
    meanTopScore: meanTopScore(scores, VISIBLE_RANKS),
  }
}
