import { FreshdexError } from './base/errors.js'
import type { Gate } from './base/gate.js'
import type { Key } from './base/keys.js'
import type { Step } from './base/step.js'
import { atMost, finish, inTurns, nextTurn, Pauses, type Steps, type TurnQueue } from './base/turns.js'
import type { BatchMeasure, MeasuredWrite, SearchEngine, StakeQuery, Written } from './engine.js'
import { Frontier, type FrontierOwner } from './frontier/frontier.js'
import type { AddReport, FrontierState, FrontierStats, FrontierStep } from './frontier/frontier-state.js'
import { KeptCycles } from './frontier/kept-sketches.js'
import type { NamedQuery } from './ledger/effects.js'
import { makePlan } from './plan/make-plan.js'
import type { Plan } from './plan/plan.js'
import type { PlanOptions } from './plan/plan-options.js'
import { type JudgedMoment, JudgementKeeper } from './refresh/choose/judgements.js'
import { Clusters } from './refresh/clusters/clusters.js'
import { type CurveExplanationSetup, CurveExplanations, type QueryCurve } from './refresh/explain/curve-explanations.js'
import type { RefreshHistory } from './refresh/history.js'
import { STEADY_ROWS } from './refresh/judge/steady-judge.js'
import { type CurveChange, keptIds } from './refresh/kept-curves.js'
import { MeasuredShare } from './refresh/measured-share.js'
import { type FitTotals, Measurement, type MeasurementOwner, NO_FITS } from './refresh/measurement.js'
import type { RefreshOwner, SignalImport } from './refresh/owner.js'
import type { PolicyChoice } from './refresh/policies/registry.js'
import type { PrioritizerSettings } from './refresh/prioritizer-options.js'
import { PrioritizerRecords } from './refresh/records.js'
import { Refresh } from './refresh/refresh.js'
import type { HistoryRows, PrioritizerRows, PrioritizerStore } from './refresh/rows.js'
import { type ShiftListener, ShiftListeners } from './refresh/shifts.js'
import type { SiteSignalStats } from './refresh/signals/site-stats.js'
import { type RecentWrite, recentWrites } from './refresh/writes/recent-writes.js'
import { type Learning, WorkloadKeeper } from './workload/keeper.js'
import type { QueryReader } from './workload/query-names.js'
import type { ViewLikelihood } from './workload/view-likelihood.js'
import type { SearchFacts } from './workload/waiting-queries.js'
import { Workload } from './workload/workload.js'
import { NOTHING_MEASURED } from './workload/workload-options.js'
import { WorkloadState, type WorkloadStats } from './workload/workload-state.js'
import type { CpuAccount, Overhead, OverheadStats } from './write/cpu-account.js'
import type { WriteAccount } from './write/pipeline.js'

/** Bytes of each part. */
export interface PrioritizerMemory {
  readonly measuring: number
  readonly workload: number
  readonly ledger: number
  readonly frontier: number
}

export interface PrioritizerSetup {
  /** Answers queries and measures writes. */
  readonly engine: SearchEngine
  /** Keeps the rows. */
  readonly store: PrioritizerStore
  readonly settings: PrioritizerSettings
  readonly gate: Gate
  /** The turns of the index: what changes anything comes one at a time. */
  readonly turns: TurnQueue
  /** What it costs. */
  readonly cpu: CpuAccount
  readonly now: () => number
}

