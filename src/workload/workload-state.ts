/** The state of the workload: how queries are learnt, recorded and stored. Users see it through workload.ts. */

import type { Step } from '../base/step.js'
import { MAX_QUERY_WORDS, type MeasuredQuery, singleTerms } from './measured-queries.js'
import {
  hashName,
  QueryLog,
  type QueryLogChanges,
  type QueryRow,
  textName,
  type WeightedQuery,
  wordHashesOf,
} from './query-log.js'
import {
  ClickCounts,
  type ClickRow,
  DEFAULT_VIEW,
  type FittedView,
  fitView,
  type SampledView,
  sampleView,
  type ViewLikelihood,
} from './view-likelihood.js'
import type { WorkloadSettings } from './workload-options.js'

/** How a query is named: by its text, or by hashes of its words. */
export type QueryPrivacy = 'text' | 'hash'

/** What the workload needs of the engine whose queries it holds. */
export interface QueryReader {
  /** The text of a query that asks for all of its words and nothing else; undefined for other queries. */
  measurableText(query: unknown): string | undefined
  /** Undefined where nothing can be written, and nothing is learnt. */
  readonly measuring:
    | {
        /** The tokens that a text has in the index. */
        tokensOf(text: string): readonly string[]
        hash(word: string): bigint
      }
    | undefined
}

export interface WorkloadStats {
  readonly queries: number
  readonly memoryBytes: number
  /** Searches whose query is not a conjunction of words. */
  readonly skipped: number
  readonly clicks: number
  /** The exponent of the likelihood r^-exponent fitted to clicks; undefined with too few, or if another was set. */
  readonly fittedExponent: number | undefined
}

/** Distinct searches that wait to be entered into the log: many searches repeat a query. */
const MAX_WAITING = 256

/** The approximate memory of the words of one query. */
const WORDS_BYTES = 200

/** The workload as it is stored. */
export interface WorkloadRows {
  readonly queries: readonly QueryRow[]
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  readonly clicks: readonly ClickRow[]
}

/** What a stored copy of the workload has to take over. */
export interface WorkloadChanges extends QueryLogChanges {
  readonly isAny: boolean
  readonly nextQueryId: number
  readonly privacy: QueryPrivacy
  /** All clicks, if any is new. */
  readonly clicks: readonly ClickRow[] | undefined
}

export class WorkloadState {
  readonly #settings: WorkloadSettings
  readonly #reader: QueryReader
  readonly #now: () => number
  readonly #log: QueryLog
  readonly #clicks = new ClickCounts()
  readonly #waiting = new Map<string, number>()
  /** The distinct words of queries, by name. */
  readonly #words = new Map<string, readonly string[]>()
  #privacy: QueryPrivacy
  /** As the stored copy has it, if that is known. */
  #keptPrivacy: QueryPrivacy | undefined = 'text'
  #skipped = 0
  #hasNewClicks = false
  /** The weight recorded since `markMeasured`. */
  #newWeight = 0
  #knownWeight = 0

  constructor(settings: WorkloadSettings, reader: QueryReader, now: () => number) {
    this.#settings = settings
    this.#reader = reader
    this.#now = now
    this.#log = new QueryLog(settings)
    this.#privacy = settings.privacy ?? 'text'
  }

  /** Counts a query; returns false for one that cannot be measured. */
  record(query: unknown, count: number, atMs: number): boolean {
    return this.#enter(this.#reader.measurableText(query), count, atMs)
  }

  click(rank1: number): void {
    this.#clicks.add(rank1)
    this.#hasNewClicks = true
  }

  /** Heaviest first. */
  weights(atMs: number): WeightedQuery[] {
    this.#enterWaiting()
    return this.#log.weights(atMs)
  }

  /** The same without queries whose words cannot be read. */
  readableWeights(atMs: number): WeightedQuery[] {
    return this.#privacy === 'text' ? this.weights(atMs) : []
  }

  clear(): void {
    this.#waiting.clear()
    this.#log.clear()
    this.#clicks.restore([])
    this.#hasNewClicks = true
    this.#newWeight = Number.POSITIVE_INFINITY
  }

