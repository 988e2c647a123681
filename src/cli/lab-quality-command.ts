import type { Command } from 'commander'
import {
  budgetsNeeded,
  checkQualityTask,
  QUALITY_MODES,
  QUALITY_POLICIES,
  type QualityMode,
  type QualityRow,
  type QualitySpec,
  type QualityTask,
} from '../lab/experiments/quality-experiment.js'
import {
  lossTable,
  neededTable,
  type QualityResult,
  qualityNotes,
  qualityReport,
  qualityTable,
} from '../lab/report/quality-report.js'
import { decimals, tableText } from '../lab/report/table.js'
import { folderDigest } from '../lab/tasks/folder-digest.js'
import { loadOnThread, runQuality } from '../lab/tasks/lab-threads.js'
import { ResultFile } from '../lab/tasks/result-file.js'
import { addExamples } from './examples.js'
import {
  addOutputOptions,
  addRunOptions,
  addWorldOptions,
  budgetShares,
  dataName,
  type LabOutputOptions,
  oneOrMore,
  type RunOptions,
  rate,
  type WorldOptions,
  worldSpec,
} from './lab-options.js'
import { giveOut, untilInterruptedKeeping, withLoadingProgress, withRunProgress } from './lab-run.js'
import { nameList } from './option-values.js'
import { asUsage } from './usage-error.js'
import { count } from './wording.js'

interface LabQualityOptions extends WorldOptions, RunOptions, LabOutputOptions {
  readonly budgets: readonly number[]
  readonly mode: readonly QualityMode[]
  readonly policies?: readonly string[]
  readonly missRate: number
  readonly falseAlarmRate: number
}

const DEFAULT_BUDGETS = '0.1%,0.25%,0.5%,1%,2%,5%,10%'

export function addLabQualityCommand(parent: Command): void {
  const command = addWorldOptions(
    parent.command('quality').description('how good answers stay under policies and budgets, replayed exactly'),
  )
    .option(
      '--budgets <shares>',
      'refreshes per step, as shares of the pages',
      budgetShares,
      budgetShares(DEFAULT_BUDGETS),
    )
    .option(
      '--mode <modes>',
      'offline: fitted on the whole period; online: learnt from own refreshes; signals: told of changes',
      oneOrMore(QUALITY_MODES),
      ['online'],
    )
    .option('--policies <names>', 'which policies, listed below (default: all that have the mode)', nameList)
    .option('--miss-rate <share>', 'with signals: how many changes give none', rate, 0)
    .option(
      '--false-alarm-rate <share>',
      'with signals: how many pages give one without a change, at each step',
      rate,
      0,
    )
  addOutputOptions(addRunOptions(command)).action(runLabQuality)
  addExamples(
    command,
    'freshdex lab quality --data site-snapshots',
    'freshdex lab quality --data site-snapshots --mode offline,online --budgets 1%,5% --policies uniform,sbr,user-centric --report quality.html',
    'freshdex lab quality --data site-snapshots --mode signals --miss-rate 10% --resume run.jsonl --json',
  )
  command.addHelpText('after', `\nPolicies, with their modes:\n${policyLines()}`)
}

function policyLines(): string {
  const width = Math.max(...QUALITY_POLICIES.map(({ name }) => name.length))
  return QUALITY_POLICIES.map(
    ({ name, modes, description }) => `  ${name.padEnd(width)}  ${modes.join(', ')}: ${description}`,
  ).join('\n')
}

async function runLabQuality(options: LabQualityOptions): Promise<void> {
  const tasks = await asUsage(() => tasksOf(options))
  const spec = specOf(options)
  const results = options.resume === undefined ? undefined : await openResults(options.resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const result = await replayAll(spec, tasks, options, results, signal)
    giveOut({ json: jsonOf(result), report: qualityReport(result), text: textOf(result) }, options)
  })
}

/** By mode, policy and budget. A policy that has none of the modes is refused. */
function tasksOf({ mode: modes, policies, budgets }: LabQualityOptions): QualityTask[] {
  const hasMode = (policy: string, mode: QualityMode) =>
    QUALITY_POLICIES.find(({ name }) => name === policy)?.modes.includes(mode) === true
  const named = [...new Set(policies ?? QUALITY_POLICIES.map(({ name }) => name))]
  if (policies !== undefined) {
    const misfit = named.find((policy) => !modes.some((mode) => hasMode(policy, mode)))
    if (misfit !== undefined) checkQualityTask({ policy: misfit, mode: modes[0]!, budgetShare: 1 })
  }
  return modes.flatMap((mode) =>
    named
      .filter((policy) => hasMode(policy, mode))
      .flatMap((policy) => budgets.map((budgetShare) => ({ policy, mode, budgetShare }))),
  )
}

function specOf(options: LabQualityOptions): QualitySpec {
  const { missRate, falseAlarmRate } = options
  return { ...worldSpec(options), signals: { missRate, falseAlarmRate } }
}

async function openResults(file: string, spec: QualitySpec): Promise<ResultFile<QualityTask, QualityRow>> {
  const { data, scoring, queries, pages, seed, signals } = spec
  return new ResultFile(file, {
    ...{ experiment: 'quality', data: await folderDigest(data), scoring, queries, pages, seed },
    ...{ missRate: signals!.missRate, falseAlarmRate: signals!.falseAlarmRate },
  })
}

async function replayAll(
  spec: QualitySpec,
  tasks: readonly QualityTask[],
  { workers }: LabQualityOptions,
  results: ResultFile<QualityTask, QualityRow> | undefined,
  signal: AbortSignal,
): Promise<QualityResult> {
  const missing = tasks.filter((task) => results?.get(task) === undefined)
  const policies = [...new Set(missing.map(({ policy }) => policy))]
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadOnThread({ ...spec, policies }, { onProgress, signal })),
  )
  const rows = await withRunProgress((onProgress) => runQuality(input, tasks, { workers, results, onProgress, signal }))
  const { timeline, scores, untouchedQuality } = input
  return {
    spec,
    data: dataName(spec.data),
    pages: timeline.urls.length,
    steps: timeline.atMs.length,
    queries: scores.weights.length,
    untouchedQuality,
    rows,
  }
}

/** Qualities of single steps are in the file of --resume. */
function jsonOf({ spec, data, pages, steps, queries, untouchedQuality, rows }: QualityResult): object {
  const { scoring, seed, signals } = spec
  return {
    ...{ data, scoring, pages, steps, queries, seed, signals, untouchedQuality },
    rows: rows.map(({ qualities: _, ...row }) => row),
    needed: budgetsNeeded(rows),
  }
}

function textOf(result: QualityResult): string {
  const { data, spec, pages, steps, queries, untouchedQuality, rows } = result
  const world = `${data}: ${count(pages, 'page')}, ${count(steps, 'step')}, ${count(queries, 'query', 'queries')}, ${spec.scoring}`
  return [
    `${world}; quality ${decimals(untouchedQuality, 5)} when nothing is refreshed`,
    ...qualityNotes(result),
    `Mean quality, by refreshes per step\n${tableText(qualityTable(rows))}`,
    `Share of the loss that is left\n${tableText(lossTable(rows))}`,
    `Refreshes per step, of all pages, to remove a part of the loss\n${tableText(neededTable(rows))}`,
  ].join('\n\n')
}
