/** Groups the pages of a large index on a thread: a single step of it would hold the event loop for too long. */
import { startThread, threadResult } from '../../base/threads.js'
import type { Grouping, GroupingRequest } from './grouping.js'

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../../dist/refresh/clusters/worker.js', import.meta.url)

/** The features are moved to the thread. `check` is called now and then, and throws when nobody wants the result. */
export async function groupOnThread(request: GroupingRequest, check: () => void): Promise<Grouping> {
  const worker = startThread(SCRIPT, request, 'freshdex clusters', [request.features.buffer as ArrayBuffer])
  return threadResult<Grouping>(worker, check)
}
