/** lab quality on the world of a folder. */

import { DEFAULT_POLICY } from '../../index.js'
import { budgetsNeeded } from '../../lab/experiments/quality/budgets-needed.js'
import { calibrations } from '../../lab/experiments/quality/calibration.js'
import { lossIntervals } from '../../lab/experiments/quality/intervals.js'
import { QUALITY_POLICIES } from '../../lab/experiments/quality/policies.js'
import { neededTable, type QualityResult, qualityNotes, qualityReport } from '../../lab/experiments/quality/report.js'
import type { QualityRow, QualityTask } from '../../lab/experiments/quality/run.js'
import type { FolderSpec } from '../../lab/experiments/quality/spec.js'
import {
  comparisonTable,
  intervalTable,
  lossTable,
  meansTable,
  qualityTable,
} from '../../lab/experiments/quality/tables.js'
import { loadOnThread, runQuality } from '../../lab/frame/lab-threads.js'
import { folderDigest, ResultFile } from '../../lab/frame/result-file.js'
import { decimals, tableText } from '../../lab/report/table.js'
import { asUsage } from '../command.js'
import { count } from '../output/wording.js'
import {
  dataName,
  giveOut,
  untilInterruptedKeeping,
  withLoadingProgress,
  withRunProgress,
  worldSpec,
} from './experiment-command.js'
import { FOLDER_BUDGETS, type LabQualityOptions, tasksOf } from './quality.js'

type FolderOptions = LabQualityOptions & { readonly data: string }

const UNLESS_TOLD = { policies: QUALITY_POLICIES.map(({ name }) => name), budgets: FOLDER_BUDGETS }

export async function runFolderQuality(options: FolderOptions): Promise<void> {
  const tasks = await asUsage(() => tasksOf(options, UNLESS_TOLD))
  const spec = specOf(options)
  const results = options.resume === undefined ? undefined : await openResults(options.resume, spec)
  await untilInterruptedKeeping(results, async (signal) => {
    const result = await replayAll(spec, tasks, options, results, signal)
    giveOut({ json: jsonOf(result), report: qualityReport(result), text: textOf(result) }, options)
  })
}

function specOf(options: FolderOptions): FolderSpec {
  const { missRate, falseAlarmRate, queriesFile } = options
  return {
    ...worldSpec(options),
    ...(queriesFile === undefined ? {} : { queriesFile }),
    signals: { missRate, falseAlarmRate },
  }
}

async function openResults(file: string, spec: FolderSpec): Promise<ResultFile<QualityTask, QualityRow>> {
  const { data, queriesFile, scoring, queries, pages, seed, signals } = spec
  return new ResultFile(file, {
    ...{ experiment: 'quality', data: await folderDigest(data, queriesFile), scoring, queries, pages, seed },
    ...{ missRate: signals!.missRate, falseAlarmRate: signals!.falseAlarmRate },
  })
}

async function replayAll(
  spec: FolderSpec,
  tasks: readonly QualityTask[],
  { workers }: FolderOptions,
  results: ResultFile<QualityTask, QualityRow> | undefined,
  signal: AbortSignal,
): Promise<QualityResult> {
  const missing = tasks.filter((task) => results?.get(task) === undefined)
  const policies = [...new Set(missing.map(({ policy }) => policy))]
  const input = await withLoadingProgress((onProgress) =>
    asUsage(() => loadOnThread({ ...spec, policies }, { onProgress, signal })),
  )
  const rows = await withRunProgress((onProgress) => runQuality(input, tasks, { workers, results, onProgress, signal }))
  const { timeline, scores, untouchedQuality, untouchedLosses } = input
  return {
    spec,
    data: dataName(spec.data),
    pages: timeline.urls.length,
    steps: timeline.atMs.length,
    queries: scores.weights.length,
    untouchedQuality,
    rows,
    intervals: lossIntervals(rows, { untouchedLosses, defaultPolicy: DEFAULT_POLICY, seed: spec.seed }),
    defaultPolicy: DEFAULT_POLICY,
  }
}

/**
 * Qualities of single steps, losses of single queries and gains of single cycles of other policies are in the file of
 * --resume.
 */
function jsonOf(result: QualityResult): object {
  const { spec, data, pages, steps, queries, untouchedQuality, rows, intervals, defaultPolicy } = result
  const { scoring, seed, signals, queriesFile } = spec
  return {
    ...{ data, ...(queriesFile === undefined ? {} : { queriesFile }), scoring, pages, steps, queries, seed, signals },
    ...{ defaultPolicy, untouchedQuality },
    rows: rows.map(({ qualities: _, queryLosses: __, cycleGains: ___, ...row }, at) => ({
      ...row,
      interval: intervals.rows[at],
    })),
    comparisons: intervals.comparisons,
    means: intervals.means,
    needed: budgetsNeeded(rows),
    calibration: calibrationOf(rows, defaultPolicy),
  }
}

function calibrationOf(rows: readonly QualityRow[], defaultPolicy: string): object[] {
  return calibrations(rows).map((one) => {
    if (one.policy !== defaultPolicy) return one
    const row = rows.find(
      ({ policy, mode, budgetShare }) => policy === one.policy && mode === one.mode && budgetShare === one.budgetShare,
    )
    return { ...one, points: row?.cycleGains }
  })
}

function textOf(result: QualityResult): string {
  const { data, spec, pages, steps, queries, untouchedQuality, rows, intervals, defaultPolicy } = result
  const world = `${data}: ${count(pages, 'page')}, ${count(steps, 'step')}, ${count(queries, 'query', 'queries')}, ${spec.scoring}`
  const { comparisons, means } = intervals
  return [
    `${world}; quality ${decimals(untouchedQuality, 5)} when nothing is refreshed`,
    ...qualityNotes(result),
    `Mean quality, by refreshes per step\n${tableText(qualityTable(rows))}`,
    `Share of the loss that is left\n${tableText(lossTable(rows))}`,
    `The same, 95% interval over the queries\n${tableText(intervalTable(rows, intervals))}`,
    ...(comparisons.length === 0
      ? []
      : [`Loss of ${defaultPolicy}, the default, by that of the others\n${tableText(comparisonTable(comparisons))}`]),
    `Geometric mean over the budgets\n${tableText(meansTable(means))}`,
    `Refreshes per step, of all pages, to remove a part of the loss\n${tableText(neededTable(rows))}`,
  ].join('\n\n')
}
