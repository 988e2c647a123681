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
import { ClusterRates } from '../../clusters/cluster-priors.js'
import type { PageFacts } from '../../clusters/page-facts.js'
import { featuresOf, learnFeaturesInSteps, PAGE_FEATURES } from '../../clusters/page-features.js'
import { type ClusterVisits, VISIT_WIDTH } from '../../ledger/cluster-visits.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { GroupProbabilities } from '../model/group-probabilities.js'
import { type ClusterCommit, NEAREST_DOCUMENTS, type StoredCluster } from './cluster-rows.js'
import { factsByLinks, factsOf, linksBetween, PORTION } from './document-facts.js'
import { evenlySpread, type Grouping, groupInSteps } from './grouping.js'
import { groupOnThread } from './thread.js'
import { compareVisits } from './visits.js'

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
  /** Throws when nobody wants the clusters any more. */
  check(): void
  /** A turn for others, if one is due. */
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
  /** By position in `docs`. */
  readonly grouping: Grouping
  /** By position in `docs`. */
  readonly visits: Float64Array
  readonly options: BuildOptions
}

/** The most documents from which clusters of words are learnt. */
const WORD_DOCUMENTS = 2048
const WORD_RESTARTS = 2
/** More documents are grouped on a thread: fewer take some milliseconds a step. */
const THREAD_DOCUMENTS = 5000
/** The weights of refreshes in the change probability of a cluster. */
export const BUILD_WEIGHTING = 'gad'

export async function buildClusters(source: ClusterSource, options: BuildOptions): Promise<BuiltClusters> {
  const { docs, keys } = await documentsOf(source)
  const { clusters, seed } = options
  const { features, visits } = await featuresOfAll(source, docs, keys, seed)
  const request = { features, clusters, seed }
  const grouping =
    docs.length > THREAD_DOCUMENTS
      ? await groupOnThread(request, () => source.check())
      : await withPauses(source, groupInSteps(request))
  return { docs, keys, grouping, visits, options }
}

async function withPauses<T>(source: ClusterSource, steps: Steps<T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    await source.pause()
    if (step.done) return step.value
  }
}

/**
 * Documents that were removed since they were read are in no cluster. In steps. REQUIRES: no document is written
 * meanwhile.
 */
export function* clusterCommit(source: ClusterSource, built: BuiltClusters): Steps<ClusterCommit> {
  const { docs, keys, grouping, options } = built
  const { clustering, cosines, nearest: groups } = grouping
  const rates = new ClusterRates(clustering.clusters)
  const probabilities = new GroupProbabilities(BUILD_WEIGHTING)
  const sizes = new Uint32Array(clustering.clusters)
  const isThere = new Uint8Array(docs.length)
  const assignment = new Uint32Array(2 * docs.length)
  let [documents, cosineSum] = [0, 0]
  const columns = source.columns()
  for (let at = 0; at < docs.length; at++) {
    yield
    const doc = docs[at]!
    if (source.keyOf(doc) !== keys[at]) continue
    isThere[at] = 1
    const cluster = clustering.assignment[at]!
    assignment.set([doc, cluster + 1], 2 * documents)
    documents++
    sizes[cluster]!++
    cosineSum += cosines[at]!
    probabilities.add(cluster, columns, doc)
    rates.add(cluster, Math.min(columns.changes[doc]!, columns.rated[doc]!), columns.sumIntervalMs[doc]!)
  }
  const priors = rates.priors()
  const clusters: StoredCluster[] = []
  for (const [cluster, size] of sizes.entries()) {
    yield
    const members = groups.pages.subarray(groups.starts[cluster], groups.starts[cluster + 1])
    const { meanPerMs, strengthMs } = priors.priorOf(cluster)
    clusters.push({
      number: cluster + 1,
      size,
      known: probabilities.knownOf(cluster),
      probability: probabilities.probabilityOf(cluster, probabilities.mean),
      ratePerMs: meanPerMs,
      strengthMs,
      centroid: clustering.centroids.slice(cluster * PAGE_FEATURES, (cluster + 1) * PAGE_FEATURES),
      nearest: Float64Array.from(firstThere(members, isThere), (at) => docs[at]!),
    })
  }
  const meanCosine = documents === 0 ? 0 : cosineSum / documents
  return {
    clustering: { atMs: options.atMs, seed: options.seed, documents, meanCosine },
    clusters,
    assignment: assignment.slice(0, 2 * documents),
    visits: yield* visitsOfThose(built, isThere, documents),
  }
}

function* visitsOfThose({ docs, visits }: BuiltClusters, isThere: Uint8Array, count: number): Steps<ClusterVisits> {
  const those = { docs: new Uint32Array(count), rows: new Float64Array(count * VISIT_WIDTH) }
  for (let at = 0, nth = 0; at < docs.length; at++) {
    if (at % PORTION === 0) yield
    if (isThere[at] === 0) continue
    those.docs[nth] = docs[at]!
    those.rows.set(visits.subarray(at * VISIT_WIDTH, (at + 1) * VISIT_WIDTH), nth * VISIT_WIDTH)
    nth++
  }
  return those
}

function firstThere(members: Uint32Array, isThere: Uint8Array): number[] {
  const found: number[] = []
  for (const at of members) {
    if (isThere[at] === 1 && found.push(at) === NEAREST_DOCUMENTS) break
  }
  return found
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
    const row = features.subarray(at * PAGE_FEATURES, (at + 1) * PAGE_FEATURES)
    featuresOf(space, factsOf(source, doc, keys[at]!, factsByLinks(links, at)), row)
    const visit = visits.subarray(at * VISIT_WIDTH, (at + 1) * VISIT_WIDTH)
    compareVisits(row, visit, source.visitOf(doc), source.columns(), doc)
  }
  return { features, visits }
}
