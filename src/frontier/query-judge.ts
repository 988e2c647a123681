/**
 * What pages of the frontier would do to the answers of one query: which of them match, what they are expected to
 * score, and what their appearance would add to the quality of the answers. REQUIRES: frontier, lessons and answers do
 * not change while one query is judged.
 */
import { topValues } from '../math/heap.js'
import type { AskedQueries } from './asked-queries.js'
import type { FrontierCycle } from './cycle.js'
import { AppearanceGains } from './impact/appearance-gain.js'
import { PAIR_FEATURES, type QueryClues, unlearntScore, writeQueryFeatures } from './impact/expected-score.js'
import { meanTopScore } from './impact/impact.js'
import { VISIBLE_RANKS } from './impact/query-sketch.js'
import { leafOf } from './impact/regression-tree.js'
import { PageFeatureCache } from './page-feature-cache.js'

/** The most pages that are judged for one query. If more match, those with the most inlinks are judged. */
const MAX_CANDIDATES = 1000

/** Pages that match a query, in the order of their numbers, one entry each. */
export interface JudgedPages {
  readonly numbers: Uint32Array
  /** S'; 0 for a page that is expected not to match after all. */
  readonly scores: Float64Array
  /** Expected ΔQ_A for a query of weight 1. */
  readonly deltaQuality: Float64Array
}

export class QueryJudge {
  readonly #cycle: FrontierCycle
  readonly #pageFeatures: PageFeatureCache
  readonly #row = new Float64Array(PAIR_FEATURES.length)
  /** The gains of the present query by leaf of the tree; NaN until a gain is computed. */
  readonly #leafGains: Float64Array

  constructor(cycle: FrontierCycle) {
    this.#cycle = cycle
    this.#pageFeatures = new PageFeatureCache(cycle.pages, cycle.lessons)
    this.#leafGains = new Float64Array(cycle.lessons.tree?.features.length ?? 0)
  }

  /** All pages that match the query, at most MAX_CANDIDATES. */
  judge(query: number): JudgedPages {
    const numbers = this.candidates(query)
    const judged = {
      numbers,
      scores: new Float64Array(numbers.length),
      deltaQuality: new Float64Array(numbers.length),
    }
    if (numbers.length > 0) this.#judgeAll(judged, query)
    return judged
  }

  /** Their numbers alone. */
  candidates(query: number): Uint32Array {
    const { pages, queries, rules } = this.#cycle
    const numbers = pages.index.matching(queries.ngrams(query), rules.rho)
    if (numbers.length <= MAX_CANDIDATES) return numbers
    const inlinks = new Float64Array(numbers.length)
    for (let at = 0; at < numbers.length; at++) inlinks[at] = pages.inlinks(numbers[at]!)
    return topValues(inlinks, MAX_CANDIDATES)
      .map((at) => numbers[at]!)
      .sort()
  }

  #judgeAll(judged: JudgedPages, query: number): void {
    const { queries, view, lessons } = this.#cycle
    const { tree } = lessons
    const answers = queries.scores(query)
    const clues = queryCluesOf(queries, query, answers)
    const gains = new AppearanceGains(answers, view)
    const row = this.#row
    const leafGains = this.#leafGains.fill(Number.NaN)
    writeQueryFeatures(row, 0, clues)
    for (let at = 0; at < judged.numbers.length; at++) {
      this.#pageFeatures.writeFeatures(row, judged.numbers[at]!, clues)
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

/** What is known about a query. `scores`: those of the answers that count, best first. */
export function queryCluesOf(queries: AskedQueries, query: number, scores: ArrayLike<number>): QueryClues {
  return {
    ngrams: queries.ngrams(query),
    words: queries.words(query),
    bestScore: scores[0] ?? 0,
    meanTopScore: meanTopScore(scores, VISIBLE_RANKS),
  }
}
