/**
 * Whether a policy is ever worse than refreshing all pages alike: its loss by that of `uniform` in generated worlds,
 * which can be made again with another seed, so that the noise is known. Ratios of several seeds are put together as
 * logarithms, with Student's t.
 */

import type { Report } from '../../report/html.js'
import { type LowHigh, percentileInterval, QueryResamples } from '../../report/statistics.js'
import { decimals, NOTHING, shareText, type Table } from '../../report/table.js'
import { TRIAL_WORLD_TITLES } from '../../worlds/trial-worlds.js'
import { type LossRow, unpackLosses } from './intervals.js'
import type { QualityMode } from './policies.js'
import type { QualityRow } from './run.js'
import type { TrialQualitySpec } from './spec.js'
import { agesTable, byBudgetTable, curvesOf, sharesOf, withInterval } from './tables.js'

/** One world: the rows of its seed, `uniform` online among them. */
export interface Trial<Row extends LossRow = LossRow> {
  readonly seed: number
  readonly rows: readonly Row[]
}

export interface TrialComparison {
  readonly policy: string
  readonly mode: QualityMode
  /** null: the geometric mean over all budgets. */
  readonly budgetShare: number | null
  /** The geometric mean over the seeds; null where no seed lets uniform lose anything. */
  readonly ratio: number | null
  /** Of 95%; over the seeds, or over the queries where there is one seed. null where it cannot be told. */
  readonly interval: LowHigh | null
}

export interface TrialCheck {
  readonly name: string
  /** null where there is nothing to compare. */
  readonly holds: boolean | null
  /** The lower end of the interval: it must not be above the limit. */
  readonly value: number | null
  readonly limit: number
}

export const BASELINE = { policy: 'uniform', mode: 'online' } as const

/**
 * Whoever loses less than a thousandth of what uniform does is as good as one who loses nothing, which has no
 * logarithm.
 */
const LEAST_RATIO = 1e-3

/** Two-sided 95% of Student's t, by degrees of freedom from 1 on. */
const STUDENT_T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/** Every policy and mode but the baseline, at every budget and then over all of them. */
export function compareTrials(trials: readonly Trial[]): TrialComparison[] {
  const rows = trials[0]?.rows ?? []
  const names = new Map(rows.map(({ policy, mode }) => [`${mode} ${policy}`, { policy, mode }]))
  const shares = [...new Set(rows.map(({ budgetShare }) => budgetShare))]
  return [...names.values()]
    .filter((named) => !isBaseline(named))
    .flatMap((named) => [
      ...shares.map((share) => ({ ...named, budgetShare: share, ...compared(trials, named, [share]) })),
      { ...named, budgetShare: null, ...compared(trials, named, shares) },
    ])
}

/** `world`: its name. */
export function trialChecks(world: string, comparisons: readonly TrialComparison[]): TrialCheck[] {
  return comparisons.map(({ policy, mode, budgetShare, interval }) => {
    const budget = budgetShare === null ? 'all budgets' : `budget ${Number((100 * budgetShare).toPrecision(3))}%`
    const value = interval?.[0] ?? null
    return {
      name: `${world}, ${budget}: ${policy} (${mode}) is never worse than uniform beyond noise`,
      holds: value === null ? null : value <= 1,
      value,
      limit: 1,
    }
  })
}

type Named = Pick<LossRow, 'policy' | 'mode'>

function compared(
  trials: readonly Trial[],
  named: Named,
  shares: readonly number[],
): Pick<TrialComparison, 'ratio' | 'interval'> {
  const byTrial = trials.map((trial) => shares.flatMap((share) => pairOf(trial, named, share)))
  const logs = byTrial.flatMap((pairs) => (pairs.length === 0 ? [] : [meanOf(pairs.map(logRatio))]))
  if (logs.length === 0) return { ratio: null, interval: null }
  const ratio = Math.exp(meanOf(logs))
  if (trials.length === 1) return { ratio, interval: queryInterval(byTrial[0]!, trials[0]!.seed) }
  return { ratio, interval: studentInterval(logs) }
}

interface Pair {
  readonly ours: LossRow
  readonly baseline: LossRow
}

/** None where uniform loses nothing. */
function pairOf({ rows }: Trial, { policy, mode }: Named, share: number): Pair[] {
  const ours = rows.find((row) => row.policy === policy && row.mode === mode && row.budgetShare === share)
  const baseline = rows.find((row) => isBaseline(row) && row.budgetShare === share)
  const canCompare = ours !== undefined && baseline !== undefined && (baseline.lossShare ?? 0) > 0
  return canCompare ? [{ ours, baseline }] : []
}

