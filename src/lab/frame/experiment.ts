/** Tasks on threads, without those whose results are known from an earlier run. */
import { runOnThreads, type ThreadOptions } from './threads.js'

/** What was done before, as a ResultFile has it. */
export interface KnownResults<Task, Row> {
  get(task: Task): Row | undefined
  add(task: Task, row: Row): void
}

export interface RunOptions<Task, Row> extends Omit<ThreadOptions<Row>, 'onResult' | 'onPart'> {
  /** Holds what was done before, and is given what is done now. */
  readonly results?: KnownResults<Task, Row> | undefined
  /** Told as tasks go on. */
  readonly onProgress?: (progress: RunProgress) => void
}

export interface RunProgress {
  /** Of this run: results that were there before do not count. */
  readonly doneTasks: number
  readonly tasks: number
  /**
   * The tasks that are done and what is done of others; a task that tells of itself tells which part of it is done,
   * from 0 to 1.
   */
  readonly part: number
}

/** A row for each task, in their order: the same whether it was computed now or before, and by how many threads. */
export async function runResumably<Task, Row>(
  tasks: readonly Task[],
  { results, onProgress, ...options }: RunOptions<Task, Row>,
): Promise<Row[]> {
  const missing = tasks.filter((task) => results?.get(task) === undefined)
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
