/**
 * Finds the cluster of words that a page belongs to: the centroid with the largest cosine, of equals the first, as CentroidSearch does. Centroids lie word by
 * word here, so that a page, which has few of the words, adds up what they say to all clusters at once.
 */
import type { WordCounts } from './page-facts.js'
import { normOf, scaleToUnit } from './unit-rows.js'
import type { WordClusters } from './word-clusters.js'

export const NO_CLUSTER = -1

export class WordClusterFinder {
  readonly #clusters: number
  readonly #columnOf: ReadonlyMap<string, number>
  readonly #inverseFrequencies: Float64Array
  /** By column, then by cluster. */
  readonly #centroids: Float64Array
  readonly #isDirected: Uint8Array
  /** Of the page at hand: columns and tf-idf of its words, and its cosine with each centroid. */
  readonly #columns: Uint32Array
  readonly #values: Float64Array
  readonly #cosines: Float64Array

  constructor({ words, inverseFrequencies, centroids, clusters, width }: WordClusters) {
    this.#clusters = clusters
    this.#columnOf = new Map(words.map((word, column) => [word, column]))
    this.#inverseFrequencies = inverseFrequencies
    this.#centroids = new Float64Array(centroids.length)
    this.#isDirected = new Uint8Array(clusters)
    for (let cluster = 0; cluster < clusters; cluster++) {
      const centroid = centroids.subarray(cluster * width, (cluster + 1) * width)
      this.#isDirected[cluster] = Number(normOf(centroid) > 0)
      for (let column = 0; column < width; column++) this.#centroids[column * clusters + cluster] = centroid[column]!
    }
    this.#columns = new Uint32Array(width)
    this.#values = new Float64Array(width)
    this.#cosines = new Float64Array(clusters)
  }

  /** NO_CLUSTER for a page without any of the words. */
  clusterOf(words: WordCounts): number {
    const count = this.#take(words)
    if (count === 0) return NO_CLUSTER
    if (!scaleToUnit(this.#values, 0, count, 'values')) return Math.max(0, this.#isDirected.indexOf(0))
    const cosines = this.#cosines.fill(0)
    for (let at = 0; at < count; at++) {
      const value = this.#values[at]!
      const first = this.#columns[at]! * this.#clusters
      for (let cluster = 0; cluster < cosines.length; cluster++)
        cosines[cluster]! += value * this.#centroids[first + cluster]!
    }
    let best = 0
    let most = Number.NEGATIVE_INFINITY
    for (let cluster = 0; cluster < cosines.length; cluster++) {
      if (this.#isDirected[cluster] === 0 || cosines[cluster]! <= most) continue
      most = cosines[cluster]!
      best = cluster
    }
    return best
  }

  #take(words: WordCounts): number {
    let taken = 0
    for (const [word, count] of words) {
      const column = this.#columnOf.get(word)
      if (column === undefined || count === 0) continue
      this.#columns[taken] = column
      this.#values[taken++] = count * this.#inverseFrequencies[column]!
    }
    return taken
  }
}
