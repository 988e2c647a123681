/**
 * Runs tasks that do not depend on each other on threads of their own, so that all cores work and the thread that asked
 * can show progress and hear an interruption. Who computes a task, and when, is left to chance: a result must follow
 * from input and task alone.
 */
import { parentPort, type Worker, workerData } from 'node:worker_threads'
import { numberOption } from '../../base/checks.js'
import { FreshdexError, isErrorCode } from '../../base/errors.js'
import { startThread } from '../../base/threads.js'

export interface TaskThreadOptions<Result> {
  /** Compiled code that calls answerTasks(): a thread cannot run sources. */
  readonly script: URL
  /** What all tasks share. It is cloned for each thread. */
  readonly input: unknown
  /** Threads, at most one for each task. */
  readonly workers: number
  /** Told every result as it comes; `at` is the place of its task. */
  readonly onResult?: (result: Result, at: number) => void
  /** Told what a task says of its progress; `at` is the place of the task. */
  readonly onPart?: (part: unknown, at: number) => void
  /** Ends all threads in the middle of what they do; the promise is then rejected with its reason. */
  readonly signal?: AbortSignal
}

/** What is sent to a thread. */
export interface TaskRequest {
  readonly at: number
  readonly task: unknown
}

/**
 * What comes from a thread: any number of parts, then a result or a failure. A failure names class and code of its
 * error, which would lose them on the way.
 */
export type TaskAnswer =
  | { readonly at: number; readonly part: unknown }
  | { readonly at: number; readonly result: unknown }
  | { readonly at: number; readonly failure: TaskFailure }

export interface TaskFailure {
  readonly name: string
  readonly code: unknown
  readonly message: string
}

/** Results in the order of the tasks, whatever the number of threads. The first failure ends all of them. */
export async function runOnThreads<Task, Result>(
  tasks: readonly Task[],
  options: TaskThreadOptions<Result>,
): Promise<Result[]> {
  const { script, input, onResult, onPart, signal } = options
  const workers = numberOption('workers', options.workers, 1, { min: 1, integer: true })
  signal?.throwIfAborted()
  const results: Result[] = new Array(tasks.length)
  let next = 0
  let isOver = false
  const serve = async (thread: TaskThread) => {
    while (next < tasks.length && !isOver) {
      const at = next++
      const result = (await thread.run({ at, task: tasks[at] })) as Result
      if (isOver) return
      results[at] = result
      onResult?.(result, at)
    }
  }
  const threads = Array.from({ length: Math.min(workers, tasks.length) }, () => new TaskThread(script, input, onPart))
  const stop = () => {
    for (const thread of threads) thread.fail(signal?.reason)
  }
  signal?.addEventListener('abort', stop)
  try {
    await Promise.all(threads.map(serve))
    return results
  } finally {
    isOver = true
    signal?.removeEventListener('abort', stop)
    await Promise.all(threads.map((thread) => thread.end()))
  }
}

/** One thread, which has one task at a time. */
class TaskThread {
  readonly #worker: Worker
  readonly #onPart: TaskThreadOptions<unknown>['onPart']
  /** Settles the promise of the task under way. */
  #settle: { resolve(result: unknown): void; reject(error: unknown): void } | undefined
  #failure: { readonly error: unknown } | undefined

  constructor(script: URL, input: unknown, onPart: TaskThreadOptions<unknown>['onPart']) {
    this.#onPart = onPart
    this.#worker = startThread(script, input, 'freshdex lab')
    this.#worker.on('message', (answer: TaskAnswer) => this.#take(answer))
    this.#worker.on('error', (error) => this.fail(error))
    this.#worker.on('exit', () => this.fail(new FreshdexError('INTERNAL', 'a thread of the lab ended unasked')))
  }

  run(request: TaskRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure.error)
      this.#settle = { resolve, reject }
      this.#worker.postMessage(request)
    })
  }

  /** Only the first reason counts. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#settle?.reject(this.#failure.error)
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(answer: TaskAnswer): void {
    if ('part' in answer) {
      this.#onPart?.(answer.part, answer.at)
      return
    }
    const settle = this.#settle
    this.#settle = undefined
    if ('result' in answer) settle?.resolve(answer.result)
    else settle?.reject(revived(answer.failure))
  }
}

function revived({ name, code, message }: TaskFailure): Error {
  if (isErrorCode(code)) return new FreshdexError(code, message)
  if (name === 'RangeError') return new RangeError(message)
  if (name === 'TypeError') return new TypeError(message)
  return new Error(message)
}

/**
 * The other end: answers the tasks that a thread is sent. The script of the thread calls it once. `run` gets the input
 * that all tasks share, and may tell of parts that are done.
 */
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
