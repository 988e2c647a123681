/** PageRank by its definition (Tan and Mitra, Clustering-based incremental web crawling, Eq. 2): (1 - d) / N + d Σ PR(p_j) / OL(p_j). */
import type { LinkSources } from '../worlds/folder-inlinks.js'

const DAMPING = 0.85
/** The largest change of any page, times N, at which it is settled. */
const SETTLED = 1e-10
/** Errors shrink by the damping each time, so that 200 are below any double that counts. */
const MOST_ROUNDS = 200

export interface LinkFacts {
  /** By page. */
  readonly pageRanks: Float64Array
  readonly inlinks: Uint32Array
  readonly outlinks: Uint32Array
}

/** Links from or to other pages than these do not count. */
export function linkFacts(urls: readonly string[], sources: LinkSources): LinkFacts {
  const numbers = new Map(urls.map((url, page) => [url, page]))
  const outlinks = new Uint32Array(urls.length)
  const linking = urls.map((url) =>
    [...(sources.get(url) ?? [])].flatMap((from) => numbers.get(from) ?? []).sort((a, b) => a - b),
  )
  for (const from of linking.flat()) outlinks[from]!++
  const inlinks = Uint32Array.from(linking, ({ length }) => length)
  return { pageRanks: settledRanks(linking, outlinks), inlinks, outlinks }
}

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
