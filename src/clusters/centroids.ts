/** To which of given clusters a vector belongs, and how near it is to the centroid (Tan and Mitra, Eq. 4). */
import { describe } from '../base/describe.js'
import type { Clustering } from './bisection.js'
import { DenseRows, type NumberArray, normOf, type UnitRows } from './unit-rows.js'

export type Centroids = Pick<Clustering, 'centroids' | 'clusters' | 'width'>

/** The cosine between each vector and the centroid of its cluster; 0 where one of them has no direction. */
export function centroidCosines(
  vectors: NumberArray,
  clustering: Centroids & Pick<Clustering, 'assignment'>,
): Float64Array {
  const rows = new DenseRows(vectors, clustering.width)
  if (rows.rows !== clustering.assignment.length) {
    throw new RangeError(`vectors must hold ${clustering.assignment.length} rows, received ${rows.rows}`)
  }
  const search = new CentroidSearch(clustering)
  return Float64Array.from(clustering.assignment, (cluster, row) => search.cosine(rows, row, cluster))
}

export class CentroidSearch {
  readonly #centroids: readonly Float64Array[]
  readonly #directed: readonly boolean[]

  constructor({ centroids, clusters, width }: Centroids) {
    if (centroids.length !== clusters * width) {
      throw new RangeError(
        `centroids must hold ${clusters} rows of ${width} numbers, received ${centroids.length} numbers`,
      )
    }
    if (clusters === 0) throw new RangeError('clusters must be at least 1, received 0')
    this.#centroids = Array.from({ length: clusters }, (_, at) => centroids.subarray(at * width, (at + 1) * width))
    this.#directed = this.#centroids.map((centroid) => normOf(centroid) > 0)
  }

  cosine(rows: UnitRows, row: number, cluster: number): number {
    return rows.dot(row, this.#centroids[cluster]!)
  }

  /**
   * The nearest cluster; of equals the first, which is the largest. A row without a direction belongs to the cluster of
   * such rows, or else to the largest one.
   */
  nearest(rows: UnitRows, row: number): number {
    if (!rows.hasDirection(row)) return Math.max(0, this.#directed.indexOf(false))
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    for (let cluster = 0; cluster < this.#centroids.length; cluster++) {
      if (!this.#directed[cluster]) continue
      const cosine = rows.dot(row, this.#centroids[cluster]!)
      if (cosine <= most) continue
      most = cosine
      best = cluster
    }
    return best
  }
}

/** Pages in groups, clusters or sites, each group in the order in which its pages are looked at. */
export interface PageGroups {
  /** Group g has pages[starts[g]] … pages[starts[g + 1] - 1]. There is one more start than groups. */
  readonly starts: Uint32Array
  /** Distinct numbers of pages. */
  readonly pages: Uint32Array
}

/** Clusters with the pages nearest to the centroid first, as they represent the others best; of equals the lowest. */
export function nearestFirst(assignment: Uint32Array, clusters: number, cosines: ArrayLike<number>): PageGroups {
  if (cosines.length !== assignment.length) {
    throw new RangeError(
      `cosines must hold one number for each of ${assignment.length} pages, received ${cosines.length}`,
    )
  }
  return groupPages(assignment, clusters, (a, b) => cosines[b]! - cosines[a]! || a - b)
}

/** `before` compares two pages of a group, as for sort(). */
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
