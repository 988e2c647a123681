/** The other end of task-threads.ts: what a thread does with the tasks that it is sent. */
import { parentPort, workerData } from 'node:worker_threads'
import type { TaskAnswer, TaskFailure, TaskRequest } from './task-threads.js'

/** To be called once, by the script of the thread. `run` gets the input that all tasks share, and may tell of parts that are done. */
export function answerTasks<Input, Task>(
  run: (input: Input, task: Task, tell: (part: unknown) => void) => unknown,
): void {
  const port = parentPort
  if (port === null) throw new Error('only a thread of the lab answers tasks')
  port.on('message', async ({ at, task }: TaskRequest) => {
    const tell = (part: unknown) => port.postMessage({ at, part } satisfies TaskAnswer)
    let answer: TaskAnswer
    try {
      answer = { at, result: await run(workerData as Input, task as Task, tell) }
    } catch (error) {
      answer = { at, failure: failureOf(error) }
    }
    port.postMessage(answer)
  })
}

function failureOf(error: unknown): TaskFailure {
  if (!(error instanceof Error)) return { name: 'Error', code: undefined, message: String(error) }
  return { name: error.name, code: (error as { readonly code?: unknown }).code, message: error.message }
}
