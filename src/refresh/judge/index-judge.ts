/**
 * Judges the documents of an index. Questions about all of them are promises: a small ledger is judged at once, a
 * large one on a thread, so that the event loop is never held for long. Questions about single documents are answered
 * at once, by the model of the last judgement.
 */
import { atMost } from '../../base/turns.js'
import type { JudgedTotal } from '../choose/gain-total.js'
import { isReadyAt } from '../choose/next.js'
import type { PriorityBlocks } from '../choose/priority-blocks.js'
import type { RefreshHistory } from '../history.js'
import type { Policy } from '../policies/policy.js'
import { DEFAULT_POLICY, type PolicyChoice, policyOf } from '../policies/registry.js'
import { type BestPages, type BestRequest, chosenOf, type JudgedPages, LedgerJudge } from './judging.js'
import type { KeptJudgement } from './kept-judgement.js'
import { STEADY_ROWS } from './steady-judge.js'
import { JudgeThread } from './thread.js'

/** Ledgers with more rows are judged on a thread: fewer rows take some milliseconds. */
export const THREAD_ROWS = 5000
/** Rows may change while the thread judges them. It is asked again, so often, until none has. */
const MOST_QUESTIONS = 3
/** A large ledger is judged by a view that may be behind anyway (steady-judge.ts). */
const MOST_QUESTIONS_OF_LARGE = 1
/** Documents whose gains stand for those of all, where nobody has judged all of them yet. */
const TOTAL_SAMPLE = 1000
/** The longest that a close waits for the thread to say what it knows: it may be judging. */
const KEEP_WAIT_MS = 1000

export type AllRequest = Omit<BestRequest, 'policy' | 'count'> & { readonly policy: PolicyChoice | undefined }

export class IndexJudge {
  readonly history: RefreshHistory
  readonly #policy: PolicyChoice
  readonly #inline: LedgerJudge
  #thread: JudgeThread | undefined
  /** Whether questions go to the thread. */
  #isLarge = false
  /** The last judgement of the thread. */
  #last: JudgedTotal | undefined
  /** Whether the thread was asked about the best documents before. */
  #wasAsked = false

  /** REQUIRES: the history is loaded when the first question is asked. */
  constructor(history: RefreshHistory, policy: PolicyChoice = DEFAULT_POLICY) {
    this.history = history
    this.#policy = policy
    this.#inline = new LedgerJudge(history.ledger, history.gains, 0)
  }

  /** The documents that are present, ready and not below the threshold, at most `count`, highest priority first. */
  async best(request: AllRequest & { readonly count: number }): Promise<BestPages> {
    const known = { ...request, policy: request.policy ?? this.#policy }
    const thread = this.#threadIfLarge()
    if (thread === undefined) return this.#inline.best(known)
    this.#wasAsked = true
    const best = await this.#untouched(thread, () => thread.best(known))
    this.#last = best.total
    return { ...best, ...this.#stillReady(best, request) }
  }

  /** The same for given documents, all of them. */
  async ranked(docs: Uint32Array, request: AllRequest): Promise<JudgedPages> {
    const known = { ...request, policy: request.policy ?? this.#policy }
    const thread = this.#threadIfLarge()
    if (thread === undefined) return this.#inline.ranked(docs, known)
    return this.#stillReady(await this.#untouched(thread, () => thread.ranked(docs, known)), request)
  }

  /** The same for all documents, also those below the threshold. */
  async all(request: AllRequest): Promise<JudgedPages> {
    const known = { ...request, policy: request.policy ?? this.#policy }
    const thread = this.#threadIfLarge()
    if (thread === undefined) return this.#inline.all(known)
    return this.#stillReady(await this.#untouched(thread, () => thread.all(known)), request)
  }

  /** Starts the thread for a history that is about to be loaded and is known to be large. */
  startThread(): void {
    this.#thread ??= this.#newThread()
    this.#thread.start()
  }

  #newThread(): JudgeThread {
    const { history } = this
    return new JudgeThread(history.ledger, history.gains, () => history.keptJudgement)
  }

  /** Lets the thread learn the model, which the first question would have to wait for. */
  learn(): void {
    this.#threadIfLarge()?.learn()
  }

  /**
   * Lets the thread judge all documents, as the first question has to, before that question can be asked. What has been
   * touched by then is judged once more.
   */
  foresee(request: AllRequest): void {
    const thread = this.#threadIfLarge()
    if (thread === undefined || this.#wasAsked) return
    this.#wasAsked = true
    // What fails here fails again for the question.
    thread.best({ ...request, policy: request.policy ?? this.#policy, count: 1 }).catch(() => {})
  }

  policyOf(choice: PolicyChoice | undefined): Policy {
    return policyOf(choice ?? this.#policy)
  }

  /** At once, for single documents. */
  blocks(policy: PolicyChoice | undefined): PriorityBlocks {
    this.#threadIfLarge()
    return this.#inline.blocks(policy ?? this.#policy)
  }

  /** What refreshing all documents would gain, as last judged. */
  lastTotal(atMs: number): JudgedTotal {
    if (this.#threadIfLarge() === undefined) return this.#inline.total.lastOr(atMs)
    this.#last ??= this.#sampledTotal(atMs)
    return this.#last
  }

  /** Questions that wait are refused with CLOSED, and so are new ones. */
  refuse(): void {
    this.#thread?.refuse()
  }

  /** What the thread knows of the rows as they are now, within a second; undefined where that is nothing. */
  async kept(): Promise<KeptJudgement | undefined> {
    let kept: KeptJudgement | undefined
    const asked = this.#thread?.kept().then((answer) => {
      kept = answer
    })
    if (asked !== undefined) await atMost(KEEP_WAIT_MS, asked)
    return kept
  }

  /** The same as `refuse`, for good. */
  async close(): Promise<void> {
    await this.#thread?.close()
  }

  #threadIfLarge(): JudgeThread | undefined {
    const { ledger, gains } = this.history
    if (!this.#isLarge && ledger.rows > THREAD_ROWS) {
      this.#isLarge = true
      this.#thread ??= this.#newThread()
      gains.frozen.followElsewhere()
    }
    return this.#isLarge ? this.#thread : undefined
  }

  async #untouched<T>(thread: JudgeThread, ask: () => Promise<T>): Promise<T> {
    const most = this.history.ledger.rows < STEADY_ROWS ? MOST_QUESTIONS : MOST_QUESTIONS_OF_LARGE
    for (let asked = 1; ; asked++) {
      const answer = await ask()
      if (!thread.isTouched || asked === most) return answer
    }
  }

  /** Of pages that were judged a moment ago, those that are still to be named. */
  #stillReady(pages: JudgedPages, { atMs, minIntervalMs }: AllRequest): JudgedPages {
    const { columns } = this.history.ledger
    const isReady = isReadyAt(columns, atMs, minIntervalMs)
    const isKept = (doc: number) => columns.present[doc] === 1 && isReady(doc)
    return this.#thread?.isTouched ? chosenOf(pages, isKept) : pages
  }

  #sampledTotal(atMs: number): JudgedTotal {
    const { ledger, gains } = this.history
    const { columns, rows } = ledger
    let [pages, sum] = [0, 0]
    for (let doc = 0; doc < rows; doc += Math.ceil(rows / TOTAL_SAMPLE)) {
      if (columns.present[doc] !== 1) continue
      const { changeChance, gainIfChanged } = gains.expected(doc, atMs)
      pages++
      sum += changeChance * gainIfChanged
    }
    return { deltaQuality: pages === 0 ? 0 : (sum / pages) * ledger.totals().pages, atMs }
  }
}
