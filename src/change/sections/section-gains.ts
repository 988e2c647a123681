/**
 * How much more, or less, changes of a section gain than what was expected of them: in one folder pages are written anew, in another commas are set, and the stakes of pages know
 * nothing of that.
 *
 * A gain counts as the root of what it is by what was expected of it. Gains are rare and large, so that a mean of the gains themselves would be the last large one. Roots of a section are
 * drawn to those of its parent, and their mean, by that of all pages, is the factor: not its square, so that half of what a section seems to be, on the scale of logarithms, is taken for chance.
 */
import type { SectionTree } from './section-tree.js'

export interface SectionGain {
  readonly section: number
  /** By what was expected of it; 0 or more. */
  readonly surprise: number
}

/** Changes to be seen that count as much as what the parent did: see docs/policies.md. */
const PARENT_CHANGES = 30
/** Changes of the whole that count before any was seen, with this root each: that of one gain in ten that is ten times what was expected. */
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
