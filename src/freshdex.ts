import type { Analyzer, PresetName } from './analysis/analyzer.js'
import { numberOption, readOptions } from './base/checks.js'
import { describe } from './base/describe.js'
import type { FieldName, KeyName, PropertyName } from './base/documents.js'
import { Gate } from './base/gate.js'
import type { Key } from './base/keys.js'
import { timeOption } from './base/time.js'
import { TurnQueue } from './base/turns.js'
import { BatchEncoder, type EncodedBatch, type WriteBatch } from './core/batch.js'
import type { CheckLevel, CheckOptions, CheckReport } from './core/check-report.js'
import type { DiskStats, IndexStats } from './core/stats.js'
import { Frontier } from './frontier/frontier.js'
import type { Durability, FieldOptions, ScoringModel, ScoringOptions, UpkeepOptions } from './options/index-options.js'
import { makePlan } from './plan/make-plan.js'
import type { Plan } from './plan/plan.js'
import type { PlanOptions } from './plan/plan-options.js'
import { RefreshKeeper, type RefreshStats } from './prioritizer.js'
import { Clusters } from './refresh/clusters/clusters.js'
import type { PolicyChoice } from './refresh/policies/registry.js'
import { Refresh } from './refresh/refresh.js'
import type { ShiftListener } from './refresh/shifts.js'
import { measurableText } from './search/measurable-text.js'
import type { Query } from './search/query.js'
import type { SearchOptions } from './search/search-options.js'
import type { SearchResult } from './search/search-result.js'
import type { Snapshot } from './snapshot.js'
import type { BackupReport } from './storage/backup.js'
import { type OpenedStorage, openStorage } from './storage/open.js'
import type { Storage } from './storage/storage.js'
import { Workload } from './workload/workload.js'
import type { WorkloadOptions } from './workload/workload-options.js'
import { toWriteReport, type WriteReport } from './write/report.js'

export interface OpenOptions<D extends object> {
  /** The property that identifies a document. */
  readonly key: KeyName<D>
  /** The properties that are searched, 1 to 32 of them. */
  readonly fields: { readonly [Name in FieldName<D>]?: FieldOptions }
  /** How text becomes tokens. Default 'standard'. */
  readonly analyzer?: PresetName | Analyzer
  /** Default 'bm25'. */
  readonly scoring?: ScoringModel | ScoringOptions<D>
  /**
   * What get() and hits can give back: everything (true, the default), the named properties, or the key only (false).
   */
  readonly store?: boolean | readonly PropertyName<D>[]
  readonly limits?: {
    /** Most text that one document may have, in UTF-8 bytes over all fields. Default 16 MiB, at most 1 GiB. */
    readonly documentBytes?: number
  }
  /**
   * The queries by which refreshes are measured; false: none, nothing is learnt and nothing measured. Not kept with the
   * index.
   */
  readonly workload?: false | WorkloadOptions
  /** By which policy documents are named for a refresh, where a call does not say. Not kept with the index. */
  readonly refresh?: { readonly policy?: PolicyChoice }
  /**
   * Keeps a profile of how each document changes, 127 bytes a document. Default true. May differ from one opening to
   * the next.
   */
  readonly changeProfiles?: boolean
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
   * When work that writes leave behind is done. The defaults suit all but tests and unusual loads. Only in a folder.
   */
  readonly upkeep?: UpkeepOptions
}

/** Opening an index that exists: its key and its fields are known, and what else is not said stays as it was. */
export interface ReopenOptions<D extends object> extends Omit<OpenOptions<D>, 'key' | 'fields'> {
  readonly key?: undefined
  readonly fields?: undefined
}

export interface Stats extends IndexStats, RefreshStats {
  /** Only of an index in a folder. */
  readonly disk?: DiskStats
}

export interface WriteOptions {
  /** When the documents were fetched, in milliseconds since 1970. Default now. */
  readonly at?: number
}

/**
 * A search index inside the process. Reads are synchronous and see one state; writes are batches, each atomic and
 * visible when its promise resolves, and run one after another in the order of the calls.
 */