function logRatio({ ours, baseline }: Pair): number {
  return Math.log(Math.max(LEAST_RATIO, ours.lossShare! / baseline.lossShare!))
}

function studentInterval(logs: readonly number[]): LowHigh | null {
  const freedom = logs.length - 1
  if (freedom < 1) return null
  const mean = meanOf(logs)
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / freedom
  // Beyond the table by its expansion for many degrees of freedom.
  const t = STUDENT_T[freedom - 1] ?? 1.96 + 2.5 / freedom
  const reach = t * Math.sqrt(variance / logs.length)
  return [Math.exp(mean - reach), Math.exp(mean + reach)]
}

function queryInterval(pairs: readonly Pair[], seed: number): LowHigh | null {
  const losses = pairs.map(({ ours, baseline }) => [ours, baseline].map((row) => unpackLosses(row.queryLosses)))
  const resamples = new QueryResamples(losses[0]![0]!.length, seed)
  const sums = losses.map((pair) => pair.map((of) => resamples.sums(of)))
  const bySample = Float64Array.from({ length: resamples.samples }, (_, sample) =>
    Math.exp(
      meanOf(sums.map(([ours, baseline]) => Math.log(Math.max(LEAST_RATIO, ours![sample]! / baseline![sample]!)))),
    ),
  )
  return percentileInterval(bySample)
}

function isBaseline({ policy, mode }: Named): boolean {
  return policy === BASELINE.policy && mode === BASELINE.mode
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The quality experiment in generated worlds, as tables. */

export interface TrialsResult {
  readonly spec: TrialQualitySpec
  readonly trials: readonly Trial<QualityRow>[]
  readonly comparisons: readonly TrialComparison[]
  readonly checks: readonly TrialCheck[]
  readonly defaultPolicy: string
}

/** A line for each policy and mode, a column for each budget and one for all of them. */
export function againstUniformTable(comparisons: readonly TrialComparison[]): Table {
  const budgets = comparisons.flatMap((one) => (one.budgetShare === null ? [] : [{ budgetShare: one.budgetShare }]))
  const shares = sharesOf(budgets)
  const columns = [...shares, null]
  return {
    columns: [
      { name: 'policy' },
      { name: 'mode' },
      ...columns.map((share) => ({ name: share === null ? 'all budgets' : shareText(share), isNumber: true })),
    ],
    rows: curvesOf(comparisons).map((curve) => [
      curve[0]!.policy,
      curve[0]!.mode,
      ...columns.map((share) => {
        const found = curve.find(({ budgetShare }) => budgetShare === share)
        return found === undefined ? '' : withInterval(found.ratio, found.interval, 2)
      }),
    ]),
  }
}

export function trialChecksTable(checks: readonly TrialCheck[]): Table {
  const verdict = ({ holds }: TrialCheck) => (holds === null ? NOTHING : holds ? 'yes' : 'no')
  return {
    columns: [{ name: 'what should hold' }, { name: 'does it' }, { name: 'at least', isNumber: true }],
    rows: checks.map((check) => [check.name, verdict(check), decimals(check.value, 2)]),
  }
}

export function trialsReport({ spec, trials, comparisons, checks, defaultPolicy }: TrialsResult): Report {
  const { data, scoring } = spec
  return {
    title: `Quality of answers in a generated world: ${data.world}`,
    settings: [
      ['world', `${data.world}: ${TRIAL_WORLD_TITLES[data.world]}`],
      ['pages', String(data.pages)],
      ['steps', String(data.steps)],
      ['scoring', scoring],
      ['seeds', trials.map(({ seed }) => seed).join(', ')],
      ['default policy', defaultPolicy],
    ],
    sections: [
      {
        heading: 'Loss by that of uniform',
        notes: [
          'Geometric means over the seeds with intervals of 95%, over the queries where there is one seed. Below 1, less is lost than by refreshing all pages alike.',
        ],
        table: againstUniformTable(comparisons),
      },
      { heading: 'What should hold', table: trialChecksTable(checks) },
      ...trials.flatMap(({ seed, rows }) => [
        {
          heading: `Share of the loss that is left, seed ${seed}`,
          table: byBudgetTable(rows, ({ lossShare }) => decimals(lossShare, 3)),
        },
        {
          heading: `Age of the copies at the end in days, seed ${seed}: half, 90%, 99%, highest`,
          table: agesTable(rows),
        },
      ]),
    ],
  }
}
