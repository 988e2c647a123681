/** Tasks on threads, without those whose results are known from an earlier run. */
import type { ResultFile } from './result-file.js'
import { runOnThreads, type ThreadOptions } from './task-threads.js'

export interface RunOptions<Task, Row> extends Omit<ThreadOptions<Row>, 'onResult'> {
  /** Holds what was done before, and is given what is done now. */
  readonly results?: ResultFile<Task, Row> | undefined
  /** Told at the beginning, and whenever a task is done. */
  readonly onProgress?: (doneTasks: number, tasks: number) => void
}

/** A row for each task, in their order: the same whether it was computed now or before, and by how many threads. */
export async function runResumably<Task, Row>(
  tasks: readonly Task[],
  { results, onProgress, ...options }: RunOptions<Task, Row>,
): Promise<Row[]> {
  const missing = tasks.filter((task) => results?.get(task) === undefined)
  let done = tasks.length - missing.length
  onProgress?.(done, tasks.length)
  const computed = await runOnThreads<Task, Row>(missing, {
    ...options,
    onResult: (row, at) => {
      results?.add(missing[at]!, row)
      onProgress?.(++done, tasks.length)
    },
  })
  const rowOf = new Map(missing.map((task, at) => [task, computed[at]!]))
  return tasks.map((task) => rowOf.get(task) ?? results!.get(task)!)
}
