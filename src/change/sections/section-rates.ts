/**
 * How rates of changes are distributed over the pages of each section: pages of a folder change alike, so that what was seen of some speaks for the others (empirical Bayes, along
 * the tree). A section counts as if so many pages more were in it that are distributed as those of its parent.
 */
import { addPosterior, GRID_SIZE, type RateChances } from '../rates/rate-grid.js'
import type { SectionTree } from './section-tree.js'

export interface RatedPage {
  readonly section: number
  /** What its visits say, by rate of the grid: see visitLikelihoods(). */
  readonly likelihoods: Readonly<Float64Array>
}

/** Chosen by how well changes were foretold: 3 to 20 differ little (docs/policies.md). */
const PARENT_PAGES = 8
const ROUNDS = 2

/** By section. `whole`: of all pages. */
export function sectionPriors(tree: SectionTree, pages: readonly RatedPage[], whole: RateChances): RateChances[] {
  const { parents } = tree
  let priors = Array.from({ length: parents.length }, () => whole)
  if (parents.length === 1) return priors
  for (let round = 0; round < ROUNDS; round++) {
    const sums = Array.from({ length: parents.length }, () => new Float64Array(GRID_SIZE))
    const counts = new Uint32Array(parents.length)
    for (const { section, likelihoods } of pages) {
      addPosterior(sums[section]!, priors[section]!, likelihoods)
      counts[section]!++
    }
    for (let section = parents.length - 1; section > 0; section--) {
      addTo(sums[parents[section]!]!, sums[section]!)
      counts[parents[section]!]! += counts[section]!
    }
    const learnt = [whole]
    for (let section = 1; section < parents.length; section++) {
      const parent = learnt[parents[section]!]!
      const weight = counts[section]! + PARENT_PAGES
      learnt.push(sums[section]!.map((sum, at) => (sum + PARENT_PAGES * parent[at]!) / weight))
    }
    priors = learnt
  }
  return priors
}

function addTo(sums: Float64Array, chances: RateChances): void {
  for (let at = 0; at < GRID_SIZE; at++) sums[at]! += chances[at]!
}
