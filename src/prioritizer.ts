import { FreshdexError } from './base/errors.js'
import type { BatchMeasure, MeasuringCore, PreparedBatch, Written } from './engine.js'
import {
  type AddReport,
  FrontierBook,
  type FrontierCommit,
  type FrontierEntry,
  type FrontierStats,
} from './frontier/frontier-state.js'
import type { NamedQuery } from './ledger/effects.js'
import { withUnanswered } from './ledger/questions.js'
import type { ClusterCommit } from './refresh/clusters/cluster-rows.js'
import {
  type HistoryEntry,
  type HistoryWrite,
  type Observation,
  RefreshHistory,
  type Signal,
  type SignalImportStep,
} from './refresh/history.js'
import { type FitTotals, Measurement, NO_FITS } from './refresh/measurement.js'
import type { EnterRefresh, HistoryCommit, RefreshCommit, StoredRefresh } from './refresh/rows.js'
import { type ShiftListener, ShiftListeners } from './refresh/shifts.js'
import type { SiteSignalStats } from './refresh/signals/site-stats.js'
import type { WorkloadSettings } from './workload/workload-options.js'
import { type WorkloadChanges, WorkloadState, type WorkloadStats } from './workload/workload-state.js'
import { type Overhead, type OverheadStats, OverheadTotals } from './write/report.js'

/** What of a Storage the refreshes need. */
export interface RefreshStorage {
  /** Makes refresh history durable that belongs to no write. */
  commitRefresh(commit: RefreshCommit): Promise<void>
  /** Undefined in memory. */
  readonly refresh: StoredRefresh | undefined
  /** Undefined where nothing can be written. */
  readonly measuring: MeasuringCore | undefined
}

export interface KeeperParts {
  readonly storage: RefreshStorage
  /** Undefined: nothing is learnt or measured. */
  readonly settings: WorkloadSettings | undefined
  readonly measurableText: (query: unknown) => string | undefined
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  readonly now: () => number
}

export interface Measured {
  readonly prepared: PreparedBatch
  readonly measure: BatchMeasure
  readonly overhead: Overhead
}

export interface RefreshStats {
  readonly workload: WorkloadStats
  readonly measurement: FitTotals & OverheadStats
  readonly ledger: {
    readonly documents: number
    /** The four below together. */
    readonly bytesPerDocument: number
    readonly historyBytesPerDocument: number
    /** How the document changes: see `changeProfiles`. */
    readonly profileBytesPerDocument: number
    readonly signalBytesPerDocument: number
    readonly clusterBytesPerDocument: number
    readonly memoryBytes: number
    /** Rows that could not be read; their documents begin anew. */
    readonly damagedRows: number
  }
  /** The sites that have sent signals of changes. */
  readonly signals: readonly SiteSignalStats[]
  /** Pages that are known and were not fetched. */
  readonly frontier: FrontierStats
}

export class RefreshKeeper {
  readonly workload: WorkloadState
  readonly #parts: KeeperParts
  readonly #measurement: Measurement | undefined
  readonly #overhead = new OverheadTotals()
  readonly #shifts: ShiftListeners
  #history: RefreshHistory
  #frontier: FrontierBook
  #followedVersion = -1
  /** What the last fits have found, until a commit takes it along. */
  #unsavedFit = NOTHING_FITTED

