/**
 * Whether a policy is ever worse than refreshing all pages alike: its loss by that of `uniform` in generated worlds,
 * which can be made again with another seed, so that the noise is known. Ratios of several seeds are put together as
 * logarithms, with Student's t.
 */

import { DEFAULT_POLICY } from '../../../index.js'
import { type ExperimentOptions, type KnownResults, runExperiment } from '../../frame/experiment.js'
import type { Check } from '../../report/checks.js'
import { type LowHigh, percentileInterval, QueryResamples } from '../../report/statistics.js'
import { type LossRow, unpackLosses } from './intervals.js'
import type { QualityMode } from './policies.js'
import { type QualityRow, quality } from './run.js'
import type { QualityTask, TrialQualitySpec } from './spec.js'

export interface TrialsResult {
  readonly spec: TrialQualitySpec
  readonly trials: readonly Trial<QualityRow>[]
  readonly comparisons: readonly TrialComparison[]
  readonly checks: readonly Check[]
  readonly defaultPolicy: string
}

/** A task of one seed among several. */
export type SeededTask = QualityTask & { readonly seed: number }

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
  /** The interval of 95% over the seeds, or over the queries where there is one seed; null where there is none. */
  readonly interval: LowHigh | null
}

const BASELINE = { policy: 'uniform', mode: 'online' } as const

/**
 * Whoever loses less than a thousandth of what uniform does is as good as one who loses nothing, which has no
 * logarithm.
 */
const LEAST_RATIO = 1e-3

/** Two-sided 95% of Student's t, by degrees of freedom from 1 on. */
const STUDENT_T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

const MOST_SEED = 2 ** 32

/** Runs the tasks of the spec, and those of the baseline at their budgets, in worlds of so many seeds. */
export async function runTrials(
  given: TrialQualitySpec,
  seeds: number,
  options: ExperimentOptions<SeededTask, QualityRow>,
): Promise<TrialsResult> {
  const spec = { ...given, tasks: withBaseline(given.tasks) }
  const trials: Trial<QualityRow>[] = []
  for (let at = 0; at < seeds; at++) {
    const seed = (spec.seed + at) % MOST_SEED
    trials.push({ seed, rows: await runSeed({ ...spec, seed }, options) })
  }
  const comparisons = compareTrials(trials)
  const checks = trialChecks(spec.data.world, comparisons)
  return { spec, trials, comparisons, checks, defaultPolicy: DEFAULT_POLICY }
}

function withBaseline(tasks: readonly QualityTask[]): QualityTask[] {
  const shares = [...new Set(tasks.map(({ budgetShare }) => budgetShare))]
  return [...tasks.filter((task) => !isBaseline(task)), ...shares.map((budgetShare) => ({ ...BASELINE, budgetShare }))]
}

async function runSeed(
  spec: TrialQualitySpec,
  { results, ...options }: ExperimentOptions<SeededTask, QualityRow>,
): Promise<readonly QualityRow[]> {
  const { seed, tasks } = spec
  const known: KnownResults<QualityTask, QualityRow> | undefined = results && {
    get: (task) => results.get({ ...task, seed }),
    add: (task, row) => results.add({ ...task, seed }, row),
  }
  // A world of which every row is known need not be generated.
  const rows = tasks.flatMap((task) => known?.get(task) ?? [])
  return rows.length === tasks.length ? rows : (await runExperiment(quality, spec, { ...options, results: known })).rows
}

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

/**
 * That no policy is worse than uniform beyond noise: the lower end of its interval must not be above 1. `world` is the
 * name of the world.
 */
export function trialChecks(world: string, comparisons: readonly TrialComparison[]): Check[] {
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

/** A pair, or none where uniform loses nothing. */
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
  // Beyond the table, t is taken by its expansion for many degrees of freedom.
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
