/** What links between pages say of each of them: PageRank, and how many lead there and away (Tan and Mitra, Eq. 2). */

import { finish, type Steps } from '../base/turns.js'

const DAMPING = 0.85
/** The largest change of any page, times N, at which it is settled. */
const SETTLED = 1e-10
/** Errors shrink by the damping in each round: after 200 they are below any double that counts. */
const MOST_ROUNDS = 200

export interface LinkFacts {
  /** By page. */
  readonly pageRanks: Float64Array
  readonly inlinks: Uint32Array
  readonly outlinks: Uint32Array
}

/** Pages of a step. */
const PAGES_PER_STEP = 256

/** `linking`: by page, the pages that link to it, each once. */
export function linkFactsOf(linking: readonly (readonly number[])[]): LinkFacts {
  return finish(linkFactsInSteps(linking))
}

/** The same in steps. */
export function* linkFactsInSteps(linking: readonly (readonly number[])[]): Steps<LinkFacts> {
  const outlinks = new Uint32Array(linking.length)
  const inlinks = new Uint32Array(linking.length)
  for (const [page, from] of linking.entries()) {
    if (page % PAGES_PER_STEP === 0) yield
    inlinks[page] = from.length
    for (const other of from) outlinks[other]!++
  }
  return { pageRanks: yield* settledRanks(linking, outlinks), inlinks, outlinks }
}

/** PageRank by its definition: (1 - d) / N + d Σ PR(p_j) / OL(p_j). */
function* settledRanks(linking: readonly (readonly number[])[], outlinks: Uint32Array): Steps<Float64Array> {
  const pages = linking.length
  let ranks = new Float64Array(pages).fill(1 / pages)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = new Float64Array(pages)
    let moved = 0
    for (let page = 0; page < pages; page++) {
      if (page % PAGES_PER_STEP === 0) yield
      let rank = (1 - DAMPING) / pages
      for (const other of linking[page]!) rank += (DAMPING * ranks[other]!) / outlinks[other]!
      next[page] = rank
      moved = Math.max(moved, Math.abs(rank - ranks[page]!))
    }
    ranks = next
    if (moved * pages < SETTLED) break
  }
  return ranks
}
