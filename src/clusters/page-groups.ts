/** Pages in groups, clusters or sites, each group in the order in which its pages are looked at. */
import { describe } from '../describe.js'

export interface PageGroups {
  /** Group g has pages[starts[g]] … pages[starts[g + 1] - 1]. One more than there are groups. */
  readonly starts: Uint32Array
  /** Numbers of pages, none twice. */
  readonly pages: Uint32Array
}

/** Clusters, the pages nearest to the centroid first: they stand for the others best. Of equally near ones the lowest. */
export function nearestFirst(assignment: Uint32Array, clusters: number, cosines: ArrayLike<number>): PageGroups {
  if (cosines.length !== assignment.length) {
    throw new RangeError(
      `cosines must hold one number for each of ${assignment.length} pages, received ${cosines.length}`,
    )
  }
  return groupPages(assignment, clusters, (a, b) => cosines[b]! - cosines[a]! || a - b)
}

/** `before`: how two pages of a group are ordered, as for sort(). */
export function groupPages(
  assignment: Uint32Array,
  groups: number,
  before: (page: number, other: number) => number,
): PageGroups {
  const starts = new Uint32Array(groups + 1)
  for (const [page, group] of assignment.entries()) {
    if (group >= groups)
      throw new RangeError(`assignment[${page}] must be below ${groups}, received ${describe(group)}`)
    starts[group + 1]!++
  }
  for (let group = 0; group < groups; group++) starts[group + 1]! += starts[group]!
  const next = starts.slice()
  const pages = new Uint32Array(assignment.length)
  assignment.forEach((group, page) => {
    pages[next[group]!++] = page
  })
  for (let group = 0; group < groups; group++) pages.subarray(starts[group], starts[group + 1]).sort(before)
  return { starts, pages }
}

export function groupCount({ starts }: PageGroups): number {
  return starts.length - 1
}
