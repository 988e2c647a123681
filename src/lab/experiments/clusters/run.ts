/**
 * Which policy finds most changes, and keeps the first answers freshest (Tan and Mitra, Clustering-based incremental
 * web crawling, section 6).
 */

import { bisect } from '../../../clusters/bisection.js'
import { centroidCosines, nearestFirst, type PageGroups } from '../../../clusters/centroids.js'
import { type ClusterTrial, chooseSparseClusterCount } from '../../../clusters/cluster-count.js'
import { learnScale, scaleFeatures } from '../../../clusters/feature-scale.js'
import { type FeatureGroup, PAGE_FEATURES } from '../../../clusters/page-features.js'
import { medianOf } from '../../../math/quantiles.js'
import { changedPages } from '../../choosers/change-signals.js'
import { judgedChooser } from '../../choosers/judged.js'
import { SampledGroups, type VisitedPages } from '../../choosers/sampled-groups.js'
import { mostFrequent, randomPages, roundRobin } from '../../choosers/simple.js'
import type { Experiment } from '../../frame/experiment.js'
import { folderDigest } from '../../frame/result-file.js'
import { freshness, topFreshnessOf, topPrecisionOf } from '../../quality/freshness.js'
import { type Chooser, changeRatio as changeRatioOf, replay } from '../../quality/replay.js'
import type { RepositoryQuality } from '../../quality/repository-quality.js'
import { folderName } from '../../worlds/folder-tables.js'
import { groupBySite } from './cluster-sampling.js'
import { domainRows } from './domains.js'
import { type ClustersInput, loadClustersInput } from './input.js'
import { paperChecks, precisionTests } from './paper-checks.js'
import { type ClustersResult, clustersJson, clustersReport } from './report.js'
import {
  type ClusterPolicy,
  type ClustersSpec,
  type ClustersTask,
  checkClustersSpec,
  checkClustersTask,
  clustersTasks,
  weightingOf,
} from './spec.js'
import { type VersionFeatures, writePageFeatures } from './version-features.js'

export type PolicyTask = Extract<ClustersTask, { policy: ClusterPolicy }>
export type WordsTask = Extract<ClustersTask, { words: unknown }>

export interface PolicyRow extends PolicyTask {
  /** R: downloads of a cycle; may be a fraction. */
  readonly resources: number
  /** Mean over the cycles, and by cycle. */
  readonly changeRatio: number
  readonly changeRatios: readonly number[]
  /** The same mean of changed pages weighed by their PageRank, in multiples of the mean one. null without links. */
  readonly weightedChangeRatio: number | null
  /** Means over the cycles: of all copies, and of the first ten answers. */
  readonly freshness: number
  readonly topFreshness: number
  /** MAP@10. */
  readonly precision: number
  /** By cycle and query that has an answer, one after the other. */
  readonly precisions: readonly number[]
  /** For policies by samples: pages of each group in the last cycle, descending. */
  readonly groupSizes: readonly number[]
}

/** How many clusters of pages their words make (Figure 1). */
export interface WordsRow extends WordsTask {
  /** The number of clusters at which the criterion E levels off. */
  readonly clusters: number
  readonly trials: readonly ClusterTrial[]
}

export type ClustersRow = PolicyRow | WordsRow

export function isPolicyRow(row: ClustersRow): row is PolicyRow {
  return 'policy' in row
}

export const clusters: Experiment<ClustersSpec, ClustersInput, ClustersTask, ClustersRow, ClustersResult> = {
  name: 'clusters',
  check: checkClustersSpec,
  question: async ({ resources: _, data, within, ...spec }) => ({
    ...{ experiment: 'clusters', ...spec, within: within ?? 'oldest' },
    ...(typeof data === 'string' ? { data: await folderDigest(data) } : data),
    siteSegments: spec.siteSegments ?? null,
  }),
  tasks: ({ resources }) => clustersTasks(resources),
  load: (spec, _, tell) => loadClustersInput(spec, tell),
  run: runClustersTask,
  conclude: (spec, { timeline, scores, sites, siteSegments }, found) => {
    const rows = found.filter(isPolicyRow)
    return {
      spec,
      data: typeof spec.data === 'string' ? folderName(spec.data) : spec.data.world,
      pages: timeline.urls.length,
      cycles: timeline.atMs.length - 1,
      queries: scores.weights.length,
      siteSegments,
      domains: domainRows(timeline.urls, sites),
      rows,
      counts: found.filter((row): row is WordsRow => !isPolicyRow(row)),
      sizes: groupSizes(rows),
      tests: precisionTests(rows),
      checks: paperChecks(rows),
    }
  },
  report: clustersReport,
  json: clustersJson,
}

/** `onStep` is told how much of the task is done, from 0 to 1. */
export function runClustersTask(
  input: ClustersInput,
  task: ClustersTask,
  onStep?: (done: number) => void,
): ClustersRow {
  checkClustersTask(task)
  if ('policy' in task) return runPolicy(input, task, onStep)
  const { matrix, width } = input.words[task.words]
  return { ...task, ...chooseSparseClusterCount(matrix, width, { seed: input.spec.seed, restarts: 1 }) }
}

