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
import type { KeptJudgement } from './kept-judgement.js'
import { LedgerReporter } from './ledger-news.js'
import type { JudgeAnswer, JudgeJob, JudgeQuestion } from './questions.js'

/** Compiled code, also when the library runs from its sources: a thread cannot run those. */
const SCRIPT = new URL('../../../dist/refresh/judge/worker.js', import.meta.url)

/** What an earlier process knew of a ledger, which had this version when it was loaded. */
export interface LoadedJudgement {
  readonly judgement: KeptJudgement
  readonly version: number
}

interface Waiting {
  readonly resolve: (answer: JudgeAnswer) => void
  readonly reject: (error: unknown) => void
}

export class JudgeThread {
  readonly #model: CurrentModel
  readonly #reporter: LedgerReporter
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #nextId = 0
  /** Why questions are refused, though the thread can still say what it knows. */
  #refusal: FreshdexError | undefined
  /** Why there are no more answers. */
  #end: unknown
  readonly #loaded: () => LoadedJudgement | undefined

  /**
   * `model`: is given what the thread learns, so that both judge by the same. `loaded`: what is known already, asked
   * for with the first question.
   */
  constructor(ledger: Ledger, model: CurrentModel, loaded: () => LoadedJudgement | undefined = () => undefined) {
    this.#model = model
    this.#reporter = new LedgerReporter(ledger)
    this.#loaded = loaded
  }

  async best(request: BestRequest): Promise<BestPages> {
    return (await this.#asked({ kind: 'best', request })) as BestPages
  }

  ranked(docs: Uint32Array, request: PagesRequest): Promise<JudgedPages> {
    // Of a million documents: one copy is moved, where a message would be made of several. The caller may ask again.
    const moved = docs.slice()
    return this.#asked({ kind: 'ranked', docs: moved, request }, [moved.buffer])
  }

  all(request: PagesRequest): Promise<JudgedPages> {
    return this.#asked({ kind: 'all', request })
  }

  /** Now and not with the first question. */
  start(): void {
    if (this.#end === undefined) this.#started()
  }

  /** Lets the thread learn the model, which the first question would have to wait for. */
  learn(): void {
    // What fails here fails again for the first question.
    this.#asked({ kind: 'learn' }).catch(() => {})
  }

  /** Whether a row was touched since the last question was asked. */
  get isTouched(): boolean {
    return this.#reporter.isTouched
  }

  /** What the thread knows of the rows as they are now; undefined where that is nothing, or the thread has ended. */
  async kept(): Promise<KeptJudgement | undefined> {
    if (this.#nextId === 0) return undefined
    const answer = await this.#ask({ kind: 'keep' }).catch(() => undefined)
    return answer?.kept
  }

  /** Questions that wait are refused with CLOSED, and so are new ones. */
  refuse(): void {
    this.#refusal ??= new FreshdexError('CLOSED', 'the index is closed')
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(this.#refusal)
  }

  /** The same for good. */
  async close(): Promise<void> {
    this.#reporter.close()
    this.refuse()
    this.#die(this.#refusal)
    await this.#worker?.terminate()
  }

  async #asked(job: JudgeJob, moved: readonly ArrayBuffer[] = []): Promise<JudgedPages | BestPages> {
    if (this.#refusal !== undefined) throw this.#refusal
    const { pages, failure } = await this.#ask(job, moved)
    if (pages === undefined) throw failure
    return pages
  }

  #ask(job: JudgeJob, moved: readonly ArrayBuffer[] = []): Promise<JudgeAnswer> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const worker = this.#started()
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.ref()
      const kept = id === 0 ? this.#keptNow() : undefined
      worker.postMessage({ id, news: this.#reporter.take(), job, kept } satisfies JudgeQuestion, moved)
    })
  }

  /** All rows that were touched since it was loaded are among the news. */
  #keptNow(): KeptJudgement | undefined {
    const loaded = this.#loaded()
    return loaded !== undefined && this.#reporter.sinceVersion <= loaded.version ? loaded.judgement : undefined
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

  #settle(answer: JudgeAnswer): void {
    const waiting = this.#take(answer.id)
    if (waiting === undefined) return
    const { model } = answer
    if (model !== undefined) this.#model.frozen.give({ ...model, trust: SiteTrust.of(model.trust) })
    waiting.resolve(answer)
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