  constructor(parts: KeeperParts) {
    const { storage, settings, measurableText, inTurn, now } = parts
    const core = storage.measuring
    this.#parts = parts
    this.workload = new WorkloadState(settings ?? UNMEASURED, {
      measurableText,
      tokensOf: (text) => core?.tokensOf(text) ?? [],
      hash: (word) => core?.hash(word) ?? 0n,
      now,
    })
    this.#history = new RefreshHistory(storage.refresh)
    this.#frontier = new FrontierBook(storage.refresh?.frontier)
    this.#shifts = new ShiftListeners(core)
    if (core === undefined || settings === undefined) return
    this.#measurement = new Measurement({
      core,
      workload: this.workload,
      inTurn,
      // Not a question to the reader: a write under way is measured to its end, also when the index is being closed.
      hasDocuments: () => this.#history.ledger.totals().pages > 0,
      onFitted: ({ stakes, unansweredShare }) => {
        const { ledger } = this.#history
        const questions = withUnanswered(ledger.questions, unansweredShare)
        this.#unsavedFit = {
          movedStakes: joined(this.#unsavedFit.movedStakes, this.#history.setStakes(stakes)),
          areQuestionsMoved: this.#unsavedFit.areQuestionsMoved || questions !== ledger.questions,
        }
        ledger.setQuestions(questions)
      },
    })
  }

  /** At opening. */
  loadWorkload(): void {
    const { refresh } = this.#parts.storage
    if (refresh !== undefined) this.workload.restore(refresh.workload())
  }

  /** As of now. */
  history(): RefreshHistory {
    this.follow()
    return this.#history
  }

  /** As of now. */
  frontier(): FrontierBook {
    this.follow()
    return this.#frontier
  }

  /** What another process writes is read again when it has changed. */
  follow(): void {
    const { refresh, measuring } = this.#parts.storage
    if (refresh === undefined || measuring !== undefined || refresh.version === this.#followedVersion) return
    this.#followedVersion = refresh.version
    this.#history = new RefreshHistory(refresh)
    this.workload.restore(refresh.workload())
    if (refresh.frontier.version !== this.#frontier.version) this.#frontier = new FrontierBook(refresh.frontier)
  }

  learn(query: unknown): void {
    if (this.#measurement !== undefined) this.workload.learn(query)
  }

  /** Whether a write can begin at once, without anything to be waited for. */
  get isReady(): boolean {
    return this.#history.isLoaded && (this.#measurement?.isReady ?? true)
  }

  /** A write, as a turn: `write` is given what enters it into the history. When ready, it begins within the call. */
  async around(given: HistoryWrite, write: (enter: EnterRefresh) => Promise<Written>): Promise<Measured> {
    if (!this.isReady) {
      await this.#history.loadInPortions(this.#parts.now())
      await this.#measurement?.beforeWrite()
    }
    const written = await this.#entering(given, write)
    const { prepared, measure, published } = written
    await this.#measurement?.afterWrite(published.fitNeed)
    this.#shifts.tell(measure)
    return { prepared, measure, overhead: this.#overhead.add(written) }
  }

  async #entering(given: HistoryWrite, write: (enter: EnterRefresh) => Promise<Written>): Promise<Written> {
    let entry: HistoryEntry | undefined
    let fetched: FrontierEntry | undefined
    let changes: WorkloadChanges | undefined
    try {
      const written = await write((prepared, measure) => {
        entry = this.#history.enter(prepared, measure, given)
        fetched = this.#frontier.fetched(given.keys, given.atMs)
        changes = this.workload.changes()
        return this.#commitOf(entry.commit, changes, fetched.commit)
      })
      this.#unsavedFit = NOTHING_FITTED
      return written
    } catch (error) {
      entry?.undo()
      fetched?.undo()
      if (changes !== undefined) this.workload.untake(changes)
      throw error
    }
  }

  /** As a turn. */
  async observe(observations: () => readonly Observation[]): Promise<void> {
    await this.#record(() => this.#history.observe(observations()))
  }

  /** As a turn. */
  async signal(signals: () => readonly Signal[]): Promise<void> {
    await this.#record(() => this.#history.signal(signals()))
  }

  /** As a turn: signals, and pages that are new to the frontier, together. */
  async importSignals({ signals, found, atMs, isDocument }: SignalImportStep): Promise<AddReport> {
    await this.#history.loadInPortions(this.#parts.now())
    // Without any the frontier is not touched, and need not be read.
    if (found.length > 0) await this.#frontier.load()
    const heard = this.#history.signal(signals())
    const added = this.#addFound({ found, atMs, isDocument }, heard)
    const undo = () => {
      added.undo()
      heard.undo()
    }
    await this.#commit({ history: heard.commit, ...(added.commit && { frontier: added.commit }), undo })
    return added
  }

  #addFound({ found, atMs, isDocument }: Omit<SignalImportStep, 'signals'>, heard: HistoryEntry) {
    try {
      return this.#frontier.add(found, atMs, isDocument)
    } catch (error) {
      heard.undo()
      throw error
    }
  }

  /** Before anything that only a writer may do, and that takes long: rejects where nothing can be written. */
  async requireWriting(): Promise<void> {
    if (this.#parts.storage.measuring !== undefined) return
    await this.#parts.storage.commitRefresh(this.#commitOf(this.#history.nothing(), this.workload.changes()))
  }

  /** As a turn. */
  async cluster(clusters: () => ClusterCommit): Promise<void> {
    await this.#record(() => this.#history.cluster(clusters()))
  }

  /** As a turn: a change of the frontier, once that is loaded. */
  async changeFrontier<Entry extends FrontierEntry>(change: (book: FrontierBook) => Entry): Promise<Entry> {
    await this.#frontier.load()
    const entry = change(this.#frontier)
    if (entry.commit !== undefined)
      await this.#commit({ history: this.#history.nothing(), frontier: entry.commit, undo: () => entry.undo() })
    return entry
  }

  async #record(enter: () => HistoryEntry): Promise<void> {
    await this.#history.loadInPortions(this.#parts.now())
    const entry = enter()
    await this.#commit({ history: entry.commit, undo: () => entry.undo() })
  }

  async #commit({ history, frontier, undo }: UnwrittenStep): Promise<void> {
    const changes = this.workload.changes()
    try {
      await this.#parts.storage.commitRefresh(this.#commitOf(history, changes, frontier))
      this.#unsavedFit = NOTHING_FITTED
    } catch (error) {
      undo()
      this.workload.untake(changes)
      throw error
    }
  }

  /** As a turn. */
  async fit(): Promise<void> {
    await this.#history.loadInPortions(this.#parts.now())
    await this.#measurement?.fit()
  }

  /** As a turn, before the end: what no write has taken along. */
  async save(): Promise<void> {
    if (this.#parts.storage.measuring === undefined || this.#parts.storage.refresh === undefined) return
    const changes = this.workload.changes()
    const { movedStakes, areQuestionsMoved } = this.#unsavedFit
    if (!changes.isAny && movedStakes.length === 0 && !areQuestionsMoved) return
    try {
      await this.#parts.storage.commitRefresh(this.#commitOf(this.#history.nothing(), changes))
    } catch (error) {
      // The write that failed has said so, and a close is not to say it again.
      if (!(error instanceof FreshdexError && error.code === 'POISONED')) throw error
    }
    this.#unsavedFit = NOTHING_FITTED
  }

  async settled(): Promise<void> {
    await this.#measurement?.settled()
  }

  onShifts(listener: ShiftListener): () => void {
    return this.#shifts.add(listener)
  }

  queriesById(ids: ReadonlySet<number>): ReadonlyMap<number, NamedQuery> {
    this.follow()
    return this.workload.queriesById(ids)
  }

  stats(): RefreshStats {
    const { ledger, signalStats, memoryBytes, damagedRows } = this.history()
    const totals = this.#measurement?.totals ?? NO_FITS
    return {
      workload: this.workload.stats,
      measurement: { ...totals, ...this.#overhead.stats(totals.fitMs) },
      ledger: {
        documents: ledger.totals().pages,
        bytesPerDocument: ledger.bytesPerPage,
        historyBytesPerDocument: ledger.columnBytes.history,
        profileBytesPerDocument: ledger.columnBytes.profile,
        signalBytesPerDocument: ledger.columnBytes.signals,
        clusterBytesPerDocument: ledger.columnBytes.cluster,
        memoryBytes,
        damagedRows,
      },
      signals: signalStats,
      frontier: this.#frontier.stats,
    }
  }

  #commitOf(history: HistoryCommit, changes: WorkloadChanges, frontier?: FrontierCommit): RefreshCommit {
    return {
      ...history,
      frontier,
      stakes: this.#unsavedFit.movedStakes,
      questions: this.#history.ledger.questions,
      queries: changes.rows,
      droppedQueries: changes.droppedIds,
      nextQueryId: changes.nextQueryId,
      privacy: changes.privacy,
      clicks: changes.clicks,
    }
  }
}

interface UnsavedFit {
  /** Document and stake in turn. */
  readonly movedStakes: Float64Array
  readonly areQuestionsMoved: boolean
}

const NOTHING_FITTED: UnsavedFit = { movedStakes: new Float64Array(), areQuestionsMoved: false }

interface UnwrittenStep {
  readonly history: HistoryCommit
  readonly frontier?: FrontierCommit
  readonly undo: () => void
}

const UNMEASURED: WorkloadSettings = {
  terms: 'full',
  learn: false,
  privacy: undefined,
  maxQueries: 10_000,
  halfLifeMs: Number.POSITIVE_INFINITY,
  view: undefined,
  pieces: 3,
}

function joined(first: Float64Array, second: Float64Array): Float64Array {
  if (first.length === 0) return second
  const both = new Float64Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
