/** What the paper says of its figures (Tan and Mitra, sections 6.3 to 6.5), held against the rows of a run. */

import { describe } from '../../../base/describe.js'
import type { FeatureGroup } from '../../../clusters/page-features.js'
import { normalTail, studentTail } from '../../../math/distributions.js'
import type { Check } from '../../report/checks.js'
import { distinctValues } from '../../report/table.js'
import type { PolicyRow } from './run.js'
import { type ClusterPolicy, OTHER_POLICIES, SAMPLED_POLICIES } from './spec.js'

/** The critical value of the normal distribution at α = 0.05, both sides. */
const CRITICAL_T = 1.96
/** In these the paper finds no significance: its policy by the last cycle alone. */
const NOT_SIGNIFICANT: readonly (readonly [ClusterPolicy, ClusterPolicy])[] = [
  ['cls-sad', 'freq'],
  ['cls-sad', 'sls'],
]
const FEATURE_ORDER: readonly FeatureGroup[] = ['combined', 'dynamic', 'static', 'url']
/** How much values around 1 may differ in two runs that do the same. */
const ROUNDING = 1e-9
/** Which part of the cycles is the beginning, and which the end. */
const PART = 1 / 4

export function paperChecks(rows: readonly PolicyRow[]): Check[] {
  const shares = distinctValues(rows.map(({ resourceShare }) => resourceShare))
  const [scarce, abundant] = [shares[0]!, shares.at(-1)!]
  return [
    ...shares.flatMap((share) => policyChecks(rows, share)),
    ...featureChecks(rows, scarce),
    ...(abundant > scarce ? [abundanceCheck(rows, scarce, abundant)] : []),
    ...weightingChecks(rows, scarce),
    ...significanceChecks(rows, scarce),
  ]
}

/** Figure 4a: the worst policy by clusters against each other one. */
function policyChecks(rows: readonly PolicyRow[], share: number): Check[] {
  const ratios = SAMPLED_POLICIES.map((policy) => ratioOf(rows, share, policy))
  return OTHER_POLICIES.map((policy) =>
    check(
      `ChangeRatio of every cls above ${policy} at R ${percent(share)}`,
      Math.min(...ratios),
      ratioOf(rows, share, policy),
    ),
  )
}

/** Figure 2. */
function featureChecks(rows: readonly PolicyRow[], share: number): Check[] {
  const ratio = (features: FeatureGroup) => ratioOf(rows, share, 'cls-nad', features)
  return FEATURE_ORDER.slice(1).map((features, at) => {
    const better = FEATURE_ORDER[at]!
    const name = `ChangeRatio by ${better} features above ${features} ones at R ${percent(share)}`
    return check(name, ratio(better), ratio(features))
  })
}

/** Figure 2: the more downloads there are, the less do features matter. */
function abundanceCheck(rows: readonly PolicyRow[], scarce: number, abundant: number): Check {
  const spread = (share: number) => {
    const ratios = rows
      .filter(({ policy, resourceShare }) => policy === 'cls-nad' && resourceShare === share)
      .map(({ changeRatio }) => changeRatio)
    const most = Math.max(...ratios)
    return most === 0 ? 0 : (most - Math.min(...ratios)) / most
  }
  const name = `relative spread of features at R ${percent(scarce)} above that at R ${percent(abundant)}`
  return check(name, spread(scarce), spread(abundant))
}

/** Figure 3. */
function weightingChecks(rows: readonly PolicyRow[], share: number): Check[] {
  const part = (policy: ClusterPolicy, isEnd: boolean) => {
    const ratios = rowOf(rows, share, policy).changeRatios
    const count = Math.max(1, Math.round(ratios.length * PART))
    const taken = isEnd ? ratios.slice(-count) : ratios.slice(0, count)
    return taken.reduce((sum, ratio) => sum + ratio, 0) / taken.length
  }
  const best = (policies: readonly ClusterPolicy[], isEnd: boolean) =>
    Math.max(...policies.map((policy) => part(policy, isEnd)))
  const others: readonly ClusterPolicy[] = ['cls-nad', 'cls-aad', 'cls-gad']
  return [
    check('ChangeRatio of sad in the first quarter above all others', best(['cls-sad'], false), best(others, false)),
    check(
      'ChangeRatio of aad or gad in the last quarter above nad and sad',
      best(['cls-aad', 'cls-gad'], true),
      best(['cls-nad', 'cls-sad'], true),
    ),
  ]
}

