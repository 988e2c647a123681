/** The clusters of an index, as users see them: building, listing and explaining them. */
import { numberOption, readOptions } from '../../base/checks.js'
import { type Key, requireKey } from '../../base/keys.js'
import { DAY_MS, type Time, timeOption } from '../../base/time.js'
import { Pauses } from '../../base/turns.js'
import { MOST_SEED } from '../../clusters/bisection.js'
import { posteriorRate } from '../../clusters/cluster-priors.js'
import { featureNames } from '../../clusters/page-features.js'
import type { RefreshHistory } from '../history.js'
import { pageProbability } from '../model/group-probabilities.js'
import type { RefreshOwner } from '../owner.js'
import { BUILD_WEIGHTING, buildClusters, type ClusterSource, clusterCommit } from './build.js'
import { MAX_CLUSTER, type StoredCluster } from './cluster-rows.js'

/** How many features of a cluster are listed. */
const NAMED_FEATURES = 5

export interface BuildClustersOptions {
  /**
   * The most clusters; there are fewer if fewer documents differ. Default 'auto': the number from which on more
   * clusters would hardly tell documents apart better.
   */
  readonly clusters?: number | 'auto'
  /** The same seed gives the same clusters of the same documents. Default 1. */
  readonly seed?: number
  /** Default now. */
  readonly at?: Time
}

/** The result of the last build. */
export interface ClusterReport {
  readonly at: number
  readonly seed: number
  /** The number of documents in clusters. */
  readonly documents: number
  readonly clusters: number
  /** Mean cosine of documents and the centroids of their clusters: 1 if all documents of a cluster are alike. */
  readonly meanCosine: number
}

/**
 * How far the documents of a cluster differ from the mean of all documents in a feature. The squares of all features
 * sum up to 1.
 */
export interface ClusterFeature {
  readonly name: string
  readonly weight: number
}

/** A cluster as of the last build. */
export interface ClusterSummary {
  /** The number of the cluster, from 1; the largest cluster has the lowest. */
  readonly cluster: number
  readonly size: number
  /** How many documents of the cluster were refreshed before. */
  readonly known: number
  /** φ: the probability that a document changes from one refresh to the next, shrunk to that of all documents. */
  readonly changeProbability: number
  /** The prior change rate of a document of the cluster. */
  readonly changesPerDay: number
  /** The prior weighs as much as watching a document for this long. */
  readonly priorMs: number
  /** The features that set the cluster apart, the strongest first. */
  readonly features: readonly ClusterFeature[]
  /** The documents nearest to the centroid that are still in the index. */
  readonly nearest: readonly Key[]
}

export interface ClusterExplanation {
  readonly key: Key
  /** Undefined for a document that was written after the last build, or before the first. */
  readonly cluster: ClusterSummary | undefined
  /** φ of the document by its own refreshes; undefined without any. */
  readonly changeProbability: number | undefined
  readonly refreshes: number
  /** How many of the refreshes found a change. */
  readonly changes: number
  /** The change rate by the prior of the cluster and the document's own history; undefined without a cluster. */
  readonly changesPerDay: number | undefined
}

/** Documents in families that change alike. */
export class Clusters {
  readonly #owner: RefreshOwner

  constructor(owner: RefreshOwner) {
    this.#owner = owner
  }

  /**
   * Clusters all documents anew. Searches and writes go on meanwhile; documents that are written from now on are in no
   * cluster until the next build.
   */
  async build(options?: BuildClustersOptions): Promise<ClusterReport> {
    this.#owner.check()
    const { clusters, seed, at } = readOptions('build', options, ['clusters', 'seed', 'at'])
    const checked = {
      clusters: clusters === 'auto' ? clusters : clusterCount(clusters),
      seed: numberOption('seed', seed, 1, { min: 0, max: MOST_SEED, integer: true }),
      atMs: timeOption('at', at, this.#owner.now()),
    }
    this.#owner.requireWriting()
    await this.#owner.history().loadInPortions(this.#owner.now())
    const source = this.#source()
    const built = await buildClusters(source, checked)
    await this.#owner.record(function* (history) {
      return yield* history.clustering(yield* clusterCommit(source, built))
    })
    return this.last() as ClusterReport
  }

  /** The result of the last build; undefined before the first. */
  last(): ClusterReport | undefined {
    const { clustering, clusters } = this.#history().clusters
    if (clustering === undefined) return undefined
    const { atMs, seed, documents, meanCosine } = clustering
    return { at: atMs, seed, documents, clusters: clusters.length, meanCosine }
  }

  /** All clusters, the largest first. */
  list(): ClusterSummary[] {
    const history = this.#history()
    return history.clusters.clusters.map((cluster) => this.#summary(cluster, history))
  }

  /** The cluster of a document, and what it says about the document; undefined when there is no such document. */
  explain(key: Key): ClusterExplanation | undefined {
    const history = this.#history()
    const doc = this.#owner.engine.numberOf(requireKey(key))
    const row = doc === undefined ? undefined : history.ledger.rowOf(doc)
    if (doc === undefined || row === undefined) return undefined
    const stored = history.clusters.clusters.find(({ number }) => number === row.cluster)
    const prior = stored && { meanPerMs: stored.ratePerMs, strengthMs: stored.strengthMs }
    const changes = Math.min(row.changes, row.rated)
    return {
      key,
      cluster: stored && this.#summary(stored, history),
      changeProbability: pageProbability(history.ledger.columns, doc, BUILD_WEIGHTING),
      refreshes: row.refreshes,
      changes: row.changes,
      changesPerDay: prior && posteriorRate(prior, changes, row.sumIntervalMs) * DAY_MS,
    }
  }

  #summary(stored: StoredCluster, { ledger }: RefreshHistory): ClusterSummary {
    const { number, size, known, probability, ratePerMs, strengthMs, centroid, nearest } = stored
    // The number of a removed document may belong to a new one by now, which is in no cluster.
    const members = Array.from(nearest).filter((doc) => doc < ledger.rows && ledger.columns.cluster[doc] === number)
    return {
      cluster: number,
      size,
      known,
      changeProbability: probability,
      changesPerDay: ratePerMs * DAY_MS,
      priorMs: strengthMs,
      features: strongest(centroid),
      nearest: members.map((doc) => this.#owner.engine.keyOf(doc)).filter((key) => key !== undefined),
    }
  }

  #history(): RefreshHistory {
    this.#owner.check()
    const history = this.#owner.history()
    history.load(this.#owner.now())
    return history
  }

  #source(): ClusterSource {
    const check = () => this.#owner.check()
    const pauses = new Pauses(check)
    return {
      ...this.#owner.engine,
      check,
      columns: () => this.#owner.history().ledger.columns,
      rows: () => this.#owner.history().ledger.rows,
      visitOf: (doc) => this.#owner.history().clusterVisitOf(doc),
      pause: async () => {
        if (pauses.isDue) await pauses.pause()
      },
    }
  }
}

function clusterCount(clusters: unknown): number | 'auto' {
  return clusters === undefined
    ? 'auto'
    : numberOption('clusters', clusters, 1, { min: 1, max: MAX_CLUSTER, integer: true })
}

function strongest(centroid: Float64Array): ClusterFeature[] {
  return featureNames()
    .map((name, at) => ({ name, weight: centroid[at]! }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, NAMED_FEATURES)
}
