/**
 * How many clusters to make, by v-fold cross-validation (Tan and Mitra, section 3.3): the vectors of v - 1 folds make
 * the clusters, those of the last fold are assigned to the nearest centroids, and E says how well they fit. E grows
 * with the number of clusters, first fast, then hardly; the paper reads from a plot where it levels off.
 *
 * Here that is the number at which the curve lies highest above the straight line from its first point to its top, with
 * both axes from 0 to 1 ("knee" in Satopää, Albrecht, Irwin and Raghavan, Finding a kneedle in a haystack, 2011).
 * Before the knee, one more cluster gains more than the average, after it less. If the whole rise is within the
 * standard error of the folds, the smallest number is chosen.
 */
import { numberOption } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { finish, type Steps } from '../base/turns.js'
import { shuffledNumbers } from '../math/draws.js'
import { Bisection, type BisectionOptions, checkBisection } from './bisection.js'
import { CentroidSearch } from './centroids.js'
import { DenseRows, type NumberArray, type SparseMatrix, SparseRows, type UnitRows } from './unit-rows.js'

const DEFAULT_FOLDS = 10
const DEFAULT_COUNTS = [2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 120, 150, 200]

export interface ClusterCountOptions extends Omit<BisectionOptions, 'clusters'> {
  /** The numbers of clusters to try, ascending. */
  readonly counts?: readonly number[]
  /** v. Default 10, and at most the number of vectors. */
  readonly folds?: number
}

export interface ClusterTrial {
  readonly clusters: number
  /** E of the held-out vectors, divided by their number: their mean cosine. */
  readonly meanCosine: number
  /** The standard error of `meanCosine` over the folds; 0 for a single fold. */
  readonly standardError: number
}

export interface ClusterCount {
  readonly clusters: number
  /** In the order of `counts`. */
  readonly trials: readonly ClusterTrial[]
}

/** One cut a step. */
export function chooseClusterCountInSteps(
  vectors: NumberArray,
  width: number,
  options: ClusterCountOptions,
): Steps<ClusterCount> {
  return countClusters(new DenseRows(vectors, width), options)
}

export function chooseSparseClusterCount(
  matrix: SparseMatrix,
  width: number,
  options: ClusterCountOptions,
): ClusterCount {
  return finish(countClusters(new SparseRows(matrix, width), options))
}

/** Vectors without a direction are left out. */
function* countClusters(rows: UnitRows, options: ClusterCountOptions): Steps<ClusterCount> {
  const { restarts, seed } = checkBisection(options)
  const counts = checkCounts(options.counts ?? DEFAULT_COUNTS)
  const most = numberOption('folds', options.folds, DEFAULT_FOLDS, { min: 2, integer: true })
  const order = shuffledNumbers(rows.rows, seed).filter((row) => rows.hasDirection(row))
  const folds = Math.min(most, order.length)
  const cosines = counts.map((): number[] => [])
  for (let fold = 0; fold < folds && folds > 1; fold++) {
    const training = order.filter((_, at) => at % folds !== fold).sort()
    const held = order.filter((_, at) => at % folds === fold)
    const bisection = new Bisection(rows, training, restarts, seed)
    // The first k clusters do not depend on how many follow, so one run serves all numbers.
    for (const [at, count] of counts.entries()) {
      while (bisection.parts.length < count && bisection.cutOnce()) yield
      cosines[at]!.push(meanCosine(rows, held, bisection))
    }
  }
  const trials = counts.map((clusters, at) => ({ clusters, ...spread(cosines[at]!) }))
  return { clusters: levelsOffAt(trials, cosines), trials }
}

function meanCosine(rows: UnitRows, held: Uint32Array, { parts }: Bisection): number {
  const centroids = new Float64Array(parts.length * rows.width)
  parts.forEach((part, at) => {
    centroids.set(part.centroid, at * rows.width)
  })
  const search = new CentroidSearch({ centroids, clusters: parts.length, width: rows.width })
  return held.reduce((sum, row) => sum + search.cosine(rows, row, search.nearest(rows, row)), 0) / held.length
}

/** The knee, or the top if no point lies above the line. `cosines` are by trial and fold. */
function levelsOffAt(trials: readonly ClusterTrial[], cosines: readonly (readonly number[])[]): number {
  const first = trials[0]!
  const top = trials.reduce((best, trial) => (trial.meanCosine > best.meanCosine ? trial : best))
  const rises = cosines[trials.indexOf(top)]!.map((cosine, fold) => cosine - cosines[0]![fold]!)
  const rise = spread(rises)
  if (!(rise.meanCosine > rise.standardError)) return first.clusters
  const heightAbove = ({ clusters, meanCosine }: ClusterTrial) =>
    (meanCosine - first.meanCosine) / (top.meanCosine - first.meanCosine) -
    (clusters - first.clusters) / (top.clusters - first.clusters)
  return trials
    .slice(0, trials.indexOf(top) + 1)
    .reduce((best, trial) => (heightAbove(trial) >= heightAbove(best) ? trial : best)).clusters
}

function spread(values: readonly number[]): Pick<ClusterTrial, 'meanCosine' | 'standardError'> {
  const count = values.length
  if (count === 0) return { meanCosine: 0, standardError: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { meanCosine: mean, standardError: count < 2 ? 0 : Math.sqrt(squares / (count - 1) / count) }
}

function checkCounts(counts: readonly number[]): readonly number[] {
  if (counts.length === 0) throw new RangeError('counts must name at least one number of clusters, received none')
  counts.forEach((count, at) => {
    const before = at === 0 ? 0 : counts[at - 1]!
    if (Number.isInteger(count) && count > before) return
    throw new RangeError(`counts[${at}] must be an integer above ${before}, received ${describe(count)}`)
  })
  return counts
}
