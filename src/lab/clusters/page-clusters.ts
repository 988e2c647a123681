/** Clusters of pages by what a crawler knows of them at a step, nearest to the centroid first. */
import { learnScale, scaleFeatures } from '../../clusters/feature-scale.js'
import { centroidCosines } from '../../clusters/nearest-centroid.js'
import { type FeatureGroup, PAGE_FEATURES } from '../../clusters/page-features.js'
import { nearestFirst, type PageGroups } from '../../clusters/page-groups.js'
import { bisect } from '../../clusters/repeated-bisection.js'
import type { VisitedPages } from '../choosers/sampled-groups.js'
import { type VersionFeatures, writePageFeatures } from './version-features.js'

export interface PageClusterOptions {
  readonly features: FeatureGroup
  /** At most. */
  readonly clusters: number
  readonly seed: number
}

export function clusterPages(
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
