/**
 * Freshness and age of a repository (Cho and Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD
 * 2000). Only pages of which there is a copy count.
 */
import type { CopyColumns, RepositoryQuality } from './repository-quality.js'
import { NO_VERSION } from './timeline.js'

/** Whether the copy of a page is as the page is in the world. The page must have a copy. */
export function isFresh({ local, live }: CopyColumns, page: number): boolean {
  return local[page] === live[page]
}

/** The share of copies that are fresh; 1 without any copy. */
export function freshness(copies: CopyColumns): number {
  return meanOverCopies(copies, 1, (page) => (isFresh(copies, page) ? 1 : 0))
}

/** Mean time for which copies have been stale, 0 for fresh ones: counted from the first change that a copy lacks. */
export function meanAgeMs(copies: CopyColumns, nowMs: number): number {
  return meanOverCopies(copies, 0, (page) => (isFresh(copies, page) ? 0 : nowMs - copies.staleSinceMs[page]!))
}

/** `ofNone`: the mean when there is no copy. */
export function meanOverCopies(copies: CopyColumns, ofNone: number, judge: (page: number) => number): number {
  let [sum, count] = [0, 0]
  copies.local.forEach((version, page) => {
    if (version === NO_VERSION) return
    sum += judge(page)
    count++
  })
  return count === 0 ? ofNone : sum / count
}

/**
 * How often somebody who searches is led to a stale copy (Wolf et al., Optimal crawling strategies for web search
 * engines, WWW 2002, section 2.2): Σ w(p) over stale copies p, with w = d Σ c · b (Eq. 8). Here b is how often a query
 * has p at a rank, and c, how often that rank is clicked, is the view likelihood. The sum is
 * divided by the number of queries asked. `harm` is d by page, how likely a stale copy of it is a wrong answer; 1 for
 * all unless given. `shown`: the ranks that anybody is shown; all unless given.
 */
export function embarrassment(state: RepositoryQuality, harm?: Float64Array, shown?: number): number {
  const { copies, view, weights } = state
  let [sum, queries] = [0, 0]
  weights.forEach((weight, query) => {
    queries += weight
    state
      .localAnswers(query)
      .subarray(0, shown)
      .forEach((page, at) => {
        if (!isFresh(copies, page)) sum += weight * view[at + 1]! * (harm?.[page] ?? 1)
      })
  })
  return sum / queries
}

const TOP = 10

/**
 * What the first answers are worth (Tan and Mitra, Clustering-based incremental web crawling): top-k freshness and
 * MAP@k, mean values over the queries that have answers, each counted as often as it is asked.
 *
 * The paper had people judge which answers are relevant. Here an answer is relevant when its page, as it is now, is
 * among the k best of the world.
 *
 * Freshness@k: the share of the first k answers whose copies are fresh.
 */
export function topFreshness(state: RepositoryQuality, k = TOP): number {
  return meanOverQueries(state, (query) => topFreshnessOf(state, query, k))
}

/** MAP@k: the mean over the queries of the average precision of their first k answers. */
export function topPrecision(state: RepositoryQuality, k = TOP): number {
  return meanOverQueries(state, (query) => topPrecisionOf(state, query, k))
}

/** Freshness@k of one query; undefined where it has no answer. */
export function topFreshnessOf(state: RepositoryQuality, query: number, k = TOP): number | undefined {
  const top = state.localAnswers(query).subarray(0, k)
  return top.length === 0 ? undefined : shareOf(Array.from(top, (page) => isFresh(state.copies, page)))
}

/**
 * Average precision of one query, 0 where its first k answers hold no relevant one; undefined where the world has no
 * answer.
 */
export function topPrecisionOf(state: RepositoryQuality, query: number, k = TOP): number | undefined {
  const best = new Set(state.liveAnswers(query).subarray(0, k))
  if (best.size === 0) return undefined
  return averagePrecision(
    Array.from(state.localAnswers(query).subarray(0, k), (page) => best.has(page)),
    best.size,
  )
}

/**
 * Mean, over all answers that are relevant, of the share of relevant ones down to each of them; 0 for one that was not
 * given. `relevant`: how many there are, given or not.
 */
export function averagePrecision(isRelevant: readonly boolean[], relevant: number): number {
  let [sum, given] = [0, 0]
  isRelevant.forEach((is, at) => {
    if (is) sum += ++given / (at + 1)
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
