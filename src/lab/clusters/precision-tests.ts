/** Whether policies differ in MAP@10 or only by chance (Tan and Mitra, Table 3): each policy by clusters against each other one. */
import { compareMeans } from '../../clusters/significance.js'
import type { PolicyRow } from './clusters-experiment.js'
import { type ClusterPolicy, OTHER_POLICIES, SAMPLED_POLICIES } from './clusters-spec.js'

export interface PrecisionTest {
  readonly resourceShare: number
  readonly policy: ClusterPolicy
  readonly other: ClusterPolicy
  readonly meanDifference: number
  /** null where no value of either varies but their means differ. */
  readonly t: number | null
  readonly pValue: number
  /** By the normal distribution, as in the paper. */
  readonly normalPValue: number
}

/** None where there are fewer than two values: nothing can be said then. */
export function precisionTests(rows: readonly PolicyRow[]): PrecisionTest[] {
  const combined = rows.filter(({ features }) => features === 'combined')
  return combined
    .filter(({ policy, precisions }) => SAMPLED_POLICIES.includes(policy) && precisions.length > 1)
    .flatMap((row) =>
      combined
        .filter(({ policy, resourceShare }) => OTHER_POLICIES.includes(policy) && resourceShare === row.resourceShare)
        .map((other) => testOf(row, other)),
    )
}

function testOf(row: PolicyRow, other: PolicyRow): PrecisionTest {
  const { t, meanDifference, pValue, normalPValue } = compareMeans(row.precisions, other.precisions)
  return {
    resourceShare: row.resourceShare,
    policy: row.policy,
    other: other.policy,
    meanDifference,
    t: Number.isFinite(t) ? t : null,
    pValue,
    normalPValue,
  }
}
