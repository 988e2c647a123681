/** What an experiment with clusters of pages is about. */

import { choiceOption, numberOption } from '../../../base/checks.js'
import { CHANGE_WEIGHTINGS, type ChangeWeighting } from '../../../clusters/change-weights.js'
import { FEATURE_GROUPS, type FeatureGroup } from '../../../clusters/page-features.js'
import { CONTROL_WORLDS, type ControlWorldName } from '../../worlds/control-worlds.js'
import { DOWNLOAD_ORDERS, type DownloadOrder } from './cluster-sampling.js'

export interface ControlSpec {
  readonly world: ControlWorldName
  readonly pages: number
  readonly steps: number
}

export interface ClustersSpec {
  /**
   * A folder that openWorld() takes, with a queries.tsv; links are read where it has them. Or a world of which it is
   * known whether clusters tell what has changed.
   */
  readonly data: string | ControlSpec
  /** Steps of the world that are one download cycle. */
  readonly cycleWeeks: number
  /** So many queries of queries.tsv, drawn at random. */
  readonly queries: number
  /** At most. */
  readonly clusters: number
  /** Downloads of a cycle for each cluster, at least: where there are fewer downloads, there are fewer clusters. */
  readonly clusterDownloads: number
  /** Segments of a path that make a site; undefined: see sitesByPath(). */
  readonly siteSegments?: number | undefined
  /** The share of the downloads of policies by samples that goes to the pages visited longest ago. */
  readonly fairShare: number
  /** The order of downloads within a cluster. 'oldest' unless told. */
  readonly within?: DownloadOrder | undefined
  readonly seed: number
  /** R: downloads of a cycle as shares of the pages, each above 0 and at most 1. */
  readonly resources: readonly number[]
}

const SAMPLED = CHANGE_WEIGHTINGS.map((weighting) => `cls-${weighting}` as const)
/** In the order of Figure 4 of the paper. `oracle`: what no policy can pass. */
export const CLUSTER_POLICIES = ['rand', 'rr', 'freq', 'sls', ...SAMPLED, 'oracle'] as const
export type ClusterPolicy = (typeof CLUSTER_POLICIES)[number]

export const SAMPLED_POLICIES: readonly ClusterPolicy[] = SAMPLED
export const OTHER_POLICIES: readonly ClusterPolicy[] = ['rand', 'rr', 'freq', 'sls']
const COUNTED_WORDS = ['url', 'content'] as const

export type ClustersTask =
  | { readonly policy: ClusterPolicy; readonly features: FeatureGroup; readonly resourceShare: number }
  | { readonly words: (typeof COUNTED_WORDS)[number] }

/** All policies by all features together, and by each group of features one; and how many clusters there are. */
export function clustersTasks(resourceShares: readonly number[]): ClustersTask[] {
  const groups = FEATURE_GROUPS.filter((features) => features !== 'combined')
  return [
    ...resourceShares.flatMap((resourceShare) => [
      ...CLUSTER_POLICIES.map((policy) => ({ policy, features: 'combined' as const, resourceShare })),
      ...groups.map((features) => ({ policy: 'cls-nad' as const, features, resourceShare })),
    ]),
    ...COUNTED_WORDS.map((words) => ({ words })),
  ]
}

/** Undefined for a policy without clusters. */
export function weightingOf(policy: ClusterPolicy): ChangeWeighting | undefined {
  return CHANGE_WEIGHTINGS.find((weighting) => policy === `cls-${weighting}`)
}

/** TypeError or RangeError for what cannot be. */
export function checkClustersSpec(spec: ClustersSpec): void {
  const positive = { min: 1, integer: true } as const
  numberOption('cycleWeeks', spec.cycleWeeks, 1, positive)
  numberOption('queries', spec.queries, 1, positive)
  numberOption('clusters', spec.clusters, 1, positive)
  numberOption('clusterDownloads', spec.clusterDownloads, 1, positive)
  numberOption('siteSegments', spec.siteSegments, 0, { min: 0, integer: true })
  numberOption('fairShare', spec.fairShare, 0, { min: 0, max: 1 })
  for (const resourceShare of spec.resources) checkResourceShare(resourceShare)
  choiceOption<DownloadOrder>('within', spec.within, 'oldest', DOWNLOAD_ORDERS)
  if (typeof spec.data !== 'string') choiceOption<ControlWorldName>('world', spec.data.world, 'fast', CONTROL_WORLDS)
  numberOption('seed', spec.seed, 0, { min: 0, max: 2 ** 32 - 1, integer: true })
}

export function checkClustersTask(task: ClustersTask): void {
  if ('words' in task) {
    choiceOption('words', task.words, 'url', COUNTED_WORDS)
    return
  }
  choiceOption('policy', task.policy, 'rand', CLUSTER_POLICIES)
  choiceOption('features', task.features, 'combined', FEATURE_GROUPS)
  checkResourceShare(task.resourceShare)
}

function checkResourceShare(resourceShare: number): void {
  const share = numberOption('resourceShare', resourceShare, 1, { min: 0, aboveMin: true })
  if (share > 1) throw new RangeError(`resourceShare must be at most 1, all pages, received ${share}`)
}
