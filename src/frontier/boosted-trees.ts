/**
 * Trees that learn from each other's errors: each is grown on what those before it left over, and only a part of what it says is added (Friedman, Greedy
 * function approximation: a gradient boosting machine, for squared errors). For the scores of pages not yet fetched it is closer than one tree.
 */
import { numberOption } from '../option-checks.js'
import { growTreeOn, leafOf, predict, type RegressionTree, sortFeatures } from './regression-tree.js'

export interface BoostOptions {
  /** 30 unless told. */
  readonly trees?: number
  /** Of what each tree says, the part that is added; 0.2 unless told. */
  readonly rate?: number
  /** Of each tree; 5 unless told. */
  readonly maxDepth?: number
  readonly minLeafRows?: number
  /** See TreeOptions. */
  readonly leafValues?: number
}

/** Plain: JSON can hold it. */
export interface BoostedTrees {
  /** The mean of all targets. */
  readonly base: number
  readonly rate: number
  readonly trees: readonly RegressionTree[]
  /** Grown on what all trees leave over: its leaves tell how far from the prediction targets are. */
  readonly errors: RegressionTree
}

const ERROR_DEPTH = 3

/** `features`: row after row, `width` of each. At least one row. */
export function growBoostedTrees(
  features: Float64Array,
  targets: Float64Array,
  width: number,
  options: BoostOptions = {},
): BoostedTrees {
  const count = numberOption('trees', options.trees, 30, { min: 0, max: 10_000, integer: true })
  const rate = numberOption('rate', options.rate, 0.2, { min: 0, aboveMin: true, max: 1 })
  const { maxDepth = 5, minLeafRows = 20, leafValues = 5 } = options
  const sorted = sortFeatures(features, width)
  const base = targets.reduce((sum, target) => sum + target, 0) / targets.length
  const left = targets.map((target) => target - base)
  const trees: RegressionTree[] = []
  for (let nth = 0; nth < count; nth++) {
    const tree = growTreeOn(sorted, left, { maxDepth, minLeafRows, leafValues: 1 })
    for (let row = 0; row < left.length; row++) left[row]! -= rate * predict(tree, features, row * width)
    trees.push(tree)
  }
  const errors = growTreeOn(sorted, left, { maxDepth: Math.min(maxDepth, ERROR_DEPTH), minLeafRows, leafValues })
  return { base, rate, trees, errors }
}

export function predictBoosted({ base, rate, trees }: BoostedTrees, features: ArrayLike<number>, at = 0): number {
  let sum = base
  for (const tree of trees) sum += rate * predict(tree, features, at)
  return sum
}

/**
 * Equally likely values of the target, ascending, whose mean is the prediction. They are nearer together than those of new rows will be: the trees have seen the
 * errors that they are made from.
 */
export function boostedValues(boosted: BoostedTrees, features: ArrayLike<number>, at = 0): number[] {
  const { errors } = boosted
  const leaf = leafOf(errors, features, at)
  const shift = predictBoosted(boosted, features, at) - errors.means[leaf]!
  return errors.values[leaf]!.map((error) => error + shift)
}
