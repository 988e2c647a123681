/** Clusters as the catalog gives them back. A row that makes no sense is passed over. */
import { isAmount, isCount } from '../../base/checks.js'
import { describe } from '../../base/describe.js'
import { PAGE_FEATURES } from '../../clusters/page-features.js'
import type { ClusterVisits } from '../../ledger/cluster-visits.js'
import { LEDGER } from '../../ledger/columns.js'

export interface StoredCluster {
  /** From 1. */
  readonly number: number
  /** Documents, and those of them that were refreshed before. */
  readonly size: number
  readonly known: number
  readonly probability: number
  readonly ratePerMs: number
  readonly strengthMs: number
  readonly centroid: Float64Array
  /** Numbers of documents. */
  readonly nearest: Float64Array
}

export interface StoredClustering {
  readonly atMs: number
  readonly seed: number
  readonly documents: number
  readonly meanCosine: number
}

/** Replaces all clusters. */
export interface ClusterCommit {
  readonly clustering: StoredClustering
  readonly clusters: readonly StoredCluster[]
  /** Document and cluster in turn; all other documents are in no cluster. */
  readonly assignment: Uint32Array
  /** Replaces what was kept of the documents. */
  readonly visits: ClusterVisits
}

/** Values as the tables hold them, unchecked. */
export interface ClusterTables {
  /** In the order of StoredClustering. */
  readonly clustering: readonly unknown[] | undefined
  /** In the order of StoredCluster. */
  readonly clusters: readonly (readonly unknown[])[]
}

/** What the column of the ledger holds. */
export const MAX_CLUSTER = LEDGER.cluster.max
/** Documents nearest to a centroid that are kept. */
export const NEAREST_DOCUMENTS = 5
const MAX_AMOUNT = 1e300

export interface ValidClusters {
  /** Undefined when documents were never clustered. */
  readonly clustering: StoredClustering | undefined
  readonly clusters: readonly StoredCluster[]
  /** What is wrong with the other rows, in words. */
  readonly faults: readonly string[]
}

export function validClusters({ clustering, clusters }: ClusterTables): ValidClusters {
  const faults: string[] = []
  const head = clustering === undefined ? undefined : clusteringOf(clustering)
  if (clustering !== undefined && head === undefined) faults.push('when and how documents were clustered is damaged')
  const sound: StoredCluster[] = []
  for (const values of clusters) {
    const cluster = clusterOf(values)
    if (cluster === undefined) faults.push(`the row of cluster ${describe(values[0])} is damaged`)
    else sound.push(cluster)
  }
  if (clustering === undefined && clusters.length > 0) faults.push('when and how documents were clustered is missing')
  // Clusters are worth nothing without the row of the clustering.
  return { clustering: head, clusters: head === undefined ? [] : sound, faults }
}

function clusteringOf([atMs, seed, documents, meanCosine]: readonly unknown[]): StoredClustering | undefined {
  if (!isAmount(atMs, MAX_AMOUNT) || !isCount(seed) || !isCount(documents)) return undefined
  if (typeof meanCosine !== 'number' || !(Math.abs(meanCosine) <= 2)) return undefined
  return { atMs, seed, documents, meanCosine }
}

function clusterOf(values: readonly unknown[]): StoredCluster | undefined {
  const [number, size, known, probability, ratePerMs, strengthMs, centroid, nearest] = values
  if (!isCount(number) || number === 0 || number > MAX_CLUSTER) return undefined
  if (!isCount(size) || !isCount(known) || known > size) return undefined
  if (!isAmount(probability, 1)) return undefined
  if (!isAmount(ratePerMs, MAX_AMOUNT) || !isAmount(strengthMs, MAX_AMOUNT)) return undefined
  const direction = numbersOf(centroid)
  const members = numbersOf(nearest)
  if (direction?.length !== PAGE_FEATURES || members === undefined || members.length > NEAREST_DOCUMENTS)
    return undefined
  if (!direction.every(Number.isFinite) || !members.every((doc) => isCount(doc))) return undefined
  return { number, size, known, probability, ratePerMs, strengthMs, centroid: direction, nearest: members }
}

/** The numbers of a blob. The bytes are copied, as those of a row may not be aligned. */
function numbersOf(bytes: unknown): Float64Array | undefined {
  if (!(bytes instanceof Uint8Array) || bytes.length % 8 !== 0) return undefined
  return new Float64Array(Uint8Array.from(bytes).buffer)
}
