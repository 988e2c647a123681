/** A page as the set of fragments, here shingles, that it consists of at every step (Information longevity, section 2.1.1). */
import type { ShingleSet } from '../../change/shingles.js'

/** By time, the first at step 0: what a page consists of from a step on. Neighbours may be equal. */
export type PageFragments = readonly FragmentChange[]

export interface FragmentChange {
  readonly step: number
  readonly fragments: ShingleSet
}

export interface FragmentWorld {
  /** By step, growing. */
  readonly atMs: Float64Array
  readonly pages: Iterable<PageFragments>
}

/** What the page consists of at each step. */
export function fragmentsByStep(page: PageFragments, steps: number): ShingleSet[] {
  let at = 0
  return Array.from({ length: steps }, (_, step) => {
    while (at + 1 < page.length && page[at + 1]!.step <= step) at++
    return page[at]!.fragments
  })
}
