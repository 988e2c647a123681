/** The experiments of the lab, on threads of their own. */
import type { ComparisonProgress } from '../estimate/comparison-options.js'
import type { EstimateResult, EstimateSpec } from '../estimate/estimate-experiment.js'
import type {
  QualityInput,
  QualityProgress,
  QualityRow,
  QualitySpec,
  QualityTask,
} from '../experiments/quality-experiment.js'
import type { ScheduleResult, ScheduleSpec, ScheduleTask } from '../experiments/schedule-experiment.js'
import type {
  LongevityInput,
  LongevityProgress,
  LongevityRow,
  LongevitySpec,
  LongevityTask,
} from '../longevity/longevity-experiment.js'
import type { OverheadProgress, OverheadResult, OverheadSpec } from '../overhead/overhead-experiment.js'
import type { ForecastAnswer, ForecastTask } from './forecast-thread.js'
import { type RunOptions, runResumably } from './resumable-run.js'
import { runOnThreads } from './task-threads.js'

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
  return new URL(`../../../dist/lab/tasks/${name}.js`, import.meta.url)
}
