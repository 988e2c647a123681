import { describe } from './describe.js'
import type { Key } from './documents.js'
import type { CheckLevel, CheckOptions, CheckReport } from './engine/check-report.js'
import type { SearchResult } from './engine/hits.js'
import type { Query } from './engine/query.js'
import { BatchEncoder, type EncodedBatch, type WriteBatch } from './engine/slab.js'
import type { Stats } from './engine/stats.js'
import { TurnQueue } from './engine/turn-queue.js'
import { toWriteReport, type WriteReport } from './engine/write-report.js'
import { Gate } from './gate.js'
import { numberOption, readOptions } from './option-checks.js'
import type { OpenOptions, ReopenOptions, SearchOptions } from './options.js'
import type { Snapshot } from './snapshot.js'
import type { BackupReport } from './storage/backup.js'
import { type OpenedStorage, openStorage } from './storage/open-storage.js'
import type { Storage } from './storage/storage.js'

/**
 * A search index inside the process. Reads are synchronous and see one state; writes are batches, each atomic and
 * visible when its promise resolves, and run one after another in the order of the calls.
 */
export class Freshdex<D extends object> {
  readonly #storage: Storage<D>
  readonly #gate: Gate
  readonly #turns = new TurnQueue()
  readonly #batches: BatchEncoder
  #closing: Promise<void> | undefined

  private constructor({ storage, settings }: OpenedStorage<D>, gate: Gate) {
    this.#storage = storage
    this.#gate = gate
    this.#batches = new BatchEncoder(settings)
  }

  /**
   * Opens the index in a folder, making it if there is none, or an index in memory. What an existing index is, its key, fields
   * and analyzer, need not be said again; what is said must agree (MISMATCH). One writer at a time (LOCKED).
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
   */
  async write(batch: WriteBatch<D>): Promise<WriteReport> {
    const encoded = this.#gate.run(() => this.#batches.encode(batch))
    // A batch that has to wait must leave the encoder's memory to the next one.
    const held = this.#turns.isIdle ? encoded : { ...encoded, bytes: new Uint8Array(encoded.bytes) }
    return this.#turns.run(() => this.#apply(held))
  }

  /** The best hits for a query. Never changes the index. */
  search(query: Query, options?: SearchOptions<D>): SearchResult<D> {
    return this.#storage.reader.search(query, options)
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
    const stats = this.#storage.reader.stats()
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

  /** With readOnly: resolves when everything is visible that was written before the call. Otherwise there is nothing to wait for. */
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

  async #apply(batch: EncodedBatch): Promise<WriteReport> {
    const counts = await this.#storage.write(batch)
    // As a turn of its own, before the next write: this one is done. A failure ends the writer, and the next write says so.
    if (this.#storage.isUpkeepDue) this.#turns.run(() => this.#storage.upkeep()).catch(() => {})
    return toWriteReport(counts, batch.truncatedTokens)
  }

  async #shutDown(): Promise<void> {
    this.#gate.close()
    await this.#turns.settled()
    await this.#storage.close()
  }
}
