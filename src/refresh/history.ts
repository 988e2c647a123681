/**
 * The refresh history of an index: the ledger, and what the last refreshes did to which queries. A write, an
 * observation, a signal and a clustering enter it as steps: the change is made before it is durable, and undone if it
 * does not become durable.
 */
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import type { Key } from '../base/keys.js'
import type { Step } from '../base/step.js'
import { MAX_SKEW_MS } from '../base/time.js'
import { finish, nextTurn, type Steps } from '../base/turns.js'
import { type BatchMeasure, BatchOutcome, type MeasuredWrite, NO_DOCUMENT } from '../engine.js'
import { EffectsInMemory } from '../ledger/effects.js'
import { Ledger, MAX_GAIN, type RowsBefore } from '../ledger/ledger.js'
import { validQuestions, withAnswered } from '../ledger/questions.js'
import { type LedgerBatch, STAKED, type VisitTimes } from '../ledger/row-changes.js'
import {
  type LedgerRow,
  type LedgerRows,
  NO_ROWS,
  type PackedEffects,
  packingRows,
  packRows,
  unpackRow,
} from '../ledger/rows.js'
import { SiteRecords } from '../ledger/sites.js'
import { type ClusterCommit, type ValidClusters, validClusters } from './clusters/cluster-rows.js'
import { readVisit, visitsByDocument } from './clusters/visits.js'
import type { LoadedJudgement } from './judge/thread.js'
import { CurrentModel } from './model/current-model.js'
import type { Observation, Signal } from './observations.js'
import { ReviewDays, type StoredReviewDay } from './review/review-days.js'
import type { HistoryRows, HistorySource, LoadedLedger, LoadingLedger } from './rows.js'
import { type SiteSignalStats, signalStats } from './signals/site-stats.js'

export type Clustered = Pick<ValidClusters, 'clustering' | 'clusters'>

/** Ledgers of more documents are read on a thread, and a copy of them is kept. */
export const THREAD_DOCUMENTS = 5000

/** Rows taken over before the event loop has its turn. */
const PORTION = 4096

/**
 * A stake that moved less than this, relatively, is left as it is: it is not worth a row of the catalog, which is to
 * agree.
 */
const STAKE_SHARE = 0.05
const STAKES_PER_STEP = 1024
/** Documents that are changed, or put into clusters, in a step. */
const ITEMS_PER_STEP = 64
const CLUSTERED_PER_STEP = 4096

export class RefreshHistory {
  readonly ledger = new Ledger()
  /** What refreshes are expected to gain. */
  readonly gains = new CurrentModel(this.ledger)
  readonly #reviews = new ReviewDays()
  readonly #signals = new SiteRecords(this.ledger.trust)
  /** Undefined in memory: then the effects are kept here. */
  readonly #source: HistorySource | undefined
  readonly #effects = new EffectsInMemory()
  #isLoaded: boolean
  #loading: Promise<void> | undefined
  /** What a thread reads; undefined where none does. */
  #thread: LoadingLedger | undefined
  #damagedRows = 0
  #clusters: Clustered = NOT_CLUSTERED
  /** Only in memory: elsewhere they are read when clusters are built. */
  #visits: ReadonlyMap<number, Float64Array> | undefined
  #keptJudgement: LoadedJudgement | undefined

