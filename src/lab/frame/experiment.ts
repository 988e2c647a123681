/**
 * The frame that all experiments share: a world is loaded once, tasks that do not depend on each other run on threads,
 * and their rows lead to a conclusion, which is told as a report and as JSON.
 */
import type { Report } from '../report/report.js'
import type { ResultQuestion } from './result-file.js'
import { runOnThreads, type TaskThreadOptions } from './threads.js'

/**
 * Everything that an experiment says follows from the files of its world and from its spec. Spec, input, tasks and rows
 * are plain data, because they are sent to threads; tasks and rows are also written as JSON.
 */
export interface Experiment<Spec, Input, Task, Row, Result> {
  /** Its name among EXPERIMENTS, by which a thread finds it. */
  readonly name: string
  /** Throws TypeError or RangeError for a spec that cannot be, before anything is read. */
  check(spec: Spec): void
  /** What a result file is asked. Without it, results cannot be kept: the experiment is one task. */
  question?(spec: Spec): Promise<ResultQuestion>
  tasks(spec: Spec): readonly Task[]
  /** Reads what the missing tasks need, on a thread of its own. Without it, the spec is the input. */
  load?(spec: Spec, missing: readonly Task[], tell: (progress: LoadProgress) => void): Promise<Input>
  /** Computes the row of a task, on any thread. `tell` is told which part of the task is done, from 0 to 1. */
  run(input: Input, task: Task, tell: (part: number) => void): Row | Promise<Row>
  /** `rows` are in the order of the tasks. */
  conclude(spec: Spec, input: Input, rows: readonly Row[]): Result
  report(result: Result): Report
  json(result: Result): object
}

export interface LoadProgress {
  readonly stage: 'reading' | 'scoring' | 'measuring' | 'comparing'
  /** What is done in this stage: pages where they are compared, else steps of the world. */
  readonly done: number
  /** Undefined while it is not known, as when a world is read for the first time. */
  readonly total: number | undefined
}

/** Results that were computed before, as a ResultFile has them. */
export interface KnownResults<Task, Row> {
  get(task: Task): Row | undefined
  add(task: Task, row: Row): void
}

export interface ExperimentOptions<Task, Row> {
  /** Threads that run tasks. */
  readonly workers: number
  /** Holds what was computed before, and is given what is computed now. */
  readonly results?: KnownResults<Task, Row> | undefined
  readonly onLoad?: (progress: LoadProgress) => void
  readonly onRun?: (progress: RunProgress) => void
  /** Ends all threads; the promise is then rejected with its reason. */
  readonly signal?: AbortSignal
}

/** What the one script of all threads is told as its workerData. */
export interface ExperimentThread {
  readonly experiment: string
  readonly step: 'load' | 'run'
  /** The spec for 'load', what was loaded for 'run'. */
  readonly input: unknown
}

/**
 * Runs an experiment of the lab, all of it on threads, so that whoever asks can show progress and hear an interruption
 * meanwhile. The result does not depend on how many threads there are, nor on which rows were known before.
 */
export async function runExperiment<Spec, Input, Task, Row, Result>(
  experiment: Experiment<Spec, Input, Task, Row, Result>,
  spec: Spec,
  { workers, results, onLoad, onRun, signal }: ExperimentOptions<Task, Row>,
): Promise<Result> {
  experiment.check(spec)
  const tasks = experiment.tasks(spec)
  const threads = { script: threadScript(), ...(signal === undefined ? {} : { signal }) }
  const inputOf = (step: 'load' | 'run', input: unknown): ExperimentThread => ({
    ...{ experiment: experiment.name, step, input },
  })
  let input = spec as unknown as Input
  if (experiment.load !== undefined) {
    const missing = missingOf(tasks, results)
    const onPart = (progress: unknown) => onLoad?.(progress as LoadProgress)
    const loading = { ...threads, input: inputOf('load', spec), workers: 1, onPart }
    const [loaded] = await runOnThreads<readonly Task[], Input>([missing], loading)
    input = loaded!
  }
  const running = { ...threads, input: inputOf('run', input), workers, results }
  const rows = await runResumably(tasks, { ...running, ...(onRun === undefined ? {} : { onProgress: onRun }) })
  return experiment.conclude(spec, input, rows)
}

/** Compiled code, from the compiled library and from its sources alike: a thread cannot run the latter. */
function threadScript(): URL {
  return new URL('../../../dist/lab/frame/thread-script.js', import.meta.url)
}

export interface ResumableOptions<Task, Row> extends Omit<TaskThreadOptions<Row>, 'onResult' | 'onPart'> {
  readonly results?: KnownResults<Task, Row> | undefined
  readonly onProgress?: (progress: RunProgress) => void
}

export interface RunProgress {
  /** Tasks that this run has done: those whose rows were known before do not count. */
  readonly doneTasks: number
  /** Tasks that this run has to do. */
  readonly tasks: number
  /** The tasks that are done, and the parts of others that are done. */
  readonly part: number
}

/** A row for each task, in their order: the same whether it was computed now or before, and by how many threads. */
export async function runResumably<Task, Row>(
  tasks: readonly Task[],
  { results, onProgress, ...options }: ResumableOptions<Task, Row>,
): Promise<Row[]> {
  const missing = missingOf(tasks, results)
  const parts = new Map<number, number>()
  let doneTasks = 0
  const tell = () => {
    const part = doneTasks + [...parts.values()].reduce((sum, share) => sum + share, 0)
    onProgress?.({ doneTasks, tasks: missing.length, part })
  }
  tell()
  const computed = await runOnThreads<Task, Row>(missing, {
    ...options,
    onPart: (part, at) => {
      if (typeof part === 'number') parts.set(at, part)
      tell()
    },
    onResult: (row, at) => {
      results?.add(missing[at]!, row)
      parts.delete(at)
      doneTasks++
      tell()
    },
  })
  const rowOf = new Map(missing.map((task, at) => [task, computed[at]!]))
  return tasks.map((task) => rowOf.get(task) ?? results!.get(task)!)
}

function missingOf<Task, Row>(tasks: readonly Task[], results: KnownResults<Task, Row> | undefined): readonly Task[] {
  return tasks.filter((task) => results?.get(task) === undefined)
}
