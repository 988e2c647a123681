/**
 * What the prioritizer knows besides the workload, and how a change of it becomes durable: the history of refreshes,
 * the frontier, what fits have found, and the last writes. A reader has here what another process has written, and
 * reads it again when there is more.
 */
import { inOneStep, type Step, type TakeStep } from '../base/step.js'
import type { Steps } from '../base/turns.js'
import type { BatchMeasure, Fitted, MeasuredWrite } from '../engine.js'
import { foundPages } from '../frontier/frontier-page.js'
import { type FrontierRows, FrontierState } from '../frontier/frontier-state.js'
import { withUnanswered } from '../ledger/questions.js'
import type { WorkloadChanges } from '../workload/stored-workload.js'
import { RefreshHistory } from './history.js'
import { type CurveChange, UnsavedCurves } from './kept-curves.js'
import type { HistoryRows, PrioritizerRows, PrioritizerStore } from './rows.js'
import { UnsavedFit } from './unsaved-fit.js'
import { type NumberedWrite, validWrite, WritesInMemory } from './writes/recent-writes.js'
import { type WriteCommit, writeCommit, writeRow } from './writes/write-row.js'

/** What a change gives to be kept. */
interface Change {
  readonly history: HistoryRows
  readonly frontier?: FrontierRows | undefined
  readonly write?: WriteCommit | undefined
}

export class PrioritizerRecords {
  readonly #store: PrioritizerStore
  readonly #unsavedFit = new UnsavedFit()
  readonly #unsavedCurves = new UnsavedCurves()
  /** Of an index in memory; the others have them in their store. */
  readonly #writes = new WritesInMemory()
  #history: RefreshHistory
  #frontier: FrontierState
  /** The version of the store that was read last. */
  #readVersion = -1
  /** Settles when a newer history has taken the place of this one. Never rejects. */
  #newer: Promise<void> | undefined

  constructor(store: PrioritizerStore) {
    this.#store = store
    this.#history = new RefreshHistory(store.stored)
    this.#frontier = new FrontierState(store.stored?.frontier)
  }

  get history(): RefreshHistory {
    return this.#history
  }

  get frontier(): FrontierState {
    return this.#frontier
  }

  /**
   * A reader forgets what another process has changed since; it is read when it is asked for. A large history goes on
   * answering until the newer one is there, which takes seconds.
   */
  readNew(nowMs: number): void {
    const { stored, isWriter } = this.#store
    if (stored === undefined || isWriter || stored.version === this.#readVersion || this.#newer !== undefined) return
    this.#readVersion = stored.version
    const newer = new RefreshHistory(stored)
    if (this.#history.isLoaded && newer.isLarge) this.#newer = this.#loading(newer, nowMs)
    else this.#history = newer
    if (stored.frontier.version !== this.#frontier.version) this.#frontier = new FrontierState(stored.frontier)
  }

  /** What fails here fails again for who asks, and is told. */
  async #loading(newer: RefreshHistory, nowMs: number): Promise<void> {
    await newer.loadInPortions(nowMs).catch(() => {})
    this.#history = newer
    this.#newer = undefined
  }

  /** Resolves when what was read last is loaded. */
  async loaded(nowMs: number): Promise<void> {
    await this.#newer
    await this.#history.loadInPortions(nowMs)
  }

  /** Whether there is more than what was read last. */
  get isBehind(): boolean {
    const { stored, isWriter } = this.#store
    return stored !== undefined && !isWriter && stored.version !== this.#readVersion
  }

  /** The writes behind the one of this id, oldest first, as far as they are kept. */
  writesAfter(id: number): readonly NumberedWrite[] {
    const { stored } = this.#store
    return stored?.writes(id).flatMap((values) => validWrite(values) ?? []) ?? this.#writes.after(id)
  }

  /** A write, as the core has measured it. */
  enter(write: MeasuredWrite, nowMs: number, learnt: Step<WorkloadChanges>): Step<PrioritizerRows> {
    const isKept = this.#store.stored !== undefined
    return this.step((take) => {
      const history = take(this.#history.enter(write, nowMs))
      const row = writeRow(write, { writtenMs: nowMs, stake: this.#history.ledger.totals().sumStake })
      const frontier = take(this.#frontier.written(write.keys, foundPages(write.found ?? []), write.atMs))
      if (!isKept) take(this.#writes.add(row))
      return { history, frontier, write: isKept ? writeCommit(row) : undefined }
    }, learnt)
  }

  enterReweighed(measure: BatchMeasure, learnt: Step<WorkloadChanges>): Step<PrioritizerRows> {
    return this.step((take) => ({ history: take(this.#history.reweigh(measure)) }), learnt)
  }

  /** What a fit has found. The next commit takes it along. */
  *fitted(
    { documents, stakes, unansweredShare }: Pick<Fitted, 'documents' | 'stakes' | 'unansweredShare'>,
    change: CurveChange,
  ): Steps<void> {
    const moved = yield* this.#history.settingStakes(stakes, documents)
    const { ledger } = this.#history
    const questions = withUnanswered(ledger.questions, unansweredShare)
    this.#unsavedFit.add(moved, questions !== ledger.questions)
    this.#unsavedCurves.add(change)
    ledger.setQuestions(questions)
  }

  /** Curves that are to be kept no longer. */
  forgot(change: CurveChange): void {
    this.#unsavedCurves.add(change)
  }

  /** Before the end: what nothing has taken along so far. `churn`: how far lists have changed, if that is known. */
  async save(churn: Uint8Array | undefined, learnt: Step<WorkloadChanges>): Promise<void> {
    if (churn !== undefined) this.#unsavedCurves.setChurn(churn)
    if (!learnt.rows.isAny && this.#unsavedFit.isEmpty && this.#unsavedCurves.isEmpty) return
    await this.commit(this.step(() => ({ history: this.#history.nothing() }), learnt))
  }

  /** Makes a change, and adds what has been learnt and fitted since the last one. */
  step(change: (take: TakeStep) => Change, learnt: Step<WorkloadChanges>): Step<PrioritizerRows> {
    return inOneStep((take) => {
      const workload = take(learnt)
      const { history, frontier, write } = change(take)
      return {
        ...history,
        frontier,
        write,
        stakes: take(this.#unsavedFit.step()),
        curves: take(this.#unsavedCurves.step()),
        questions: this.#history.ledger.questions,
        workload,
      }
    })
  }

  /** Makes a step durable that belongs to no write, or takes it back. */
  async commit({ rows, undo }: Step<PrioritizerRows>): Promise<void> {
    try {
      await this.#store.commit(rows)
    } catch (error) {
      undo()
      throw error
    }
  }
}
