/**
 * A regression tree: rows of features, each with a target, are split in two repeatedly where that leaves the smallest
 * squared error. A row is predicted by the rows in the same leaf (Breiman et al., Classification and regression trees).
 * Splits are exact: every place between two different values of every feature is tried. Rows are sorted once for each
 * feature; a split keeps the order on both sides.
 */
import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'

export interface TreeOptions {
  /** The most splits above a leaf. Default 8. */
  readonly maxDepth?: number
  /** The fewest rows of a leaf. Default 20. */
  readonly minLeafRows?: number
  /** How many equally likely values describe the targets of a leaf. Default 5. */
  readonly leafValues?: number
}

/**
 * Plain arrays, so that JSON can hold them. One entry for each node: the root first, a left child behind its parent.
 */
export interface RegressionTree {
  /** Features of a row. */
  readonly width: number
  /** The feature by which a node splits; LEAF in a leaf. */
  readonly features: readonly number[]
  /** Rows with a value up to the threshold go left. */
  readonly thresholds: readonly number[]
  /** The right child of a node. */
  readonly rights: readonly number[]
  readonly rows: readonly number[]
  /** Mean and variance of the targets of a node. */
  readonly means: readonly number[]
  readonly variances: readonly number[]
  /** In a leaf: the means of the lowest n-th of its targets, of the next n-th, and so on. Empty in other nodes. */
  readonly values: readonly (readonly number[])[]
}

export const LEAF = -1

/** A split that reduces the squared error by a smaller share than this only reflects rounding. */
const LEAST_GAIN = 1e-12

/** `features`: row after row, `width` of each. REQUIRES: at least one row. */
export function growTree(
  features: Float64Array,
  targets: Float64Array,
  width: number,
  options: TreeOptions = {},
): RegressionTree {
  numberOption('width', width, 1, { min: 1, max: 10_000, integer: true })
  requireFinite('features', features)
  if (targets.length === 0) throw new RangeError('targets must not be empty')
  if (features.length !== targets.length * width) {
    throw new RangeError(`features must be ${width} for each of ${targets.length} targets, received ${features.length}`)
  }
  requireFinite('targets', targets)
  const grower = new TreeGrower(features, targets, width, options)
  grower.grow(0, targets.length, 0)
  return grower.tree
}

/** The node of the leaf to which the row at `at` belongs. */
export function leafOf(tree: RegressionTree, features: ArrayLike<number>, at = 0): number {
  let node = 0
  for (let feature = tree.features[node]!; feature !== LEAF; feature = tree.features[node]!) {
    node = features[at + feature]! <= tree.thresholds[node]! ? node + 1 : tree.rights[node]!
  }
  return node
}

interface Split {
  readonly feature: number
  readonly threshold: number
}

