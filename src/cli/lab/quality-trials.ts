/** lab quality on generated worlds, by several seeds. */

import { DEFAULT_POLICY } from '../../index.js'
import type { QualityRow, QualityTask } from '../../lab/experiments/quality/run.js'
import type { TrialQualitySpec } from '../../lab/experiments/quality/spec.js'
import {
  againstUniformTable,
  BASELINE,
  compareTrials,
  type Trial,
  type TrialsResult,
  trialChecks,
  trialChecksTable,
  trialsReport,
} from '../../lab/experiments/quality/trials.js'
import { loadOnThread, runQuality } from '../../lab/frame/lab-threads.js'
import { ResultFile } from '../../lab/frame/result-file.js'
import { tableText } from '../../lab/report/table.js'
import type { TrialWorldName } from '../../lab/worlds/trial-worlds.js'
import { asUsage } from '../command.js'
import { count } from '../output/wording.js'
import { giveOut, untilInterruptedKeeping, withLoadingProgress, withRunProgress } from './experiment-command.js'
import { type LabQualityOptions, TRIAL_BUDGETS, tasksOf } from './quality.js'

type TrialOptions = LabQualityOptions & { readonly world: TrialWorldName }
type SeededTask = QualityTask & { readonly seed: number }

const UNLESS_TOLD = { policies: [DEFAULT_POLICY], budgets: TRIAL_BUDGETS }
const MOST_SEED = 2 ** 32

export async function runTrialQuality(options: TrialOptions): Promise<void> {
  const tasks = await asUsage(() => withBaseline(tasksOf(options, UNLESS_TOLD)))
  const spec = specOf(options)
  const results = options.resume === undefined ? undefined : openResults(options.resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const trials: Trial<QualityRow>[] = []
    for (let at = 0; at < options.seeds; at++) {
      const seeded = { ...spec, seed: (spec.seed + at) % MOST_SEED }
      trials.push({ seed: seeded.seed, rows: await replaySeed(seeded, tasks, options, results, signal) })
    }
    const comparisons = compareTrials(trials)
    const checks = trialChecks(options.world, comparisons)
    const result = { spec, trials, comparisons, checks, defaultPolicy: DEFAULT_POLICY }
    giveOut({ json: jsonOf(result), report: trialsReport(result), text: textOf(result) }, options)
  })
}

function specOf(options: TrialOptions): TrialQualitySpec {
  const { world, worldPages, worldSteps, scoring, queries, pages, seed, missRate, falseAlarmRate } = options
  const data = { world, pages: worldPages, steps: worldSteps }
  return { data, scoring, queries, pages, seed, signals: { missRate, falseAlarmRate } }
}

function withBaseline(tasks: readonly QualityTask[]): QualityTask[] {
  const isBaseline = ({ policy, mode }: QualityTask) => policy === BASELINE.policy && mode === BASELINE.mode
  const shares = [...new Set(tasks.map(({ budgetShare }) => budgetShare))]
  return [...tasks.filter((task) => !isBaseline(task)), ...shares.map((budgetShare) => ({ ...BASELINE, budgetShare }))]
}

/** Of any seed: a later run with more of them goes on. */
function openResults(
  file: string,
  { data, scoring, queries, signals }: TrialQualitySpec,
): ResultFile<SeededTask, QualityRow> {
  return new ResultFile(file, { experiment: 'quality trials', ...data, scoring, queries, ...signals })
}

async function replaySeed(
  spec: TrialQualitySpec,
  tasks: readonly QualityTask[],
  { workers }: TrialOptions,
  results: ResultFile<SeededTask, QualityRow> | undefined,
  signal: AbortSignal,
): Promise<readonly QualityRow[]> {
  const { seed } = spec
  const known = results && {
    get: (task: QualityTask) => results.get({ ...task, seed }),
    add: (task: QualityTask, row: QualityRow) => results.add({ ...task, seed }, row),
  }
  const knownRows = tasks.flatMap((task) => known?.get(task) ?? [])
  if (knownRows.length === tasks.length) return knownRows
  const policies = [...new Set(tasks.map(({ policy }) => policy))]
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadOnThread({ ...spec, policies }, { onProgress, signal })),
  )
  return withRunProgress((onProgress) => runQuality(input, tasks, { workers, results: known, onProgress, signal }))
}

function jsonOf({ spec, trials, comparisons, checks, defaultPolicy }: TrialsResult): object {
  const { data, scoring, signals } = spec
  return {
    ...data,
    ...{ scoring, seeds: trials.map(({ seed }) => seed), signals, defaultPolicy },
    rows: trials.flatMap(({ seed, rows }) =>
      rows.map(({ qualities: _, queryLosses: __, cycleGains: ___, ...row }) => ({ seed, ...row })),
    ),
    againstUniform: comparisons,
    checks,
  }
}

function textOf({ spec, trials, comparisons, checks }: TrialsResult): string {
  const { world, pages, steps } = spec.data
  const size = `${count(pages, 'page')}, ${count(steps, 'step')}, ${count(trials.length, 'seed')}, ${spec.scoring}`
  return [
    `${world}: ${size}`,
    `Loss by that of uniform, with the 95% interval over the ${trials.length === 1 ? 'queries' : 'seeds'}\n${tableText(againstUniformTable(comparisons))}`,
    tableText(trialChecksTable(checks)),
  ].join('\n\n')
}
