import type { AnalyzerChoice } from './analysis/analyzer.js'
import { type Stop, signalOption, stopOf } from './base/abort.js'
import { numberOption, readOptions } from './base/checks.js'
import { describe } from './base/describe.js'
import type { FieldName, KeyName, PropertyName } from './base/documents.js'
import { Gate } from './base/gate.js'
import type { Key } from './base/keys.js'
import { type Clock, type Time, toldTimeOption } from './base/time.js'
import { TurnQueue } from './base/turns.js'
import { isWaiting } from './base/waiting-properties.js'
import { BatchEncoder, type WriteBatch } from './core/batch.js'
import type { CheckLevel, CheckOptions, CheckReport } from './core/check-report.js'
import { nativeEngine } from './core/engine.js'
import type { Reader } from './core/reader.js'
import type { DiskStats, IndexStats } from './core/stats.js'
import type { Token } from './core/tokens.js'
import type { Frontier } from './frontier/frontier.js'
import { NoPrioritizer } from './no-prioritizer.js'
import type { ColumnOptions } from './options/columns.js'
import type { Durability, FieldOptions, ScoringModel, ScoringOptions, UpkeepOptions } from './options/index-options.js'
import type { Plan } from './plan/plan.js'
import type { PlanOptions } from './plan/plan-options.js'
import { type IndexPrioritizer, Prioritizer, type RefreshStats } from './prioritizer.js'
import type { Clusters } from './refresh/clusters/clusters.js'
import type { PolicyChoice } from './refresh/policies/registry.js'
import type { Refresh } from './refresh/refresh.js'
import type { ShiftListener } from './refresh/shifts.js'
import { cursorFor, cursorMaker } from './search/cursor.js'
import type { CursorPoint, FilterNode } from './search/filter-tree.js'
import type { Pin } from './search/pins.js'
import type { Query } from './search/query.js'
import { foundAt, type SearchAsyncOptions, type SearchOptions, splitSignal } from './search/search-options.js'
import type { SearchResult } from './search/search-result.js'
import type { SimilarOptions } from './search/similar-options.js'
import type { Suggestion, SuggestOptions } from './search/suggest-options.js'
import type { Synonyms } from './search/synonyms.js'
import { type KnownQueries, readingAside, Snapshot } from './snapshot.js'
import type { BackupReport } from './storage/backup.js'
import { KeptMoments } from './storage/kept-moments.js'
import { type OpenedStorage, openStorage } from './storage/open.js'
import type { Storage } from './storage/storage.js'
import type { SearchFacts } from './workload/waiting-queries.js'
import type { Workload } from './workload/workload.js'
import type { WorkloadOptions } from './workload/workload-options.js'
import { CpuAccount } from './write/cpu-account.js'
import { type DocumentLoadReport, type DocumentSource, type LoadOptions, load } from './write/load.js'
import { MemoryLimit, type MemoryStats } from './write/memory-limit.js'
import { type PatchReport, patch } from './write/patch.js'
import { removeInTurn, write } from './write/pipeline.js'
import { type Reindexing, reindex } from './write/reindex.js'
import type { WriteReport } from './write/report.js'
import { type ReweighContext, type ReweighReport, reweigh } from './write/reweigh.js'

