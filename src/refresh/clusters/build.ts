/**
 * Builds clusters of the documents of an index from the words of their keys, the text of stored fields, their weight,
 * the links between them, and how they have changed. This takes seconds, so it pauses often, and documents may be
 * written meanwhile.
 *
 * Clusters of words are learnt from at most 2048 documents spread over the index, and so is the number of clusters if
 * it is not given. All documents are then assigned to clusters by their own features.
 */
import type { Key } from '../../base/keys.js'
import type { Steps } from '../../base/turns.js'
import { bisectInSteps, type Clustering } from '../../clusters/bisection.js'
import { centroidCosines, nearestFirst } from '../../clusters/centroids.js'
import { chooseClusterCountInSteps } from '../../clusters/cluster-count.js'
import { ClusterRates } from '../../clusters/cluster-priors.js'
import { learnScale, scaleFeatures } from '../../clusters/feature-scale.js'
import type { PageFacts } from '../../clusters/page-facts.js'
import { featuresOf, learnFeaturesInSteps, PAGE_FEATURES } from '../../clusters/page-features.js'
import { DenseRows } from '../../clusters/unit-rows.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { GroupProbabilities } from '../model/group-probabilities.js'
import { type ClusterCommit, NEAREST_DOCUMENTS, type StoredCluster } from './cluster-rows.js'
import { factsByLinks, factsOf, linksBetween, PORTION } from './document-facts.js'
import { type ClusterVisits, compareVisits, VISIT_WIDTH } from './visits.js'

/** What clusters are built from. Each call may throw when the index was closed meanwhile. */
export interface ClusterSource {
  /** The ledger, which has a row for each document. */
  columns(): LedgerColumns
  rows(): number
  keyOf(doc: number): Key | undefined
  /** The document as far as it is stored. */
  documentOf(key: Key): Readonly<Record<string, unknown>> | undefined
  readonly fieldNames: readonly string[]
  /** The property that counts like links to the document. */
  readonly weightName: string | undefined
  /** The property that holds the links of a document: a list of { to }. */
  readonly linksName?: string | undefined
  /** What the last build saw under this number: see visits.ts. */
  visitOf(doc: number): Float64Array | undefined
  pause(): Promise<void>
}

export interface BuildOptions {
  readonly clusters: number | 'auto'
  readonly seed: number
  readonly atMs: number
}

/** Documents in clusters, each as it was when it was read. */
export interface BuiltClusters {
  readonly docs: Uint32Array
  readonly keys: readonly Key[]
  /** Clusters are numbered from 0 here. */
  readonly clustering: Clustering
  /** By position in `docs`: the cosine of the document and the centroid of its cluster. */
  readonly cosines: Float64Array
  /** By position in `docs`. */
  readonly visits: Float64Array
  readonly options: BuildOptions
}

/** The most documents from which clusters of words are learnt. */
const WORD_DOCUMENTS = 2048
const WORD_RESTARTS = 2
/** The most documents from which the number of clusters is found, and the folds for that. */
const COUNT_DOCUMENTS = 1500
const COUNT_FOLDS = 5
const COUNT_RESTARTS = 2
/** The weights of refreshes in the change probability of a cluster. */
export const BUILD_WEIGHTING = 'gad'

export async function buildClusters(source: ClusterSource, options: BuildOptions): Promise<BuiltClusters> {
  const { docs, keys } = await documentsOf(source)
  const { features, visits } = await featuresOfAll(source, docs, keys, options.seed)
  const { vectors, width } = scaleFeatures(features, learnScale(features))
  await source.pause()
  const clusters = options.clusters === 'auto' ? await countOf(source, vectors, width, options.seed) : options.clusters
  const rows = new DenseRows(vectors, width)
  const clustering = await withPauses(source, bisectInSteps(rows, { clusters, seed: options.seed }))
  const cosines = docs.length === 0 ? new Float64Array() : centroidCosines(vectors, clustering)
  return { docs, keys, clustering, cosines, visits, options }
}

async function withPauses<T>(source: ClusterSource, steps: Steps<T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    await source.pause()
    if (step.done) return step.value
  }
}

