import { randomBytes } from 'node:crypto'
import { PRESETS, TOKENS_GIVEN } from './analysis/presets.js'
import { describe } from './describe.js'
import type { Key } from './documents.js'
import { awaitNative, callNative, loadAddon, type NativeConfig, type NativeIndex } from './engine/binding.js'
import type { CheckReport } from './engine/check-report.js'
import type { SearchResult } from './engine/hits.js'
import type { Query } from './engine/query.js'
import { QueryEncoder } from './engine/query-wire.js'
import { Reader } from './engine/reader.js'
import { BatchEncoder, type EncodedBatch, type WriteBatch } from './engine/slab.js'
import type { Stats } from './engine/stats.js'
import { TurnQueue } from './engine/turn-queue.js'
import { toWriteReport, type WriteReport } from './engine/write-report.js'
import { FreshdexError } from './errors.js'
import { Gate } from './gate.js'
import { type OpenOptions, type OpenSettings, resolveOpenOptions, type SearchOptions } from './options.js'
import { Snapshot } from './snapshot.js'

/** The only path so far: an index that lives as long as its object. */
const IN_MEMORY = ':memory:'

/**
 * A search index inside the process. Reads are synchronous and see one state; writes are batches, each atomic and
 * visible when its promise resolves, and run one after another in the order of the calls.
 */
export class Freshdex<D extends object> {
  readonly #native: NativeIndex
  readonly #settings: OpenSettings
  readonly #gate = new Gate()
  readonly #turns = new TurnQueue()
  readonly #batches: BatchEncoder
  readonly #queries: QueryEncoder
  readonly #reader: Reader<D>
  #closing: Promise<void> | undefined

  private constructor(native: NativeIndex, settings: OpenSettings) {
    this.#native = native
    this.#settings = settings
    this.#batches = new BatchEncoder(settings)
    this.#queries = new QueryEncoder(settings)
    this.#reader = new Reader(native, settings, this.#gate, this.#queries)
  }

  /** Opens an index. Only ':memory:' so far; any other path is NOT_SUPPORTED. */
  static async open<D extends object>(path: ':memory:' | (string & {}), options: OpenOptions<D>): Promise<Freshdex<D>> {
    if (typeof path !== 'string') throw new TypeError(`path must be a string, received ${describe(path)}`)
    const settings = resolveOpenOptions(options)
    if (path !== IN_MEMORY) {
      throw new FreshdexError('NOT_SUPPORTED', `this version keeps an index in memory only: open '${IN_MEMORY}'`, {
        detail: { path },
      })
    }
    const addon = loadAddon()
    return new Freshdex<D>(
      callNative(() => new addon.Index(nativeConfig(settings))),
      settings,
    )
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
    return this.#reader.search(query, options)
  }

  /** The document as far as it was stored, or undefined. */
  get(key: Key): D | undefined {
    return this.#reader.get(key)
  }

  has(key: Key): boolean {
    return this.#reader.has(key)
  }

  stats(): Stats {
    return this.#reader.stats()
  }

  /** A frozen view of this moment; writes under way are not in it. */
  snapshot(): Snapshot<D> {
    this.#gate.check()
    const native = callNative(() => this.#native.snapshot())
    return new Snapshot(native, new Reader<D>(native, this.#settings, this.#gate, this.#queries))
  }

  /** Walks everything and reports what is not as it should be. Waits for writes under way. */
  async check(): Promise<CheckReport> {
    this.#gate.check()
    const json = await this.#turns.run(() => awaitNative(() => this.#native.check()))
    return JSON.parse(json) as CheckReport
  }

  /** Folds pending changes into the base. Results stay the same. Waits for writes under way. */
  async compact(): Promise<void> {
    this.#gate.check()
    await this.#turns.run(() => awaitNative(() => this.#native.compact()))
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

  async #apply({ bytes, truncatedTokens }: EncodedBatch): Promise<WriteReport> {
    const counts = await awaitNative(() => this.#native.prepare(bytes))
    try {
      // Whatever has to be recorded for good belongs here: the batch is complete and nobody can see it yet.
      await awaitNative(() => this.#native.publish())
    } catch (error) {
      await awaitNative(() => this.#native.discard())
      throw error
    }
    return toWriteReport(counts, truncatedTokens)
  }

  async #shutDown(): Promise<void> {
    this.#gate.close()
    await this.#turns.settled()
    this.#native.close()
  }
}

function nativeConfig({ analyzer, scoring, fieldNames, fieldBoosts, documentBytes }: OpenSettings): NativeConfig {
  return {
    fieldCount: fieldNames.length,
    analysis: typeof analyzer === 'string' ? PRESETS[analyzer].id : TOKENS_GIVEN,
    // Secret and different each time, so that nobody can prepare texts that collide.
    hashSeed: randomBytes(8).readBigUInt64LE(),
    model: scoring.model === 'bm25' ? 0 : 1,
    k1: scoring.k1,
    b: scoring.b,
    fieldBoosts: Float64Array.from(fieldBoosts),
    alpha: scoring.alpha,
    beta: scoring.beta,
    maxDocumentBytes: documentBytes,
  }
}
