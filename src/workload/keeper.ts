/**
 * Makes what was learnt durable, without a close: after a time, after a number of queries, or when somebody asks. In
 * the process that writes, queries go into the catalog, those of other processes' inbox with them. In any other process
 * they go into the inbox.
 */
import { FreshdexError } from '../base/errors.js'
import { nextTurn } from '../base/turns.js'
import { type Inbox, type InboxMark, NOTHING_TAKEN, type Outbox } from './learnt-rows.js'
import type { WorkloadChanges } from './stored-workload.js'
import type { WorkloadState } from './workload-state.js'

/** So many queries are not left for the timer. */
const MAX_UNSAVED = 100

/** The share of the time after which the timer goes off, so that the work is done when the time is over. */
const EARLY_SHARE = 0.6

/** How long an append waits for its turn, and the longest that a flush tries. */
const RETRY_MS = { first: 5, most: 100, altogether: 5000 } as const

/** Whether this process teaches the index: `unavailable` if it should and may not write into the folder. */
export type Learning = 'on' | 'off' | 'unavailable'

export interface KeeperSetup {
  readonly state: WorkloadState
  readonly learnFlushMs: number
  readonly learns: boolean
  /** False in memory, where nothing is kept. */
  readonly isKept: boolean
  readonly inbox: Inbox | undefined
  readonly outbox: Outbox | undefined
  /** Runs work as a turn of the index. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  commit(changes: WorkloadChanges, options?: { readonly isForGood?: boolean }): Promise<void>
}

export class WorkloadKeeper {
  readonly #setup: KeeperSetup
  #timer: NodeJS.Timeout | undefined
  /** Looks into the inbox from time to time. */
  #poll: NodeJS.Timeout | undefined
  #unsaved = 0
  #isHurried = false
  #isClosed = false
  #attempts = 0
  /** How far the inbox is taken over by what the catalog has … */
  #durable: InboxMark = NOTHING_TAKEN
  /** … and how far it was cleared. */
  #cleared: InboxMark = NOTHING_TAKEN
  /** A query was forgotten, and the files may still have it: a write may have taken its row, or a commit has failed. */
  #owesRemoval = false
  /** Work in the background, one at a time. */
  #working: Promise<void> | undefined
  /** One at a time. */
  #draining: Promise<void> | undefined

  constructor(setup: KeeperSetup) {
    this.#setup = setup
    if (setup.inbox === undefined) return
    this.#poll = setInterval(() => this.#tryInBackground(), setup.learnFlushMs * EARLY_SHARE)
    this.#poll.unref()
  }

  get learning(): Learning {
    const { learns, outbox } = this.#setup
    if (!learns) return 'off'
    return outbox === undefined || outbox.isAvailable ? 'on' : 'unavailable'
  }

  /** Queries of processes that do not write, this one included, that nobody has taken over yet. */
  get waiting(): number {
    const { state, outbox } = this.#setup
    return outbox?.waiting(state.inboxMark) ?? 0
  }

  get inboxFailure(): string | undefined {
    return this.#setup.inbox?.failure
  }

  /** After each query that was learnt or recorded. Nothing happens within the call. */
  noted(): void {
    if (!this.#setup.isKept || this.#isClosed) return
    if (++this.#unsaved >= MAX_UNSAVED) this.#hurry()
    else this.#startTimer(this.#setup.learnFlushMs * EARLY_SHARE)
  }

  /** Everything that was learnt so far is durable when it resolves. */
  async flush(): Promise<void> {
    const { state, isKept, outbox } = this.#setup
    state.releaseHeld()
    if (!isKept) return
    if (outbox !== undefined) return this.#leave()
    await this.drain()
    await this.#save()
  }

  /** The same as part of a turn, in the process that writes; queries of sessions that may be keystrokes wait on. */
  async flushInTurn(): Promise<void> {
    if (!this.#setup.isKept) return
    await this.drain()
    await this.#commitStep()
  }

  /** Takes over what other processes have left, into memory. */
  async drain(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
    })
    await this.#draining
  }

  /** Forgets a query for good, in this process, the catalog and the inbox; false when it was not there. */
  async forget(query: unknown): Promise<boolean> {
    const { state, isKept, learnFlushMs } = this.#setup
    await this.drain()
    const isForgotten = state.forget(query)
    if (isForgotten && isKept) {
      this.#owesRemoval = true
      // For a commit that fails: the caller is told, and it is tried again.
      this.#startTimer(learnFlushMs)
      await this.#save()
    }
    return isForgotten
  }

  /**
   * At the end: a process that writes takes over what is there, for its owner to save; any other leaves what it has. A
   * failure is not told.
   */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#poll)
    const { state, outbox, isKept } = this.#setup
    if (!isKept) return
    state.releaseHeld()
    try {
      if (outbox !== undefined) {
        await this.#leave()
        return
      }
      await this.#working
      await this.drain()
    } catch {
      // What is in the inbox stays there for the next opening.
    } finally {
      outbox?.close()
    }
  }

