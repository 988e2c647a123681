/** Loads and keeps ledgers on threads: a million rows take seconds, and the event loop must not wait for them. */
import { FreshdexError } from '../base/errors.js'
import { startThread } from '../base/threads.js'
import type { LedgerParts } from '../ledger/ledger.js'
import type { LoadedLedger } from '../refresh/rows.js'
import { fromSqlite } from './connection.js'

export type LedgerTask =
  | { readonly kind: 'load'; readonly catalog: string; readonly image: string; readonly nowMs: number }
  | { readonly kind: 'keep'; readonly image: string; readonly key: string; readonly parts: LedgerParts }

export interface LedgerAnswer {
  readonly loaded?: LoadedLedger | undefined
  readonly failure?: { readonly code: unknown; readonly message: string }
}

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../dist/catalog/ledger-worker.js', import.meta.url)

/** `nowMs` dates documents of which nothing is known. */
export async function loadLedger(catalog: string, image: string, nowMs: number): Promise<LoadedLedger> {
  return (await run({ kind: 'load', catalog, image, nowMs }, catalog)) as LoadedLedger
}

export async function keepLedger(image: string, key: string, parts: LedgerParts): Promise<void> {
  await run({ kind: 'keep', image, key, parts }, image)
}

function run(task: LedgerTask, file: string): Promise<LoadedLedger | undefined> {
  return new Promise((resolve, reject) => {
    const worker = startThread(SCRIPT, task, `freshdex ledger ${task.kind}`)
    worker.on('message', ({ loaded, failure }: LedgerAnswer) => {
      if (failure === undefined) resolve(loaded)
      else reject(fromSqlite(Object.assign(new Error(failure.message), { code: failure.code }), file))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new FreshdexError('INTERNAL', 'the thread of the ledger has ended')))
  })
}