/** Documents that were removed since they were read are in no cluster. REQUIRES: no document is written meanwhile. */
export function clusterCommit(source: ClusterSource, built: BuiltClusters): ClusterCommit {
  const { docs, keys, clustering, cosines, options } = built
  const columns = source.columns()
  const rates = new ClusterRates(clustering.clusters)
  const probabilities = new GroupProbabilities(BUILD_WEIGHTING)
  const sizes = new Uint32Array(clustering.clusters)
  const isThere = Uint8Array.from(docs, (doc, at) => Number(source.keyOf(doc) === keys[at]))
  const assignment: number[] = []
  let cosineSum = 0
  docs.forEach((doc, at) => {
    if (isThere[at] === 0) return
    const cluster = clustering.assignment[at]!
    assignment.push(doc, cluster + 1)
    sizes[cluster]!++
    cosineSum += cosines[at]!
    probabilities.add(cluster, columns, doc)
    rates.add(cluster, Math.min(columns.changes[doc]!, columns.rated[doc]!), columns.sumIntervalMs[doc]!)
  })
  const priors = rates.priors()
  const groups = nearestFirst(clustering.assignment, clustering.clusters, cosines)
  const clusters = Array.from(sizes, (size, cluster): StoredCluster => {
    const members = groups.pages.subarray(groups.starts[cluster], groups.starts[cluster + 1])
    const nearest = members.filter((at) => isThere[at] === 1).subarray(0, NEAREST_DOCUMENTS)
    const { meanPerMs, strengthMs } = priors.priorOf(cluster)
    return {
      number: cluster + 1,
      size,
      known: probabilities.knownOf(cluster),
      probability: probabilities.probabilityOf(cluster, probabilities.mean),
      ratePerMs: meanPerMs,
      strengthMs,
      centroid: clustering.centroids.slice(cluster * PAGE_FEATURES, (cluster + 1) * PAGE_FEATURES),
      nearest: Float64Array.from(nearest, (at) => docs[at]!),
    }
  })
  const documents = assignment.length / 2
  const meanCosine = documents === 0 ? 0 : cosineSum / documents
  return {
    clustering: { atMs: options.atMs, seed: options.seed, documents, meanCosine },
    clusters,
    assignment: Uint32Array.from(assignment),
    visits: visitsOfThose(built, isThere),
  }
}

function visitsOfThose({ docs, visits }: BuiltClusters, isThere: Uint8Array): ClusterVisits {
  const places = Array.from(docs.keys()).filter((at) => isThere[at] === 1)
  const rows = new Float64Array(places.length * VISIT_WIDTH)
  places.forEach((at, nth) => {
    rows.set(visits.subarray(at * VISIT_WIDTH, (at + 1) * VISIT_WIDTH), nth * VISIT_WIDTH)
  })
  return { docs: Uint32Array.from(places, (at) => docs[at]!), rows }
}

async function documentsOf(source: ClusterSource): Promise<Pick<BuiltClusters, 'docs' | 'keys'>> {
  const docs: number[] = []
  const keys: Key[] = []
  for (let doc = 0; doc < source.rows(); doc++) {
    if (doc % (16 * PORTION) === 0) await source.pause()
    const key = source.columns().present[doc] === 1 ? source.keyOf(doc) : undefined
    if (key === undefined) continue
    docs.push(doc)
    keys.push(key)
  }
  return { docs: Uint32Array.from(docs), keys }
}

async function featuresOfAll(
  source: ClusterSource,
  docs: Uint32Array,
  keys: readonly Key[],
  seed: number,
): Promise<{ readonly features: Float64Array; readonly visits: Float64Array }> {
  const links = await linksBetween(source, keys)
  const sample: PageFacts[] = []
  for (const at of evenlySpread(docs.length, WORD_DOCUMENTS)) {
    if (sample.length % PORTION === 0) await source.pause()
    sample.push(factsOf(source, docs[at]!, keys[at]!, factsByLinks(links, at)))
  }
  const learning = learnFeaturesInSteps(sample, { seed, restarts: WORD_RESTARTS, weighting: BUILD_WEIGHTING })
  const { space } = await withPauses(source, learning)
  const features = new Float64Array(docs.length * PAGE_FEATURES)
  const visits = new Float64Array(docs.length * VISIT_WIDTH)
  for (let at = 0; at < docs.length; at++) {
    if (at % PORTION === 0) await source.pause()
    const doc = docs[at]!
    const own = featuresOf(space, factsOf(source, doc, keys[at]!, factsByLinks(links, at)))
    const visit = visits.subarray(at * VISIT_WIDTH, (at + 1) * VISIT_WIDTH)
    compareVisits(own, visit, source.visitOf(doc), source.columns(), doc)
    features.set(own, at * PAGE_FEATURES)
  }
  return { features, visits }
}

async function countOf(source: ClusterSource, vectors: Float64Array, width: number, seed: number): Promise<number> {
  const rows = evenlySpread(vectors.length / width, COUNT_DOCUMENTS)
  const sample = new Float64Array(rows.length * width)
  rows.forEach((row, at) => {
    sample.set(vectors.subarray(row * width, (row + 1) * width), at * width)
  })
  const choosing = chooseClusterCountInSteps(sample, width, { seed, folds: COUNT_FOLDS, restarts: COUNT_RESTARTS })
  return (await withPauses(source, choosing)).clusters
}

/** At most `most` numbers below `count`, ascending and evenly spread. */
function evenlySpread(count: number, most: number): Uint32Array {
  const chosen = Math.min(count, most)
  return Uint32Array.from({ length: chosen }, (_, at) => Math.floor((at * count) / chosen))
}
