/** Which policy finds most changes, by how much, and where another one does: one sentence. */

import { meanOfSeeds } from '../../report/statistics.js'
import { decimals, distinctValues, shareText } from '../../report/table.js'
import type { PolicyRow } from './run.js'
import { type ClusterPolicy, OTHER_POLICIES, SAMPLED_POLICIES } from './spec.js'

/** The weights of the past that an index goes by. */
export const OUR_CLUSTERS: ClusterPolicy = 'cls-gad'

/**
 * The best way by clusters against the best of the others, at each R. The interval is of the differences cycle by
 * cycle. Undefined without rows.
 */
export function clustersVerdict(rows: readonly PolicyRow[]): string | undefined {
  const shares = distinctValues(rows.map(({ resourceShare }) => resourceShare))
  const sentences = shares.flatMap((share) => sentenceAt(rows, share) ?? [])
  return sentences.length === 0 ? undefined : `${sentences.join('; ').replace(/^at/, 'At')}.`
}

function sentenceAt(rows: readonly PolicyRow[], share: number): string | undefined {
  const clusters = bestOf(rows, share, SAMPLED_POLICIES)
  const other = bestOf(rows, share, OTHER_POLICIES)
  if (clusters === undefined || other === undefined) return undefined
  const isWon = clusters.changeRatio > other.changeRatio
  const [first, second] = isWon ? [clusters, other] : [other, clusters]
  const { interval } = meanOfSeeds(first.changeRatios.map((ratio, cycle) => ratio - second.changeRatios[cycle]!))
  const by = decimals(first.changeRatio - second.changeRatio, 3)
  const than = isWon ? `${second.policy}, the best without clusters` : `${second.policy}, the best by clusters`
  const sure =
    interval === null
      ? 'of one cycle'
      : `95% interval over the cycles ${decimals(interval[0], 3)} to ${decimals(interval[1], 3)}`
  const isChance = interval === null || (interval[0] <= 0 && interval[1] >= 0)
  const ours = [first.policy, second.policy].includes(OUR_CLUSTERS) ? undefined : rowOf(rows, share, OUR_CLUSTERS)
  const rest = ours === undefined ? '' : `, ${OUR_CLUSTERS}, as an index weighs, ${decimals(ours.changeRatio, 3)}`
  const found = `${first.policy} finds most changes, a ChangeRatio of ${decimals(first.changeRatio, 3)}`
  return (
    `at R ${shareText(share)} ${found}: ` +
    `${by} more than ${than} (${sure}${isChance ? ', so it may be chance' : ''})${rest}`
  )
}

function bestOf(rows: readonly PolicyRow[], share: number, policies: readonly ClusterPolicy[]): PolicyRow | undefined {
  const own = policies.flatMap((policy) => rowOf(rows, share, policy) ?? [])
  return own.reduce<PolicyRow | undefined>(
    (best, row) => (best === undefined || row.changeRatio > best.changeRatio ? row : best),
    undefined,
  )
}

function rowOf(rows: readonly PolicyRow[], share: number, policy: ClusterPolicy): PolicyRow | undefined {
  return rows.find((row) => row.policy === policy && row.resourceShare === share && row.features === 'combined')
}
