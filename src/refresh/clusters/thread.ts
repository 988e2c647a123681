/** Groups the pages of a large index on a thread: a single step of it would hold the event loop for too long. */
import { FreshdexError } from '../../base/errors.js'
import { startThread } from '../../base/threads.js'
import { atMost } from '../../base/turns.js'
import type { Grouping, GroupingRequest } from './grouping.js'

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../../dist/refresh/clusters/worker.js', import.meta.url)
/** How often it is looked whether the result is still wanted. */
const LOOK_MS = 50

/** The features are moved to the thread. `check` is called now and then, and throws when nobody wants the result. */
export async function groupOnThread(request: GroupingRequest, check: () => void): Promise<Grouping> {
  const worker = startThread(SCRIPT, request, 'freshdex clusters', [request.features.buffer as ArrayBuffer])
  let grouping: Grouping | undefined
  let failure: unknown
  const ended = new Promise<void>((resolve) => {
    worker.on('message', (given: Grouping) => {
      grouping = given
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
  if (grouping === undefined) throw failure ?? new FreshdexError('INTERNAL', 'the thread of the clusters has ended')
  return grouping
}
