/**
 * How likely the pages of a group, a cluster or a site, change from one refresh to the next: the mean φ of those that
 * were refreshed before (Tan and Mitra, Clustering-based incremental web crawling, section 4). The paper downloads a
 * sample to find φ, nearest to the centroid first. Here φ comes from the ledger, which costs nothing, so the sample is
 * every page with a history.
 */
import {
  type ChangeWeighting,
  changeProbability,
  PACKED_CYCLES,
  packedChangeFrequency,
} from '../../clusters/change-weights.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'

/** A group is shrunk to the mean of all pages as if it had this many more of them: the least sample of the paper. */
const MEAN_PAGES = 5
/** λ of all pages while no page was ever refreshed. Its value does not matter, as it is the same for all. */
const UNKNOWN_FREQUENCY = 0.5

/** φ of one page; undefined for a page without a history. */
export function pageProbability(columns: LedgerColumns, doc: number, weighting: ChangeWeighting): number | undefined {
  const cycles = Math.min(columns.refreshes[doc]!, PACKED_CYCLES)
  if (cycles === 0) return undefined
  return changeProbability(packedChangeFrequency({ bits: columns.changeBits[doc]!, cycles }, weighting))
}

export class GroupProbabilities {
  readonly #weighting: ChangeWeighting
  readonly #groups = new Map<number, { known: number; sum: number }>()
  readonly #all = { known: 0, sum: 0 }

  constructor(weighting: ChangeWeighting) {
    this.#weighting = weighting
  }

  add(group: number, columns: LedgerColumns, doc: number): void {
    const probability = pageProbability(columns, doc, this.#weighting)
    if (probability === undefined) return
    let own = this.#groups.get(group)
    if (own === undefined) {
      own = { known: 0, sum: 0 }
      this.#groups.set(group, own)
    }
    for (const sums of [own, this.#all]) {
      sums.known++
      sums.sum += probability
    }
  }

  /**
   * By group: how many groups have a lower φ. Groups with fewer known pages than so many have the highest place.
   */
  places(leastKnown: number): (group: number) => number {
    const known = [...this.#groups].filter(([, group]) => group.known >= leastKnown)
    const falling = known.map(([group, { known: count, sum }]) => [group, sum / count] as const)
    falling.sort(([, a], [, b]) => a - b)
    const places = new Map<number, number>()
    falling.forEach(([group, probability], at) => {
      const before = falling[at - 1]
      places.set(group, before?.[1] === probability ? places.get(before[0])! : at)
    })
    return (group) => places.get(group) ?? known.length
  }

  /** Pages of the group with a history. */
  knownOf(group: number): number {
    return this.#groups.get(group)?.known ?? 0
  }

  /** Mean φ of all pages. */
  get mean(): number {
    return this.#all.known === 0 ? changeProbability(UNKNOWN_FREQUENCY) : this.#all.sum / this.#all.known
  }

  /** φ of the group, shrunk to `mean`, the φ of pages in general. */
  probabilityOf(group: number, mean: number): number {
    const { known, sum } = this.#groups.get(group) ?? { known: 0, sum: 0 }
    return (sum + MEAN_PAGES * mean) / (known + MEAN_PAGES)
  }
}
