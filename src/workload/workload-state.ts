/** The state of the workload: how queries are learnt, recorded and stored. Users see it through workload.ts. */

import { beginningOf } from '../base/plain-text.js'
import type { Step } from '../base/step.js'
import { finish, type Steps } from '../base/turns.js'
import { ClickedView } from './clicked-view.js'
import { type InboxMark, type InboxPortion, type LearntRow, NOTHING_TAKEN, type QueryPrivacy } from './learnt-rows.js'
import { MeasuredWorkload } from './measured-workload.js'
import { OutgoingRows } from './outgoing-rows.js'
import { type DroppedQueries, type LoggedQuery, QueryLog, textName, type WeightedQuery } from './query-log.js'
import { MAX_QUERY_UNITS, type QueryReader, queryName } from './query-names.js'
import { type KeptState, StoredCopy, type WorkloadChanges, type WorkloadRows } from './stored-workload.js'
import type { SampledView, ViewLikelihood } from './view-likelihood.js'
import { type SearchFacts, WaitingQueries } from './waiting-queries.js'
import { DEFAULT_HALF_LIFE_MS, DEFAULT_MAX_QUERIES, type WorkloadSettings } from './workload-options.js'

export interface WorkloadStats extends DroppedQueries {
  readonly queries: number
  /** The most that are kept. */
  readonly maxQueries: number
  readonly halfLifeMs: number
  readonly memoryBytes: number
  /** Searches whose query has no word that must occur. */
  readonly skipped: number
  /** Queries asked in other processes that were not taken over, for lack of room or because they were damaged. */
  readonly lost: number
  readonly clicks: number
  /** The exponent of the likelihood r^-exponent fitted to clicks; undefined with too few, or if another was set. */
  readonly fittedExponent: number | undefined
}

/** Distinct searches that wait to be entered into the log: many searches repeat a query. */
const MAX_WAITING = 256

export class WorkloadState {
  /** The queries by which refreshes are measured. */
  readonly measured: MeasuredWorkload
  readonly #settings: WorkloadSettings
  readonly #reader: QueryReader
  readonly #now: () => number
  readonly #log: QueryLog
  readonly #waiting = new WaitingQueries()
  /** In a process that does not write: what goes to the inbox. */
  readonly #outgoing = new OutgoingRows()
  readonly #view: ClickedView
  readonly #isWriter: boolean
  readonly #storedCopy = new StoredCopy()
  #privacy: QueryPrivacy
  #inbox: InboxMark = NOTHING_TAKEN
  #lost = 0
  #skipped = 0

  /** `isWriter`: false where somebody else keeps the workload, and what is learnt here goes to the inbox. */
  constructor(settings: WorkloadSettings, reader: QueryReader, now: () => number, { isWriter = true } = {}) {
    this.#settings = settings
    this.#reader = reader
    this.#now = now
    this.#isWriter = isWriter
    this.#log = new QueryLog(settings)
    this.#view = new ClickedView(settings.view)
    this.#privacy = settings.privacy ?? 'text'
    this.measured = new MeasuredWorkload({
      terms: settings.terms,
      words: reader.words,
      privacy: () => this.#privacy,
      weights: () => this.weights(now()),
      loggedWeight: () => this.#log.totalWeight(now()),
      maxQueries: () => this.#log.maxQueries,
      enterWaiting: () => this.#enterWaiting(),
    })
  }

  /** Counts a query; returns false for one that cannot be measured. Alternatives share the count. */
  record(query: unknown, count: number, atMs: number): boolean {
    return this.recordNames(this.namesOf(query), count, atMs)
  }

  /** The names of what a query asks for, in words that can be measured; '' for an alternative that has none. */
  namesOf(query: unknown): readonly string[] {
    return this.#reader.measurableTexts(query).map((text) => this.#nameOf(text))
  }

