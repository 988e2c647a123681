/** How many pages are in what is sampled (Tan and Mitra, Table 2). */
import type { PolicyRow } from './clusters-experiment.js'

export interface GroupSizes {
  readonly kind: 'cluster' | 'site'
  readonly resourceShare: number
  readonly groups: number
  readonly least: number
  readonly median: number
  readonly mean: number
  readonly most: number
}

/** Sites, and the clusters of the last cycle by all features together, for each R. */
export function groupSizes(rows: readonly PolicyRow[]): GroupSizes[] {
  return rows
    .filter(({ policy, features }) => policy === 'sls' || (policy === 'cls-nad' && features === 'combined'))
    .map(({ policy, resourceShare, groupSizes: sizes }) => ({
      kind: policy === 'sls' ? ('site' as const) : ('cluster' as const),
      resourceShare,
      groups: sizes.length,
      least: sizes.at(-1)!,
      median: (sizes[Math.floor((sizes.length - 1) / 2)]! + sizes[Math.floor(sizes.length / 2)]!) / 2,
      mean: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      most: sizes[0]!,
    }))
}