export class Freshdex<D extends object> {
  readonly #storage: Storage<D>
  readonly #gate: Gate
  readonly #turns = new TurnQueue()
  readonly #batches: BatchEncoder
  readonly #keeper: RefreshKeeper
  /** What people search for. */
  readonly workload: Workload
  /** Which documents should be fetched anew, and why. */
  readonly refresh: Refresh
  /** Documents in families that change alike. */
  readonly clusters: Clusters
  /** Which pages are known that were never fetched, and which of them to fetch next. */
  readonly frontier: Frontier
  #closing: Promise<void> | undefined

  private constructor({ storage, settings, refresh }: OpenedStorage<D>, gate: Gate) {
    this.#storage = storage
    this.#gate = gate
    this.#batches = new BatchEncoder(settings)
    const fields = new Set(settings.fieldNames)
    const check = () => gate.check()
    const inTurn = <T>(work: () => Promise<T>) => this.#turns.run(work)
    this.#keeper = new RefreshKeeper({
      storage,
      settings: refresh.workload,
      measurableText: (query) => measurableText(query as Query, fields),
      inTurn,
      now: Date.now,
    })
    this.#keeper.loadWorkload()
    this.workload = new Workload(this.#keeper.workload, Date.now, () => {
      gate.check()
      this.#keeper.follow()
    })
    this.refresh = new Refresh({
      history: () => this.#keeper.history(),
      policy: refresh.policy,
      now: Date.now,
      check,
      keyOf: (number) => storage.reader.keyOf(number),
      numberOf: (key) => storage.reader.numberOf(key),
      matching: (query) => storage.reader.matching(query),
      queriesById: (ids) => this.#keeper.queriesById(ids),
      observe: (observations) => inTurn(() => this.#keeper.observe(observations)),
      signal: (signals) => inTurn(() => this.#keeper.signal(signals)),
      documentOf: (key) => storage.reader.get(key),
      requireWriting: () => this.#keeper.requireWriting(),
      importSignals: (step) => inTurn(() => this.#keeper.importSignals(step)),
      fit: () => inTurn(() => this.#keeper.fit()),
    })
    this.clusters = new Clusters({
      history: () => this.#keeper.history(),
      now: Date.now,
      check,
      numberOf: (key) => storage.reader.numberOf(key),
      documents: {
        keyOf: (number) => storage.reader.keyOf(number),
        documentOf: (key) => storage.reader.get(key) as Record<string, unknown> | undefined,
        fieldNames: settings.fieldNames,
        weightName: settings.scoring.weight,
      },
      requireWriting: () => this.#keeper.requireWriting(),
      commit: (clusters) => inTurn(() => this.#keeper.cluster(clusters)),
    })
    this.frontier = new Frontier({
      book: () => this.#keeper.frontier(),
      now: Date.now,
      check,
      isWriter: storage.measuring !== undefined,
      inTurn,
      change: (change) => inTurn(() => this.#keeper.changeFrontier(change)),
      has: (url) => storage.reader.has(url),
      numberOf: (url) => storage.reader.numberOf(url),
      sequence: () => storage.reader.stats().sequence,
      best: (words, limit) => storage.reader.best(words, limit),
      queries: (atMs) => this.#keeper.workload.readableWeights(atMs),
      view: () => this.#keeper.workload.view,
    })
  }

  /**
   * Opens the index in a folder, making it if there is none, or an index in memory. What an existing index is, its key,
   * fields and analyzer, need not be said again; what is said must agree (MISMATCH). One writer at a time (LOCKED).
   */
  static async open<D extends object>(
    path: ':memory:' | (string & {}),
    options?: OpenOptions<D> | ReopenOptions<D>,
  ): Promise<Freshdex<D>> {
    if (typeof path !== 'string') throw new TypeError(`path must be a string, received ${describe(path)}`)
    if (path === '') throw new TypeError('path must not be empty')
    const gate = new Gate()
    return new Freshdex<D>(await openStorage<D>(path, options, gate), gate)
  }

  /**
   * Puts and removes documents as one step: all of the batch or, when the promise rejects, nothing of it.
   * The batch is read within this call; changing a document afterwards changes nothing in the index.
   * Documents put again count as refreshed, changed or not.
   */
  async write(batch: WriteBatch<D>, options?: WriteOptions): Promise<WriteReport> {
    const { at } = readOptions('write', options, ['at'])
    const atMs = timeOption('at', at, Date.now())
    const encoded = this.#gate.run(() => this.#batches.encode(batch))
    // A batch that has to wait must leave the encoder's memory to the next one.
    const held =
      this.#turns.isIdle && this.#keeper.isReady ? encoded : { ...encoded, bytes: new Uint8Array(encoded.bytes) }
    return this.#turns.run(() => this.#apply(held, atMs))
  }

  /** The best hits for a query. Never changes the index. */
  search(query: Query, options?: SearchOptions<D>): SearchResult<D> {
    const judgeNow = () => ({ stateOf: this.refresh.statesAt(Date.now()) })
    const result = this.#storage.reader.search(query, options, judgeNow)
    if (isPlain(options)) this.#keeper.learn(query)
    return result
  }

  /**
   * What to do next within a budget: documents to refresh and pages of the frontier together, and what that is expected
   * to gain.
   */
  async plan(options: PlanOptions): Promise<Plan> {
    const check = () => this.#gate.check()
    check()
    return makePlan({ refresh: this.refresh, frontier: this.frontier, check }, options, Date.now())
  }

  /** Calls back with the score shifts of every write that has any, until the function that it returns is called. */
  onShifts(listener: ShiftListener): () => void {
    this.#gate.check()
    if (typeof listener !== 'function')
      throw new TypeError(`listener must be a function, received ${describe(listener)}`)
    return this.#keeper.onShifts(listener)
  }

  /** The document as far as it was stored, or undefined. */
  get(key: Key): D | undefined {
    return this.#storage.reader.get(key)
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

  has(key: Key): boolean {
    return this.#storage.reader.has(key)
  }

  stats(): Stats {
    const stats = { ...this.#storage.reader.stats(), ...this.#keeper.stats() }
    const { disk } = this.#storage
    return disk === undefined ? stats : { ...stats, disk }
  }

  /** A frozen view of this moment; writes under way are not in it. */
  snapshot(): Snapshot<D> {
    this.#gate.check()
    return this.#storage.snapshot()
  }

  /** Walks everything and reports what is not as it should be. Waits for writes under way. */
  async check(options?: CheckOptions): Promise<CheckReport> {
    this.#gate.check()
    const { level } = readOptions('check', options, ['level'])
    const depth = numberOption('level', level, 3, { min: 1, max: 3, integer: true }) as CheckLevel
    return this.#turns.run(() => this.#storage.check(depth))
  }

  /** Folds pending changes into the base. Results stay the same. Waits for writes under way. */
  async compact(): Promise<void> {
    this.#gate.check()
    await this.#turns.run(() => this.#storage.compact())
  }

  /** Copies the index, as it is after the writes under way, into a new folder. Reads go on meanwhile, writes wait. */
  async backup(path: string): Promise<BackupReport> {
    this.#gate.check()
    if (typeof path !== 'string' || path === '')
      throw new TypeError(`path must be a string, received ${describe(path)}`)
    return this.#turns.run(() => this.#storage.backup(path))
  }

  /**
   * With readOnly: resolves when everything is visible that was written before the call. Otherwise there is nothing to
   * wait for.
   */
  async catchUp(): Promise<void> {
    this.#gate.check()
    await this.#turns.run(() => this.#storage.catchUp())
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

  async #apply(batch: EncodedBatch, atMs: number): Promise<WriteReport> {
    const { prepared, measure, overhead } = await this.#keeper.around({ atMs, keys: batch.keys }, (enter) =>
      this.#storage.write(batch, enter),
    )
    // As a turn of its own, before the next write: this one is done. A failure ends the writer, and the next write says
    // so.
    if (this.#storage.isUpkeepDue) this.#turns.run(() => this.#storage.upkeep()).catch(() => {})
    const { truncatedTokens, keys, removedKeys } = batch
    return toWriteReport(prepared, measure, overhead, { truncatedTokens, keys: [...keys, ...removedKeys] })
  }

  async #shutDown(): Promise<void> {
    this.#gate.close()
    await this.#turns.settled()
    await this.#keeper.settled()
    try {
      await this.#keeper.save()
    } finally {
      await this.#storage.close()
    }
  }
}

/** A query of the workload is about all words in all fields. */
function isPlain<D extends object>(options: SearchOptions<D> | undefined): boolean {
  return options === undefined || (options.fields === undefined && options.operator !== 'or')
}
