/**
 * The thread of a catalog that was closed waits a while for the next one. Starting a thread, and compiling again what
 * it runs, takes longer than the first hundred commits.
 */
import type { Worker } from 'node:worker_threads'
import { startThread } from '../base/threads.js'
import { addonFile } from '../core/binding.js'
import type { ThreadData } from './thread.js'

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../dist/catalog/worker.js', import.meta.url)

/** How long a thread waits: a program that opens indexes one after another does so sooner. */
const WAIT_MS = 10_000

interface IdleThread {
  readonly worker: Worker
  readonly end: NodeJS.Timeout
  /** Ends it. Hears of its end, too. */
  readonly forget: () => void
}

/** At most one: it holds some megabytes. */
let idle: IdleThread | undefined

/** A thread on which no catalog is open. */
export function takeThread(): Worker {
  const kept = idle
  if (kept === undefined) return startThread(SCRIPT, { addon: addonFile() } satisfies ThreadData, 'freshdex catalog')
  idle = undefined
  clearTimeout(kept.end)
  kept.worker.off('error', kept.forget).off('exit', kept.forget)
  return kept.worker
}

/** Keeps a thread for the next catalog, or ends it. REQUIRES: its catalog is closed, and nobody listens to it. */
export function keepThread(worker: Worker): void {
  worker.unref()
  if (idle !== undefined) {
    void worker.terminate()
    return
  }
  const forget = () => {
    if (idle?.worker !== worker) return
    clearTimeout(idle.end)
    idle = undefined
    void worker.terminate()
  }
  // An idle thread must neither keep the process alive nor end it by an error that nobody hears.
  const end = setTimeout(forget, WAIT_MS)
  end.unref()
  worker.on('error', forget).on('exit', forget)
  idle = { worker, end, forget }
}
