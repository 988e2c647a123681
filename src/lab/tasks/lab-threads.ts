/** The experiments of the lab, on threads of their own. */
import type {
  QualityInput,
  QualityProgress,
  QualityRow,
  QualitySpec,
  QualityTask,
} from '../experiments/quality-experiment.js'
import type { ScheduleResult, ScheduleSpec, ScheduleTask } from '../experiments/schedule-experiment.js'
import type { ForecastAnswer, ForecastTask } from './forecast-thread.js'
import { type RunOptions, runResumably } from './resumable-run.js'
import { runOnThreads } from './task-threads.js'

type RunSettings<Task, Row> = Omit<RunOptions<Task, Row>, 'script' | 'input'>

export interface LoadSettings {
  readonly onProgress?: (progress: QualityProgress) => void
  readonly signal?: AbortSignal
}

/** Not here, so that whoever asks can show progress and hear an interruption meanwhile. */
export function loadOnThread(spec: QualitySpec, settings: LoadSettings): Promise<QualityInput> {
  return runAlone('quality-input-thread', spec, settings)
}

export function runForecast(task: ForecastTask, settings: LoadSettings): Promise<ForecastAnswer> {
  return runAlone('forecast-thread', task, settings)
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

async function runAlone<Task, Result>(name: string, task: Task, { onProgress, signal }: LoadSettings): Promise<Result> {
  const [result] = await runOnThreads<Task, Result>([task], {
    script: scriptOf(name),
    input: undefined,
    workers: 1,
    onPart: (progress) => onProgress?.(progress as QualityProgress),
    ...(signal === undefined ? {} : { signal }),
  })
  return result!
}

/** Compiled code, from the compiled library and from its sources alike: a thread cannot run the latter. */
function scriptOf(name: string): URL {
  return new URL(`../../../dist/lab/tasks/${name}.js`, import.meta.url)
}