export interface RefreshStats {
  readonly workload: WorkloadStats & {
    /** Whether searches of this process are learnt; 'unavailable' when it may not write into the folder. */
    readonly learning: Learning
    /** With readOnly: distinct queries in the inbox that no writer has taken over yet. */
    readonly waiting: number
    /** Why what other processes had left could not be read; undefined when it could. */
    readonly inboxFailure: string | undefined
  }
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

/** What was being loaded at a call may be older than the call, what is loaded after that is not. */
const MOST_ROUNDS = 2

/** What an index needs of its prioritizer, or of what stands in for one. */
export type IndexPrioritizer = WriteAccount &
  Pick<
    Prioritizer,
    | ('workload' | 'refresh' | 'clusters' | 'frontier' | 'plan' | 'onShifts' | 'stats' | 'memory')
    | (
        | 'suggestedQueries'
        | 'likeQueries'
        | 'learn'
        | 'takeOverStored'
        | 'caughtUp'
        | 'warmUp'
        | 'takeOverInbox'
        | 'stopJudging'
        | 'settled'
        | 'save'
      )
  >

/**
 * What says which documents to refresh: the workload, the refresh history, the measurement of writes, and the frontier,
 * with the faces that users see of them. It opens no file, starts no thread and knows no SQLite: answers and curves
 * come from an engine, rows come from and go to a store, so that it can stand beside another engine, too.
 */
export class Prioritizer implements WriteAccount, RefreshOwner, FrontierOwner {
  /** What people search for. */
  readonly workload: Workload
  /** Which documents should be fetched anew, and why. */
  readonly refresh: Refresh
  /** Documents in families that change alike. */
  readonly clusters: Clusters
  /** Which pages are known that were never fetched, and which of them to fetch next. */
  readonly frontier: Frontier
  /** What cycles of the frontier leave to the next ones. */
  readonly keptCycles = new KeptCycles()
  readonly engine: SearchEngine
  readonly policy: PolicyChoice | undefined
  readonly #store: PrioritizerStore
  readonly #gate: Gate
  readonly #turns: TurnQueue
  readonly #now: () => number
  readonly #workload: WorkloadState
  readonly #keeper: WorkloadKeeper
  /** Undefined where nothing is measured. */
  readonly #measurement: Measurement | undefined
  readonly #measuredShare: MeasuredShare | undefined
  readonly #cpu: CpuAccount
  readonly #shifts: ShiftListeners
  readonly #explanations: CurveExplanations
  /** Undefined where nobody could read them, or nothing is written. */
  readonly #judgements: JudgementKeeper | undefined
  readonly #records: PrioritizerRecords
  /** Never rejects. */
  #warming: Promise<void> | undefined
  /** The version of the stored workload that was read last. */
  #readWorkload = -1

