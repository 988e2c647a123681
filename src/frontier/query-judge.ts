/**
 * What pages of the frontier would do to the answers of one query: which of them match, what they are expected to
 * score, and what their appearance would add to the quality of the answers. REQUIRES: frontier, lessons and answers of
 * the query stay as they are while one query is judged.
 */

import { topValues } from '../math/heap.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import type { AskedQueries } from './asked-queries.js'
import type { FrontierPages } from './frontier-pages.js'
import { AppearanceGains } from './impact/appearance-gain.js'
import { PAIR_FEATURES, type QueryClues, unlearntScore, writeQueryFeatures } from './impact/expected-score.js'
import { meanTopScore } from './impact/impact.js'
import { VISIBLE_RANKS } from './impact/query-sketch.js'
import { leafOf } from './impact/regression-tree.js'
import type { Lessons } from './lessons.js'
import { PageFeatureCache } from './page-feature-cache.js'

/** Pages of one query that are judged: of more that match, those with the most inlinks. */
const MAX_CANDIDATES = 1000

/** Pages that matter to a query, in order of their numbers: one entry each. */
export interface JudgedPages {
  readonly numbers: Uint32Array
  /** S', 0 where the page is expected not to match after all. */
  readonly scores: Float64Array
  /** Expected ΔQ_A for a query of weight 1. */
  readonly deltaQuality: Float64Array
}

export interface JudgeParts {
  readonly pages: FrontierPages
  readonly lessons: Lessons
  readonly queries: AskedQueries
  readonly view: ViewLikelihood
}

export class QueryJudge {
  readonly #parts: JudgeParts
  readonly #clues: PageFeatureCache
  readonly #row = new Float64Array(PAIR_FEATURES.length)
  /** Of the query at hand, by leaf of the tree: its gain, NaN before it was asked for. */
  readonly #leafGains: Float64Array

  constructor(parts: JudgeParts) {
    this.#parts = parts
    this.#clues = new PageFeatureCache(parts.pages, parts.lessons)
    this.#leafGains = new Float64Array(parts.lessons.tree?.features.length ?? 0)
  }

  /** All pages that matter to the query. */
  judge(query: number): JudgedPages {
    const numbers = this.#candidates(query)
    const judged = {
      numbers,
      scores: new Float64Array(numbers.length),
      deltaQuality: new Float64Array(numbers.length),
    }
    if (numbers.length > 0) this.#judgeAll(judged, query)
    return judged
  }

  #candidates(query: number): Uint32Array {
    const { pages, queries } = this.#parts
    const numbers = pages.index.matching(queries.ngrams(query))
    if (numbers.length <= MAX_CANDIDATES) return numbers
    const inlinks = new Float64Array(numbers.length)
    for (let at = 0; at < numbers.length; at++) inlinks[at] = pages.inlinks(numbers[at]!)
    return topValues(inlinks, MAX_CANDIDATES)
      .map((at) => numbers[at]!)
      .sort()
  }

  #judgeAll(judged: JudgedPages, query: number): void {
    const { queries, view, lessons } = this.#parts
    const { tree } = lessons
    const answers = queries.scores(query)
    const clues = queryCluesOf(queries, query, answers)
    const gains = new AppearanceGains(answers, view)
    const row = this.#row
    const leafGains = this.#leafGains.fill(Number.NaN)
    writeQueryFeatures(row, 0, clues)
    for (let at = 0; at < judged.numbers.length; at++) {
      this.#clues.writeFeatures(row, judged.numbers[at]!, clues)
      if (tree === undefined) {
        judged.scores[at] = unlearntScore(row[0]!, row[1]!, answers)
        judged.deltaQuality[at] = gains.gain(judged.scores[at]!)
        continue
      }
      const leaf = leafOf(tree, row)
      if (Number.isNaN(leafGains[leaf])) leafGains[leaf] = gains.expectedGain(tree.values[leaf] as readonly number[])
      judged.scores[at] = Math.max(0, tree.means[leaf] as number)
      judged.deltaQuality[at] = leafGains[leaf]!
    }
  }
}

/** `scores`: of the answers that count, best first. */
export function queryCluesOf(queries: AskedQueries, query: number, scores: ArrayLike<number>): QueryClues {
  return {
    ngrams: queries.ngrams(query),
    words: queries.words(query),
    bestScore: scores[0] ?? 0,
    meanTopScore: meanTopScore(scores, VISIBLE_RANKS),
  }
}
