/** An index in a folder, opened for writing. */

import type { Stop } from '../base/abort.js'
import { NOTHING_WAITS, type WaitingProperties } from '../base/waiting-properties.js'
import { logBytesOf, readMoment } from '../catalog/catalog.js'
import { hasCurves } from '../catalog/curve-rows.js'
import { ledgerKey } from '../catalog/ledger-image.js'
import { lastDocument } from '../catalog/ledger-rows.js'
import { keepLedger, loadLedger } from '../catalog/ledger-thread.js'
import { StoredLinks, strayLinks } from '../catalog/link-rows.js'
import { storedPrioritizer } from '../catalog/prioritizer-rows.js'
import { type SegmentList, segmentBytes, segmentCount } from '../catalog/state.js'
import { StoredView } from '../catalog/stored-view.js'
import type { FileLock, NativeIndex, NativeSalvage } from '../core/addon-shape.js'
import type { StoredForms } from '../core/batch.js'
import { awaitNative } from '../core/binding.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import { measuringEngine, queryWords, writingCore } from '../core/engine.js'
import type { ReaderSetup } from '../core/read-state.js'
import type { Reader } from '../core/reader.js'
import type { DiskStats } from '../core/stats.js'
import type { MeasuringEngine, PreparedBatch, QueryWords, WritingCore } from '../engine.js'
import type { LedgerParts } from '../ledger/ledger.js'
import type { LinkTable } from '../links/link-table.js'
import { THREAD_DOCUMENTS } from '../refresh/history.js'
import type { KeptJudgement } from '../refresh/judge/kept-judgement.js'
import type { LoadedLedger, LoadingLedger, PrioritizerStore } from '../refresh/rows.js'
import type { Snapshot } from '../snapshot.js'
import { type CpuClocks, processCpuUs } from '../write/cpu-account.js'
import type { Writer } from '../write/pipeline.js'
import { type BackupReport, backupFolder } from './backup.js'
import { checkDocuments } from './check.js'
import { checkLinks, withFaults } from './check-links.js'
import type { IndexFolder } from './folder.js'
import { DiskInbox } from './inbox.js'
import { DiskJournal, isBusy } from './journal.js'
import { Moments } from './moments.js'
import { type FolderSetup, hashFor, openCore } from './open-core.js'
import type { Storage } from './storage.js'

/** Bytes committed after which SQLite's own log is moved into the catalog. */
const CHECKPOINT_BYTES = 16 * 1024 * 1024

/** Whether a flush is due is looked at when the log has grown by this share of the least that can make it due. */
const LOOK_SHARE = 1 / 16
const LOOKED_AT_BYTES = 1024 * 1024

/** A closing flushes a log of at least this size, so that the next opening need not replay it. */
const CLOSING_LOG_BYTES = 1024 * 1024

export class DiskStorage<D extends object> implements Storage<D>, Writer {
  readonly core: WritingCore
  readonly journal: DiskJournal
  readonly measuring: MeasuringEngine
  readonly words: QueryWords
  readonly rows: PrioritizerStore
  readonly links: LinkTable | undefined
  readonly clocks: CpuClocks
  readonly #setup: FolderSetup
  readonly #native: NativeIndex
  readonly #lock: FileLock
  readonly #moments: Moments<D>
  /** The size of the log when a flush was last found not to be due. */
  #lookedAtLogBytes = Number.NEGATIVE_INFINITY
  /** Of the ledger image, if it is as the rows are. */
  #imageKey: string | undefined
  /** Begun by the opening. Rows change only after somebody has taken it. */
  #startedLedger: LoadingLedger | undefined

  private constructor(
    setup: FolderSetup,
    native: NativeIndex,
    lock: FileLock,
    journal: DiskJournal,
    moments: Moments<D>,
    ledger: LoadingLedger | undefined,
  ) {
    this.#startedLedger = ledger
    this.#setup = setup
    this.#native = native
    this.#lock = lock
    this.#moments = moments
    this.core = writingCore(native)
    this.journal = journal
    this.links = setup.settings.links && new StoredLinks(() => moments.moment.view.db)
    this.measuring = measuringEngine(native)
    this.words = queryWords(() => native, setup.settings.analyzer, setup.identity.seed)
    this.clocks = {
      threadUs: journal.threadUs,
      processUs: processCpuUs,
      writerUs: () => native.writerUs(),
      catalogUs: () => journal.spentUs,
    }
    this.rows = {
      isWriter: true,
      requireWriting: () => {},
      stored: storedPrioritizer(
        () => moments.moment.view,
        (nowMs) => this.#loadLedger(nowMs),
      ),
      keepLedger: (parts, judgement) => this.#keepLedger(parts, judgement),
      commit: (rows) => journal.commitRows(rows),
      commitWorkload: (changes, options) => journal.commitWorkload(changes, options),
      keepJudgements: (rows) => journal.keepJudgements(rows),
      inbox: new DiskInbox(setup.folder, setup.identity, () => journal.thread),
    }
  }

