/** Loads and keeps ledgers on threads: a million rows take seconds, and the event loop must not wait for them. */
import { FreshdexError } from '../base/errors.js'
import { startThread } from '../base/threads.js'
import type { LedgerParts } from '../ledger/ledger.js'
import type { KeptJudgement } from '../refresh/judge/kept-judgement.js'
import type { LoadedLedger } from '../refresh/rows.js'
import { fromSqlite } from './connection.js'

/** Where a ledger and its caches are. */
export interface LedgerFiles {
  readonly catalog: string
  readonly ledgerImage: string
  readonly judgementImage: string
}

/** A ledger that is as the rows of this key are. */
export interface LedgerToKeep {
  readonly key: string
  /** There is an image of this key already. */
  readonly hasImage: boolean
  readonly parts: LedgerParts
  /** What was known of it. */
  readonly judgement: KeptJudgement | undefined
}

export type LedgerTask =
  | { readonly kind: 'load'; readonly files: LedgerFiles; readonly nowMs: number }
  | { readonly kind: 'keep'; readonly files: LedgerFiles; readonly ledger: LedgerToKeep }

export interface LedgerAnswer {
  readonly loaded?: LoadedLedger | undefined
  readonly failure?: { readonly code: unknown; readonly message: string }
}

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../dist/catalog/ledger-worker.js', import.meta.url)

/** `nowMs` dates documents of which nothing is known. */
export async function loadLedger(files: LedgerFiles, nowMs: number): Promise<LoadedLedger> {
  return (await run({ kind: 'load', files: plain(files), nowMs }, files.catalog)) as LoadedLedger
}

export async function keepLedger(files: LedgerFiles, ledger: LedgerToKeep): Promise<void> {
  await run({ kind: 'keep', files: plain(files), ledger }, files.ledgerImage)
}

/** As it can be sent to a thread. */
function plain({ catalog, ledgerImage, judgementImage }: LedgerFiles): LedgerFiles {
  return { catalog, ledgerImage, judgementImage }
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
