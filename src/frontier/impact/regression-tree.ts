/**
 * A regression tree: rows of features, each with a target, are split in two again and again where that leaves the
 * smallest squared error, and a row is predicted by those that came into the same leaf (Breiman et al., Classification
 * and regression trees). Splits are exact: every place between two different values of every feature is looked at. Rows
 * are sorted once for each feature; a split keeps the order on both sides.
 */
import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'

export interface TreeOptions {
  /** Splits above a leaf; 8 unless told. */
  readonly maxDepth?: number
  /** Rows of the smallest leaf; 20 unless told. */
  readonly minLeafRows?: number
  /** Equally likely values by which a leaf tells how its targets are distributed; 5 unless told. */
  readonly leafValues?: number
}

/** Plain arrays, one entry for each node, the root first and a node's left child behind it: JSON can hold them. */
export interface RegressionTree {
  /** Features of a row. */
  readonly width: number
  /** The feature that is looked at; LEAF in a leaf. */
  readonly features: readonly number[]
  /** Rows up to it go left. */
  readonly thresholds: readonly number[]
  /** The right child. */
  readonly rights: readonly number[]
  readonly rows: readonly number[]
  /** Of the targets. */
  readonly means: readonly number[]
  readonly variances: readonly number[]
  /** Of a leaf: the means of its lowest n-th of targets, the next n-th, and so on. Of other nodes: none. */
  readonly values: readonly (readonly number[])[]
}

export const LEAF = -1

/** A split that betters the squared error by less than this part of it is rounding. */
const LEAST_GAIN = 1e-12

/** Rows in the order of each of their features. */
interface SortedFeatures {
  readonly width: number
  readonly features: Float64Array
  readonly orders: readonly Uint32Array[]
}

function sortFeatures(features: Float64Array, width: number): SortedFeatures {
  numberOption('width', width, 1, { min: 1, max: 10_000, integer: true })
  requireFinite('features', features)
  const rows = Math.ceil(features.length / width)
  const orders = Array.from({ length: width }, (_, feature) => {
    const column = Float64Array.from({ length: rows }, (_, row) => features[row * width + feature]!)
    return Uint32Array.from({ length: rows }, (_, row) => row).sort((a, b) => column[a]! - column[b]! || a - b)
  })
  return { width, features, orders }
}

/** `features`: row after row, `width` of each. At least one row. */
export function growTree(
  features: Float64Array,
  targets: Float64Array,
  width: number,
  options: TreeOptions = {},
): RegressionTree {
  return growTreeOn(sortFeatures(features, width), targets, options)
}

function growTreeOn(sorted: SortedFeatures, targets: Float64Array, options: TreeOptions = {}): RegressionTree {
  const { features, width } = sorted
  if (targets.length === 0) throw new RangeError('targets must not be empty')
  if (features.length !== targets.length * width) {
    throw new RangeError(`features must be ${width} for each of ${targets.length} targets, received ${features.length}`)
  }
  requireFinite('targets', targets)
  const grower = new TreeGrower(sorted, targets, options)
  grower.grow(0, targets.length, 0)
  return grower.tree
}

/** The mean of the leaf that a row comes into. */
export function predict(tree: RegressionTree, features: ArrayLike<number>, at = 0): number {
  return tree.means[leafOf(tree, features, at)]!
}

/** The node of the leaf that the row at `at` comes into. */
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
  /** For each feature, the rows in its order; those of a node lie side by side, at the same places of each. */
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

  constructor({ features, width, orders }: SortedFeatures, targets: Float64Array, options: TreeOptions) {
    this.#features = features
    this.#targets = targets
    this.#width = width
    this.#orders = orders.map((order) => order.slice())
    this.#maxDepth = numberOption('maxDepth', options.maxDepth, 8, { min: 0, max: 100, integer: true })
    this.#minLeafRows = numberOption('minLeafRows', options.minLeafRows, 20, { min: 1, integer: true })
    this.#leafValues = numberOption('leafValues', options.leafValues, 5, { min: 1, max: 1000, integer: true })
    this.#goesLeft = new Uint8Array(targets.length)
    this.#scratch = new Uint32Array(targets.length)
  }

  get tree(): RegressionTree {
    return { width: this.#width, ...this.#nodes }
  }

  /** Grows the node of the rows at [first, end) of the orders, and all below it. */
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
   * What a split takes off the squared error, n_L n_R / n · (mean_L - mean_R)², is largest at the split returned; of
   * equals, at the lowest feature, and there at the lowest value.
   */
  #bestSplit(first: number, end: number, node: number): Split | undefined {
    const rows = end - first
    const mean = this.#nodes.means[node]!
    let bestGain = LEAST_GAIN * this.#nodes.variances[node]! * rows
    let best: Split | undefined
    for (let feature = 0; feature < this.#width; feature++) {
      const order = this.#orders[feature]!
      let left = 0
      // Around the mean, so that the sums of both sides cancel.
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

  /** Puts the rows that go left before the others, in every order; returns where the others begin. */
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
 * Means of as many groups of equal weight, of values that ascend. A value on a border belongs to both sides in part, so
 * that the mean of the means is that of all.
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

/** At least the lower value and below the higher one, however near they are. */
function between(lower: number, higher: number): number {
  const middle = lower / 2 + higher / 2
  return middle >= lower && middle < higher ? middle : lower
}

function requireFinite(name: string, values: Float64Array): void {
  const at = values.findIndex((value) => !Number.isFinite(value))
  if (at >= 0) throw new RangeError(`${name}[${at}] must be a finite number, received ${describe(values[at])}`)
}