  /** The owner has saved what was taken over up to the mark. */
  async saved(mark: InboxMark): Promise<void> {
    this.#durable = mark
    await this.#clearInbox()
  }

  #startTimer(ms: number): void {
    if (this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#tryInBackground()
    }, ms)
    this.#timer.unref()
  }

  #hurry(): void {
    if (this.#isHurried) return
    this.#isHurried = true
    setImmediate(() => {
      this.#isHurried = false
      this.#tryInBackground()
    })
  }

  /** What fails is tried again later: nothing is lost by it. A poisoned writer takes nothing more. */
  #tryInBackground(): void {
    if (this.#isClosed) return
    const { state, outbox, learnFlushMs } = this.#setup
    this.#unsaved = 0
    if (outbox !== undefined) {
      const isLeft = this.#tryLeave()
      this.#attempts = isLeft ? 0 : this.#attempts + 1
      if (!isLeft) this.#startTimer(retryMs(this.#attempts))
      else if (state.hasHeld) this.#startTimer(learnFlushMs * EARLY_SHARE)
      return
    }
    if (this.#working !== undefined) {
      this.#startTimer(learnFlushMs * EARLY_SHARE)
      return
    }
    const work = async () => {
      await this.drain()
      await this.#save()
      if (state.hasHeld) this.#startTimer(learnFlushMs * EARLY_SHARE)
    }
    const isOver = (error: unknown) => error instanceof FreshdexError && error.code === 'POISONED'
    this.#working = work()
      .catch((error) => {
        if (!isOver(error)) this.#startTimer(learnFlushMs)
      })
      .finally(() => {
        this.#working = undefined
      })
  }

  async #save(): Promise<void> {
    await this.#setup.inTurn(() => this.#commitStep())
    await this.#clearInbox()
  }

  async #commitStep(): Promise<void> {
    const step = this.#setup.state.step()
    const isForGood = this.#owesRemoval
    this.#owesRemoval = false
    try {
      // Without any change the last step has become durable: none is under way, because this is a turn.
      if (step.rows.isAny || isForGood) await this.#setup.commit(step.rows, { isForGood })
    } catch (error) {
      this.#owesRemoval ||= isForGood
      step.undo()
      throw error
    }
    this.#durable = step.rows.kept.inbox
  }

  async #drain(): Promise<void> {
    const { inbox, state } = this.#setup
    if (inbox === undefined) return
    for (;;) {
      const portion = await inbox.take(state.inboxMark)
      if (portion === undefined) return
      state.takeOver(portion)
      if (!portion.hasMore) return
      await nextTurn()
    }
  }

  /** What is durable in the catalog goes from the inbox. If it cannot now, the mark keeps it from counting twice. */
  async #clearInbox(): Promise<void> {
    const { inbox } = this.#setup
    const mark = this.#durable
    if (inbox === undefined || mark.generation === '' || mark === this.#cleared) return
    try {
      await inbox.clear(mark)
      this.#cleared = mark
    } catch {}
  }

  /** True when nothing is left to be appended, or nothing can be. */
  #tryLeave(): boolean {
    const { state, outbox } = this.#setup
    const { outgoing } = state
    const rows = outgoing.take()
    if (rows.length === 0 || outbox === undefined) return true
    const result = outbox.append(rows)
    if (result === 'later') for (const row of rows) outgoing.add(row)
    if (result === 'unavailable') outgoing.lose(rows)
    return result !== 'later'
  }

  async #leave(): Promise<void> {
    const deadline = RETRY_MS.altogether
    for (let waited = 0, attempt = 1; !this.#tryLeave(); attempt++) {
      if (waited >= deadline)
        throw new FreshdexError('BUSY', 'the inbox of the index is in use or full: what was learnt waits in memory')
      const ms = retryMs(attempt)
      waited += ms
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
}

/** Short at first: whoever is at the inbox is done in a millisecond. */
function retryMs(attempt: number): number {
  return Math.min(RETRY_MS.most, RETRY_MS.first * attempt)
}
