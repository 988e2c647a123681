/** An index that lives as long as its object. */
import { randomBytes } from 'node:crypto'
import { FreshdexError } from '../base/errors.js'
import type { EncodedBatch } from '../core/batch.js'
import { awaitNative, callNative, loadAddon, nativeConfig } from '../core/binding.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import { measuringCore } from '../core/measuring-core.js'
import type { NativeIndex } from '../core/native.js'
import { Reader, type ReaderSetup } from '../core/reader.js'
import type { MeasuringCore, Written } from '../engine.js'
import type { EnterRefresh } from '../refresh/rows.js'
import { Snapshot } from '../snapshot.js'
import type { Storage } from './storage.js'

export class MemoryStorage<D extends object> implements Storage<D> {
  readonly reader: Reader<D>
  readonly disk = undefined
  readonly refresh = undefined
  readonly measuring: MeasuringCore
  readonly isUpkeepDue = false
  readonly #native: NativeIndex
  readonly #parts: ReaderSetup

  constructor(parts: ReaderSetup, { wantsSketches }: { readonly wantsSketches: boolean }) {
    const addon = loadAddon()
    // The seed is secret and different each time, so that nobody can prepare texts that collide.
    const seed = randomBytes(8).readBigUInt64LE()
    this.#native = callNative(() => new addon.Index(nativeConfig(parts.settings, seed, { wantsSketches })))
    this.#parts = parts
    this.measuring = measuringCore(this.#native, parts.settings.analyzer, seed)
    this.reader = new Reader(this.#native, parts)
  }

  snapshot(): Snapshot<D> {
    const native = callNative(() => this.#native.snapshot())
    return new Snapshot(new Reader<D>(native, this.#parts), () => native.close())
  }

  async write({ bytes }: EncodedBatch, enter: EnterRefresh): Promise<Written> {
    const prepared = await awaitNative(() => this.#native.prepare(bytes))
    try {
      const measure = prepared.measure ?? (await awaitNative(() => this.#native.measure()))
      enter(prepared, measure)
      return { prepared, measure, published: await awaitNative(() => this.#native.publish()) }
    } catch (error) {
      await awaitNative(() => this.#native.discard())
      throw error
    }
  }

  async commitRefresh(): Promise<void> {}

  async upkeep(): Promise<void> {}

  async compact(): Promise<void> {
    await awaitNative(() => this.#native.compact())
  }

  async check(level: CheckLevel): Promise<CheckReport> {
    return awaitNative(() => this.#native.check(level))
  }

  async backup(): Promise<never> {
    throw new FreshdexError('NOT_SUPPORTED', 'an index in memory has no files to back up')
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {
    this.#native.close()
  }
}