class TreeGrower {
  readonly #features: Float64Array
  readonly #targets: Float64Array
  readonly #width: number
  readonly #maxDepth: number
  readonly #minLeafRows: number
  readonly #leafValues: number
  /** For each feature, the rows in its order. The rows of a node lie side by side, at the same places in each order. */
  readonly #orders: readonly Uint32Array[]
  readonly #goesLeft: Uint8Array
  readonly #scratch: Uint32Array
  readonly #nodes = {
    features: [] as number[],
    thresholds: [] as number[],
    rights: [] as number[],
    rows: [] as number[],
    means: [] as number[],
    variances: [] as number[],
    values: [] as number[][],
  }

  constructor(features: Float64Array, targets: Float64Array, width: number, options: TreeOptions) {
    this.#features = features
    this.#targets = targets
    this.#width = width
    this.#orders = Array.from({ length: width }, (_, feature) => {
      const column = targets.map((_, row) => features[row * width + feature]!)
      return Uint32Array.from(column.keys()).sort((a, b) => column[a]! - column[b]! || a - b)
    })
    this.#maxDepth = numberOption('maxDepth', options.maxDepth, 8, { min: 0, max: 100, integer: true })
    this.#minLeafRows = numberOption('minLeafRows', options.minLeafRows, 20, { min: 1, integer: true })
    this.#leafValues = numberOption('leafValues', options.leafValues, 5, { min: 1, max: 1000, integer: true })
    this.#goesLeft = new Uint8Array(targets.length)
    this.#scratch = new Uint32Array(targets.length)
  }

  get tree(): RegressionTree {
    return { width: this.#width, ...this.#nodes }
  }

  /** Grows the node with the rows at [first, end) of the orders, and all nodes below it. */
  grow(first: number, end: number, depth: number): void {
    const node = this.#addNode(first, end)
    const split = depth < this.#maxDepth ? this.#bestSplit(first, end, node) : undefined
    if (split === undefined) {
      this.#nodes.values[node] = this.#valuesOf(first, end)
      return
    }
    this.#nodes.features[node] = split.feature
    this.#nodes.thresholds[node] = split.threshold
    const middle = this.#part(first, end, split)
    this.grow(first, middle, depth + 1)
    this.#nodes.rights[node] = this.#nodes.features.length
    this.grow(middle, end, depth + 1)
  }

  #addNode(first: number, end: number): number {
    const order = this.#orders[0]!
    let sum = 0
    for (let at = first; at < end; at++) sum += this.#targets[order[at]!]!
    const mean = sum / (end - first)
    let squares = 0
    for (let at = first; at < end; at++) squares += (this.#targets[order[at]!]! - mean) ** 2
    const { features, thresholds, rights, rows, means, variances, values } = this.#nodes
    thresholds.push(0)
    rights.push(0)
    rows.push(end - first)
    means.push(mean)
    variances.push(squares / (end - first))
    values.push([])
    return features.push(LEAF) - 1
  }

  /**
   * The split that reduces the squared error most, by n_L n_R / n · (mean_L - mean_R)²; of equals the one by the lowest
   * feature, and there at the lowest value.
   */
  #bestSplit(first: number, end: number, node: number): Split | undefined {
    const rows = end - first
    const mean = this.#nodes.means[node]!
    let bestGain = LEAST_GAIN * this.#nodes.variances[node]! * rows
    let best: Split | undefined
    for (let feature = 0; feature < this.#width; feature++) {
      const order = this.#orders[feature]!
      let left = 0
      // The sum of deviations from the mean: that of the right side is its negative.
      let sum = 0
      for (let at = first; at < end - this.#minLeafRows; at++) {
        sum += this.#targets[order[at]!]! - mean
        left++
        if (left < this.#minLeafRows) continue
        const gain = (sum * sum * rows) / (left * (rows - left))
        if (gain <= bestGain) continue
        const value = this.#valueOf(order[at]!, feature)
        const next = this.#valueOf(order[at + 1]!, feature)
        if (value === next) continue
        bestGain = gain
        best = { feature, threshold: between(value, next) }
      }
    }
    return best
  }

  /** Moves the rows that go left before the others, in every order; returns where the others begin. */
  #part(first: number, end: number, { feature, threshold }: Split): number {
    let middle = first
    for (let at = first; at < end; at++) {
      const row = this.#orders[feature]![at]!
      const isLeft = this.#valueOf(row, feature) <= threshold
      this.#goesLeft[row] = isLeft ? 1 : 0
      if (isLeft) middle++
    }
    for (const order of this.#orders) {
      let left = first
      let right = 0
      for (let at = first; at < end; at++) {
        const row = order[at]!
        if (this.#goesLeft[row] === 1) order[left++] = row
        else this.#scratch[right++] = row
      }
      order.set(this.#scratch.subarray(0, right), middle)
    }
    return middle
  }

  #valuesOf(first: number, end: number): number[] {
    const rows = this.#orders[0]!.subarray(first, end)
    return groupMeans(Float64Array.from(rows, (row) => this.#targets[row]!).sort(), this.#leafValues)
  }

  #valueOf(row: number, feature: number): number {
    return this.#features[row * this.#width + feature]!
  }
}

/**
 * The means of groups of equal weight. A value on a border counts in part on both sides, so that the mean of the means
 * is that of all values. REQUIRES: ascending values.
 */
function groupMeans(values: Float64Array, groups: number): number[] {
  const size = values.length / groups
  return Array.from({ length: groups }, (_, group) => {
    const from = group * size
    const to = from + size
    let sum = 0
    for (let at = Math.floor(from); at < Math.min(values.length, Math.ceil(to)); at++) {
      sum += values[at]! * Math.max(0, Math.min(at + 1, to) - Math.max(at, from))
    }
    return sum / size
  })
}

/** A number of at least the lower value and below the higher one, however close they are. */
function between(lower: number, higher: number): number {
  const middle = lower / 2 + higher / 2
  return middle >= lower && middle < higher ? middle : lower
}

function requireFinite(name: string, values: Float64Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value))
  if (at >= 0) throw new RangeError(`${name}[${at}] must be a finite number, received ${describe(values[at])}`)
}
