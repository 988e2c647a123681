/** Which policy finds most changes, by how much, and where another one does. */

import { type LowHigh, meanOfSeeds } from '../../report/statistics.js'
import { decimals, distinctValues, shareText } from '../../report/table.js'
import type { PolicyRow } from './run.js'
import { type ClusterPolicy, OTHER_POLICIES, SAMPLED_POLICIES } from './spec.js'

/** The weights of the past that an index goes by. */
export const OUR_CLUSTERS: ClusterPolicy = 'cls-gad'

/**
 * At the scarcest R the best way by clusters against the best of the others, with an interval of the differences cycle
 * by cycle; at each other R which is first. Undefined without rows.
 */
export function clustersVerdict(rows: readonly PolicyRow[]): string | undefined {
  const [scarce, ...others] = distinctValues(rows.map(({ resourceShare }) => resourceShare))
  const contest = scarce === undefined ? undefined : contestAt(rows, scarce)
  if (contest === undefined) return undefined
  const { share, first, second, isWon, interval, isSure } = contest
  const than = isWon ? `${second.policy}, the best without clusters` : `${second.policy}, the best by clusters`
  const range =
    interval === null
      ? 'of one cycle'
      : `95% interval over the cycles ${decimals(interval[0], 3)} to ${decimals(interval[1], 3)}`
  const ours = [first, second].some(({ policy }) => policy === OUR_CLUSTERS)
    ? undefined
    : rowOf(rows, share, OUR_CLUSTERS)
  const rest = ours === undefined ? '' : `; ${OUR_CLUSTERS}, as an index weighs, has ${decimals(ours.changeRatio, 3)}`
  const won =
    `At R ${shareText(share)} ${first.policy} finds most changes, ` +
    `a ChangeRatio of ${decimals(first.changeRatio, 3)}: ` +
    `${decimals(first.changeRatio - second.changeRatio, 3)} more than ${than} ` +
    `(${range}${isSure ? '' : ', so it may be chance'})${rest}.`
  const elsewhere = others.flatMap((other) => contestAt(rows, other) ?? []).map(elsewhereText)
  return elsewhere.length === 0 ? won : `${won} First is ${elsewhere.join(', ')}.`
}

interface Contest {
  readonly share: number
  readonly first: PolicyRow
  readonly second: PolicyRow
  /** By clusters. */
  readonly isWon: boolean
  readonly interval: LowHigh | null
  readonly isSure: boolean
}

function elsewhereText({ share, first, isSure }: Contest): string {
  return `${first.policy} at R ${shareText(share)}${isSure ? '' : ' (within chance)'}`
}

function contestAt(rows: readonly PolicyRow[], share: number): Contest | undefined {
  const clusters = bestOf(rows, share, SAMPLED_POLICIES)
  const other = bestOf(rows, share, OTHER_POLICIES)
  if (clusters === undefined || other === undefined) return undefined
  const isWon = clusters.changeRatio > other.changeRatio
  const [first, second] = isWon ? [clusters, other] : [other, clusters]
  const { interval } = meanOfSeeds(first.changeRatios.map((ratio, cycle) => ratio - second.changeRatios[cycle]!))
  const isSure = interval !== null && (interval[0] > 0 || interval[1] < 0)
  return { share, first, second, isWon, interval, isSure }
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
