/** The crawl-ordering policy of "Crawl ordering by search impact" on a scene, for all queries or some. */
import type { Improvability } from '../../frontier/neediness.js'
import { type CyclePlan, planCycle } from '../../frontier/plan-cycle.js'
import { VISIBLE_RANKS } from '../../frontier/query-sketch.js'
import { NO_PAGE, topAnswers } from './crawl-scene.js'
import type { FrontierMatches } from './expected-scores.js'
import type { PastCycle } from './past-cycle.js'

export interface ScenePlanOptions {
  /** The workload that the plan knows. */
  readonly queries: ArrayLike<number>
  readonly fetches: number
  readonly improvability: Improvability
  readonly needyShare?: number
}

export function planScene(
  matches: FrontierMatches,
  { tree, quadratic }: PastCycle,
  options: ScenePlanOptions,
): CyclePlan {
  const { queries, fetches, improvability, needyShare = 1 } = options
  const { input, frontier } = matches.scene
  const asked = Array.from(queries)
  return planCycle(
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