  constructor(source: HistorySource | undefined) {
    this.#source = source
    this.#isLoaded = source === undefined
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Rows that could not be read. Their documents begin anew. */
  get damagedRows(): number {
    return this.#damagedRows
  }

  /** Whether a copy of the ledger saves the next opening much, and is as the rows are. */
  get isWorthKeeping(): boolean {
    return this.#isLoaded && this.#damagedRows === 0 && this.ledger.rows > THREAD_DOCUMENTS
  }

  get signalStats(): SiteSignalStats[] {
    return signalStats(this.#signals.sites.all(), this.ledger.trust)
  }

  get memoryBytes(): number {
    return this.ledger.memoryBytes + this.#effects.memoryBytes
  }

  /** Whether loading takes noticeable time. */
  get isLarge(): boolean {
    return this.#source !== undefined && this.#source.lastDocument() >= THREAD_DOCUMENTS
  }

  /** At once: for answers that cannot wait. `nowMs` dates documents of which nothing is known. */
  load(nowMs: number): void {
    if (this.#isLoaded) return
    const loaded = this.#waited(nowMs)
    if (loaded !== undefined) this.#takeOver(this.#source as HistorySource, loaded)
    else for (const _ of this.#take(nowMs));
  }

  /** The same with pauses, for whoever can wait. */
  async loadInPortions(nowMs: number): Promise<void> {
    if (this.#isLoaded) return
    this.#loading ??= this.#takeSlowly(nowMs)
    await this.#loading
  }

  async #takeSlowly(nowMs: number): Promise<void> {
    const source = this.#source as HistorySource
    const loaded = await this.#reading(nowMs)?.loaded.catch(() => undefined)
    if (loaded === undefined) for (const _ of this.#take(nowMs)) await nextTurn()
    else if (!this.#isLoaded) {
      this.#takeOver(source, loaded)
      await nextTurn()
    }
  }

  /** A thread reads many rows faster than this one, and may have begun long ago. Undefined where it cannot. */
  #waited(nowMs: number): LoadedLedger | undefined {
    try {
      return this.#reading(nowMs)?.wait()
    } catch {
      return undefined
    }
  }

  #reading(nowMs: number): LoadingLedger | undefined {
    if (this.#thread === undefined && this.isLarge) this.#thread = this.#source?.loadLedger?.(nowMs)
    return this.#thread
  }

  /** What another thread has read of the ledger. The other tables are small. */
  #takeOver(source: HistorySource, { parts, damagedRows, judgement }: LoadedLedger): void {
    this.#takeTables(source)
    this.ledger.takeOver(parts)
    this.#thread = undefined
    this.#damagedRows = damagedRows
    if (judgement !== undefined) this.#keptJudgement = { judgement, version: this.ledger.version }
    this.#isLoaded = true
  }

  /** What an earlier process knew of the rows beside what they say; nothing where they were clustered since. */
  get keptJudgement(): LoadedJudgement | undefined {
    return this.ledger.groupings === 0 ? this.#keptJudgement : undefined
  }

  #takeTables(source: HistorySource): void {
    this.#signals.load(source.signals())
    this.#reviews.load(source.reviewDays())
    this.ledger.setQuestions(validQuestions(source.questions()))
    this.#clusters = validClusters(source.clusters())
  }

  *#take(nowMs: number): Generator<void> {
    const source = this.#source as HistorySource
    const damaged: unknown[] = []
    this.#takeTables(source)
    const clusters = new Set(this.#clusters.clusters.map(({ number }) => number))
    // A damaged number could ask for a ledger of any size.
    const last = source.lastDocument()
    for (const portion of source.rows(PORTION)) {
      // Somebody who could not wait has been through meanwhile.
      if (this.#isLoaded) return
      for (const values of portion) {
        const row = unpackRow(values)
        if (row === undefined || row.doc > last) damaged.push(values[0])
        else this.ledger.restore(withKnownCluster(this.#withKnownSite(row), clusters))
      }
      yield
    }
    for (const portion of source.keys(PORTION)) {
      if (this.#isLoaded) return
      for (const [doc, key] of portion) if (isNumbered(doc, last)) this.ledger.sections.place(doc, key as Key)
      yield
    }
    if (this.#isLoaded) return
    // What is damaged may name no document at all.
    const isUnknown = (doc: unknown): doc is number => isNumbered(doc, last) && !this.#has(doc)
    for (const doc of [...damaged, ...source.documentsWithoutRow()]) if (isUnknown(doc)) this.ledger.created(doc, nowMs)
    this.#damagedRows = damaged.length
    this.#isLoaded = true
  }

  #withKnownSite(row: LedgerRow): LedgerRow {
    const site = this.#signals.siteOfRow(row.site)
    return site === row.site ? row : { ...row, site }
  }

  #has(doc: number): boolean {
    return doc < this.ledger.rows && (this.ledger.columns.lastOutcome[doc] as number) > 0
  }

  /** A write, as the core prepared it. REQUIRES: loaded. */
  enter(write: MeasuredWrite, nowMs: number): Step<HistoryRows> {
    const { measure, atMs, keys } = write
    const batch = batchOf(write)
    const { documents, outcomes } = batch
    const times = { atMs, latestMs: nowMs + MAX_SKEW_MS }
    const entered = () => {
      // First: whoever follows the ledger judges a row as soon as it is touched. A document keeps its key.
      for (let at = 0; at < keys.length; at++) {
        const doc = documents[at] as number
        const isNew = outcomes[at] === BatchOutcome.added || !this.#has(doc)
        if (isNew && doc !== NO_DOCUMENT) this.ledger.sections.place(doc, keys[at] as Key)
      }
      if (this.gains.isPlanned) this.#reviewBatch(batch, times)
      const done = this.ledger.enter(batch, times)
      if (this.#signals.sites.size > 0) this.#followSites(documents, keys)
      this.ledger.setQuestions(withAnswered(this.ledger.questions, atMs, measure.answeredShare))
      if (this.#source === undefined) this.#effects.take(done)
      return { ledger: this.#packed(done.touched, done), removed: done.removed }
    }
    return this.#step(documents.filter(isDocument), entered)
  }

  /** Refreshes whose gain is known are compared with what was promised, before the ledger knows of them. */
  #reviewBatch(batch: LedgerBatch, { atMs, latestMs }: VisitTimes): void {
    const { documents, outcomes, pages, deltaQuality } = batch
    const gainOf = new Map(Array.from(pages, (doc, page) => [doc, deltaQuality[page] as number]))
    const { refreshedMs } = this.ledger.columns
    for (let at = 0; at < documents.length; at++) {
      const doc = documents[at] as number
      const outcome = VISITS[outcomes[at] as number]
      if (outcome === undefined || !this.#has(doc) || (refreshedMs[doc] as number) > latestMs) continue
      const gain = outcome === 'same' ? 0 : gainOf.get(doc)
      if (gain !== undefined) this.#review(doc, atMs, outcome, bounded(gain))
    }
  }

  #followSites(documents: Uint32Array, keys: readonly Key[]): void {
    for (let at = 0; at < keys.length; at++)
      if (documents[at] !== NO_DOCUMENT) this.#followSite(documents[at] as number, keys[at] as Key)
  }

  /** Takes over the stakes that new weights have moved, and nothing else: nobody has looked at the documents. */
  reweigh({ pages, stakes }: BatchMeasure): Step<HistoryRows> {
    const items = Array.from(pages, (doc, page) => ({ doc, stake: bounded(stakes[page] as number) }))
    const known = items.filter(({ doc }) => this.#has(doc))
    return finish(this.#changing(known, ({ doc, stake }) => this.ledger.setStake(doc, stake)))
  }

  /**
   * Refreshes that brought no new text, or none at all, in steps. REQUIRES: loaded, the documents have rows, and nobody
   * else changes the history until all steps are done.
   */
  observing(observations: Iterable<Observation>, nowMs: number): Steps<Step<HistoryRows>> {
    return this.#changing(observations, ({ doc, key, outcome, atMs }) => {
      this.#requireRow(doc, key)
      if (outcome === 'error') this.ledger.failed(doc, atMs)
      else if (outcome === 'gone') this.ledger.gone(doc, atMs)
      else {
        // What a change gained that was only heard of is not known.
        this.#refreshed(doc, { atMs, nowMs }, outcome, outcome === 'changed' ? undefined : 0)
        this.#followSite(doc, key)
      }
    })
  }

  /** A refresh that brought no text. If its gain is known, it is compared with what was promised. */
  #refreshed(
    doc: number,
    { atMs, nowMs }: { readonly atMs: number; readonly nowMs: number },
    outcome: 'changed' | 'same',
    gain: number | undefined,
  ): void {
    if (this.#isAhead(doc, nowMs)) {
      const stake = this.ledger.columns.stake[doc] as number
      this.ledger.created(doc, atMs)
      this.ledger.setStake(doc, stake)
      return
    }
    if (gain !== undefined) this.#review(doc, atMs, outcome, gain)
    this.ledger.refreshed(doc, atMs, outcome, gain)
  }

  /**
   * Whether a clock that was wrong has dated the row: it would look freshly fetched until then, and what it says of
   * times means nothing. Its history begins anew.
   */
  #isAhead(doc: number, nowMs: number): boolean {
    return (this.ledger.columns.refreshedMs[doc] as number) > nowMs + MAX_SKEW_MS
  }

  #review(doc: number, atMs: number, outcome: 'changed' | 'same', deltaQuality: number): void {
    const { present, refreshedMs } = this.ledger.columns
    const isRated = present[doc] === 1 && atMs > (refreshedMs[doc] as number)
    const expected = isRated ? this.gains.asLastPlanned(doc, atMs) : undefined
    if (expected !== undefined) this.#reviews.add(atMs, expected, outcome === 'changed', deltaQuality)
  }

  /** What was expected of refreshes and what they gained, in the order of time. REQUIRES: loaded. */
  get reviewDays(): readonly StoredReviewDay[] {
    return this.#reviews.days()
  }

  /**
   * News that documents may have changed, in steps. What is no news since the last refresh is passed over. REQUIRES: as
   * above.
   */
  signalling(signals: Iterable<Signal>): Steps<Step<HistoryRows>> {
    return this.#changing(signals, ({ doc, key, kind, atMs, valueMs, isSame }) => {
      this.#requireRow(doc, key)
      const refreshedMs = this.ledger.columns.refreshedMs[doc] as number
      if (atMs < refreshedMs) return
      if (isSame) this.ledger.saidSame(doc, this.#signals.sites.register(key), kind)
      else if (valueMs === undefined || valueMs > refreshedMs)
        this.ledger.signalled(doc, this.#signals.sites.register(key), kind, atMs)
    })
  }

  /** Every document has a row. One that has none is damage, which the next write of the document mends. */
  #requireRow(doc: number, key: Key): void {
    if (this.#has(doc)) return
    const message = `the history of document ${describe(key)} is missing: write it again, or salvage the index`
    throw new FreshdexError('CORRUPT', message, { detail: { document: doc } })
  }

  /** What documents were last clustered into. REQUIRES: loaded. */
  get clusters(): Clustered {
    return this.#clusters
  }

  /**
   * Documents in new clusters, in place of those that there were, in steps. REQUIRES: as above.
   */
  *clustering(commit: ClusterCommit): Steps<Step<HistoryRows>> {
    const before = this.#clusters
    const numbersBefore = this.ledger.clusterNumbers()
    const numbers = new Uint16Array(numbersBefore.length)
    const { assignment } = commit
    for (let at = 0; at < assignment.length; at += 2) {
      if (at % CLUSTERED_PER_STEP === 0) yield
      numbers[assignment[at] as number] = assignment[at + 1] as number
    }
    this.ledger.regroup(numbers)
    const visitsBefore = this.#visits
    this.#clusters = { clustering: commit.clustering, clusters: commit.clusters }
    this.#visits = this.#source === undefined ? visitsByDocument(commit.visits) : undefined
    return {
      rows: { ...this.nothing(), clusters: commit },
      undo: () => {
        this.ledger.regroup(numbersBefore)
        this.#clusters = before
        this.#visits = visitsBefore
      },
    }
  }

  /** What the last build of clusters saw under this number: see clusters/visits.ts. */
  clusterVisitOf(doc: number): Float64Array | undefined {
    return this.#source === undefined ? this.#visits?.get(doc) : readVisit(this.#source.clusterVisit(doc))
  }

  /** Rows of a change that leaves the history as it is. */
  nothing(): HistoryRows {
    return {
      ledger: NO_ROWS,
      removed: new Uint32Array(),
      signals: undefined,
      clusters: undefined,
      reviews: undefined,
    }
  }

  /** All of it, or nothing, in steps: what throws half-way leaves no trace. */
  *#changing<Item extends { readonly doc: number }>(
    items: Iterable<Item>,
    take: (item: Item) => void,
  ): Steps<Step<HistoryRows>> {
    const docs = new Set<number>()
    const before: RowsBefore[] = []
    const undoRows = () => {
      for (const rows of before.reverse()) this.ledger.putBack(rows)
    }
    const takeSteps = () => [this.#signals.step(), this.#reviews.step()] as const
    try {
      for (const portion of inPortions(items, ITEMS_PER_STEP)) {
        const changed = new Set(portion.map(({ doc }) => doc))
        before.push(this.ledger.copyOf([...changed]))
        for (const doc of changed) docs.add(doc)
        for (const item of portion) take(item)
        yield
      }
      const ledger = this.#source === undefined ? NO_ROWS : yield* packingRows(this.ledger.columns, [...docs])
      const [signals, reviews] = takeSteps()
      const undo = () => {
        for (const step of [signals, reviews]) step.undo()
        undoRows()
      }
      const own = { signals: signals.rows, clusters: undefined, reviews: reviews.rows }
      return { rows: { ledger, removed: new Uint32Array(), ...own }, undo }
    } catch (error) {
      for (const step of takeSteps()) step.undo()
      undoRows()
      throw error
    }
  }

  /** All of it, or nothing: what throws half-way leaves no trace. */
  #step(docs: ArrayLike<number>, take: () => Pick<HistoryRows, 'ledger' | 'removed'>): Step<HistoryRows> {
    const before = this.ledger.copyOf(docs)
    const { questions } = this.ledger
    const takeSteps = () => [this.#signals.step(), this.#reviews.step()] as const
    const undo = (steps: readonly { undo(): void }[]) => {
      for (const step of steps) step.undo()
      this.ledger.setQuestions(questions)
      this.ledger.putBack(before)
    }
    let rows: Pick<HistoryRows, 'ledger' | 'removed'>
    try {
      rows = take()
    } catch (error) {
      undo(takeSteps())
      throw error
    }
    const [signals, reviews] = takeSteps()
    return {
      rows: { ...rows, signals: signals.rows, clusters: undefined, reviews: reviews.rows },
      undo: () => undo([signals, reviews]),
    }
  }

  /** A refreshed page belongs to its site if that sends signals: from now on its silence is known to be one. */
  #followSite(doc: number, key: Key): void {
    const { sites } = this.#signals
    if (sites.size > 0) this.ledger.setSite(doc, sites.numberOf(key))
  }

  /**
   * Takes over stakes, in steps: all, by document, or those of some documents. Gives those that have moved, document
   * and stake in turn.
   */
  *settingStakes(stakes: Float64Array, documents?: Uint32Array): Steps<Float64Array> {
    const moved: number[] = []
    const { stake: known } = this.ledger.columns
    const set = (doc: number, stake: number) => {
      if (!this.#has(doc)) return
      this.ledger.setStake(doc, stake)
      moved.push(doc, stake)
    }
    const count = documents?.length ?? this.ledger.rows
    for (let at = 0; at < count; at++) {
      if (at % STAKES_PER_STEP === 0) yield
      const doc = documents?.[at] ?? at
      const stake = bounded(stakes[at] ?? 0)
      if (!isNear(stake, known[doc] ?? 0)) set(doc, stake)
    }
    return Float64Array.from(moved)
  }

  /** What the last refresh that changed a document did to the queries. */
  effectsOf(doc: number): Uint8Array {
    return this.#source?.effectsOf(doc) ?? this.#effects.of(doc)
  }

  /** An index in memory keeps no rows. */
  #packed(docs: Uint32Array, effects: PackedEffects): LedgerRows {
    return this.#source === undefined ? NO_ROWS : packRows(this.ledger.columns, docs, effects)
  }
}

/** The batch of a write, with the documents that links were told of behind all others: nobody has looked at those. */
function batchOf({ prepared, measure }: MeasuredWrite): LedgerBatch {
  const { documents, outcomes, sketches, targets } = prepared
  const { pages, deltaQuality, stakes, effects, effectEnds } = measure
  const measured = { sketches, pages, deltaQuality, stakes, effects, effectEnds }
  if (targets.length === 0) return { documents, outcomes, ...measured }
  const all = new Uint32Array(documents.length + targets.length)
  all.set(documents)
  all.set(targets, documents.length)
  const allOutcomes = new Uint8Array(all.length).fill(STAKED, documents.length)
  allOutcomes.set(outcomes)
  return { documents: all, outcomes: allOutcomes, ...measured }
}

function isDocument(doc: number): boolean {
  return doc !== NO_DOCUMENT
}

/** What a refresh with this BatchOutcome has found. */
const VISITS: Readonly<Record<number, 'changed' | 'same'>> = {
  [BatchOutcome.changed]: 'changed',
  [BatchOutcome.same]: 'same',
  [BatchOutcome.reweighted]: 'same',
}

/** What was measured, as the ledger can hold it: the largest weights, boosts and counts together give more. */
function bounded(gain: number): number {
  return Math.min(MAX_GAIN, gain)
}

function isNear(stake: number, known: number): boolean {
  return Math.abs(stake - known) <= STAKE_SHARE * Math.max(stake, known)
}

/** Whether it is the number of a document, of which the last one is known. */
function isNumbered(doc: unknown, last: number): doc is number {
  return typeof doc === 'number' && doc >= 0 && doc <= last
}

const NOT_CLUSTERED: Clustered = { clustering: undefined, clusters: [] }

/** A row may name a cluster whose own row is lost. */
function withKnownCluster(row: LedgerRow, clusters: ReadonlySet<number>): LedgerRow {
  return row.cluster === 0 || clusters.has(row.cluster) ? row : { ...row, cluster: 0 }
}

function* inPortions<Item>(items: Iterable<Item>, most: number): Generator<readonly Item[]> {
  let portion: Item[] = []
  for (const item of items) {
    if (portion.push(item) < most) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