  /** REQUIRES: the lock is held; it belongs to the storage from now on. */
  static async open<D extends object>(setup: FolderSetup, lock: FileLock, parts: ReaderSetup): Promise<DiskStorage<D>> {
    const { folder, identity, disk } = setup
    const view = StoredView.open(folder.catalog)
    let native: NativeIndex | undefined
    try {
      view.pin()
      const moment = readMoment(view, hashFor)
      const ledger = startedLedger(setup, view)
      native = await openCore(setup, view, moment)
      const opened = native
      // What a crash left behind, before its numbers are used again.
      await awaitNative(() => opened.removeUnnamed())
      const logBytes = logBytesOf(view)
      view.unpin()
      const hash = hashFor(identity.seed)
      const moments = new Moments<D>(hash, parts, opened, view)
      const shown = {
        pin: () => moments.moment.view.pin(),
        unpin: () => moments.moment.view.unpin(),
        advance: () => moments.advance(opened),
      }
      const { durability } = disk
      const journal = new DiskJournal({ folder, identity, durability, hash, moment, logBytes, shown })
      return new DiskStorage<D>(setup, opened, lock, journal, moments, ledger)
    } catch (error) {
      native?.close()
      view.close()
      throw error
    }
  }

  #loadLedger(nowMs: number): LoadingLedger {
    const loading = this.#startedLedger ?? loadLedger(this.#setup.folder, nowMs)
    this.#startedLedger = undefined
    const noted = (ledger: LoadedLedger) => {
      this.#imageKey = ledger.imageKey
      return ledger
    }
    const loaded = loading.loaded.then(noted)
    // Who waits is told by `wait`.
    loaded.catch(() => {})
    return { loaded, wait: () => noted(loading.wait()) }
  }

  /** A cache: what goes wrong is found out at the next opening, which then reads the rows. */
  async #keepLedger(parts: LedgerParts, judgement: KeptJudgement | undefined): Promise<void> {
    if (this.journal.isPoisoned) return
    const key = ledgerKey(this.#moments.moment.view.db)
    const hasImage = key === this.#imageKey
    if (hasImage && judgement === undefined) return
    await keepLedger(this.#setup.folder, { key, hasImage, parts, judgement }).catch(() => {})
  }

  get waiting(): WaitingProperties {
    return this.#setup.waiting ?? NOTHING_WAITS
  }

  async noteReindexed(): Promise<void> {
    await this.journal.noteReindexed()
  }

  get reader(): Reader<D> {
    return this.#moments.reader
  }

  get moment(): object {
    return this.#moments.reader
  }

  get disk(): DiskStats {
    return {
      path: this.#setup.folder.path,
      readOnly: false,
      durability: this.#setup.disk.durability,
      segments: segmentCount(this.journal.segments),
      segmentBytes: segmentBytes(this.journal.segments),
      flushedSequence: this.journal.state.flushed,
      logBytes: this.journal.logBytes,
    }
  }

  snapshot(): Snapshot<D> {
    return this.#moments.snapshot()
  }

  writer(): Writer {
    this.journal.requireWritable()
    return this
  }

  /** Reads what is left of another index; its documents can then be taken over. */
  async openSalvage(folder: IndexFolder, segments: SegmentList, id: Uint8Array): Promise<NativeSalvage> {
    return awaitNative(() => this.#native.openSalvage(folder.segments, segments, id))
  }

  /** The same of an index that could be opened. */
  async openSalvageOf(source: NativeIndex): Promise<NativeSalvage> {
    return awaitNative(() => this.#native.openSalvageOf(source))
  }

  /** Prepares a write of documents of the salvage, by their numbers there, with these stored forms. */
  async prepareSalvaged(numbers: Uint32Array, stored: StoredForms): Promise<PreparedBatch> {
    return awaitNative(() => this.#native.prepareSalvaged(numbers, stored.bytes, stored.ends))
  }

  get isUpkeepDue(): boolean {
    const { journal } = this
    if (journal.isPoisoned) return false
    return this.#isFlushDue() || journal.uncheckpointedBytes > CHECKPOINT_BYTES || journal.isFoldDue
  }

  async upkeep(): Promise<void> {
    if (this.journal.isPoisoned) return
    if (this.#isFlushDue()) await this.#flush()
    if (this.journal.isFoldDue) await this.journal.foldLedger()
    if (this.journal.uncheckpointedBytes > CHECKPOINT_BYTES) await this.journal.checkpoint()
  }

  async makeRoom(): Promise<void> {
    if (!this.journal.isPoisoned && this.journal.logBytes > 0) await this.#flush()
  }

  /** A flush writes the document table anew: it has to be worth it. */
  #isFlushDue(): boolean {
    const { logBytes, partitionBytes } = this.#setup.disk
    const written = this.journal.logBytes
    // Asking the core takes longer than a small write should have to wait.
    const grown = Math.abs(written - this.#lookedAtLogBytes)
    if (grown < LOOK_SHARE * Math.min(logBytes, partitionBytes, LOOKED_AT_BYTES)) return false
    const { tableBytes, unflushedBytes } = this.#moments.nativeStats()
    const isDue = written > Math.max(logBytes, tableBytes / 2) || (written > 0 && unflushedBytes > 4 * partitionBytes)
    this.#lookedAtLogBytes = isDue ? Number.NEGATIVE_INFINITY : written
    return isDue
  }

  /** Tells whether anything was written. */
  async #flush({ tidies = false } = {}): Promise<boolean> {
    const { journal } = this
    const flush = await journal.orPoison(() => awaitNative(() => this.#native.flush(journal.state.nextSegment, tidies)))
    try {
      await journal.commitFlush(flush)
    } catch (error) {
      // Only now is it certain that nothing was committed. After any other failure the next opening finds the new list
      // or the old one, and until then the files of both have to stay.
      if (isBusy(error)) await awaitNative(() => this.#native.abandonFlush())
      throw error
    }
    await journal.orPoison(() => awaitNative(() => this.#native.adoptFlush()))
    journal.show()
    return flush.added.length > 0
  }

  async compact(stop: Stop): Promise<void> {
    this.journal.requireWritable()
    await this.#flush()
    // One partition at a time goes to disk and its predecessor from it: that is all the room it takes. Records
    // likewise.
    while (await this.journal.orPoison(() => awaitNative(() => this.#native.compactStep()))) {
      await this.#flush()
      stop()
    }
    while (await this.#flush({ tidies: true })) stop()
    await this.journal.packDocuments(stop)
    await this.journal.checkpoint({ shrinks: true })
  }

  async check(level: CheckLevel, stop: Stop): Promise<CheckReport> {
    const report = await awaitNative(() => this.#native.check(level))
    stop()
    const hash = hashFor(this.#setup.identity.seed)
    const { moment } = this.#moments
    const checked = await checkDocuments(report, level, this.journal.thread, moment, hash, stop)
    if (level < 3 || this.links === undefined || !checked.ok || this.journal.isPoisoned) return checked
    const strays = Array.from(strayLinks(moment.view.db), (message) => ({ invariant: 'L7', message }))
    return withFaults(checked, [...strays, ...(await checkLinks(this.links, this.#setup.settings, this, stop))])
  }

  async backup(path: string, stop: Stop): Promise<BackupReport> {
    this.journal.requireWritable()
    const copyCatalog = (file: string) => this.journal.copyTo(file)
    return backupFolder(this.#setup.folder, path, this.journal.segments, copyCatalog, stop)
  }

  async catchUp(): Promise<void> {}

  async close(): Promise<void> {
    try {
      const { tableBytes } = this.#moments.nativeStats()
      if (!this.journal.isPoisoned && this.journal.logBytes > Math.max(CLOSING_LOG_BYTES, tableBytes / 16))
        await this.#flush()
    } finally {
      this.#moments.end()
      this.#native.close()
      try {
        await this.journal.close()
      } finally {
        this.#lock.release()
      }
    }
  }
}

/** A large ledger takes as long as the rest of an opening: it is loaded beside that where it is needed at once. */
function startedLedger({ folder, now, wantsLedger }: FolderSetup, { db }: StoredView): LoadingLedger | undefined {
  if (wantsLedger !== true || lastDocument(db) < THREAD_DOCUMENTS || !hasCurves(db)) return undefined
  return loadLedger(folder, now())
}
