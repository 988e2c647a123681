/**
 * How often somebody who searches is led to a stale copy (Wolf et al., Optimal crawling strategies for web search engines, WWW
 * 2002, section 2.2): Σ w(p) over stale copies p, with w = d Σ c · b (Eq. 8). Here b is how often a query has p at a rank, and
 * c, how often that rank is clicked, is the view likelihood.
 */
import { isFresh } from './freshness.js'
import type { RepositoryQuality } from './repository-quality.js'

/** Per query asked. `harm`: d by page, how likely a stale copy of it is a wrong answer; 1 for all unless given. */
export function embarrassment(state: RepositoryQuality, harm?: Float64Array): number {
  const { copies, view, weights } = state
  let [sum, queries] = [0, 0]
  weights.forEach((weight, query) => {
    queries += weight
    state.localAnswers(query).forEach((page, at) => {
      if (!isFresh(copies, page)) sum += weight * view[at + 1]! * (harm?.[page] ?? 1)
    })
  })
  return sum / queries
}
