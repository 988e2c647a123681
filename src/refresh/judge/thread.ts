/**
 * A judge on a thread of its own, for ledgers that take too long to be judged between two turns of the event loop. The
 * thread starts with the first question. It keeps no process alive unless somebody waits for an answer.
 */
import type { Worker } from 'node:worker_threads'
import { FreshdexError } from '../../base/errors.js'
import { startThread } from '../../base/threads.js'
import type { Ledger } from '../../ledger/ledger.js'
import { SiteTrust } from '../../ledger/site-trust.js'
import type { CurrentModel } from '../model/current-model.js'
import type { BestPages, BestRequest, JudgedPages, PagesRequest } from './judging.js'
import { LedgerReporter } from './ledger-news.js'
import type { JudgeAnswer, JudgeJob, JudgeQuestion } from './questions.js'

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../../dist/refresh/judge/worker.js', import.meta.url)

interface Waiting {
  readonly resolve: (pages: JudgedPages | BestPages) => void
  readonly reject: (error: unknown) => void
}

export class JudgeThread {
  readonly #model: CurrentModel
  readonly #reporter: LedgerReporter
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #nextId = 0
  /** Why there are no more answers. */
  #end: unknown

  /** `model`: is given what the thread learns, so that both judge by the same. */
  constructor(ledger: Ledger, model: CurrentModel) {
    this.#model = model
    this.#reporter = new LedgerReporter(ledger)
  }

  async best(request: BestRequest): Promise<BestPages> {
    return (await this.#ask({ kind: 'best', request })) as BestPages
  }

  ranked(docs: Uint32Array, request: PagesRequest): Promise<JudgedPages> {
    return this.#ask({ kind: 'ranked', docs, request })
  }

  all(request: PagesRequest): Promise<JudgedPages> {
    return this.#ask({ kind: 'all', request })
  }

  /** Now and not with the first question. */
  start(): void {
    if (this.#end === undefined) this.#started()
  }

  /** Lets the thread learn the model, which the first question would have to wait for. */
  learn(): void {
    // What fails here fails again for the first question.
    this.#ask({ kind: 'learn' }).catch(() => {})
  }

  /** Whether a row was touched since the last question was asked. */
  get isTouched(): boolean {
    return this.#reporter.isTouched
  }

  /** Questions that wait are refused with CLOSED. */
  async close(): Promise<void> {
    this.#reporter.close()
    this.#die(new FreshdexError('CLOSED', 'the index is closed'))
    await this.#worker?.terminate()
  }

  #ask(job: JudgeJob): Promise<JudgedPages | BestPages> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const worker = this.#started()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, news: this.#reporter.take(), job } satisfies JudgeQuestion)
    })
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = startThread(SCRIPT, undefined, 'freshdex judge')
    worker.unref()
    worker.on('message', (answer: JudgeAnswer) => this.#settle(answer))
    worker.on('error', (error) => this.#die(error))
    worker.on('exit', () => this.#die(new FreshdexError('INTERNAL', 'the thread that judges pages has ended')))
    this.#worker = worker
    return worker
  }

  #settle({ id, pages, model, failure }: JudgeAnswer): void {
    const waiting = this.#take(id)
    if (waiting === undefined) return
    if (pages === undefined) {
      waiting.reject(failure)
      return
    }
    if (model !== undefined) this.#model.frozen.give({ ...model, trust: SiteTrust.of(model.trust) })
    waiting.resolve(pages)
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    return waiting
  }

  #die(reason: unknown): void {
    this.#end ??= reason
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#end)
  }
}