function runPolicy(input: ClustersInput, task: PolicyTask, onStep?: (done: number) => void): PolicyRow {
  const { timeline } = input
  const resources = resourcesOf(input, task)
  const chooser = chooserOf(input, task, resources)
  const steps = timeline.atMs.length - 1
  const freshnesses: number[] = []
  const topFreshnesses: number[] = []
  const precisions: number[][] = []
  const { changeRatio, cycles } = replay(input, chooser, {
    budget: resources,
    // Nothing here asks for the loss of quality.
    untouched: 1,
    ...(input.pageWeights === undefined ? {} : { pageWeights: input.pageWeights }),
    onStep: (state) => {
      freshnesses.push(freshness(state.copies))
      topFreshnesses.push(meanOf(overQueries(state, topFreshnessOf)))
      precisions.push(overQueries(state, topPrecisionOf))
      onStep?.(state.step / steps)
    },
  })
  return {
    ...task,
    resources,
    changeRatio,
    changeRatios: cycles.map(({ downloaded, changed }) => (downloaded === 0 ? 0 : changed / downloaded)),
    weightedChangeRatio:
      input.pageWeights === undefined
        ? null
        : changeRatioOf(cycles.map(({ downloaded, changedWeight = 0 }) => ({ downloaded, changed: changedWeight }))),
    freshness: meanOf(freshnesses),
    topFreshness: meanOf(topFreshnesses),
    precision: meanOf(precisions.flat()),
    precisions: precisions.flat(),
    groupSizes: chooser instanceof SampledGroups ? sizesOf(chooser.groups!) : [],
  }
}

function chooserOf(input: ClustersInput, { policy, features }: PolicyTask, resources: number): Chooser {
  const { seed, fairShare, within } = input.spec
  const pages = input.timeline.urls.length
  switch (policy) {
    case 'rand':
      return judgedChooser(randomPages(seed))
    case 'rr':
      return roundRobin(pages)
    case 'freq':
      return judgedChooser(mostFrequent(pages))
    case 'oracle':
      return judgedChooser(changedPages())
    case 'sls': {
      // A site is judged by what its samples show in the cycle itself (Cho and Ntoulas): the weighting that looks at
      // nothing else.
      const groups = groupBySite(input.sites, seed)
      return new SampledGroups(pages, { weighting: 'sad', fairShare, within, groupsOf: () => groups })
    }
    default: {
      const options = { features, clusters: clustersFor(input, resources), seed }
      return new SampledGroups(pages, {
        weighting: weightingOf(policy)!,
        fairShare,
        within,
        groupsOf: (visited) => clusterPages(input.features, visited, options),
      })
    }
  }
}

/**
 * The paper has 100 clusters and 250 downloads for each. Where downloads are fewer by far, so must be the clusters:
 * else samples, of which each has five if it can, take them all.
 */
export function clustersFor({ spec }: Pick<ClustersInput, 'spec'>, resources: number): number {
  return Math.max(1, Math.min(spec.clusters, Math.floor(resources / spec.clusterDownloads)))
}

/** Whole where rounding alone makes it a fraction: 0.01 · 1,400 is to be 14. */
function resourcesOf({ timeline }: ClustersInput, { resourceShare }: PolicyTask): number {
  const exact = resourceShare * timeline.urls.length
  const whole = Math.round(exact)
  return Math.abs(exact - whole) < 1e-9 * timeline.urls.length && whole > 0 ? whole : exact
}

function overQueries(
  state: RepositoryQuality,
  judge: (state: RepositoryQuality, query: number) => number | undefined,
): number[] {
  return Array.from(state.weights.keys()).flatMap((query) => judge(state, query) ?? [])
}

/** The mean; 1 where there is no value, and so nothing that could be wrong. */
function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function sizesOf({ starts }: PageGroups): number[] {
  return Array.from(starts.subarray(1), (end, group) => end - starts[group]!).sort((a, b) => b - a)
}

/** How many pages are in what is sampled (Tan and Mitra, Table 2). */
export interface GroupSizes {
  readonly kind: 'cluster' | 'site'
  readonly resourceShare: number
  readonly groups: number
  readonly least: number
  readonly median: number
  readonly mean: number
  readonly most: number
}

/** The sizes of sites, and of the clusters of the last cycle by all features together, for each R. */
export function groupSizes(rows: readonly PolicyRow[]): GroupSizes[] {
  return rows
    .filter(({ policy, features }) => policy === 'sls' || (policy === 'cls-nad' && features === 'combined'))
    .map(({ policy, resourceShare, groupSizes: sizes }) => ({
      kind: policy === 'sls' ? ('site' as const) : ('cluster' as const),
      resourceShare,
      groups: sizes.length,
      least: sizes.at(-1)!,
      median: medianOf(sizes),
      mean: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      most: sizes[0]!,
    }))
}

interface PageClusterOptions {
  readonly features: FeatureGroup
  /** The number of clusters, at most. */
  readonly clusters: number
  readonly seed: number
}

/** Clusters of pages by what a crawler knows of them at a step, nearest to the centroid first. */
function clusterPages(
  versions: VersionFeatures,
  { local, before, histories }: VisitedPages,
  { features: group, clusters, seed }: PageClusterOptions,
): PageGroups {
  const features = new Float64Array(local.length * PAGE_FEATURES)
  local.forEach((version, page) => {
    const history = histories.of(page)
    const row = features.subarray(page * PAGE_FEATURES, (page + 1) * PAGE_FEATURES)
    writePageFeatures(row, versions, version, { before: history.cycles > 0 ? before[page]! : undefined, history })
  })
  const { vectors, width } = scaleFeatures(features, learnScale(features, group))
  const found = bisect(vectors, width, { clusters, seed })
  return nearestFirst(found.assignment, found.clusters, centroidCosines(vectors, found))
}