  /** The same of a query by its names. Throws nothing. */
  recordNames(names: readonly string[], count: number, atMs: number): boolean {
    let isAny = false
    for (const name of names) isAny = this.#enter(name, count / names.length, atMs) || isAny
    return isAny
  }

  click(rank1: number, count = 1): void {
    if (this.#isWriter) this.#view.add(rank1, count)
    else this.#outgoing.add({ kind: 'click', rank1, count })
  }

  /**
   * Forgets a query, whatever form it has; false when it was not there. Names of texts are looked for as they are, too:
   * they are what `queries` shows.
   */
  forget(query: unknown): boolean {
    const texts = this.#reader.measurableTexts(query)
    const asGiven = typeof query === 'string' ? [textName(query)] : []
    const names = new Set([...texts.map((text) => this.#nameOf(text)), ...texts.map(textName), ...asGiven])
    let isAny = this.#waiting.forget((text) => names.has(textName(text)) || names.has(this.#nameOf(text)))
    for (const name of names) isAny = this.#log.forget(name) || isAny
    for (const name of names) this.measured.forget(name)
    if (isAny) this.measured.markOutdated()
    return isAny
  }

  /** Drops what is beyond the most queries that are kept. */
  trim(): void {
    this.#enterWaiting()
    this.#log.trim()
  }

  /** Heaviest first, with what is known of their last searches. */
  logged(atMs: number): LoggedQuery[] {
    this.#enterWaiting()
    return this.#log.queries(atMs)
  }

  /**
   * Queries that begin with a plain text by weight, or with `edits` above 0 those that begin nearly so, the nearest
   * first. None where texts of queries are not told.
   */
  beginningWith(plain: string, edits: number, limit: number, atMs: number): { text: string; weight: number }[] {
    if (this.#privacy !== 'text') return []
    this.#enterWaiting()
    const { completions } = this.#log
    const found = edits === 0 ? completions.beginningWith(plain, limit) : completions.nearTo(plain, edits, limit)
    return found
      .map(({ name }) => ({ text: name, weight: this.#log.weightOf(name, atMs) }))
      .filter(({ weight }) => weight > 0)
  }

  /** Queries that are 1 to `edits` edits away from a plain text as a whole, the nearest first, then by weight. */
  nearTo(plain: string, edits: number, limit: number): string[] {
    if (this.#privacy !== 'text') return []
    this.#enterWaiting()
    return this.#log.completions.nearTo(plain, edits, limit, true).map(({ name }) => name)
  }

  get privacy(): QueryPrivacy {
    return this.#privacy
  }

  /** Heaviest first. */
  weights(atMs: number): WeightedQuery[] {
    this.#enterWaiting()
    return this.#log.weights(atMs)
  }

  /** The same by name, with the queries of sessions that may still turn out to be keystrokes. */
  asked(atMs: number): readonly { readonly name: string; readonly weight: number }[] {
    const known = this.weights(atMs)
    if (!this.#isWriter || !this.#waiting.hasHeld) return known
    const weights = new Map(known.map(({ name, weight }) => [name, weight]))
    for (const [text, count] of this.#waiting.held()) {
      const name = this.#nameOf(text)
      if (name !== '') weights.set(name, (weights.get(name) ?? 0) + count)
    }
    return Array.from(weights, ([name, weight]) => ({ name, weight })).sort((a, b) => b.weight - a.weight)
  }

  /** Heaviest first, without queries whose words cannot be read. */
  readableWeights(atMs: number): WeightedQuery[] {
    return this.#privacy === 'text' ? this.weights(atMs) : []
  }

  clear(): void {
    this.#waiting.clear()
    this.#log.clear()
    this.#view.clear()
    this.measured.markOutdated()
  }

  /** Counts the query of a search. Ignores what user code in a typed query throws: the search was answered. */
  learn(query: unknown, { operator, session, isAnswered }: SearchFacts = {}): void {
    if (!this.#settings.learn) return
    let texts: readonly string[] = []
    try {
      texts = this.#reader.measurableTexts(query, operator).filter(({ length }) => length <= MAX_QUERY_UNITS)
    } catch {}
    if (texts.length === 0) {
      this.#skipped++
      return
    }
    // Something that was found may have been found for another alternative.
    const asked = { texts, isAnswered: texts.length > 1 && isAnswered ? undefined : isAnswered }
    const typed = typeof query === 'string' ? query.trim() : texts[0]
    this.#waiting.add(asked, this.#now(), session, session && typed && beginningOf(typed, MAX_QUERY_UNITS))
    if (this.#waiting.size >= MAX_WAITING) this.#enterWaiting()
  }

  /** Whether a query of a session is held back: it may turn out to be a keystroke. */
  get hasHeld(): boolean {
    return this.#waiting.hasHeld
  }

  /** Queries of sessions count now, keystrokes or not. */
  releaseHeld(): void {
    this.#enterWaiting(true)
  }

  // Between processes.

  /** What a process that does not write has to leave in the inbox. */
  get outgoing(): OutgoingRows {
    this.#enterWaiting()
    return this.#outgoing
  }

  /** How far the inbox is taken over. */
  get inboxMark(): InboxMark {
    return this.#inbox
  }

  /** Takes over what other processes left, with the mark, so that both become durable together. */
  takeOver({ rows, faulty, mark }: InboxPortion): void {
    const sameFile = mark.generation === this.#inbox.generation
    this.#lost += faulty + Math.max(0, mark.dropped - (sameFile ? this.#inbox.dropped : 0))
    this.#inbox = mark
    for (const row of rows) {
      if (row.kind === 'click') this.click(row.rank1, row.count)
      else if (!this.#takeOverQuery(row)) this.#lost += row.count
    }
  }

  /** A text that must not be kept becomes a hash now. A hash stays what it is. */
  #takeOverQuery({ kind, name, count, atMs, isAnswered }: Exclude<LearntRow, { kind: 'click' }>): boolean {
    if (kind === 'text') return this.#tryEnter(name, count, atMs, isAnswered)
    this.#record(name, count, atMs, isAnswered)
    return true
  }

  get isEmpty(): boolean {
    this.#enterWaiting()
    return this.#log.size === 0
  }

  /** The time as of which `measured` weighs queries. */
  get weighedAtMs(): number {
    return Math.max(this.#now(), this.#log.latestMs)
  }

  /** A measured query by its text; undefined for one that is not in the workload. */
  find(query: unknown): { readonly id: number; readonly name: string } | undefined {
    const [text, ...others] = this.#reader.measurableTexts(query)
    const name = text === undefined || others.length > 0 ? '' : this.#nameOf(text)
    if (name === '') return undefined
    this.#enterWaiting()
    const id = this.#settings.terms === 'full' ? this.#log.idOf(name) : this.measured.idOfOneWord(text as string)
    return id === undefined ? undefined : { id, name }
  }

  /** Grows with every change of the queries. */
  get version(): number {
    this.#enterWaiting()
    return this.#log.version
  }

  get halfLifeMs(): number {
    return this.#log.halfLifeMs
  }

  get terms(): 'full' | 'single' {
    return this.#settings.terms
  }

  /** I(r) as the core takes it; undefined for r^-3/2. */
  sampledView(): SampledView | undefined {
    return this.#view.sampled()
  }

  /** I(r) as it is used now. */
  get view(): ViewLikelihood {
    return this.#view.view
  }

  get pieces(): number {
    return this.#settings.pieces
  }

  get stats(): WorkloadStats {
    this.#enterWaiting()
    return {
      queries: Math.min(this.#log.size, this.#log.maxQueries),
      maxQueries: this.#log.maxQueries,
      halfLifeMs: this.#log.halfLifeMs,
      memoryBytes: this.#log.memoryBytes + this.measured.memoryBytes,
      skipped: this.#skipped,
      ...this.#log.dropped,
      lost: this.#lost + this.#outgoing.lost,
      clicks: this.#view.clicks,
      fittedExponent: this.#view.fittedExponent,
    }
  }

  /** What changed since the last step, for the store. */
  step(): Step<WorkloadChanges> {
    const changes = this.#changes()
    return { rows: changes, undo: () => this.#giveBack(changes) }
  }

  #changes(): WorkloadChanges {
    this.#enterWaiting()
    const clicks = this.#view.takeNew()
    const changed = this.#log.changedRows()
    const kept = this.#kept()
    const isOther = this.#storedCopy.differs(this.#privacy, kept)
    this.#storedCopy.set(this.#privacy, kept)
    const isAny = isOther || clicks !== undefined || changed.rows.length + changed.droppedIds.length > 0
    return { ...changed, isAny, nextQueryId: this.#log.nextId, privacy: this.#privacy, clicks, kept }
  }

  #kept(): KeptState {
    const { maxQueries, halfLifeMs } = this.#log
    return {
      ...this.#log.dropped,
      // What nobody said stays open, so that another default would hold for the index, too.
      maxQueries: maxQueries === DEFAULT_MAX_QUERIES ? undefined : maxQueries,
      halfLifeMs: halfLifeMs === DEFAULT_HALF_LIFE_MS ? undefined : halfLifeMs,
      lost: this.#lost,
      inbox: this.#inbox,
    }
  }

  #giveBack(changes: WorkloadChanges): void {
    this.#log.giveBack(changes)
    this.#view.giveBack(changes.clicks)
    this.#storedCopy.forget()
  }

  /** Replaces the workload by a stored one. */
  restore(rows: WorkloadRows): void {
    finish(this.restoring(rows))
  }

  /** The same in steps. Nobody may ask for anything in between. */
  *restoring({ queries, nextQueryId, privacy, clicks, kept }: WorkloadRows): Steps<void> {
    this.#storedCopy.set(privacy, kept)
    // In a process that does not write, what the index says holds: in doubt no text of a query is told.
    const wanted = this.#settings.privacy ?? privacy
    this.#privacy = this.#isWriter || privacy === 'text' ? wanted : privacy
    this.#log.clear()
    this.#log.changedRows()
    this.#log.configure({
      maxQueries: this.#settings.maxQueries ?? kept.maxQueries,
      halfLifeMs: this.#settings.halfLifeMs ?? kept.halfLifeMs,
    })
    yield* this.#log.restoring(queries, nextQueryId, { dropped: kept.dropped, droppedWeight: kept.droppedWeight })
    this.#lost = kept.lost
    this.#inbox = kept.inbox
    this.#view.restore(clicks)
    this.measured.markTakenUp()
  }

  #enterWaiting(wantsAll = false): void {
    for (const { text, count, atMs, isAnswered } of this.#waiting.take(this.#now(), wantsAll))
      if (!this.#tryEnter(text, count, atMs, isAnswered)) this.#skipped += count
  }

  /** Ignores what an analyzer throws: a search that was answered must not make a later call fail. */
  #tryEnter(text: string, count: number, atMs: number, isAnswered: boolean | undefined): boolean {
    try {
      return this.#enter(this.#nameOf(text), count, atMs, isAnswered)
    } catch {
      return false
    }
  }

  #enter(name: string, count: number, atMs: number, isAnswered?: boolean): boolean {
    if (name === '') return false
    if (this.#isWriter) this.#record(name, count, atMs, isAnswered)
    else this.#outgoing.add({ kind: this.#privacy, name, count, atMs, isAnswered })
    return true
  }

  #record(name: string, count: number, atMs: number, isAnswered: boolean | undefined): void {
    this.#log.record(name, count, atMs, isAnswered)
    this.measured.noteRecorded(count)
  }

  #nameOf(text: string): string {
    // What is in the log has words.
    if (this.#privacy === 'text' && this.#log.idOf(text) !== undefined) return text
    return queryName(text, this.#privacy, this.#reader.words)
  }
}
