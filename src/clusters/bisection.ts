/**
 * Clusters of pages by the direction of their vectors, by repeated bisection, which increases E = Σ cos(p, centroid of
 * p's cluster) step by step (Tan and Mitra, Clustering-based incremental web crawling, Eq. 3 and 4, section 3.3). The
 * set is cut in two, then one of the parts, and so on. The part with the largest loss is cut next: its number of rows
 * minus its E, which is the most that E could gain. The first k parts do not depend on how many cuts follow.
 */
import { numberOption, parameter } from '../base/checks.js'
import { finish, type Steps } from '../base/turns.js'
import { TwoMeans } from './two-means.js'
import { DenseRows, type NumberArray, normOf, type UnitRows } from './unit-rows.js'

/** The number at which E levels off in the paper, section 6.2. */
const DEFAULT_CLUSTERS = 100
const DEFAULT_RESTARTS = 5
const MOST_RESTARTS = 1000
export const MOST_SEED = 2 ** 32 - 1

export interface BisectionOptions {
  /** The most clusters. There are fewer if fewer vectors differ. Default 100. */
  readonly clusters?: number
  readonly seed: number
  /** How many searches are made for each cut, of which the best counts. Default 5. */
  readonly restarts?: number
}

export interface Clustering {
  /** The cluster of each row. */
  readonly assignment: Uint32Array
  /** Clusters are numbered by size, the largest first. */
  readonly clusters: number
  readonly sizes: Uint32Array
  readonly width: number
  /** One row for each cluster, of norm 1; zeros where the vectors of a cluster cancel each other out. */
  readonly centroids: Float64Array
  /** E, which is at most the number of rows. */
  readonly criterion: number
}

/**
 * Clusters `vectors`, given row after row. Vectors of zeros, which have no direction, form a cluster of their own
 * unless only one cluster is wanted. The same arguments give the same clusters.
 */
export function bisect(vectors: NumberArray, width: number, options: BisectionOptions): Clustering {
  return finish(bisectInSteps(new DenseRows(vectors, width), options))
}

/** The same, one cut a step. */
export function* bisectInSteps(rows: UnitRows, options: BisectionOptions): Steps<Clustering> {
  const { clusters, restarts, seed } = checkBisection(options)
  const { directed, others } = byDirection(rows)
  const isApart = others.length > 0 && clusters > 1
  const bisection = new Bisection(rows, directed, restarts, seed)
  while (bisection.parts.length < clusters - Number(isApart) && bisection.cutOnce()) yield
  const criterion = bisection.parts.reduce((sum, part) => sum + part.criterion, 0)
  return numbered(rows, groupsOf(bisection, others, rows.width, isApart), criterion)
}

export function checkBisection(options: BisectionOptions): Required<BisectionOptions> {
  return {
    clusters: numberOption('clusters', options.clusters, DEFAULT_CLUSTERS, { min: 1, integer: true }),
    restarts: numberOption('restarts', options.restarts, DEFAULT_RESTARTS, {
      min: 1,
      max: MOST_RESTARTS,
      integer: true,
    }),
    seed: parameter('seed', options.seed, { min: 0, max: MOST_SEED, integer: true }),
  }
}

function byDirection(rows: UnitRows): { directed: Uint32Array; others: Uint32Array } {
  const numbers = Uint32Array.from({ length: rows.rows }, (_, row) => row)
  return {
    directed: numbers.filter((row) => rows.hasDirection(row)),
    others: numbers.filter((row) => !rows.hasDirection(row)),
  }
}

interface Group {
  /** Ascending. */
  readonly rows: Uint32Array
  readonly centroid: Float64Array
}

/** Rows without a direction are a group of their own, or join the only one. */
function groupsOf({ members, parts }: Bisection, others: Uint32Array, width: number, isApart: boolean): Group[] {
  const groups = parts.map(({ from, to, centroid }) => ({ rows: members.subarray(from, to), centroid }))
  if (others.length === 0) return groups
  const only = isApart ? undefined : groups.pop()
  const rows = Uint32Array.from([...(only?.rows ?? []), ...others]).sort()
  return [...groups, { rows, centroid: only?.centroid ?? new Float64Array(width) }]
}

function numbered(rows: UnitRows, groups: Group[], criterion: number): Clustering {
  const ordered = groups.sort((a, b) => b.rows.length - a.rows.length || a.rows[0]! - b.rows[0]!)
  const assignment = new Uint32Array(rows.rows)
  const centroids = new Float64Array(ordered.length * rows.width)
  ordered.forEach((group, cluster) => {
    for (const row of group.rows) assignment[row] = cluster
    centroids.set(group.centroid, cluster * rows.width)
  })
  return {
    assignment,
    clusters: ordered.length,
    sizes: Uint32Array.from(ordered, (group) => group.rows.length),
    width: rows.width,
    centroids,
    criterion,
  }
}

/** The loss of a row that rounding alone can cause. */
const LEAST_LOSS = 1e-12

export interface Part {
  /** The rows of the part are members[from] … members[to - 1], in the order in which they were given. */
  readonly from: number
  readonly to: number
  /** Norm 1, or all zeros where the rows cancel each other out. */
  readonly centroid: Float64Array
  /** E of the part: Σ cos(row, centroid). */
  readonly criterion: number
}

export class Bisection {
  readonly #rows: UnitRows
  readonly #members: Uint32Array
  readonly #twoMeans: TwoMeans
  /** Parts that could not be cut. */
  readonly #whole = new Set<Part>()
  readonly #parts: Part[] = []

  /** `members`: distinct rows that have a direction. The bisection takes the array over. */
  constructor(rows: UnitRows, members: Uint32Array, restarts: number, seed: number) {
    this.#rows = rows
    this.#members = members
    this.#twoMeans = new TwoMeans(rows, members.length, restarts, seed)
    if (members.length > 0) this.#parts.push(this.#partOf(0, members.length))
  }

  get members(): Uint32Array {
    return this.#members
  }

  get parts(): readonly Part[] {
    return this.#parts
  }

  /** Cuts one part in two; returns false when the rows of every part are equal. */
  cutOnce(): boolean {
    for (;;) {
      const part = this.#worstPart()
      if (part === undefined) return false
      const left = this.#twoMeans.cut(this.#members, part.from, part.to)
      if (left === 0) {
        this.#whole.add(part)
        continue
      }
      this.#parts[this.#parts.indexOf(part)] = this.#partOf(part.from, part.from + left)
      this.#parts.push(this.#partOf(part.from + left, part.to))
      return true
    }
  }

  #worstPart(): Part | undefined {
    let worst: Part | undefined
    let most = 0
    for (const part of this.#parts) {
      const count = part.to - part.from
      const loss = count - part.criterion
      if (loss <= Math.max(most, LEAST_LOSS * count) || this.#whole.has(part)) continue
      most = loss
      worst = part
    }
    return worst
  }

  #partOf(from: number, to: number): Part {
    const centroid = new Float64Array(this.#rows.width)
    for (let at = from; at < to; at++) this.#rows.addTo(centroid, this.#members[at]!, 1)
    const criterion = normOf(centroid)
    // The sum of rows that cancel each other out is rounding, not a direction.
    const scale = criterion > LEAST_LOSS * (to - from) ? 1 / criterion : 0
    for (let at = 0; at < centroid.length; at++) centroid[at]! *= scale
    return { from, to, centroid, criterion: scale === 0 ? 0 : criterion }
  }
}
