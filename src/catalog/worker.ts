/**
 * The thread that works on a catalog: commits and checks wait for disks, and the event loop must not. It outlives the
 * catalog, for the next one that is opened (idle-thread.ts).
 */
import { parentPort, workerData } from 'node:worker_threads'
import { threadClock } from '../core/thread-clock.js'
import { CatalogJobs } from './jobs.js'
import type { Answer, Request, ThreadData } from './thread.js'

const { addon } = workerData as ThreadData
const threadCpuUs = threadClock(addon)
let catalog: CatalogJobs | undefined

function work(job: Request['job']): unknown {
  if (job.kind === 'open') {
    catalog = new CatalogJobs(job.options, threadCpuUs)
    return undefined
  }
  if (catalog === undefined) throw new Error('no catalog is open')
  return catalog.work(job)
}

function answered({ id, job }: Request): Omit<Answer, 'spent'> {
  try {
    return { id, value: work(job) }
  } catch (error) {
    // An error loses its code on the way between threads.
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    return { id, failure: { code, message: String(message) } }
  }
}

parentPort?.on('message', (request: Request) => {
  const answer = answered(request)
  const { kind } = request.job
  const spent = kind === 'open' ? undefined : catalog?.spentAfter(kind)
  if (kind === 'close' && answer.failure === undefined) catalog = undefined
  parentPort?.postMessage({ ...answer, spent } satisfies Answer)
})
