/**
 * A thread that works on a catalog, as the rest of the program sees it: jobs go in, promises come out, in order. The
 * process stays alive while a job is under way and may end when none is.
 */
import type { Worker } from 'node:worker_threads'
import { FreshdexError } from '../base/errors.js'
import { loadAddon } from '../core/binding.js'
import type { Durability } from '../options/index-options.js'
import type { JudgementRows } from '../refresh/choose/judgements.js'
import type { InboxMark } from '../workload/learnt-rows.js'
import type { WorkloadChanges } from '../workload/stored-workload.js'
import { fromSqlite } from './connection.js'
import { LEDGER_JOBS } from './costs.js'
import { keepThread, takeThread } from './idle-thread.js'
import type { InboxFile } from './inbox.js'
import type { BatchCommit, FlushCommit, RowsCommit } from './transactions.js'

export interface ThreadOptions {
  readonly file: string
  readonly access: Durability | 'read'
}

/** What the thread is given to start with. */
export interface ThreadData {
  /** The file of the addon, whose clock it reads. */
  readonly addon: string
}

export type CatalogJob =
  /** Commits a batch. Gives the bytes that wait for a checkpoint. */
  | { readonly kind: 'batch'; readonly commit: BatchCommit; readonly refresh: RowsCommit | undefined }
  /** The same in two steps, of which the second commits. */
  | { readonly kind: 'begin'; readonly commit: BatchCommit }
  | { readonly kind: 'end'; readonly refresh: RowsCommit | undefined }
  /** Gives up what was begun. */
  | { readonly kind: 'abandon' }
  | { readonly kind: 'flush'; readonly commit: FlushCommit }
  /** Notes that every document has all fields. */
  | { readonly kind: 'reindexed' }
  | { readonly kind: 'refresh'; readonly commit: RowsCommit }
  /** Commits what was learnt. Gives the bytes that wait for a checkpoint. */
  | { readonly kind: 'workload'; readonly changes: WorkloadChanges; readonly isForGood: boolean }
  /** Keeps what a judgement said, for SQL. Gives the bytes that wait for a checkpoint. */
  | { readonly kind: 'judgements'; readonly rows: JudgementRows }
  /** Gives an InboxPortion, or undefined when the inbox has nothing behind the mark. */
  | { readonly kind: 'take'; readonly inbox: InboxFile; readonly after: InboxMark }
  | { readonly kind: 'clear'; readonly inbox: InboxFile; readonly mark: InboxMark }
  | { readonly kind: 'checkpoint' }
  /** Compresses some documents with numbers above `after`. Gives the last of them, or undefined for none. */
  | { readonly kind: 'pack'; readonly after: number }
  /** Brings changes of the ledger that wait into its table. */
  | { readonly kind: 'fold' }
  /** Makes the file as small as what it holds. */
  | { readonly kind: 'shrink' }
  /** Copies the catalog into a new file. */
  | { readonly kind: 'copy'; readonly file: string }
  /** Gives SQLite's list of complaints, or ['ok']. */
  | { readonly kind: 'integrity' }
  | { readonly kind: 'close' }

export interface Request {
  readonly id: number
  readonly job: CatalogJob | { readonly kind: 'open'; readonly options: ThreadOptions }
}

/** CPU time, in microseconds. */
export interface SpentUs {
  /** On documents, the log and segments. */
  readonly indexUs: number
  /** On rows of the prioritizer. */
  readonly ledgerUs: number
}

export interface Answer {
  readonly id: number
  /** What the catalog has taken since it was opened. */
  readonly spent: SpentUs | undefined
  readonly value?: unknown
  readonly failure?: { readonly code: unknown; readonly message: string }
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Memory for stored forms that is kept for the next batch: enough for a batch of ordinary pages. */
const KEPT_BYTES = 8 * 1024 * 1024

export class CatalogThread {
  readonly #options: ThreadOptions
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #nextId = 0
  readonly #threadUs = loadAddon().threadCpuUs
  /** The thread's own account, as of its last answer. */
  #spent: SpentUs = { indexUs: 0, ledgerUs: 0 }
  /** What sending jobs has taken here. */
  #sent = { indexUs: 0, ledgerUs: 0 }
  /** For stored forms: no batch has it. */
  #memory: SharedArrayBuffer | undefined
  /** Why the thread has ended; undefined while it runs. */
  #end: unknown

  readonly #onMessage = (answer: Answer) => this.#settle(answer)
  readonly #onError = (error: unknown) => this.#die(fromSqlite(error, this.#options.file))
  readonly #onExit = () => this.#die(new FreshdexError('CLOSED', 'the catalog is closed'))

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#worker = takeThread()
    this.#worker.unref()
    this.#worker.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit)
    // Where the catalog cannot be opened, whatever was asked of it fails for that reason.
    this.#post({ kind: 'open', options }, []).catch((error) => this.#die(error))
  }

  /** It runs, and has nothing to do. */
  get isResting(): boolean {
    return this.#end === undefined && this.#waiting.size === 0
  }

  /** What the thread has taken, as of its last answer. */
  get spentUs(): SpentUs {
    return this.#spent
  }

  /** What sending it its jobs has taken here. */
  get sentUs(): SpentUs {
    return this.#sent
  }

  /**
   * Memory for the stored forms of a batch, so many bytes. It is used again when the thread is done with the batch. V8
   * does not count shared memory as garbage to come; new or moved memory for every batch would have it collect the
   * whole heap of the application far too often.
   */
  memoryOf(bytes: number): SharedArrayBuffer {
    const memory = this.#memory
    this.#memory = undefined
    if (memory !== undefined && memory.byteLength >= bytes) return memory
    return new SharedArrayBuffer(Math.max(bytes, Math.min(2 * bytes, KEPT_BYTES)))
  }

  /** `transfer`: buffers that are moved and not copied. */
  run(job: CatalogJob, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const startUs = this.#threadUs()
    const answer = this.#post(job, transfer)
    if (job.kind === 'batch' || job.kind === 'begin') this.#keepMemory(job.commit.stored.buffer, answer)
    this.#sent[LEDGER_JOBS.has(job.kind) ? 'ledgerUs' : 'indexUs'] += this.#threadUs() - startUs
    return answer
  }

  /** The thread goes on to the next catalog, unless it could not close this one. */
  async close(): Promise<void> {
    let isClosed = false
    try {
      if (this.#end === undefined) {
        await this.run({ kind: 'close' })
        isClosed = true
      }
    } finally {
      // One by one: Node has listeners of its own, too.
      this.#worker.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit)
      this.#onExit()
      if (isClosed) keepThread(this.#worker)
      else await this.#worker.terminate()
    }
  }

  #post(job: Request['job'], transfer: readonly ArrayBuffer[]): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.ref()
      this.#worker.postMessage({ id, job } satisfies Request, transfer)
    })
  }

  /** When the thread has `answered`. */
  #keepMemory(memory: ArrayBufferLike, answered: Promise<unknown>): void {
    const keep = () => {
      if (memory instanceof SharedArrayBuffer && memory.byteLength <= KEPT_BYTES) this.#memory = memory
    }
    answered.then(keep, keep)
  }

  #settle({ id, spent, value, failure }: Answer): void {
    this.#spent = spent ?? this.#spent
    const waiting = this.#take(id)
    if (failure === undefined) {
      waiting?.resolve(value)
    } else {
      const error = Object.assign(new Error(failure.message), { code: failure.code })
      waiting?.reject(fromSqlite(error, this.#options.file))
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    return waiting
  }

  #die(reason: unknown): void {
    this.#end ??= reason
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#end)
  }
}
