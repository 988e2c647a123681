import { addPosterior, GRID_SIZE, type RateChances } from './rate-grid.js'

/**
 * Sections of a site, such as the folders of its URLs, as a tree: each has a number and a parent with a smaller number,
 * the whole is section 0. What is learnt of a section is drawn to what its parent does, so that one with few pages does
 * little by itself.
 */
export interface SectionTree {
  /** By section; that of 0 is 0. */
  readonly parents: ArrayLike<number>
}

/** Those sections of a tree that are large enough to be looked at, numbered anew. */
export interface LargeSections extends SectionTree {
  /** The number here of a section of the whole tree: its own, or that of the nearest one above it. */
  numberOf(section: number): number
}

/** `pages`: the sections of the pages that count. REQUIRES: parents come before their children. */
export function largeSections(tree: SectionTree, pages: Iterable<number>, minPages: number): LargeSections {
  const count = tree.parents.length
  const sizes = new Uint32Array(count)
  for (const section of pages) sizes[section]!++
  for (let section = count - 1; section > 0; section--) sizes[tree.parents[section]!]! += sizes[section]!
  const numbers = new Uint32Array(count)
  const parents = [0]
  for (let section = 1; section < count; section++) {
    const parent = tree.parents[section]!
    // A section with all pages of its parent says nothing that the parent does not.
    const isLarge = sizes[section]! >= minPages && sizes[section]! < sizes[parent]!
    numbers[section] = isLarge ? parents.push(numbers[parent]!) - 1 : numbers[parent]!
  }
  return {
    parents,
    numberOf: (section) => {
      let known = section
      // Made since: its parent is older.
      while (known >= count) known = tree.parents[known]!
      return numbers[known]!
    },
  }
}

/**
 * How rates of changes are distributed over the pages of each section: pages of a folder change alike, so that what was
 * seen of some speaks for the others (empirical Bayes, along the tree). A section counts as if so many pages more were
 * in it that are distributed as those of its parent.
 */

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

/**
 * How much more, or less, changes of a section gain than what was expected of them: in one folder pages are written
 * anew, in another commas are set, and the stakes of pages know nothing of that.
 *
 * A gain counts as the root of what it is by what was expected of it. Gains are rare and large, so that a mean of the
 * gains themselves would be the last large one. Roots of a section are drawn to those of its parent, and their mean, by
 * that of all pages, is the factor: not its square, so that half of what a section seems to be, on the scale of
 * logarithms, is taken for chance.
 */

export interface SectionGain {
  readonly section: number
  /** By what was expected of it; 0 or more. */
  readonly surprise: number
}

/** Changes to be seen that count as much as what the parent did: see docs/policies.md. */
const PARENT_CHANGES = 30
/**
 * Changes of the whole that count before any was seen, with this root each: that of one gain in ten that is ten times
 * what was expected.
 */
const FIRST_CHANGES = 3
const FIRST_ROOT = 1 / Math.sqrt(10)

/** By section: what to multiply an expected gain with; 1 for the whole, and always above 0. */
export function sectionGainFactors({ parents }: SectionTree, gains: Iterable<SectionGain>): Float64Array {
  const sums = new Float64Array(parents.length)
  const counts = new Float64Array(parents.length)
  for (const { section, surprise } of gains) {
    sums[section]! += Math.sqrt(surprise)
    counts[section]!++
  }
  for (let section = parents.length - 1; section > 0; section--) {
    sums[parents[section]!]! += sums[section]!
    counts[parents[section]!]! += counts[section]!
  }
  const means = new Float64Array(parents.length)
  means[0] = (sums[0]! + FIRST_CHANGES * FIRST_ROOT) / (counts[0]! + FIRST_CHANGES)
  for (let section = 1; section < parents.length; section++) {
    const above = means[parents[section]!]!
    means[section] = (sums[section]! + PARENT_CHANGES * above) / (counts[section]! + PARENT_CHANGES)
  }
  return means.map((mean) => mean / means[0]!)
}
