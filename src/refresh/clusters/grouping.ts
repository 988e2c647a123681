/**
 * Which pages belong together, by their features alone. This takes minutes for a million pages, so it is done in steps,
 * or on a thread (thread.ts).
 */
import type { Steps } from '../../base/turns.js'
import { bisectInSteps, type Clustering } from '../../clusters/bisection.js'
import { centroidCosines, nearestFirst, type PageGroups } from '../../clusters/centroids.js'
import { chooseClusterCountInSteps } from '../../clusters/cluster-count.js'
import { learnScale, scaleFeatures } from '../../clusters/feature-scale.js'
import { DenseRows } from '../../clusters/unit-rows.js'

export interface GroupingRequest {
  /** Row after row, as learnFeatures() has them. */
  readonly features: Float64Array
  readonly clusters: number | 'auto'
  readonly seed: number
}

/** By position in the features. */
export interface Grouping {
  /** Clusters are numbered from 0 here. */
  readonly clustering: Clustering
  /** The cosine of each page and the centroid of its cluster. */
  readonly cosines: Float64Array
  /** The pages of each cluster, those nearest to the centroid first. */
  readonly nearest: PageGroups
}

/** The most documents from which the number of clusters is found, and the folds for that. */
const COUNT_DOCUMENTS = 1500
const COUNT_FOLDS = 5
const COUNT_RESTARTS = 2

export function* groupInSteps({ features, clusters, seed }: GroupingRequest): Steps<Grouping> {
  const { vectors, width } = scaleFeatures(features, learnScale(features))
  yield
  const wanted = clusters === 'auto' ? yield* countInSteps(vectors, width, seed) : clusters
  const rows = new DenseRows(vectors, width)
  yield
  const clustering = yield* bisectInSteps(rows, { clusters: wanted, seed })
  const cosines = vectors.length === 0 ? new Float64Array() : centroidCosines(vectors, clustering)
  yield
  return { clustering, cosines, nearest: nearestFirst(clustering.assignment, clustering.clusters, cosines) }
}

function* countInSteps(vectors: Float64Array, width: number, seed: number): Steps<number> {
  const rows = evenlySpread(vectors.length / width, COUNT_DOCUMENTS)
  const sample = new Float64Array(rows.length * width)
  rows.forEach((row, at) => {
    sample.set(vectors.subarray(row * width, (row + 1) * width), at * width)
  })
  const options = { seed, folds: COUNT_FOLDS, restarts: COUNT_RESTARTS }
  return (yield* chooseClusterCountInSteps(sample, width, options)).clusters
}

/** At most `most` numbers below `count`, ascending and evenly spread. */
export function evenlySpread(count: number, most: number): Uint32Array {
  const chosen = Math.min(count, most)
  return Uint32Array.from({ length: chosen }, (_, at) => Math.floor((at * count) / chosen))
}