  constructor({ engine, store, settings, gate, turns, cpu, now }: PrioritizerSetup) {
    this.engine = engine
    this.policy = settings.policy
    this.#store = store
    this.#gate = gate
    this.#turns = turns
    this.#cpu = cpu
    this.#now = now
    const { isWriter, inbox, outbox } = store
    const workload = settings.workload ?? NOTHING_MEASURED
    const reader: QueryReader = {
      // A typed query may have getters of the user.
      measurableTexts: (query, operator) => gate.shield(() => engine.measurableTexts(query, operator)),
      words: engine.words,
    }
    this.#workload = new WorkloadState(workload, reader, now, { isWriter })
    this.#keeper = new WorkloadKeeper({
      state: this.#workload,
      learnFlushMs: workload.learnFlushMs,
      learns: workload.learn,
      isKept: store.stored !== undefined && settings.workload !== undefined,
      // With workload: false nothing is taken over either: what others have learnt stays for another opening.
      inbox: settings.workload === undefined ? undefined : inbox,
      outbox: isWriter ? undefined : outbox,
      inTurn: (work) => this.inTurn(work),
      commit: (changes, options) => store.commitWorkload(changes, options),
    })
    const { keepJudgements } = store
    if (keepJudgements !== undefined)
      this.#judgements = new JudgementKeeper((rows) => this.inTurn(() => keepJudgements(rows)))
    this.#records = new PrioritizerRecords(store)
    if (settings.changeProfiles > 0) this.#records.history.ledger.keepProfiles(settings.changeProfiles)
    this.#shifts = new ShiftListeners({
      engine,
      namesById: () => this.#workload.measured.namesById(),
    })
    if (engine.measuring !== undefined && settings.workload !== undefined) {
      this.#measuredShare = new MeasuredShare(engine.measuring, settings.workload.maxOverhead)
      this.#measurement = new Measurement({
        engine: engine.measuring,
        workload: this.#workload,
        owner: this,
        scoring: engine.scoring,
        hash: engine.words.hashBytes,
        stored: store.stored?.curves,
        timed: (work) => cpu.timed('fit', work),
      })
    }
    this.workload = new Workload({
      state: this.#workload,
      keeper: this.#keeper,
      isOff: settings.workload === undefined,
      now,
      check: () => {
        this.check()
        this.#readNewRows()
      },
      requireWriting: () => this.requireWriting(),
      hasAnswer: (text) => engine.hasAnswer(text),
      inTurn: (work) => this.inTurn(work),
    })
    this.#explanations = new CurveExplanations({
      engine,
      workload: this.#workload,
      stored: explainedStore(store),
      isMeasuring: () => this.#measurement?.hasCurves === true,
    })
    this.refresh = new Refresh(this)
    this.clusters = new Clusters(this)
    this.frontier = new Frontier(this)
  }

  /** Takes over the stored workload. Before anything else is asked. */
  async takeOverStored(): Promise<void> {
    const { stored } = this.#store
    if (stored === undefined) return
    const pauses = new Pauses()
    this.#readWorkload = stored.workloadVersion
    await inTurns(this.#workload.restoring(await inTurns(stored.workload(), pauses)), pauses)
  }

  /**
   * Right after an opening: begins to load what the first write and the first question about refreshes need, if that is
   * much, so that neither has to wait for all of it.
   */
  warmUp(): void {
    const { stored, isWriter } = this.#store
    if (stored === undefined || !isWriter || this.#workload.isEmpty || !this.#records.history.isLarge) return
    // What fails here fails again for whoever needs it, who is told.
    this.#warming = this.#warm().catch(() => {})
  }

  async #warm(): Promise<void> {
    await nextTurn()
    await this.refresh.warmUp()
    await nextTurn()
    await this.prepareExplanations()
    await inTurns(this.#records.history.ledger.sections.mapping(), new Pauses())
  }

  /** Plans what to do next within a budget: documents to refresh and pages of the frontier together. */
  async plan(options: PlanOptions): Promise<Plan> {
    this.check()
    return makePlan(this, options, this.#now())
  }

  /** Calls back with the score shifts of every write that has any, until the function that it returns is called. */
  onShifts(listener: ShiftListener): () => void {
    return this.#shifts.add(listener)
  }

  /** Counts the query of a search, if it can be measured. */
  learn(query: unknown, facts: SearchFacts): void {
    this.#workload.learn(query, facts)
    this.#keeper.noted()
  }

  /** Queries that begin with a plain text, or nearly so, with their weights. */
  suggestedQueries(plain: string, edits: number, limit: number): readonly { text: string; weight: number }[] {
    this.#readNewRows()
    return this.#workload.beginningWith(plain, edits, limit, this.#now())
  }

  /** Queries that are nearly a plain text. */
  likeQueries(plain: string, edits: number, limit: number): readonly string[] {
    this.#readNewRows()
    return this.#workload.nearTo(plain, edits, limit)
  }

  /** Takes over what other processes have learnt. */
  drainInbox(): Promise<void> {
    return this.#keeper.drain()
  }

  /** The same within a turn, so that it is durable, if it can be now. */
  async takeOverInbox(): Promise<void> {
    if (this.#store.isWriter) await this.#keeper.flushInTurn().catch(() => {})
  }

  memory(): PrioritizerMemory {
    const { history, frontier } = this.#records
    return {
      measuring: this.#measurement?.totals.memoryBytes ?? 0,
      workload: this.#workload.stats.memoryBytes,
      // What is not loaded takes nothing.
      ledger: history.isLoaded ? history.memoryBytes : 0,
      frontier: frontier.stats.memoryBytes + this.keptCycles.memoryBytes,
    }
  }

  stats(): RefreshStats {
    const { ledger, signalStats, memoryBytes, damagedRows } = this.history()
    const totals = this.#measurement?.totals ?? NO_FITS
    return {
      workload: {
        ...this.#workload.stats,
        learning: this.#keeper.learning,
        waiting: this.#keeper.waiting,
        inboxFailure: this.#keeper.inboxFailure,
      },
      measurement: { ...totals, ...this.#cpu.stats() },
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
      frontier: this.#records.frontier.stats,
    }
  }

  // The account of a write.

  async ready(pages = 0, findsPages = false): Promise<void> {
    const { history, frontier } = this.#records
    if (findsPages) await frontier.load()
    if (!history.isLoaded) await history.loadInPortions(this.#now())
    if (!history.ledger.hasRoomFor(pages)) await inTurns(history.ledger.makingRoom(pages), new Pauses())
    await this.#measurement?.beforeWrite()
  }

  enter(write: MeasuredWrite): Step<PrioritizerRows> {
    return this.#cpu.timed('ledger', () => this.#records.enter(write, this.#now(), this.#workload.step()))
  }

  enterReweighed(measure: BatchMeasure): Step<PrioritizerRows> {
    return this.#cpu.timed('ledger', () => this.#records.enterReweighed(measure, this.#workload.step()))
  }

  async afterWrite(written: Written, keys: readonly Key[]): Promise<Overhead> {
    await this.#measurement?.afterWrite(written.published.fitNeed)
    this.#cpu.timed('ledger', () =>
      this.#shifts.tell(written.measure, () => {
        const { documents, targets } = written.prepared
        const numberAt = (at: number) => documents[at] ?? (targets[at - documents.length] as number)
        return new Map(keys.map((key, at) => [numberAt(at), key]))
      }),
    )
    const overhead = this.#cpu.report(written, { isFitting: this.#measurement?.isFitting === true })
    await this.#measuredShare?.afterWrite(written.measure, overhead)
    return overhead
  }

  // What the faces, and the measurement, need.

  now(): number {
    return this.#now()
  }

  check(): void {
    this.#gate.check()
  }

  shield<T>(code: () => T): T {
    return this.#gate.shield(code)
  }

  get isWriter(): boolean {
    return this.#store.isWriter
  }

  requireWriting(): void {
    this.#store.requireWriting()
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work)
  }

  history(): RefreshHistory {
    this.#readNewRows()
    return this.#records.history
  }

  frontierState(): FrontierState {
    this.#readNewRows()
    return this.#records.frontier
  }

  queriesById(ids: ReadonlySet<number>): ReadonlyMap<number, NamedQuery> {
    this.#readNewRows()
    return this.#workload.measured.namesById(ids)
  }

  writesAfter(id: number): RecentWrite[] {
    this.#readNewRows()
    return recentWrites(this.#records.writesAfter(id), (ids) => this.queriesById(ids))
  }

  queries(atMs: number) {
    return this.#workload.readableWeights(atMs)
  }

  view(): ViewLikelihood {
    return this.#workload.view
  }

  record(change: (history: RefreshHistory) => Steps<Step<HistoryRows>>): Promise<void> {
    return this.inTurn(async () => {
      const { history } = this.#records
      await history.loadInPortions(this.#now())
      const changed = await inTurns(change(history), new Pauses(), { perLook: 1 })
      await this.#commit((take) => ({ history: take(changed) }))
    })
  }

  importSignals({ judging, found, atMs }: SignalImport): Promise<AddReport> {
    return this.inTurn(async () => {
      const { history, frontier } = this.#records
      await history.loadInPortions(this.#now())
      // An import that found no page leaves the frontier alone, so that it need not be read.
      if (found.length > 0) await frontier.load()
      const isDocument = (url: string) => this.engine.numberOf(url) !== undefined
      const pauses = new Pauses()
      // All are judged before the first is taken: what one says does not depend on the others.
      const judged = await inTurns(judging(), pauses)
      const signalled = await inTurns(history.signalling(judged), pauses, { perLook: 1 })
      let added: FrontierStep & AddReport
      try {
        added = await inTurns(frontier.adding(found, atMs, isDocument), pauses)
      } catch (error) {
        signalled.undo()
        throw error
      }
      await this.#commit((take) => ({ history: take(signalled), frontier: take(added) }))
      return added
    })
  }

  changeFrontier<S extends FrontierStep>(change: (frontier: FrontierState) => Steps<S>): Promise<S> {
    return this.inTurn(async () => {
      const { history, frontier } = this.#records
      await frontier.load()
      const changed = await inTurns(change(frontier), new Pauses())
      if (changed.rows !== undefined)
        await this.#commit((take) => ({ history: history.nothing(), frontier: take(changed) }))
      return changed
    })
  }

  fit(): Promise<void> {
    return this.inTurn(async () => {
      await this.#records.history.loadInPortions(this.#now())
      await this.#measurement?.fit()
    })
  }

  keepJudgement(judgement: JudgedMoment): void {
    this.#judgements?.note(judgement)
  }

  stakeQueries(doc: number): readonly StakeQuery[] {
    this.#readNewRows()
    return this.#explanations.stakeQueries(doc)
  }

  curve(query: unknown): QueryCurve | undefined {
    this.#readNewRows()
    return this.#explanations.curve(query)
  }

  hasQueries(): boolean {
    this.#readNewRows()
    return !this.#workload.isEmpty
  }

  async takeOverLearnt(waitMs: number): Promise<number> {
    await this.loaded()
    // What cannot be taken over now, because the inbox is in use or cannot be read, is no reason not to answer.
    await this.drainInbox().catch(() => {})
    if (this.#workload.isEmpty) return 0
    // Before it is asked what is new: that would have to be found out without the curves.
    await this.#measurement?.takeOverKept()
    // Answers about a large ledger go on by what is known while newer stakes are made (steady-judge.ts).
    const waitsForRefits = this.#records.history.ledger.rows < STEADY_ROWS
    if (this.#measurement !== undefined) await atMost(waitMs, this.#measurement.takeUp({ waitsForRefits }))
    this.check()
    return this.#measurement?.learntShare ?? this.#storedShare()
  }

  async prepareExplanations(): Promise<void> {
    if (this.#workload.isEmpty) return
    // Whoever writes needs the curves for the next write, too.
    await this.#measurement?.takeOverKept()
    await this.#explanations.prepare()
    this.check()
  }

  /** The share of the workload, by weight, that the curves speak for which the writer has kept. */
  #storedShare(): number {
    const { stored } = this.#store
    const ids = stored === undefined ? new Set<number>() : keptIds(stored.curves)
    if (this.#workload.terms === 'single') return ids.size > 0 ? 1 : 0
    return this.#workload.measured.shareOf(ids)
  }

  /** Not a question to the engine: a write under way is measured to its end, also when the index is being closed. */
  hasDocuments(): boolean {
    return this.#records.history.ledger.totals().pages > 0
  }

  *onFitted(fitted: Parameters<MeasurementOwner['onFitted']>[0], change: CurveChange): Steps<void> {
    this.#cpu.fitted(fitted.fitUs)
    if (change.isAll) this.#measuredShare?.epochTook(fitted.fitUs)
    yield* this.#records.fitted(fitted, change)
  }

  onForgotten(change: CurveChange): void {
    this.#records.forgot(change)
  }

  stakes(): Steps<Float64Array> {
    return this.#records.history.ledger.stakes()
  }

  // The end.

  /** Resolves when no fit is under way, and what was learnt is where it belongs. */
  async settled(): Promise<void> {
    await this.#warming
    await this.#measurement?.settled()
    await this.#judgements?.settled()
    await this.#keeper.close()
  }

  /** Nobody is told any more what to refresh. */
  stopJudging(): void {
    this.refresh.refuse()
  }

  /** Before the end: makes durable what no write has taken along. */
  async save(): Promise<void> {
    try {
      await this.#save()
    } finally {
      await this.refresh.close()
    }
  }

  async #save(): Promise<void> {
    if (!this.#store.isWriter || this.#store.stored === undefined) return
    const churn = await this.#measurement?.churn()
    const learnt = this.#workload.step()
    try {
      await this.#records.save(churn, learnt)
      await this.#keeper.saved(learnt.rows.kept.inbox)
    } catch (error) {
      // The write that failed has said so, and a close is not to say it again.
      if (!(error instanceof FreshdexError && error.code === 'POISONED')) throw error
    }
    if (!this.#records.history.isWorthKeeping) return
    const judgement = await this.refresh.keptJudgement()
    await this.#store.keepLedger?.(this.#records.history.ledger.parts(), judgement)
  }

  /**
   * What was known at the call is loaded. A reader may have a newer history by then, which is not waited for: a writer
   * that never rests would have it wait for ever.
   */
  async loaded(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      this.#readNewRows()
      await this.#records.loaded(this.#now())
      this.check()
      if (!this.#records.isBehind) return
    }
  }

  /** What answers go on by is as new as the call. A small history is read when it is asked for. */
  async caughtUp(): Promise<void> {
    const { history } = this.#records
    if (!this.#store.isWriter && history.isLoaded && history.isLarge) await this.loaded()
  }

  /** What another process writes is read again when it has changed. */
  #readNewRows(): void {
    const { stored, isWriter } = this.#store
    if (stored === undefined || isWriter) return
    if (stored.workloadVersion !== this.#readWorkload) {
      this.#readWorkload = stored.workloadVersion
      this.#workload.restore(finish(stored.workload()))
    }
    this.#records.readNew(this.#now())
  }

  /** Makes a change that belongs to no write durable. */
  #commit(change: Parameters<PrioritizerRecords['step']>[0]): Promise<void> {
    return this.#records.commit(this.#records.step(change, this.#workload.step()))
  }
}

function explainedStore({ stored }: PrioritizerStore): CurveExplanationSetup['stored'] {
  if (stored === undefined) return undefined
  const { curves } = stored
  return {
    get version() {
      return stored.version
    },
    state: () => curves.state(),
    churn: () => curves.churn(),
    fits: () => curves.fits(),
  }
}