  /** Counts the query of a search. */
  learn(query: unknown): void {
    if (!this.#settings.learn) return
    if (typeof query === 'string') {
      this.#waiting.set(query, (this.#waiting.get(query) ?? 0) + 1)
      if (this.#waiting.size >= MAX_WAITING) this.#enterWaiting()
    } else {
      const text = this.#reader.measurableText(query)
      if (text === undefined) this.#skipped++
      else this.learn(text)
    }
  }

  /** The queries by which refreshes are measured, heaviest first. `wordOf` has the words of `hashes`. */
  measured(wordOf: ReadonlyMap<bigint, string>): MeasuredQuery[] {
    this.#enterWaiting()
    const whole: MeasuredQuery[] = []
    for (const { id, name, weight } of this.#log.weights(this.#now())) {
      const words = this.#wordsOf(name, wordOf)
      if (words !== undefined && words.length > 0 && words.length <= MAX_QUERY_WORDS) whole.push({ id, weight, words })
    }
    if (this.#settings.terms === 'full') return whole
    return singleTerms(whole).map(({ word, weight }) => ({ id: this.#wordId(word), weight, words: [word] }))
  }

  /** The hashes whose words `measured` needs; empty unless queries are named by hashes. */
  hashes(): bigint[] {
    if (this.#privacy === 'text') return []
    this.#enterWaiting()
    return this.#log.weights(this.#now()).flatMap(({ name }) => wordHashesOf(name) ?? [])
  }

  /** Measured queries by their ids, as they are now; those that are not known any more are left out. */
  queriesById(ids: ReadonlySet<number>): ReadonlyMap<number, { readonly query: string; readonly weight: number }> {
    return this.#named((id) => ids.has(id))
  }

  #named(isWanted: (id: number) => boolean): ReadonlyMap<number, { readonly query: string; readonly weight: number }> {
    const weights = this.weights(this.#now())
    if (this.#settings.terms === 'full') {
      const wanted = weights.filter(({ id }) => isWanted(id))
      return new Map(wanted.map(({ id, name, weight }) => [id, { query: name, weight }]))
    }
    const queries = weights.map(({ name, weight }) => ({ words: this.#tokensOf(name), weight }))
    const words = singleTerms(queries).map(({ word, weight }) => ({ id: this.#wordId(word), query: word, weight }))
    return new Map(words.filter(({ id }) => isWanted(id)).map(({ id, ...named }) => [id, named]))
  }

  /** How much was recorded since `markMeasured`, in proportion to what was known then. */
  get newShare(): number {
    this.#enterWaiting()
    return this.#newWeight === 0 ? 0 : this.#newWeight / this.#knownWeight
  }

  get isEmpty(): boolean {
    this.#enterWaiting()
    return this.#log.size === 0
  }

  /** The measurement knows the workload as it is now. */
  markMeasured(): void {
    this.#knownWeight = this.#log.weights(this.#now()).reduce((sum, { weight }) => sum + weight, 0)
    this.#newWeight = 0
  }

  /** What was to be measured is not. */
  markUnmeasured(): void {
    this.#newWeight = Number.POSITIVE_INFINITY
  }

  /** The time as of which `measured` weighs queries. */
  get weighedAtMs(): number {
    return Math.max(this.#now(), this.#log.latestMs)
  }

  /**
   * The queries of the log that measured queries with these ids speak for, and those that cannot be measured. `wordOf`
   * as for `measured`.
   */
  takenOver(ids: ReadonlySet<number>, wordOf: ReadonlyMap<bigint, string>): ReadonlySet<number> {
    const isTaken = ({ id, name }: WeightedQuery) => {
      const words = this.#wordsOf(name, wordOf)
      if (words === undefined || words.length === 0 || words.length > MAX_QUERY_WORDS) return true
      return this.#settings.terms === 'full' ? ids.has(id) : words.every((word) => ids.has(this.#wordId(word)))
    }
    return new Set(
      this.weights(this.#now())
        .filter(isTaken)
        .map(({ id }) => id),
    )
  }

  /** The share, by weight, that some queries of the log have: 0 to 1; 0 for an empty log. */
  shareOf(ids: ReadonlySet<number>): number {
    const weights = this.weights(this.#now())
    const sum = (queries: readonly WeightedQuery[]) => queries.reduce((total, { weight }) => total + weight, 0)
    const total = sum(weights)
    return total > 0 ? sum(weights.filter(({ id }) => ids.has(id))) / total : 0
  }

  /** A measured query by its text; undefined for one that is not in the workload. */
  find(query: unknown): { readonly id: number; readonly name: string } | undefined {
    const text = this.#reader.measurableText(query)
    const name = text === undefined ? '' : this.#nameOf(text)
    if (name === '') return undefined
    this.#enterWaiting()
    if (this.#settings.terms === 'full') {
      const id = this.#log.idOf(name)
      return id === undefined ? undefined : { id, name }
    }
    const words = [...new Set(this.#tokensOf(text as string))]
    return words.length === 1 ? { id: this.#wordId(words[0] as string), name } : undefined
  }

  /** Measured queries by their ids, with their weights as of now. */
  namesById(): ReadonlyMap<number, { readonly query: string; readonly weight: number }> {
    return this.#named(() => true)
  }

  /** Grows with every change of the queries. */
  get version(): number {
    this.#enterWaiting()
    return this.#log.version
  }

  get privacy(): QueryPrivacy {
    return this.#privacy
  }

  get halfLifeMs(): number {
    return this.#settings.halfLifeMs
  }

  get terms(): 'full' | 'single' {
    return this.#settings.terms
  }

  /** I(r) as the core takes it; undefined for r^-3/2. */
  sampledView(): SampledView | undefined {
    const { view } = this.#settings
    if (view !== undefined) return sampleView(view)
    const fitted = this.#fitted()
    return fitted === undefined ? undefined : sampleView(fitted.view)
  }

  /** I(r) as it is used now. */
  get view(): ViewLikelihood {
    return this.#settings.view ?? this.#fitted()?.view ?? DEFAULT_VIEW
  }

  get pieces(): number {
    return this.#settings.pieces
  }

  get stats(): WorkloadStats {
    this.#enterWaiting()
    return {
      queries: this.#log.size,
      memoryBytes: this.#log.memoryBytes + this.#words.size * WORDS_BYTES,
      skipped: this.#skipped,
      clicks: this.#clicks.total,
      fittedExponent: this.#settings.view === undefined ? this.#fitted()?.exponent : undefined,
    }
  }

  /** What changed since the last step, for the store. */
  step(): Step<WorkloadChanges> {
    const changes = this.#changes()
    return { rows: changes, undo: () => this.#giveBack(changes) }
  }

  #changes(): WorkloadChanges {
    this.#enterWaiting()
    const clicks = this.#hasNewClicks ? this.#clicks.rows() : undefined
    this.#hasNewClicks = false
    const changed = this.#log.changedRows()
    const isAny =
      changed.rows.length + changed.droppedIds.length > 0 || clicks !== undefined || this.#privacy !== this.#keptPrivacy
    this.#keptPrivacy = this.#privacy
    return { ...changed, isAny, nextQueryId: this.#log.nextId, privacy: this.#privacy, clicks }
  }

  #giveBack(changes: WorkloadChanges): void {
    this.#log.giveBack(changes)
    this.#hasNewClicks ||= changes.clicks !== undefined
    this.#keptPrivacy = undefined
  }

  /** Replaces the workload by a stored one. */
  restore({ queries, nextQueryId, privacy, clicks }: WorkloadRows): void {
    this.#keptPrivacy = privacy
    this.#privacy = this.#settings.privacy ?? privacy
    this.#log.clear()
    this.#log.changedRows()
    this.#log.restore(queries, nextQueryId)
    this.#clicks.restore(clicks)
    this.markMeasured()
  }

  #fitted(): FittedView | undefined {
    return fitView(this.#clicks.counts)
  }

  #enterWaiting(): void {
    if (this.#waiting.size === 0) return
    const nowMs = this.#now()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [query, count] of waiting) if (!this.#tryEnter(query, count, nowMs)) this.#skipped += count
  }

  /** Ignores what an analyzer throws: a search that was answered must not make a later call fail. */
  #tryEnter(query: string, count: number, atMs: number): boolean {
    try {
      return this.record(query, count, atMs)
    } catch {
      return false
    }
  }

  #enter(text: string | undefined, count: number, atMs: number): boolean {
    const name = text === undefined ? '' : this.#nameOf(text)
    if (name === '') return false
    this.#log.record(name, count, atMs)
    this.#newWeight += count
    return true
  }

  /** '' for a text without words. */
  #nameOf(text: string): string {
    const words = this.#tokensOf(text)
    if (words.length === 0) return ''
    return this.#privacy === 'hash' ? hashName(words, (word) => this.#hash(word)) : textName(text)
  }

  #wordsOf(name: string, wordOf: ReadonlyMap<bigint, string>): readonly string[] | undefined {
    if (this.#privacy === 'text') return this.#words.get(name) ?? this.#keepWords(name)
    const words = wordHashesOf(name)?.map((hash) => wordOf.get(hash))
    return words?.every((word) => word !== undefined) ? (words as string[]) : undefined
  }

  /** Words are kept, because a new epoch begins within a write and needs the words of every query. */
  #keepWords(name: string): readonly string[] {
    const words = [...new Set(this.#tokensOf(name))]
    // Of queries that were dropped since: cheaper to begin anew than to follow them.
    if (this.#words.size >= 2 * this.#settings.maxQueries) this.#words.clear()
    this.#words.set(name, words)
    return words
  }

  #tokensOf(text: string): readonly string[] {
    return this.#reader.measuring?.tokensOf(text) ?? []
  }

  #hash(word: string): bigint {
    return this.#reader.measuring?.hash(word) ?? 0n
  }

  #wordId(word: string): number {
    return Number(BigInt.asUintN(32, this.#hash(word)))
  }
}
