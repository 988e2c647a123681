/**
 * An index in a folder, opened for writing. A write is prepared by the core, committed to the catalog and published by the
 * core, in this order: what is visible is durable, and what is durable becomes visible or the writer is poisoned.
 *
 * I1  #at is the state that the catalog has, but for a commit under way.
 * I2  #state shows #at; while a commit is under way its view is pinned, so that readers go on seeing the moment before.
 * I3  After a failure between prepare and the end nothing is written any more: what the disk has is known only to a new
 *     opening. Reads go on.
 */

import { type CatalogMoment, logBytesOf, readMoment } from '../catalog/catalog.js'
import { type CatalogJob, CatalogThread } from '../catalog/catalog-thread.js'
import type { RefreshCommit } from '../catalog/refresh-rows.js'
import {
  type Hash,
  hashOfSegments,
  type SegmentList,
  segmentBytes,
  segmentCount,
  sortedSegments,
} from '../catalog/segment-list.js'
import { type CatalogState, stateParameters } from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import type { BatchCommit } from '../catalog/transactions.js'
import type { Key } from '../documents.js'
import {
  awaitNative,
  type BatchMeasure,
  type FileLock,
  type NativeIndex,
  type NativeSalvage,
  type PreparedBatch,
} from '../engine/binding.js'
import type { CheckLevel, CheckReport } from '../engine/check-report.js'
import type { Reader, ReaderParts } from '../engine/reader.js'
import type { EncodedBatch } from '../engine/slab.js'
import type { DiskStats } from '../engine/stats.js'
import { FreshdexError } from '../errors.js'
import type { MeasuringCore } from '../refresh/measurement.js'
import type { Snapshot } from '../snapshot.js'
import { type BackupReport, backupFolder } from './backup.js'
import { checkDocuments } from './check-documents.js'
import { type CoreParts, hashFor, openCore } from './disk-core.js'
import type { IndexFolder } from './index-folder.js'
import { measuringCore } from './measuring-core.js'
import { StateHolder } from './state-holder.js'
import type { EnterRefresh, Storage, StoredRefresh, Written } from './storage.js'
import { copyStored, type StoredForms } from './stored-forms.js'
import { storedRefresh } from './stored-refresh.js'

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
  /** Started by the first write: an index that is only read needs none. */
  #thread: CatalogThread | undefined
  #at: CatalogState
  #segments: SegmentList
  #logBytes: number
  #uncheckpointedBytes = 0
  #poison: unknown

  private constructor(core: CoreParts, native: NativeIndex, lock: FileLock, opened: Opened, parts: ReaderParts) {
    this.#core = core
    this.#native = native
    this.#lock = lock
    this.#hash = hashFor(core.identity.seed)
    this.#at = opened.moment.state
    this.#segments = opened.moment.segments
    this.#logBytes = opened.logBytes
    this.#holder = new StateHolder<D>(this.#hash, parts, native, opened.view)
    this.refresh = storedRefresh(() => this.#holder.state.view)
    this.measuring = measuringCore(native, core.settings.analyzer, core.identity.seed)
  }

  /** REQUIRES: the lock is held; it belongs to the storage from now on. */
  static async open<D extends object>(core: CoreParts, lock: FileLock, parts: ReaderParts): Promise<DiskStorage<D>> {
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
    this.#refuseIfPoisoned()
    // Before anything is awaited: the batch lies in memory that the next one overwrites.
    const stored = copyStored(batch)
    const prepared = await awaitNative(() => this.#native.prepare(batch.bytes))
    return this.#finish(prepared, batch.keys, stored, enter)
  }

  async commitRefresh(commit: RefreshCommit): Promise<void> {
    this.#refuseIfPoisoned()
    const waiting = await this.#orPoison(() => this.#catalog.run({ kind: 'refresh', commit }))
    this.#uncheckpointedBytes = waiting as number
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
    const published = await this.#orPoison(() => awaitNative(() => this.#native.publish()))
    this.#at = at
    this.#logBytes += rowBytes
    this.#holder.advance(this.#native)
    return { prepared, measure, published }
  }

  /** The catalog writes the documents of a batch that is still to be measured while the core measures it. */
  async #commit(commit: BatchCommit, prepared: PreparedBatch, enter: EnterRefresh): Promise<BatchMeasure> {
    const run = (job: CatalogJob) => {
      const done = this.#catalog.run(job, 'commit' in job ? [commit.stored.buffer as ArrayBuffer] : [])
      // When an earlier job fails, nobody waits for the later one.
      done.catch(() => {})
      return done
    }
    this.#holder.state.view.pin()
    const entering = this.#entered(prepared, enter)
    const begun = prepared.measure === undefined ? run({ kind: 'begin', commit }) : undefined
    const { measure, refresh } = await entering
    try {
      const ended = run(begun === undefined ? { kind: 'batch', commit, refresh } : { kind: 'end', refresh })
      await begun
      this.#uncheckpointedBytes = (await ended) as number
      return measure
    } catch (error) {
      await this.#undo(error)
      throw error
    }
  }

  async #entered(prepared: PreparedBatch, enter: EnterRefresh): Promise<Entered> {
    try {
      const measure = prepared.measure ?? (await awaitNative(() => this.#native.measure()))
      return { measure, refresh: enter(prepared, measure) }
    } catch (error) {
      if (prepared.measure === undefined) await this.#orPoison(() => this.#catalog.run({ kind: 'abandon' }))
      await awaitNative(() => this.#native.discard())
      this.#holder.state.view.unpin()
      throw error
    }
  }

  /** Nothing was committed, as far as is known: the batch is forgotten, and unless it was only too early, the writer ends. */
  async #undo(error: unknown): Promise<void> {
    if (!isBusy(error)) this.#poison ??= error
    await awaitNative(() => this.#native.discard())
    if (isBusy(error)) this.#holder.state.view.unpin()
  }

  get isUpkeepDue(): boolean {
    return this.#poison === undefined && (this.#isFlushDue() || this.#uncheckpointedBytes > CHECKPOINT_BYTES)
  }

  async upkeep(): Promise<void> {
    if (this.#poison !== undefined) return
    if (this.#isFlushDue()) await this.#flush()
    if (this.#uncheckpointedBytes > CHECKPOINT_BYTES) await this.#checkpoint()
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
    const flush = await this.#orPoison(() => awaitNative(() => this.#native.flush(this.#at.nextSegment, tidies)))
    const segments = sortedSegments(flush.live)
    const at: CatalogState = {
      sequence: this.#at.sequence,
      flushed: flush.sequence,
      nextSegment: this.#at.nextSegment + segmentCount(flush.added),
      segmentsHash: hashOfSegments(segments, this.#hash),
    }
    const state = stateParameters(at, this.#core.identity.text, this.#hash)
    try {
      await this.#catalog.run({ kind: 'flush', commit: { flushed: flush.sequence, segments, state } })
    } catch (error) {
      // Only now is it certain that nothing was committed. After any other failure the next opening finds the new list or the old
      // one, and until then the files of both have to stay.
      if (isBusy(error)) await awaitNative(() => this.#native.abandonFlush())
      else this.#poison ??= error
      throw error
    }
    this.#at = at
    this.#segments = segments
    this.#logBytes = 0
    await this.#orPoison(() => awaitNative(() => this.#native.adoptFlush()))
    this.#holder.advance(this.#native)
    return flush.added.length > 0
  }

  async #checkpoint(): Promise<void> {
    await this.#orPoison(() => this.#catalog.run({ kind: 'checkpoint' }))
    this.#uncheckpointedBytes = 0
  }

  async compact(): Promise<void> {
    this.#refuseIfPoisoned()
    await this.#flush()
    // One partition at a time goes to disk and its predecessor from it: that is all the room it takes. Records likewise.
    while (await this.#orPoison(() => awaitNative(() => this.#native.compactStep()))) await this.#flush()
    while (await this.#flush({ tidies: true }));
    await this.#orPoison(() => this.#catalog.run({ kind: 'shrink' }))
    this.#uncheckpointedBytes = 0
  }

  async check(level: CheckLevel): Promise<CheckReport> {
    const report = await awaitNative(() => this.#native.check(level))
    return checkDocuments(report, level, this.#catalog, this.#holder.state, this.#hash)
  }

  async backup(path: string): Promise<BackupReport> {
    this.#refuseIfPoisoned()
    return backupFolder(this.#core.folder, path, this.#segments, (file) => this.#catalog.run({ kind: 'copy', file }))
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {
    try {
      const { tableBytes } = this.#holder.nativeStats()
      if (this.#poison === undefined && this.#logBytes > Math.max(CLOSING_LOG_BYTES, tableBytes / 16))
        await this.#flush()
    } finally {
      this.#holder.end()
      this.#native.close()
      try {
        await this.#thread?.close()
      } finally {
        this.#lock.release()
      }
    }
  }

  get #catalog(): CatalogThread {
    this.#thread ??= new CatalogThread({ file: this.#core.folder.catalog, access: this.#core.disk.durability })
    return this.#thread
  }

  async #orPoison<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error)) this.#poison ??= error
      throw error
    }
  }

  #refuseIfPoisoned(): void {
    if (this.#poison === undefined) return
    const reason = this.#poison instanceof Error ? this.#poison.message : String(this.#poison)
    throw new FreshdexError('POISONED', `an earlier write failed, open the index anew: ${reason}`, {
      cause: this.#poison,
      detail: { path: this.#core.folder.path },
    })
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

/** Another program held the catalog: nothing happened. */
function isBusy(error: unknown): boolean {
  return error instanceof FreshdexError && error.code === 'BUSY'
}
