/** How a thread of ours is started, whatever program it is part of. */
import { type TransferListItem, Worker } from 'node:worker_threads'
import { FreshdexError } from './errors.js'
import { atMost } from './turns.js'

/** How often it is looked whether the result of a thread is still wanted. */
const LOOK_MS = 50

/**
 * Starts a thread that runs a compiled module. A worker inherits the flags of its process, and some of them are meant
 * for the program alone: under `--input-type=module`, with which people try things by `node -e`, no worker could run a
 * file. So the thread gets no flags, neither from the command line nor from NODE_OPTIONS. `moved`: what of the data is
 * moved to the thread and not copied.
 */
export function startThread(
  script: URL,
  workerData: unknown,
  name: string,
  moved: readonly TransferListItem[] = [],
): Worker {
  const env = { ...process.env, NODE_OPTIONS: '' }
  return new Worker(script, { workerData, name, execArgv: [], env, transferList: [...moved] })
}

/**
 * The one message of a thread that has a single task, or what the thread failed with; it has ended afterwards. `check`
 * is called now and then, and throws when nobody wants the result.
 */
export async function threadResult<Result>(worker: Worker, check: () => void): Promise<Result> {
  const results: Result[] = []
  let failure: unknown
  const ended = new Promise<void>((resolve) => {
    worker.on('message', (result: Result) => {
      results.push(result)
    })
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => resolve())
  })
  try {
    for (let isOver = false; !isOver; check()) {
      const over = ended.then(() => {
        isOver = true
      })
      await atMost(LOOK_MS, over)
    }
  } finally {
    await worker.terminate()
  }
  const [result] = results
  if (result === undefined) throw failure ?? new FreshdexError('INTERNAL', 'a thread has ended without a result')
  return result
}
