/** The experiments of the lab, on threads of their own. */

import type { ClustersInput, ClustersProgress } from '../experiments/clusters/input.js'
import type { ClustersRow } from '../experiments/clusters/run.js'
import type { ClustersSpec, ClustersTask } from '../experiments/clusters/spec.js'
import type { ComparisonProgress, EstimateResult, EstimateSpec } from '../experiments/estimate/run.js'
import type { FrontierInput, FrontierSpec } from '../experiments/frontier/input.js'
import type { FrontierRow, FrontierTask } from '../experiments/frontier/run.js'
import type {
  LongevityInput,
  LongevityProgress,
  LongevityRow,
  LongevitySpec,
  LongevityTask,
} from '../experiments/longevity/run.js'
import type { OverheadProgress, OverheadResult, OverheadSpec } from '../experiments/overhead/run.js'
import type { QualityInput, QualityProgress } from '../experiments/quality/input.js'
import type { QualityRow, QualityTask } from '../experiments/quality/run.js'
import type { QualitySpec } from '../experiments/quality/spec.js'
import type { ScheduleResult, ScheduleSpec, ScheduleTask } from '../experiments/schedule/run.js'
import { type RunOptions, runResumably } from './experiment.js'
import type { ForecastAnswer, ForecastTask } from './forecast-thread.js'
import { runOnThreads } from './threads.js'

type RunSettings<Task, Row> = Omit<RunOptions<Task, Row>, 'script' | 'input'>

/** Of an experiment that is one task. */
export interface LoneSettings<Progress> {
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** Not here, so that whoever asks can show progress and hear an interruption meanwhile. */
export function loadOnThread(spec: QualitySpec, settings: LoneSettings<QualityProgress>): Promise<QualityInput> {
  return runAlone('quality-input-thread', spec, settings)
}

export function runForecast(task: ForecastTask, settings: LoneSettings<QualityProgress>): Promise<ForecastAnswer> {
  return runAlone('forecast-thread', task, settings)
}

export function estimateOnThread(
  spec: EstimateSpec,
  settings: LoneSettings<ComparisonProgress>,
): Promise<EstimateResult> {
  return runAlone('estimate-thread', spec, settings)
}

export function overheadOnThread(
  spec: OverheadSpec,
  settings: LoneSettings<OverheadProgress>,
): Promise<OverheadResult> {
  return runAlone('overhead-thread', spec, settings)
}

export function loadClustersOnThread(
  spec: ClustersSpec,
  settings: LoneSettings<ClustersProgress>,
): Promise<ClustersInput> {
  return runAlone('clusters-input-thread', spec, settings)
}

export function runClusters(
  input: ClustersInput,
  tasks: readonly ClustersTask[],
  settings: RunSettings<ClustersTask, ClustersRow>,
): Promise<ClustersRow[]> {
  return runResumably(tasks, { ...settings, script: scriptOf('clusters-thread'), input })
}

/** A row for each task, in their order. */
export function runQuality(
  input: QualityInput,
  tasks: readonly QualityTask[],
  settings: RunSettings<QualityTask, QualityRow>,
): Promise<QualityRow[]> {
  return runResumably(tasks, { ...settings, script: scriptOf('quality-thread'), input })
}

export function runSchedule(
  spec: ScheduleSpec,
  tasks: readonly ScheduleTask[],
  settings: RunSettings<ScheduleTask, ScheduleResult>,
): Promise<ScheduleResult[]> {
  return runResumably(tasks, { ...settings, script: scriptOf('schedule-thread'), input: spec })
}

export function loadLongevityOnThread(
  spec: LongevitySpec,
  settings: LoneSettings<LongevityProgress>,
): Promise<LongevityInput> {
  return runAlone('longevity-input-thread', spec, settings)
}

export function runLongevity(
  input: LongevityInput,
  tasks: readonly LongevityTask[],
  settings: RunSettings<LongevityTask, LongevityRow>,
): Promise<LongevityRow[]> {
  return runResumably(tasks, { ...settings, script: scriptOf('longevity-thread'), input })
}

export function loadFrontierOnThread(
  spec: FrontierSpec,
  settings: LoneSettings<QualityProgress>,
): Promise<FrontierInput> {
  return runAlone('frontier-input-thread', spec, settings)
}

export function runFrontier(
  input: FrontierInput,
  tasks: readonly FrontierTask[],
  settings: RunSettings<FrontierTask, FrontierRow>,
): Promise<FrontierRow[]> {
  return runResumably(tasks, { ...settings, script: scriptOf('frontier-thread'), input })
}

async function runAlone<Task, Progress, Result>(
  name: string,
  task: Task,
  { onProgress, signal }: LoneSettings<Progress>,
): Promise<Result> {
  const [result] = await runOnThreads<Task, Result>([task], {
    script: scriptOf(name),
    input: undefined,
    workers: 1,
    onPart: (progress) => onProgress?.(progress as Progress),
    ...(signal === undefined ? {} : { signal }),
  })
  return result!
}

/** Compiled code, from the compiled library and from its sources alike: a thread cannot run the latter. */
function scriptOf(name: string): URL {
  return new URL(`../../../dist/lab/frame/${name}.js`, import.meta.url)
}
