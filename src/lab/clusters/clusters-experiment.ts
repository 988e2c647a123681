/**
 * Which policy finds most changes, and keeps the first answers freshest (Tan and Mitra, Clustering-based incremental web crawling, section 6), as tasks that can run on
 * any thread. Everything follows from the files, the spec and the task.
 */
import { type ClusterTrial, chooseSparseClusterCount } from '../../clusters/cluster-count.js'
import type { PageGroups } from '../../clusters/page-groups.js'
import { groupBySite } from '../../clusters/site-sampling.js'
import { changedPages } from '../choosers/changed-pages.js'
import { roundRobin } from '../choosers/cyclic.js'
import { judgedChooser } from '../choosers/judged-chooser.js'
import { mostFrequent } from '../choosers/most-frequent.js'
import { randomPages } from '../choosers/random-pages.js'
import { SampledGroups } from '../choosers/sampled-groups.js'
import { freshness } from '../quality/freshness.js'
import { type Chooser, replay } from '../quality/replay.js'
import type { RepositoryQuality } from '../quality/repository-quality.js'
import { topFreshnessOf, topPrecisionOf } from '../quality/top-answers.js'
import type { ClustersInput } from './clusters-input.js'
import { type ClusterPolicy, type ClustersTask, checkClustersTask, weightingOf } from './clusters-spec.js'
import { clusterPages } from './page-clusters.js'

export type PolicyTask = Extract<ClustersTask, { policy: ClusterPolicy }>
export type WordsTask = Extract<ClustersTask, { words: unknown }>

export interface PolicyRow extends PolicyTask {
  /** R: downloads of a cycle; may be a fraction. */
  readonly resources: number
  /** Mean over the cycles, and by cycle. */
  readonly changeRatio: number
  readonly changeRatios: readonly number[]
  /** Means over the cycles: of all copies, and of the first ten answers. */
  readonly freshness: number
  readonly topFreshness: number
  /** MAP@10. */
  readonly precision: number
  /** By cycle and query that has an answer, one after the other. */
  readonly precisions: readonly number[]
  /** Of policies by samples: pages of each group in the last cycle, descending. */
  readonly groupSizes: readonly number[]
}

/** Figure 1. */
export interface WordsRow extends WordsTask {
  /** Where E levels off. */
  readonly clusters: number
  readonly trials: readonly ClusterTrial[]
}

export type ClustersRow = PolicyRow | WordsRow

export function isPolicyRow(row: ClustersRow): row is PolicyRow {
  return 'policy' in row
}

/** `onStep`: told how much of the task is done, from 0 to 1. */
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
    freshness: meanOf(freshnesses),
    topFreshness: meanOf(topFreshnesses),
    precision: meanOf(precisions.flat()),
    precisions: precisions.flat(),
    groupSizes: chooser instanceof SampledGroups ? sizesOf(chooser.groups!) : [],
  }
}

function chooserOf(input: ClustersInput, { policy, features }: PolicyTask, resources: number): Chooser {
  const { seed, fairShare } = input.spec
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
      // A site is judged by what its samples show in the cycle itself (Cho and Ntoulas): the weighting that looks at nothing else.
      const groups = groupBySite(input.sites, seed)
      return new SampledGroups(pages, { weighting: 'sad', fairShare, groupsOf: () => groups })
    }
    default: {
      const options = { features, clusters: clustersFor(input, resources), seed }
      return new SampledGroups(pages, {
        weighting: weightingOf(policy)!,
        fairShare,
        groupsOf: (visited) => clusterPages(input.features, visited, options),
      })
    }
  }
}

/**
 * The paper has 100 clusters and 250 downloads for each. Where downloads are fewer by far, so must be the clusters: else samples, of which each has five if it can, take
 * them all.
 */
export function clustersFor({ spec }: Pick<ClustersInput, 'spec'>, resources: number): number {
  return Math.max(1, Math.min(spec.clusters, Math.floor(resources / spec.clusterDownloads)))
}

/** 0.01 · 1,400 is to be 14. */
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

/** 1 where there is nothing that could be wrong. */
function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length
}

function sizesOf({ starts }: PageGroups): number[] {
  return Array.from(starts.subarray(1), (end, group) => end - starts[group]!).sort((a, b) => b - a)
}
