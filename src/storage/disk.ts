/**
 * An index in a folder, opened for writing. A write is prepared by the core, committed to the catalog and published by
 * the core, in this order: what is visible is durable, and what is durable becomes visible or the writer is poisoned.
 *
 * I1  #at is the state that the catalog has, but for a commit under way.
 * I2  #state shows #at; while a commit is under way its view is pinned, so that readers go on seeing the moment before.
 * I3  After a failure between prepare and the end nothing is written any more: what the disk has is known only to a new
 *     opening. Reads go on.
 */

import type { Key } from '../base/keys.js'
import { type CatalogMoment, logBytesOf, readMoment } from '../catalog/catalog.js'
import { storedRefresh } from '../catalog/prioritizer-rows.js'
import {
  type CatalogState,
  type Hash,
  hashOfSegments,
  type SegmentList,
  segmentBytes,
  segmentCount,
  sortedSegments,
  stateParameters,
} from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import type { BatchCommit } from '../catalog/transactions.js'
import { copyStored, type EncodedBatch, type StoredForms } from '../core/batch.js'
import { awaitNative } from '../core/binding.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import { measuringCore } from '../core/measuring-core.js'
import type { FileLock, NativeIndex, NativeSalvage } from '../core/native.js'
import type { Reader, ReaderSetup } from '../core/reader.js'
import type { DiskStats } from '../core/stats.js'
import type { BatchMeasure, MeasuringCore, PreparedBatch, Written } from '../engine.js'
import type { EnterRefresh, RefreshCommit, StoredRefresh } from '../refresh/rows.js'
import type { Snapshot } from '../snapshot.js'
import { type BackupReport, backupFolder } from './backup.js'
import { checkDocuments } from './check.js'
import type { IndexFolder } from './folder.js'
import { isBusy, WritingCatalog } from './journal.js'
import { StateHolder } from './moments.js'
import { type CoreParts, hashFor, openCore } from './open-core.js'
import type { Storage } from './storage.js'

/** Bytes committed after which SQLite's own log is moved into the catalog. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024

/** A closing flushes a log of at least this size, so that the next opening need not replay it. */
const CLOSING_LOG_BYTES = 1024 * 1024

export class DiskStorage<D extends object> implements Storage<D> {
  readonly refresh: StoredRefresh
  readonly measuring: MeasuringCore
  readonly #core: CoreParts
  readonly #native: NativeIndex
  readonly #lock: FileLock
  readonly #hash: Hash
  readonly #holder: StateHolder<D>
  readonly #catalog: WritingCatalog
  #at: CatalogState
  #segments: SegmentList
  #logBytes: number