export interface OpenOptions<D extends object, C extends ColumnOptions<D> = ColumnOptions<D>> {
  /** The property that identifies a document. */
  readonly key: KeyName<D>
  /** The properties that are searched, 1 to 32 of them. */
  readonly fields: { readonly [Name in FieldName<D>]?: FieldOptions<D> }
  /**
   * The properties that are filtered, counted and sorted by, each with its kind: 'keyword', 'number', 'date' or
   * 'boolean'. At most 64. A document has one value, a list of values, or none. A property may be a field, too.
   */
  readonly columns?: C
  /**
   * The date column that says until when a document is found: at that moment and later it is not, and upkeep removes
   * it. False: none any more. Default: as it was, at first none.
   */
  readonly expires?: (keyof C & string) | false
  /** How text becomes tokens. Default 'standard'. */
  readonly analyzer?: AnalyzerChoice
  /** Default 'bm25'. */
  readonly scoring?: ScoringModel | ScoringOptions<D>
  /**
   * What get() and hits can give back: everything (true, the default), the named properties, or the key only (false).
   */
  readonly store?: boolean | readonly PropertyName<D>[]
  /**
   * How documents are stored. 'json' is for SQL: the view `stored_documents` shows them. 'msgpack', the default, is
   * faster to write. May differ from one opening to the next.
   */
  readonly storeAs?: 'msgpack' | 'json'
  readonly limits?: {
    /** Most text that one document may have, in UTF-8 bytes over all fields. Default 16 MiB, at most 1 GiB. */
    readonly documentBytes?: number
  }
  /** What words of queries also stand for. Not kept with the index. */
  readonly synonyms?: Synonyms
  /** Documents that come first for a query, whatever they score. Not kept with the index. */
  readonly pins?: readonly Pin[]
  /**
   * False: the index only searches. Nothing is learnt, measured or kept of refreshes, and `refresh`, `workload`,
   * `plan`, `frontier` and `clusters` are refused with NO_PRIORITIZER. Default true. May differ from one opening to the
   * next: documents that were written meanwhile begin their histories anew.
   */
  readonly prioritizer?: boolean
  /**
   * The queries by which refreshes are measured; false: none, nothing is learnt and nothing measured. Not kept with the
   * index.
   */
  readonly workload?: false | WorkloadOptions
  /** By which policy documents are named for a refresh, where a call does not say. Not kept with the index. */
  readonly refresh?: { readonly policy?: PolicyChoice }
  /**
   * Keeps a profile of how each document changes, 127 bytes a document. Default true. A number is the h of the
   * longevity policies, from 1 (true) to 5: beside its profile a document has those of its last h - 1 refreshes, 161
   * bytes more. May differ from one opening to the next.
   */
  readonly changeProfiles?: boolean | number
  /**
   * The most memory that the index may hold, in bytes: a write that would exceed it is refused with MEMORY before
   * anything happens. Reads go on, and so do writes that only remove. Default: no limit. Not kept with the index.
   */
  readonly maxMemory?: number
  /**
   * By which clock it is now: a function that gives milliseconds since 1970, by default that of the machine. For
   * replays, whose time is another. Not kept with the index.
   */
  readonly now?: () => number
  /**
   * What a resolved write survives. 'process' (the default): the death of the process, by whatever signal; a loss of
   * power, or a crash of the operating system, may take the last writes, never part of one, and never makes the index
   * unreadable. 'power': these too, as far as the disk keeps what it says it has kept. Only in a folder.
   */
  readonly durability?: Durability
  /** Reads an index that another process may be writing, and follows its writes. Only in a folder. Default false. */
  readonly readOnly?: boolean
  /** With readOnly: how often to look for new writes, in milliseconds. At least 1, default 100. */
  readonly pollMs?: number
  /**
   * False: segments are read and not mapped, so that a file that is cut off or cannot be read while the index is open
   * gives an error and not the end of the process. What was read stays in memory. Only in a folder. Default true.
   */
  readonly mapped?: boolean
  /**
   * When work that writes leave behind is done. The defaults suit all but tests and unusual loads. Only in a folder.
   */
  readonly upkeep?: UpkeepOptions
}

/** Opening an index that exists: its key and its fields are known, and what else is not said stays as it was. */
export interface ReopenOptions<D extends object, C extends ColumnOptions<D> = ColumnOptions<D>>
  extends Omit<OpenOptions<D, C>, 'key' | 'fields'> {
  readonly key?: undefined
  readonly fields?: undefined
}

export interface Stats extends IndexStats, RefreshStats {
  /** What the index holds in memory, in bytes. */
  readonly memory: MemoryStats
  /** Only of an index in a folder. */
  readonly disk?: DiskStats
}

export interface WriteOptions {
  /** When the documents were fetched. Default now. */
  readonly at?: Time
}