/** Table 3. */
function significanceChecks(rows: readonly PolicyRow[], share: number): Check[] {
  return precisionTests(rows.filter(({ resourceShare }) => resourceShare === share))
    .filter(({ policy, other }) => !NOT_SIGNIFICANT.some(([a, b]) => a === policy && b === other))
    .map(({ policy, other, t, meanDifference }) =>
      // Where no value varies any difference is beyond doubt.
      check(
        `t of MAP@10, ${policy} against ${other}, at R ${percent(share)}`,
        t ?? Math.sign(meanDifference) * Number.MAX_VALUE,
        CRITICAL_T,
      ),
    )
}

function rowOf(
  rows: readonly PolicyRow[],
  share: number,
  policy: ClusterPolicy,
  features: FeatureGroup = 'combined',
): PolicyRow {
  return rows.find((row) => row.policy === policy && row.features === features && row.resourceShare === share)!
}

function ratioOf(rows: readonly PolicyRow[], share: number, policy: ClusterPolicy, features?: FeatureGroup): number {
  return rowOf(rows, share, policy, features).changeRatio
}

function check(name: string, value: number, limit: number): Check {
  return { name, holds: value - limit > ROUNDING, value, limit }
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))}%`
}

/**
 * Whether policies differ in MAP@10 or only by chance (Tan and Mitra, Table 3): each policy by clusters against each
 * other one.
 */
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

/**
 * Whether two policies differ in the mean of what their answers are worth, or only by chance (Tan and Mitra, section
 * 6.5 and Table 3: MAP@10 of every query in every cycle). Two samples of any variance (Welch, The generalization of
 * Student's problem, 1947).
 */
export interface TwoSampleTest {
  /** Mean of the first less that of the second, in standard errors of this difference. */
  readonly t: number
  readonly meanDifference: number
  readonly standardError: number
  readonly degreesOfFreedom: number
  /** How likely means of the same population differ by as much either way, by Student's distribution. */
  readonly pValue: number
  /** The same by the normal distribution, as in the paper: for large samples. */
  readonly normalPValue: number
}

/** Samples of at least two values each. Where no value varies, t is 0 for equal means and else infinite. */
export function compareMeans(first: ArrayLike<number>, second: ArrayLike<number>): TwoSampleTest {
  const [a, b] = [momentsOf('first', first), momentsOf('second', second)]
  const meanDifference = a.mean - b.mean
  const squaredError = a.squaredError + b.squaredError
  const standardError = Math.sqrt(squaredError)
  const t = meanDifference === 0 ? 0 : meanDifference / standardError
  const spread = a.squaredError ** 2 / (a.count - 1) + b.squaredError ** 2 / (b.count - 1)
  const degreesOfFreedom = spread === 0 ? a.count + b.count - 2 : squaredError ** 2 / spread
  return {
    t,
    meanDifference,
    standardError,
    degreesOfFreedom,
    pValue: 2 * studentTail(Math.abs(t), degreesOfFreedom),
    normalPValue: 2 * normalTail(Math.abs(t)),
  }
}

interface Moments {
  readonly count: number
  readonly mean: number
  /** Variance of the mean. */
  readonly squaredError: number
}

function momentsOf(name: string, values: ArrayLike<number>): Moments {
  const count = values.length
  if (count < 2) throw new RangeError(`${name} must hold at least two values, received ${count}`)
  let sum = 0
  for (let at = 0; at < count; at++) {
    if (!Number.isFinite(values[at])) {
      throw new RangeError(`${name}[${at}] must be a finite number, received ${describe(values[at])}`)
    }
    sum += values[at]!
  }
  const mean = sum / count
  let squares = 0
  for (let at = 0; at < count; at++) squares += (values[at]! - mean) ** 2
  return { count, mean, squaredError: squares / (count - 1) / count }
}