  private constructor(core: CoreParts, native: NativeIndex, lock: FileLock, opened: Opened, parts: ReaderSetup) {
    this.#core = core
    this.#native = native
    this.#lock = lock
    this.#hash = hashFor(core.identity.seed)
    this.#catalog = new WritingCatalog(core.folder, core.disk.durability)
    this.#at = opened.moment.state
    this.#segments = opened.moment.segments
    this.#logBytes = opened.logBytes
    this.#holder = new StateHolder<D>(this.#hash, parts, native, opened.view)
    this.refresh = storedRefresh(() => this.#holder.state.view)
    this.measuring = measuringCore(native, core.settings.analyzer, core.identity.seed)
  }

  /** REQUIRES: the lock is held; it belongs to the storage from now on. */
  static async open<D extends object>(core: CoreParts, lock: FileLock, parts: ReaderSetup): Promise<DiskStorage<D>> {
    const view = StoredView.open(core.folder.catalog)
    let native: NativeIndex | undefined
    try {
      view.pin()
      const moment = readMoment(view, hashFor)
      native = await openCore(core, view, moment)
      const opened = native
      // What a crash left behind, before its numbers are used again.
      await awaitNative(() => opened.removeUnnamed())
      const logBytes = logBytesOf(view)
      view.unpin()
      return new DiskStorage<D>(core, opened, lock, { view, moment, logBytes }, parts)
    } catch (error) {
      native?.close()
      view.close()
      throw error
    }
  }

  get reader(): Reader<D> {
    return this.#holder.reader
  }

  get disk(): DiskStats {
    return {
      path: this.#core.folder.path,
      readOnly: false,
      durability: this.#core.disk.durability,
      segments: segmentCount(this.#segments),
      segmentBytes: segmentBytes(this.#segments),
      flushedSequence: this.#at.flushed,
      logBytes: this.#logBytes,
    }
  }

  snapshot(): Snapshot<D> {
    return this.#holder.snapshot()
  }

  async write(batch: EncodedBatch, enter: EnterRefresh): Promise<Written> {
    this.#catalog.refuseIfPoisoned()
    // Before anything is awaited: the batch lies in memory that the next one overwrites.
    const stored = copyStored(batch)
    const prepared = await awaitNative(() => this.#native.prepare(batch.bytes))
    return this.#finish(prepared, batch.keys, stored, enter)
  }

  async commitRefresh(commit: RefreshCommit): Promise<void> {
    this.#catalog.refuseIfPoisoned()
    await this.#catalog.commitRefresh(commit)
  }

  /** Reads what is left of another index; its documents can then be taken over. */
  async openSalvage(folder: IndexFolder, segments: SegmentList, id: Uint8Array): Promise<NativeSalvage> {
    return awaitNative(() => this.#native.openSalvage(folder.segments, segments, id))
  }

  /** The same of an index that could be opened. */
  async openSalvageOf(source: NativeIndex): Promise<NativeSalvage> {
    return awaitNative(() => this.#native.openSalvageOf(source))
  }

  /** As one write: documents of the salvage by their numbers there, with these stored forms. */
  async takeOver(numbers: Uint32Array, keys: readonly Key[], stored: StoredForms, enter: EnterRefresh): Promise<void> {
    const prepared = await awaitNative(() => this.#native.prepareSalvaged(numbers, stored.bytes, stored.ends))
    await this.#finish(prepared, keys, stored, enter)
  }

  /** From prepared to durable and visible. */
  async #finish(
    prepared: PreparedBatch,
    keys: readonly Key[],
    stored: StoredForms,
    enter: EnterRefresh,
  ): Promise<Written> {
    const at: CatalogState = { ...this.#at, sequence: this.#at.sequence + 1 }
    const commit: BatchCommit = {
      sequence: at.sequence,
      row: prepared.row,
      keys,
      numbers: prepared.numbers,
      stored: stored.bytes,
      storedEnds: stored.ends,
      state: stateParameters(at, this.#core.identity.text, this.#hash),
    }
    const rowBytes = prepared.row.length
    const measure = await this.#commit(commit, prepared, enter)
    const published = await this.#catalog.orPoison(() => awaitNative(() => this.#native.publish()))
    this.#at = at
    this.#logBytes += rowBytes
    this.#holder.advance(this.#native)
    return { prepared, measure, published }
  }

  /** The catalog writes the documents of a batch that is still to be measured while the core measures it. */
  async #commit(commit: BatchCommit, prepared: PreparedBatch, enter: EnterRefresh): Promise<BatchMeasure> {
    const entering = this.#entered(prepared, enter)
    this.#holder.state.view.pin()
    try {
      if (prepared.measure === undefined) {
        const finding = entering.then(({ refresh }) => refresh)
        await this.#catalog.commitBatchWith(commit, finding)
      } else {
        await this.#catalog.commitBatch(commit, (await entering).refresh)
      }
      return (await entering).measure
    } catch (error) {
      await awaitNative(() => this.#native.discard())
      if (!this.#catalog.isPoisoned) this.#holder.state.view.unpin()
      throw error
    }
  }

  async #entered(prepared: PreparedBatch, enter: EnterRefresh): Promise<Entered> {
    const measure = prepared.measure ?? (await awaitNative(() => this.#native.measure()))
    return { measure, refresh: enter(prepared, measure) }
  }

  get isUpkeepDue(): boolean {
    return !this.#catalog.isPoisoned && (this.#isFlushDue() || this.#catalog.uncheckpointedBytes > CHECKPOINT_BYTES)
  }

  async upkeep(): Promise<void> {
    if (this.#catalog.isPoisoned) return
    if (this.#isFlushDue()) await this.#flush()
    if (this.#catalog.uncheckpointedBytes > CHECKPOINT_BYTES) await this.#catalog.checkpoint()
  }

  /** A flush writes the document table anew: it has to be worth it. */
  #isFlushDue(): boolean {
    const { tableBytes, unflushedBytes } = this.#holder.nativeStats()
    const { logBytes, partitionBytes } = this.#core.disk
    return (
      this.#logBytes > Math.max(logBytes, tableBytes / 2) || (this.#logBytes > 0 && unflushedBytes > 4 * partitionBytes)
    )
  }

  /** Tells whether anything was written. */
  async #flush({ tidies = false } = {}): Promise<boolean> {
    const flush = await this.#catalog.orPoison(() =>
      awaitNative(() => this.#native.flush(this.#at.nextSegment, tidies)),
    )
    const segments = sortedSegments(flush.live)
    const at: CatalogState = {
      sequence: this.#at.sequence,
      flushed: flush.sequence,
      nextSegment: this.#at.nextSegment + segmentCount(flush.added),
      segmentsHash: hashOfSegments(segments, this.#hash),
    }
    const state = stateParameters(at, this.#core.identity.text, this.#hash)
    try {
      await this.#catalog.commitFlush({ flushed: flush.sequence, segments, state })
    } catch (error) {
      // Only now is it certain that nothing was committed. After any other failure the next opening finds the new list
      // or the old one, and until then the files of both have to stay.
      if (isBusy(error)) await awaitNative(() => this.#native.abandonFlush())
      throw error
    }
    this.#at = at
    this.#segments = segments
    this.#logBytes = 0
    await this.#catalog.orPoison(() => awaitNative(() => this.#native.adoptFlush()))
    this.#holder.advance(this.#native)
    return flush.added.length > 0
  }

  async compact(): Promise<void> {
    this.#catalog.refuseIfPoisoned()
    await this.#flush()
    // One partition at a time goes to disk and its predecessor from it: that is all the room it takes. Records
    // likewise.
    while (await this.#catalog.orPoison(() => awaitNative(() => this.#native.compactStep()))) await this.#flush()
    while (await this.#flush({ tidies: true }));
    await this.#catalog.shrink()
  }

  async check(level: CheckLevel): Promise<CheckReport> {
    const report = await awaitNative(() => this.#native.check(level))
    return checkDocuments(report, level, this.#catalog.thread, this.#holder.state, this.#hash)
  }

  async backup(path: string): Promise<BackupReport> {
    this.#catalog.refuseIfPoisoned()
    return backupFolder(this.#core.folder, path, this.#segments, (file) => this.#catalog.copyTo(file))
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {
    try {
      const { tableBytes } = this.#holder.nativeStats()
      if (!this.#catalog.isPoisoned && this.#logBytes > Math.max(CLOSING_LOG_BYTES, tableBytes / 16))
        await this.#flush()
    } finally {
      this.#holder.end()
      this.#native.close()
      try {
        await this.#catalog.close()
      } finally {
        this.#lock.release()
      }
    }
  }
}

interface Entered {
  readonly measure: BatchMeasure
  readonly refresh: RefreshCommit | undefined
}

interface Opened {
  readonly view: StoredView
  readonly moment: CatalogMoment
  readonly logBytes: number
}