export interface StopOptions {
  /** Ends the work at its next step: the promise rejects with the reason of the signal. What was done stays done. */
  readonly signal?: AbortSignal
}

/**
 * A search index inside the process. Reads are synchronous and see one state; writes are batches, each atomic and
 * visible when its promise resolves, and run one after another in the order of the calls.
 */
export class Freshdex<D extends object, C extends ColumnOptions<D> = ColumnOptions<D>> {
  readonly #storage: Storage<D>
  readonly #gate: Gate
  readonly #turns = new TurnQueue()
  readonly #kept: KeptMoments<D>
  readonly #prioritizer: IndexPrioritizer
  readonly #memory: MemoryLimit
  readonly #writing: ReweighContext
  readonly #now: Clock
  /** What people search for. */
  readonly workload: Workload
  /** Which documents should be fetched anew, and why. */
  readonly refresh: Refresh
  /** Documents in families that change alike. */
  readonly clusters: Clusters
  /** Which pages are known that were never fetched, and which of them to fetch next. */
  readonly frontier: Frontier
  #closing: Promise<void> | undefined
  /** What the refresh priorities say of hits at a moment, by default now. */
  readonly #judgeAt = (atMs = this.#now()) => this.refresh.statesAt(atMs)

  /** Queries of the workload, for suggestions and corrections. */
  readonly #queries: KnownQueries = {
    suggested: (plain, edits, limit) => this.#prioritizer.suggestedQueries(plain, edits, limit),
    like: (plain, edits, limit) => this.#prioritizer.likeQueries(plain, edits, limit),
  }

  #reindexing: Reindexing | undefined
  #isClosing = false

  private constructor({ storage, settings, prioritizer, now }: OpenedStorage<D>, gate: Gate) {
    this.#storage = storage
    this.#gate = gate
    this.#now = now
    this.#kept = new KeptMoments(storage, now)
    const engine = nativeEngine(storage, settings, readingAside(storage, gate))
    const cpu = new CpuAccount(storage.clocks)
    const setup = { engine, store: storage.rows, settings: prioritizer, gate, turns: this.#turns, cpu, now }
    this.#prioritizer = prioritizer.isOn ? new Prioritizer(setup) : new NoPrioritizer(engine, gate, cpu)
    this.#memory = new MemoryLimit(settings.maxMemory, () => ({
      ...storage.reader.heldMemory(),
      ...this.#prioritizer.memory(),
    }))
    this.#writing = {
      gate,
      turns: this.#turns,
      encoder: new BatchEncoder(settings),
      account: this.#prioritizer,
      cpu,
      memory: this.#memory,
      writer: () => storage.writer(),
      settings,
      links: storage.links && {
        table: storage.links,
        has: (key) => storage.reader.documents.isDocument(key),
        maxBytes: settings.documentBytes,
      },
      storedForm: (key) => storage.reader.documents.storedForm(key),
      ...(settings.expires === undefined
        ? {}
        : { removeExpired: () => void this.#turns.run(() => this.#removeExpired()) }),
    }
    this.workload = this.#prioritizer.workload
    this.refresh = this.#prioritizer.refresh
    this.clusters = this.#prioritizer.clusters
    this.frontier = this.#prioritizer.frontier
  }

  /**
   * Opens the index in a folder, making it if there is none, or an index in memory. What an existing index is, its key,
   * fields and analyzer, need not be said again; what is said must agree (MISMATCH). One writer at a time (LOCKED).
   */
  static async open<D extends object, C extends ColumnOptions<D> = ColumnOptions<D>>(
    path: ':memory:' | (string & {}),
    options?: OpenOptions<D, C> | ReopenOptions<D, C>,
  ): Promise<Freshdex<D, C>> {
    if (typeof path !== 'string') throw new TypeError(`path must be a string, received ${describe(path)}`)
    if (path === '') throw new TypeError('path must not be empty')
    const gate = new Gate()
    const index = new Freshdex<D, C>(await openStorage<D>(path, options, gate), gate)
    try {
      await index.#prioritizer.takeOverStored()
    } catch (error) {
      await index.#storage.close()
      throw error
    }
    index.#prioritizer.warmUp()
    index.#reindexing = index.#reindex()
    return index
  }

  /**
   * Puts and removes documents as one step: all of the batch or, when the promise rejects, nothing of it.
   * The batch is read within this call; changing a document afterwards changes nothing in the index.
   * Documents put again count as refreshed, changed or not.
   */
  async write(batch: WriteBatch<D, C>, options?: WriteOptions): Promise<WriteReport> {
    const { at } = readOptions('write', options, ['at'])
    const atMs = toldTimeOption('at', at, this.#now())
    this.#kept.tidy()
    if (batch?.removeWhere === undefined) return write(batch, atMs, this.#writing)
    const { removeWhere, ...others } = batch
    const filter = this.#gate.run(() => this.#storage.reader.filterOf('removeWhere', removeWhere))
    return write(others, atMs, this.#writing, () => this.#storage.reader.matches.keysOf(filter))
  }

  /**
   * Gives documents new weights as one step, without their text: all of them or, when the promise rejects, none. Scores
   * and stakes move; the refresh history stays, because nobody has looked at the documents.
   */
  async reweigh(weights: Iterable<readonly [key: Key, weight: number]>): Promise<ReweighReport> {
    return reweigh(weights, this.#writing)
  }

  /**
   * Gives stored properties of documents new values as one step, without their text: all documents or, when the promise
   * rejects, none. Undefined removes a property. The refresh history stays, because nobody has looked at the documents.
   */
  async patch(patches: Iterable<readonly [key: Key, values: Partial<D>]>): Promise<PatchReport> {
    return patch(patches, this.#writing)
  }

  /**
   * Writes the documents of a stream in batches, one after another, reading no faster than it can write. Each batch is
   * atomic; when the promise rejects, those before stay.
   */
  async load(source: DocumentSource<D>, options?: LoadOptions): Promise<DocumentLoadReport> {
    this.#gate.check()
    return load<D>(source, options, { key: this.#writing.settings.key, now: this.#now }, (put, at) =>
      this.write({ put }, at === undefined ? {} : { at }),
    )
  }

  /** The best hits for a query. Changes no document; the query is learnt if the workload learns. */
  search(query: Query, options?: SearchOptions<D, C>): SearchResult<D> {
    if (options?.after !== undefined) return this.#nextPage(query, options)
    const { reader, moment } = this.#storage
    const asked = reader.withMoment(options)
    const cursorOf = this.#cursorOf(query, asked, moment)
    const result = reader.searches.search(query, asked, this.#judgeAt, cursorOf, this.#queries.like)
    if (isLearnt(options)) this.#prioritizer.learn(query, factsOf(query, options, result, reader))
    return result
  }

  /** The hits behind a cursor, of the state that it is of. They are of a search that was learnt already. */
  #nextPage(query: Query, options: SearchOptions<D, C>): SearchResult<D> {
    const { state, atMs } = cursorFor(query, options)
    const { reader, moment } = this.#kept.find(state)
    const asked = atMs === undefined ? options : { ...options, at: atMs }
    return reader.searches.search(query, asked, this.#judgeAt, this.#cursorOf(query, asked, moment))
  }

  #cursorOf(query: Query, options: unknown, moment: object): (point: CursorPoint) => string {
    return cursorMaker(query, options, () => this.#kept.nameOf(moment))
  }

  /**
   * The same result, computed on another thread, so that the event loop goes on meanwhile. The state is that of the
   * call.
   */
  async searchAsync(query: Query, options?: SearchAsyncOptions<D, C>): Promise<SearchResult<D>> {
    const { signal, others } = splitSignal(options)
    const snapshot = this.snapshot()
    const { moment } = this.#storage
    let isKept = false
    try {
      const cursor = options?.after === undefined ? undefined : cursorFor(query, options)
      const reader = cursor === undefined ? Snapshot.readerOf(snapshot) : this.#kept.find(cursor.state).reader
      const asked = cursor?.atMs === undefined ? reader.withMoment(others) : { ...options, at: cursor.atMs }
      const page = cursor === undefined ? moment : this.#kept.find(cursor.state).moment
      const cursorOf = this.#cursorOf(query, asked, page)
      const result = await reader.searches.searchAsync(
        query,
        asked,
        signal,
        this.#judgeAt,
        cursorOf,
        this.#queries.like,
      )
      if (cursor !== undefined) return result
      if (isLearnt(options)) this.#prioritizer.learn(query, factsOf(query, options, result, reader))
      // Whoever goes on from here wants this state, though the index may have gone on before the result is looked at.
      isKept = 'cursor' in result && this.#kept.adopt(moment, snapshot as unknown as Snapshot<D>)
      return result
    } finally {
      if (!isKept) snapshot.close()
    }
  }

  /**
   * The documents that have most in common with one: a search for the words that distinguish it, without itself. Is not
   * learnt. RangeError when there is no such document.
   */
  similar(key: Key, options?: SimilarOptions<D, C>): SearchResult<D> {
    return this.#storage.reader.searches.similar(key, options, this.#judgeAt)
  }

  /**
   * The tokens that a text has in a field, as searches see them. Default: the first field.
   */
  analyze(text: string, field?: FieldName<D>): Token[] {
    return this.#storage.reader.analyze(text, field)
  }

  /**
   * What a text that is being typed may become: queries of the workload by weight, then titles, then words; those with
   * typos behind the others. Is not learnt.
   */
  suggest(text: string, options?: SuggestOptions<D>): Suggestion[] {
    return this.#storage.reader.suggestions.suggest(text, options, this.#queries.suggested)
  }

  /**
   * What to do next within a budget: documents to refresh and pages of the frontier together, and what that is expected
   * to gain.
   */
  async plan(options: PlanOptions): Promise<Plan> {
    return this.#prioritizer.plan(options)
  }

  /**
   * Settles when every document has all fields of the index: where the opening has added some, the stored documents are
   * analysed in the background, in turns with writes. A closing stops that, and the next opening goes on.
   */
  get reindexing(): Reindexing {
    return this.#reindexing as Reindexing
  }

  #reindex(): Reindexing {
    const storage = this.#storage
    const { waiting } = storage
    const task = {
      waiting,
      total: isWaiting(waiting) ? storage.reader.stats().documents : 0,
      portion: (from: number, limit: number) => storage.reader.documents.portion(from, limit),
      finish: () => storage.noteReindexed(),
      isStopped: () => this.#isClosing,
    }
    return reindex(task, this.#writing)
  }

  /** REQUIRES: a turn of the caller. What fails here is tried again at the next upkeep. */
  async #removeExpired(): Promise<void> {
    const { columns, expires } = this.#writing.settings
    if (expires === undefined) return
    const atMs = this.#now()
    const expired: FilterNode = { kind: 'not', child: foundAt(columns, expires, atMs) }
    await removeInTurn(() => this.#storage.reader.matches.keysOf(expired), atMs, this.#writing)
  }

  /** Calls back with the score shifts of every write that has any, until the function that it returns is called. */
  onShifts(listener: ShiftListener): () => void {
    this.#gate.check()
    if (typeof listener !== 'function')
      throw new TypeError(`listener must be a function, received ${describe(listener)}`)
    return this.#prioritizer.onShifts(listener)
  }

  /** The document as far as it was stored, or undefined. */
  get(key: Key): D | undefined {
    return this.#storage.reader.documents.get(key)
  }

  /** All stored documents as of the first one asked for, in no order that means anything. */
  *documents(): Generator<D> {
    const snapshot = this.snapshot()
    try {
      yield* snapshot.documents()
    } finally {
      snapshot.close()
    }
  }

  /** The keys of all documents as of the first one asked for, in no order that means anything. */
  *keys(): Generator<Key> {
    const snapshot = this.snapshot()
    try {
      yield* snapshot.keys()
    } finally {
      snapshot.close()
    }
  }

  has(key: Key): boolean {
    return this.#storage.reader.documents.has(key)
  }

  stats(): Stats {
    const stats = { ...this.#storage.reader.stats(), ...this.#prioritizer.stats(), memory: this.#memory.stats() }
    const { disk } = this.#storage
    return disk === undefined ? stats : { ...stats, disk }
  }

  /** A frozen view of this moment; writes under way are not in it. */
  snapshot(): Snapshot<D, C> {
    this.#gate.check()
    // Which columns there are is known to its type only.
    return Snapshot.lendQueries(this.#storage.snapshot() as unknown as Snapshot<D, C>, this.#queries)
  }

  /** Walks everything and reports what is not as it should be. Waits for writes under way. */
  async check(options?: CheckOptions): Promise<CheckReport> {
    this.#gate.check()
    const { level, signal } = readOptions('check', options, ['level', 'signal'])
    const depth = numberOption('level', level, 3, { min: 1, max: 3, integer: true }) as CheckLevel
    return this.#stoppable(signal, (stop) => this.#storage.check(depth, stop))
  }

  /** Folds pending changes into the base. Results stay the same. Waits for writes under way. */
  async compact(options?: StopOptions): Promise<void> {
    this.#gate.check()
    const { signal } = readOptions('compact', options, ['signal'])
    await this.#stoppable(signal, async (stop) => {
      await this.#removeExpired()
      await this.#storage.compact(stop)
    })
  }

  /** Copies the index, as it is after the writes under way, into a new folder. Reads go on meanwhile, writes wait. */
  async backup(path: string, options?: StopOptions): Promise<BackupReport> {
    this.#gate.check()
    if (typeof path !== 'string' || path === '')
      throw new TypeError(`path must be a string, received ${describe(path)}`)
    const { signal } = readOptions('backup', options, ['signal'])
    return this.#stoppable(signal, async (stop) => {
      // What readers have learnt lies in a file of its own, which no backup has.
      await this.#prioritizer.takeOverInbox()
      return this.#storage.backup(path, stop)
    })
  }

  /** Work in its turn, which ends early by its signal. */
  async #stoppable<T>(signal: unknown, work: (stop: Stop) => Promise<T>): Promise<T> {
    const stop = stopOf(signalOption(signal))
    return this.#turns.run(async () => {
      stop()
      return work(stop)
    })
  }

  /**
   * With readOnly: resolves when everything is visible that was written before the call. Otherwise there is nothing to
   * wait for.
   */
  async catchUp(): Promise<void> {
    this.#gate.check()
    await this.#turns.run(() => this.#storage.catchUp())
    await this.#prioritizer.caughtUp()
  }

  /** Idempotent. Waits for writes under way; every call made from now on is refused with CLOSED. */
  async close(): Promise<void> {
    this.#gate.checkReentry()
    this.#closing ??= this.#shutDown()
    return this.#closing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #shutDown(): Promise<void> {
    this.#isClosing = true
    this.#kept.close()
    this.#gate.close()
    this.#prioritizer.stopJudging()
    await this.#turns.settled()
    await this.#prioritizer.settled()
    try {
      await this.#prioritizer.save()
    } finally {
      await this.#storage.close()
    }
  }
}

/** Without a session nobody can tell a query from its keystrokes. */
function isLearnt<D extends object, C>({ learn, asYouType, session }: SearchOptions<D, C> = {}): boolean {
  return learn !== false && (!asYouType || session !== undefined)
}

/**
 * What a search says of its query. That some fields, or some documents, have no answer does not mean that no page has
 * one.
 */
function factsOf<D extends object, C>(
  query: Query,
  options: SearchOptions<D, C> | undefined,
  result: SearchResult<D>,
  reader: Reader<D>,
): SearchFacts {
  const { operator, session, fields, asYouType } = options ?? {}
  const isPart = () => result.partial || fields !== undefined || reader.isRestricted(query, options)
  const saysNothing = asYouType || (result.total === 0 && isPart())
  return { operator, session, isAnswered: saysNothing ? undefined : result.total > 0 }
}
