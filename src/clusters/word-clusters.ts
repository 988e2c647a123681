/**
 * Ten features from many words (Tan and Mitra, section 3.1): pages are clustered by tf-idf, and the features of a page
 * are the distances of its cluster from the ten largest ones. Distances are ranks: 0 for the cluster itself, 1 for the
 * nearest other one, and so on. So words do not outweigh all other features.
 */
import { numberOption, parameter } from '../base/checks.js'
import { finish, type Steps } from '../base/turns.js'
import { type BisectionOptions, bisectInSteps, type Clustering } from './bisection.js'
import type { WordCounts } from './page-facts.js'
import { normOf, type SparseMatrix, SparseRows, scaleToUnit } from './unit-rows.js'

/** Features of a set of words. */
export const WORD_FEATURES = 10
const DEFAULT_TOP_WORDS = 1000
/** The cluster of a page without any of the words. */
const NO_CLUSTER = -1

/** The stop words of the analyzer 'english'. */
const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
  was will with`.split(/\s+/),
)

export interface WordClusterOptions extends BisectionOptions {
  /** How many of the most frequent words count. Default 1000. */
  readonly topWords?: number
  readonly stopWords?: ReadonlySet<string>
}

/** What was learnt from some pages and can be applied to others, as plain data. */
export interface WordClusters extends Pick<Clustering, 'centroids' | 'clusters' | 'width'> {
  /** The most frequent words; one column each. */
  readonly words: readonly string[]
  /** ln(pages / pages with the word), by column. */
  readonly inverseFrequencies: Float64Array
  /** By cluster and feature. Features for which there are too few clusters are NaN. */
  readonly distanceRanks: Float64Array
}

export interface LearntWordClusters {
  readonly model: WordClusters
  /** The cluster of each page; -1 for a page without any of the words. */
  readonly assignment: Int32Array
}

/** The tf-idf of the most frequent words, by page. */
export interface WordMatrix extends Pick<WordClusters, 'words' | 'inverseFrequencies'> {
  readonly matrix: SparseMatrix
  readonly width: number
}

type WordOptions = Omit<WordClusterOptions, keyof BisectionOptions>

export function wordMatrix(pages: readonly (WordCounts | undefined)[], options: WordOptions = {}): WordMatrix {
  return finish(wordMatrixInSteps(pages, options))
}

/** One page a step. */
function* wordMatrixInSteps(pages: readonly (WordCounts | undefined)[], options: WordOptions): Steps<WordMatrix> {
  const topWords = numberOption('topWords', options.topWords, DEFAULT_TOP_WORDS, { min: 1, integer: true })
  const { words, inverseFrequencies } = yield* vocabularyOf(pages, topWords, options.stopWords ?? ENGLISH_STOP_WORDS)
  const matrix = yield* matrixOf(pages, columnsOf(words), inverseFrequencies)
  return { words, inverseFrequencies, matrix, width: Math.max(1, words.length) }
}

/** Clusters pages by their words, one cut a step. `pages`: the words of each, undefined where they are not known. */
export function* learnWordClustersInSteps(
  pages: readonly (WordCounts | undefined)[],
  options: WordClusterOptions,
): Steps<LearntWordClusters> {
  const { words, inverseFrequencies, matrix, width } = yield* wordMatrixInSteps(pages, options)
  const { assignment, centroids, clusters } = yield* bisectInSteps(new SparseRows(matrix, width), options)
  const distanceRanks = rankDistances(centroids, clusters, width)
  return {
    model: { words, inverseFrequencies, centroids, clusters, width, distanceRanks },
    assignment: Int32Array.from(assignment, (cluster, page) => (isEmpty(matrix, page) ? NO_CLUSTER : cluster)),
  }
}

/**
 * Finds the cluster that a page belongs to: the centroid with the largest cosine, of equals the first, as
 * CentroidSearch does. Centroids are stored word by word. A page has few of the words, and the cosines with all
 * clusters are summed up word by word.
 */
class WordClusterFinder {
  readonly #clusters: number
  readonly #columnOf: ReadonlyMap<string, number>
  readonly #inverseFrequencies: Float64Array
  /** By column, then by cluster. */
  readonly #centroids: Float64Array
  readonly #isDirected: Uint8Array
  /** Scratch memory for a page: columns and tf-idf of its words, and its cosine with each centroid. */
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

/** The finder of each model, kept as long as the model is. */
const finders = new WeakMap<WordClusters, WordClusterFinder>()

/** The cluster of a page, which may be new; -1 for a page without any of the words. */
export function wordClusterOf(model: WordClusters, words: WordCounts): number {
  let finder = finders.get(model)
  if (finder === undefined) {
    finder = new WordClusterFinder(model)
    finders.set(model, finder)
  }
  return finder.clusterOf(words)
}

/** Writes the features of a page of this cluster from `at` on; NaN for a page without a cluster. */
export function writeWordFeatures(model: WordClusters, cluster: number, features: Float64Array, at: number): void {
  parameter('cluster', cluster, { min: NO_CLUSTER, max: model.clusters - 1, integer: true })
  if (cluster === NO_CLUSTER) features.fill(Number.NaN, at, at + WORD_FEATURES)
  else features.set(model.distanceRanks.subarray(cluster * WORD_FEATURES, (cluster + 1) * WORD_FEATURES), at)
}

/** The most frequent words, without those that every page has. */
function* vocabularyOf(
  pages: readonly (WordCounts | undefined)[],
  topWords: number,
  stopWords: ReadonlySet<string>,
): Steps<Pick<WordClusters, 'words' | 'inverseFrequencies'>> {
  const occurrences = new Map<string, number>()
  const holders = new Map<string, number>()
  let known = 0
  for (const words of pages) {
    yield
    if (words === undefined) continue
    known++
    for (const [word, count] of words) {
      if (stopWords.has(word) || count === 0) continue
      occurrences.set(word, (occurrences.get(word) ?? 0) + count)
      holders.set(word, (holders.get(word) ?? 0) + 1)
    }
  }
  const words = [...occurrences]
    .filter(([word]) => holders.get(word)! < known)
    .sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .slice(0, topWords)
    .map(([word]) => word)
  return { words, inverseFrequencies: Float64Array.from(words, (word) => Math.log(known / holders.get(word)!)) }
}

function columnsOf(words: readonly string[]): ReadonlyMap<string, number> {
  return new Map(words.map((word, column) => [word, column]))
}

/** The tf-idf of each word on each page. */
function* matrixOf(
  pages: readonly (WordCounts | undefined)[],
  columnOf: ReadonlyMap<string, number>,
  inverseFrequencies: Float64Array,
): Steps<SparseMatrix> {
  const starts = new Uint32Array(pages.length + 1)
  const columns: number[] = []
  const values: number[] = []
  for (const [row, page] of pages.entries()) {
    yield
    for (const [word, count] of page ?? []) {
      const column = columnOf.get(word)
      if (column === undefined || count === 0) continue
      columns.push(column)
      values.push(count * inverseFrequencies[column]!)
    }
    starts[row + 1] = columns.length
  }
  return { starts, columns: Uint32Array.from(columns), values: Float64Array.from(values) }
}

function isEmpty({ starts }: SparseMatrix, row: number): boolean {
  return starts[row] === starts[row + 1]
}

/**
 * The ranks of all clusters by their distance from the largest ones, the landmarks. Clusters are numbered by size; of
 * equally far ones the larger comes first. The cluster of pages without words is no landmark.
 */
function rankDistances(centroids: Float64Array, clusters: number, width: number): Float64Array {
  const centroidOf = (cluster: number) => centroids.subarray(cluster * width, (cluster + 1) * width)
  const known = Array.from({ length: clusters }, (_, at) => at).filter((at) => normOf(centroidOf(at)) > 0)
  const ranks = new Float64Array(clusters * WORD_FEATURES).fill(Number.NaN)
  known.slice(0, WORD_FEATURES).forEach((landmark, feature) => {
    const cosines = known.map((cluster) =>
      cluster === landmark ? 2 : productOf(centroidOf(cluster), centroidOf(landmark)),
    )
    const order = known.map((_, at) => at).sort((a, b) => cosines[b]! - cosines[a]! || a - b)
    order.forEach((at, rank) => {
      ranks[known[at]! * WORD_FEATURES + feature] = rank
    })
  })
  return ranks
}

function productOf(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}
