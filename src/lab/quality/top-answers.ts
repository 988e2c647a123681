/**
 * What the first answers are worth (Tan and Mitra, Clustering-based incremental web crawling): top-k freshness and MAP@k, mean
 * values over the queries that have answers, each counted as often as it is asked.
 *
 * The paper had people judge which answers are relevant. Here an answer is relevant when its page, as it is now, is among the k
 * best of the world.
 */
import { isFresh } from './freshness.js'
import type { RepositoryQuality } from './repository-quality.js'

const TOP = 10

/** Freshness@k: the share of the first k answers whose copies are fresh. */
export function topFreshness(state: RepositoryQuality, k = TOP): number {
  return meanOverQueries(state, (query) => topFreshnessOf(state, query, k))
}

/** MAP@k. */
export function topPrecision(state: RepositoryQuality, k = TOP): number {
  return meanOverQueries(state, (query) => topPrecisionOf(state, query, k))
}

/** Freshness@k of one query; undefined where it has no answer. */
export function topFreshnessOf(state: RepositoryQuality, query: number, k = TOP): number | undefined {
  const top = state.localAnswers(query).subarray(0, k)
  return top.length === 0 ? undefined : shareOf(Array.from(top, (page) => isFresh(state.copies, page)))
}

/** Average precision of one query, 0 where its first k answers hold no relevant one; undefined where the world has no answer. */
export function topPrecisionOf(state: RepositoryQuality, query: number, k = TOP): number | undefined {
  const best = new Set(state.liveAnswers(query).subarray(0, k))
  if (best.size === 0) return undefined
  return averagePrecision(Array.from(state.localAnswers(query).subarray(0, k), (page) => best.has(page)))
}

/** Mean, over the relevant answers, of the share of relevant ones down to each of them. */
export function averagePrecision(isRelevant: readonly boolean[]): number {
  let [sum, relevant] = [0, 0]
  isRelevant.forEach((is, at) => {
    if (is) sum += ++relevant / (at + 1)
  })
  return relevant === 0 ? 0 : sum / relevant
}

function shareOf(flags: readonly boolean[]): number {
  return flags.filter(Boolean).length / flags.length
}

/** 1 when no query counts. */
function meanOverQueries({ weights }: RepositoryQuality, judge: (query: number) => number | undefined): number {
  let [sum, total] = [0, 0]
  weights.forEach((weight, query) => {
    const value = judge(query)
    if (value === undefined) return
    sum += weight * value
    total += weight
  })
  return total === 0 ? 1 : sum / total
}
