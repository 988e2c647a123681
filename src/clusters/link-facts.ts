/** What links between pages say of each of them: PageRank, and how many lead there and away (Tan and Mitra, Eq. 2). */

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

/** `linking`: by page, the pages that link to it, each once. */
export function linkFactsOf(linking: readonly (readonly number[])[]): LinkFacts {
  const outlinks = new Uint32Array(linking.length)
  for (const from of linking) for (const page of from) outlinks[page]!++
  const inlinks = Uint32Array.from(linking, ({ length }) => length)
  return { pageRanks: settledRanks(linking, outlinks), inlinks, outlinks }
}

/** PageRank by its definition: (1 - d) / N + d Σ PR(p_j) / OL(p_j). */
function settledRanks(linking: readonly (readonly number[])[], outlinks: Uint32Array): Float64Array {
  const pages = linking.length
  let ranks = new Float64Array(pages).fill(1 / pages)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = Float64Array.from(linking, (from) =>
      from.reduce((sum, page) => sum + (DAMPING * ranks[page]!) / outlinks[page]!, (1 - DAMPING) / pages),
    )
    const moved = next.reduce((most, rank, page) => Math.max(most, Math.abs(rank - ranks[page]!)), 0)
    ranks = next
    if (moved * pages < SETTLED) break
  }
  return ranks
}
