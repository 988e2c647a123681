/** Loads and keeps ledgers on threads: a million rows take seconds, and the event loop must not wait for them. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads'
import { FreshdexError } from '../base/errors.js'
import { startThread } from '../base/threads.js'
import type { LedgerParts } from '../ledger/ledger.js'
import type { KeptJudgement } from '../refresh/judge/kept-judgement.js'
import type { LoadedLedger, LoadingLedger } from '../refresh/rows.js'
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

/** What a thread is started with. */
export interface LedgerJob {
  readonly task: LedgerTask
  /** Where the answer goes. */
  readonly port: MessagePort
  /** Becomes 1 behind the answer, for who waits. */
  readonly isDone: Int32Array
}

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../dist/catalog/ledger-worker.js', import.meta.url)
/** A thread that has not answered by then has probably not come up. */
const MOST_WAIT_MS = 60_000

/** `nowMs` dates documents of which nothing is known. */
export function loadLedger(files: LedgerFiles, nowMs: number): LoadingLedger {
  const run = new LedgerRun({ kind: 'load', files: plain(files), nowMs }, files.catalog)
  return {
    loaded: run.answer as Promise<LoadedLedger>,
    wait: () => run.wait() as LoadedLedger,
  }
}

export async function keepLedger(files: LedgerFiles, ledger: LedgerToKeep): Promise<void> {
  await new LedgerRun({ kind: 'keep', files: plain(files), ledger }, files.ledgerImage).answer
}

/** As it can be sent to a thread. */
function plain({ catalog, ledgerImage, judgementImage }: LedgerFiles): LedgerFiles {
  return { catalog, ledgerImage, judgementImage }
}

/** A thread at its task. */
class LedgerRun {
  readonly answer: Promise<LoadedLedger | undefined>
  readonly #file: string
  readonly #port: MessagePort
  readonly #isDone = new Int32Array(new SharedArrayBuffer(4))
  #given: LedgerAnswer | undefined
  #settle: () => void = () => {}

  constructor(task: LedgerTask, file: string) {
    const { port1, port2 } = new MessageChannel()
    const job: LedgerJob = { task, port: port2, isDone: this.#isDone }
    const worker = startThread(SCRIPT, job, `freshdex ledger ${task.kind}`, [port2])
    this.#file = file
    this.#port = port1
    this.answer = this.#answered(worker)
    // Who waits is told by `wait`.
    this.answer.catch(() => {})
  }

  #answered(worker: Worker): Promise<LoadedLedger | undefined> {
    return new Promise((resolve, reject) => {
      this.#settle = () => {
        this.#port.close()
        try {
          resolve(this.#result())
        } catch (error) {
          reject(error)
        }
      }
      this.#port.on('message', (answer: LedgerAnswer) => this.#take(answer))
      worker.on('error', reject)
      worker.on('exit', () => {
        // The answer may have come by another way than this news.
        this.#takeWaiting()
        this.#port.close()
        reject(new FreshdexError('INTERNAL', 'the thread of the ledger has ended'))
      })
    })
  }

  wait(): LoadedLedger | undefined {
    if (this.#given === undefined) {
      Atomics.wait(this.#isDone, 0, 0, MOST_WAIT_MS)
      this.#takeWaiting()
    }
    return this.#result()
  }

  #takeWaiting(): void {
    if (this.#given !== undefined) return
    const received = receiveMessageOnPort(this.#port) as { readonly message: LedgerAnswer } | undefined
    if (received !== undefined) this.#take(received.message)
  }

  #take(answer: LedgerAnswer): void {
    if (this.#given !== undefined) return
    this.#given = answer
    this.#settle()
  }

  #result(): LoadedLedger | undefined {
    if (this.#given === undefined) throw new FreshdexError('INTERNAL', 'the thread of the ledger does not answer')
    const { loaded, failure } = this.#given
    if (failure === undefined) return loaded
    throw fromSqlite(Object.assign(new Error(failure.message), { code: failure.code }), this.#file)
  }
}
