/**
 * The impact to expect of pages whose scores are not certain, exactly (Crawl ordering by search impact, section 4.2).
 * Scores are independent of each other and take a few values each, so the rank of a page follows from a sum of
 * independent events, one for each page that may come before it. It takes O(n² · values · ranks) for each query: a
 * reference for small cases and for lists that are worth it.
 */

import { describe } from '../../../src/base/describe.js'
import type { ViewLikelihood } from '../../../src/workload/view-likelihood.js'

export interface UncertainPage {
  readonly page: number
  /** What it may score, each at least 0; at 0 it is not in the list. */
  readonly scores: ArrayLike<number>
  /** Of each score, 1 together; all the same unless told. */
  readonly probabilities?: ArrayLike<number>
}

export interface UncertainQuery {
  readonly frequency: number
  /** Of fetched pages, in any order: those are certain, and come first among equal scores. */
  readonly crawledScores: ArrayLike<number>
  readonly uncrawled: readonly UncertainPage[]
}

/**
 * P(p, q, r): [r - 1] is how likely the page has rank r, for the first `ranks` ranks. What is missing to 1 is behind,
 * or not in the list.
 */
export function rankDistribution(query: UncertainQuery, page: UncertainPage, ranks: number): Float64Array {
  const likely = new Float64Array(ranks)
  for (let at = 0; at < page.scores.length; at++) {
    const score = page.scores[at]!
    if (score <= 0) continue
    const certain = countAtLeast(query.crawledScores, score)
    if (certain >= ranks) continue
    const before = new Float64Array(ranks - certain)
    before[0] = 1
    for (const other of query.uncrawled) {
      if (other.page !== page.page) addEvent(before, chanceBefore(other, score, page.page))
    }
    for (let more = 0; more < before.length; more++) likely[certain + more]! += probabilityAt(page, at) * before[more]!
  }
  return likely
}

/**
 * E[I(p)] = Σ_q f(q) Σ_r V(r) P(p, q, r) for each page below `pages`; V is `visibility` for the first `ranks` ranks,
 * and 0 behind.
 */
export function expectedImpacts(
  queries: Iterable<UncertainQuery>,
  pages: number,
  visibility: ViewLikelihood,
  ranks: number,
): Float64Array {
  const impacts = new Float64Array(pages)
  for (const query of queries) {
    for (const page of query.uncrawled) {
      requireProbabilities(page)
      const likely = rankDistribution(query, page, ranks)
      for (let rank1 = 1; rank1 <= ranks; rank1++) {
        impacts[page.page]! += query.frequency * visibility(rank1) * likely[rank1 - 1]!
      }
    }
  }
  return impacts
}

/** [n] becomes how likely n events happen, this one among them; those beyond the last are forgotten. */
function addEvent(counts: Float64Array, chance: number): void {
  for (let count = counts.length - 1; count > 0; count--) {
    counts[count] = counts[count]! * (1 - chance) + counts[count - 1]! * chance
  }
  counts[0]! *= 1 - chance
}

/** How likely the other comes before a page of this score: of equal scores the lower number does. */
function chanceBefore(other: UncertainPage, score: number, page: number): number {
  let chance = 0
  for (let at = 0; at < other.scores.length; at++) {
    const rival = other.scores[at]!
    if (rival > score || (rival === score && other.page < page)) chance += probabilityAt(other, at)
  }
  return Math.min(1, chance)
}

function probabilityAt({ scores, probabilities }: UncertainPage, at: number): number {
  return probabilities === undefined ? 1 / scores.length : probabilities[at]!
}

function countAtLeast(scores: ArrayLike<number>, score: number): number {
  let count = 0
  for (let at = 0; at < scores.length; at++) if (scores[at]! >= score) count++
  return count
}

function requireProbabilities({ page, scores, probabilities }: UncertainPage): void {
  if (probabilities === undefined) return
  let sum = 0
  for (let at = 0; at < probabilities.length; at++) sum += probabilities[at]!
  if (probabilities.length !== scores.length || !(Math.abs(sum - 1) < 1e-9)) {
    const received = `${probabilities.length} that make ${describe(sum)}`
    throw new RangeError(`probabilities of page ${page} must be ${scores.length} that make 1, received ${received}`)
  }
}
