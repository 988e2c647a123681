/** Clusters of documents as rows of the catalog. The tables are in refresh-schema.ts. */
import type { Database } from 'better-sqlite3'
import { inSqlite } from './sqlite-failure.js'

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

/** Takes the place of all clusters there were. */
export interface ClusterCommit {
  readonly clustering: StoredClustering
  readonly clusters: readonly StoredCluster[]
  /** Document and cluster in turn; all others are in none. */
  readonly assignment: Uint32Array
}

/** Values as the tables have them, whatever they are. */
export interface ClusterTables {
  /** In the order of StoredClustering. */
  readonly clustering: readonly unknown[] | undefined
  /** In the order of StoredCluster. */
  readonly clusters: readonly (readonly unknown[])[]
}

/** In the order of StoredCluster. */
export const CLUSTER_COLUMNS = 'id, size, known, probability, rate_per_ms, strength_ms, centroid, nearest'

/** In the order of StoredClustering. */
export const CLUSTERING_COLUMNS = 'at_ms, seed, documents, mean_cosine'

/** Writes within a transaction of the caller. */
export function prepareClusterWriter(db: Database): (commit: ClusterCommit) => void {
  const clear = ['DELETE FROM clusters', 'DELETE FROM clustering', 'UPDATE ledger SET cluster = 0 WHERE cluster <> 0']
  const clearing = clear.map((text) => db.prepare(text))
  const put = db.prepare(`INSERT INTO clusters (${CLUSTER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const putClustering = db.prepare(`INSERT INTO clustering (one, ${CLUSTERING_COLUMNS}) VALUES (1, ?, ?, ?, ?)`)
  const assign = db.prepare('UPDATE ledger SET cluster = ? WHERE doc = ?')
  return ({ clustering, clusters, assignment }) => {
    for (const statement of clearing) statement.run()
    putClustering.run(clustering.atMs, clustering.seed, clustering.documents, clustering.meanCosine)
    for (const { number, size, known, probability, ratePerMs, strengthMs, centroid, nearest } of clusters)
      put.run(number, size, known, probability, ratePerMs, strengthMs, bytesOf(centroid), bytesOf(nearest))
    for (let at = 0; at < assignment.length; at += 2) assign.run(assignment[at + 1], assignment[at])
  }
}

export function readClusters(db: Database): ClusterTables {
  return inSqlite(db.name, () => {
    // Of a catalog of an older format, opened for reading, nothing is known.
    if ((db.pragma('user_version', { simple: true }) as number) < 3) return { clustering: undefined, clusters: [] }
    return {
      clustering: db.prepare(`SELECT ${CLUSTERING_COLUMNS} FROM clustering`).raw().get() as unknown[] | undefined,
      clusters: db.prepare(`SELECT ${CLUSTER_COLUMNS} FROM clusters ORDER BY id`).raw().all() as unknown[][],
    }
  })
}

function bytesOf(numbers: Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
