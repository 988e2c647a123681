/**
 * Sections of a site, such as the folders of its URLs: how the pages of a section change, and what their changes gain.
 * What is learnt about a section is shrunk to its parent, so that a section with few pages differs little from it.
 */
import { addPosterior, GRID_SIZE, type RateChances } from './rate-grid.js'

/** Each section has a number and a parent with a smaller number; the whole site is section 0. */
export interface SectionTree {
  /** The parent of each section; that of 0 is 0. */
  readonly parents: ArrayLike<number>
}

/** The sections of a tree that are large enough to be looked at on their own, numbered anew. */
export interface LargeSections extends SectionTree {
  readonly parents: readonly number[]
  /** By section of the original tree, as far as there were any: its number, or that of the nearest large one above. */
  readonly numbers: Uint32Array
  /** The number of a section of the original tree, or of the nearest large section above it. */
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
    // A section that has all pages of its parent adds nothing.
    const isLarge = sizes[section]! >= minPages && sizes[section]! < sizes[parent]!
    numbers[section] = isLarge ? parents.push(numbers[parent]!) - 1 : numbers[parent]!
  }
  return { parents, numbers, numberOf: (section) => numberIn(numbers, tree, section) }
}

/** The number that a section of the original tree has in `numbers` of its large sections. */
export function numberIn(numbers: Uint32Array, tree: SectionTree, section: number): number {
  let known = section
  // The section is newer than the numbers: one of those above it is known.
  while (known >= numbers.length) known = tree.parents[known]!
  return numbers[known]!
}

export interface RatedPage {
  readonly section: number
  /** The likelihoods of the rates of the grid: see visitLikelihoods(). */
  readonly likelihoods: Readonly<Float64Array>
}

/** Chosen by how well changes were predicted. Numbers from 3 to 20 differ little (docs/lab-policies.md). */
const PARENT_PAGES = 8
const ROUNDS = 2

/**
 * The distribution of change rates over the pages of each section. Pages of a folder change alike, so what was seen of
 * some counts for the others (empirical Bayes along the tree). A section counts as if it had PARENT_PAGES more pages
 * that are distributed like those of its parent. `whole` is the distribution over all pages.
 */
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

export interface SectionGain {
  readonly section: number
  /** The gain divided by what was expected of it, at least 0. */
  readonly surprise: number
}

/** The mean of the parent weighs as much as this many changes: see docs/lab-policies.md. */
const PARENT_CHANGES = 30
/**
 * The prior of the whole site: FIRST_CHANGES changes with this root each. It is the mean root where one gain in ten is
 * ten times what was expected, and the others are 0.
 */
const FIRST_CHANGES = 3
const FIRST_ROOT = 1 / Math.sqrt(10)

/**
 * For each section, how much more or less its changes gain than was expected: 1 for the whole site, always above 0. In
 * one folder pages are rewritten, in another commas are moved, which the stakes of pages do not show.
 *
 * A surprise counts by its root, as gains are rare and large: the mean of the surprises would be dominated by the last
 * large one. The mean root of a section is shrunk to that of its parent, and divided by that of all pages it is the
 * factor. It is not squared, so that half of the deviation, on a logarithmic scale, is taken for chance.
 */
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
