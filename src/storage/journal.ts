/**
 * The journal of an index in a folder: how a batch becomes durable in the catalog, and where the catalog stands. After
 * a failure that leaves open what the disk has, it is poisoned and takes nothing more: only a new opening can tell.
 * BUSY is no such failure, because then nothing happened.
 */
import { FreshdexError } from '../base/errors.js'
import { inTurns, Pauses } from '../base/turns.js'
import type { CatalogMoment } from '../catalog/catalog.js'
import type { IndexIdentity } from '../catalog/identity.js'
import { isSmallCommit, SmallCommits } from '../catalog/small-commits.js'
import {
  type CatalogState,
  type Hash,
  hashOfSegments,
  type SegmentList,
  segmentCount,
  sortedSegments,
  stateParameters,
} from '../catalog/state.js'
import { type CatalogJob, CatalogThread, type SpentUs } from '../catalog/thread.js'
import { type BatchCommit, makingRowsCommit, type RowsCommit, rowsCommit } from '../catalog/transactions.js'
import { loadAddon } from '../core/addon.js'
import type { NativeFlush } from '../core/addon-shape.js'
import { copyStored, type OwnedBatch, type StoredForms } from '../core/batch.js'
import { frequentClock } from '../core/frequent-clock.js'
import type { Durability } from '../options/index-options.js'
import type { JudgementRows } from '../refresh/choose/judgements.js'
import type { PrioritizerRows } from '../refresh/rows.js'
import type { WorkloadChanges } from '../workload/stored-workload.js'
import { type CatalogCost, NO_CATALOG_COST } from '../write/cpu-account.js'
import type { DurableBatch, Journal } from '../write/pipeline.js'
import type { IndexFolder } from './folder.js'

/** The moment that readers see, which stays while a batch is committed and not published. */
export interface ShownMoment {
  pin(): void
  unpin(): void
  /** Goes on to the newest moment of the core and of the catalog. */
  advance(): void
}

export interface JournalSetup {
  readonly folder: IndexFolder
  readonly identity: IndexIdentity
  readonly durability: Durability
  readonly hash: Hash
  /** What the catalog holds. */
  readonly moment: CatalogMoment
  /** The size of the log that no segment holds yet. */
  readonly logBytes: number
  readonly shown: ShownMoment
}

/** Stored forms of a batch of this size, encoded, need no memory that is kept for them. */
const SMALL_BATCH_BYTES = 64 * 1024

export class DiskJournal implements Journal {
  readonly #setup: JournalSetup
  #state: CatalogState
  #segments: SegmentList
  #logBytes: number
  /** Started by the first job: an index that is only read needs none. */
  #thread: CatalogThread | undefined
  /** Opened by the first small batch; undefined where commits wait for the disk. */
  #small: SmallCommits | undefined
  #uncheckpointedBytes = 0
  #poison: unknown
  /** The CPU time of the calling thread, in microseconds. */
  readonly threadUs = frequentClock(loadAddon().threadCpuUs)
  /** What commits have taken of the calling thread, sending them left out. */
  readonly #here = { indexUs: 0, ledgerUs: 0 }

  constructor(setup: JournalSetup) {
    this.#setup = setup
    this.#state = setup.moment.state
    this.#segments = setup.moment.segments
    this.#logBytes = setup.logBytes
  }

  get state(): CatalogState {
    return this.#state
  }

  get segments(): SegmentList {
    return this.#segments
  }

  /** The size of the log since the last flush. */
  get logBytes(): number {
    return this.#logBytes
  }

  /** Whether changes of the ledger should be brought into its table by the catalog's thread. */
  get isFoldDue(): boolean {
    return this.#small?.isFoldDue === true
  }

  /** Bytes that wait in SQLite's own log. */
  get uncheckpointedBytes(): number {
    return this.#uncheckpointedBytes
  }

  get thread(): CatalogThread {
    const { folder, durability } = this.#setup
    this.#thread ??= new CatalogThread({ file: folder.catalog, access: durability })
    return this.#thread
  }

  /** What the catalog's thread has taken, and sending it what to do. */
  get spentUs(): CatalogCost {
    if (this.#thread === undefined) return NO_CATALOG_COST
    const { spentUs, sentUs } = this.#thread
    const small = this.#small?.spentUs ?? { indexUs: 0, ledgerUs: 0 }
    const here = {
      indexUs: sentUs.indexUs + this.#here.indexUs + small.indexUs,
      ledgerUs: sentUs.ledgerUs + this.#here.ledgerUs + small.ledgerUs,
    }
    return {
      indexUs: spentUs.indexUs + here.indexUs,
      ledgerUs: spentUs.ledgerUs + here.ledgerUs,
      threadUs: spentUs.indexUs + spentUs.ledgerUs,
      hereUs: here,
    }
  }

  /** Runs what a commit needs on the calling thread, and counts what that takes. */
  #timed<T>(part: keyof SpentUs, work: () => T): T {
    const startUs = this.threadUs()
    try {
      return work()
    } finally {
      this.#here[part] += this.threadUs() - startUs
    }
  }

  get isPoisoned(): boolean {
    return this.#poison !== undefined
  }

  /** Throws POISONED after a failure that only a new opening can sort out. */
  requireWritable(): void {
    if (this.#poison === undefined) return
    const reason = this.#poison instanceof Error ? this.#poison.message : String(this.#poison)
    throw new FreshdexError('POISONED', `an earlier write failed, open the index anew: ${reason}`, {
      cause: this.#poison,
      detail: { path: this.#setup.folder.path },
    })
  }

  async orPoison<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (!isBusy(error)) this.#poison ??= error
      throw error
    }
  }

  storedForms(batch: OwnedBatch): StoredForms {
    const isSmall = batch.bytes.length <= SMALL_BATCH_BYTES
    return copyStored(batch, (bytes) => (isSmall ? new ArrayBuffer(bytes) : this.thread.memoryOf(bytes)))
  }

  async commit(batch: DurableBatch, rows: Promise<PrioritizerRows | undefined>): Promise<void> {
    const { prepared } = batch
    const state: CatalogState = { ...this.#state, sequence: this.#state.sequence + 1 }
    const commit = this.#timed('indexUs', () => {
      this.#setup.shown.pin()
      return this.#commitOf(batch, state)
    })
    const rowBytes = prepared.row.length
    try {
      if (prepared.measure === undefined) await this.#commitWhile(commit, rows)
      else {
        const refresh = this.#committed(await rows)
        if (!(await this.#committedHere(commit, refresh)))
          await this.#run({ kind: 'batch', commit, refresh }, buffersOf(refresh))
      }
    } catch (error) {
      if (!this.isPoisoned) this.#setup.shown.unpin()
      throw error
    }
    this.#state = state
    this.#logBytes += rowBytes
  }

  #commitOf({ prepared, keys, stored, links }: DurableBatch, state: CatalogState): BatchCommit {
    const { bytes, ends } = stored as StoredForms
    return {
      sequence: state.sequence,
      row: prepared.row,
      keys,
      numbers: prepared.numbers,
      links,
      stored: bytes,
      storedEnds: ends,
      state: this.#parametersOf(state),
    }
  }

  #committed(rows: PrioritizerRows | undefined): RowsCommit | undefined {
    return rows && this.#timed('ledgerUs', () => rowsCommit(rows))
  }

  show(): void {
    this.#timed('indexUs', () => this.#setup.shown.advance())
  }

  /** Makes rows of the prioritizer durable that belong to no batch. */
  async commitRows(rows: PrioritizerRows): Promise<void> {
    this.requireWritable()
    const commit = await inTurns(makingRowsCommit(rows), new Pauses(), { perLook: 1 })
    await this.#run({ kind: 'refresh', commit }, buffersOf(commit))
  }

  /**
   * The same of what was learnt. What is written are weights and not additions, so that it may be written again after
   * whatever failure: none of them poisons. `isForGood`: nothing that was dropped stays readable in the file.
   */
  async commitWorkload(changes: WorkloadChanges, { isForGood = false } = {}): Promise<void> {
    this.requireWritable()
    this.#noteLog((await this.thread.run({ kind: 'workload', changes, isForGood })) as number)
  }

  /** Keeps what a judgement said, for SQL. It may be lost, so that no failure poisons. */
  async keepJudgements(rows: JudgementRows): Promise<void> {
    this.requireWritable()
    this.#noteLog((await this.thread.run({ kind: 'judgements', rows })) as number)
  }

  /** Names the segments of a flush, in place of those before them and of the log. A failure other than BUSY poisons. */
  async commitFlush(flush: NativeFlush): Promise<void> {
    const segments = sortedSegments(flush.live)
    const state: CatalogState = {
      sequence: this.#state.sequence,
      flushed: flush.sequence,
      nextSegment: this.#state.nextSegment + segmentCount(flush.added),
      segmentsHash: hashOfSegments(segments, this.#setup.hash),
    }
    const commit = { flushed: flush.sequence, segments, state: this.#parametersOf(state) }
    await this.orPoison(() => this.thread.run({ kind: 'flush', commit }))
    this.#state = state
    this.#segments = segments
    this.#logBytes = 0
  }

  /** Compresses the stored documents that are not. A job has some of them, so that others and `stop` come between. */
  async packDocuments(stop: () => void): Promise<void> {
    for (let last: number | undefined = -1; last !== undefined; stop()) {
      const after: number = last
      last = (await this.orPoison(() => this.thread.run({ kind: 'pack', after }))) as number | undefined
    }
  }

  /** Brings changes of the ledger that wait into its table. */
  async foldLedger(): Promise<void> {
    await this.#run({ kind: 'fold' })
    this.#small?.noteFolded()
  }

  /** Moves SQLite's own log into the catalog; `shrinks` makes the file as small as what it holds, too. */
  async checkpoint({ shrinks = false } = {}): Promise<void> {
    await this.orPoison(() => this.thread.run({ kind: shrinks ? 'shrink' : 'checkpoint' }))
    this.#uncheckpointedBytes = 0
    if (shrinks) this.#small?.noteFolded()
  }

  /** Notes that every document has all fields of the index. */
  async noteReindexed(): Promise<void> {
    this.requireWritable()
    await this.thread.run({ kind: 'reindexed' })
  }

  async copyTo(file: string): Promise<void> {
    await this.thread.run({ kind: 'copy', file })
  }

  async close(): Promise<void> {
    // Before the thread: the last connection to go moves SQLite's log into the catalog, which waits for the disk.
    this.#small?.close()
    await this.#thread?.close()
  }

  /**
   * Whether small batches are committed here and not by the catalog's thread: it has nothing to do, and SQLite's log is
   * begun, since the first commit into a new one waits for the disk.
   */
  get #isSmallCommitPossible(): boolean {
    const isLogBegun = this.#uncheckpointedBytes > 0
    return this.#setup.durability === 'process' && isLogBegun && this.thread.isResting && !this.isFoldDue
  }

  /** Commits a small batch on this thread. False: that was not possible, and nothing has happened. */
  async #committedHere(commit: BatchCommit, refresh: RowsCommit | undefined): Promise<boolean> {
    if (!this.#isSmallCommitPossible || !isSmallCommit(commit, refresh)) return false
    try {
      await this.orPoison(async () => {
        this.#small ??= new SmallCommits(this.#setup.folder.catalog, this.threadUs)
        this.#uncheckpointedBytes += this.#small.commit(commit, refresh)
      })
      return true
    } catch (error) {
      // The thread waits for whoever is in the way.
      if (isBusy(error)) return false
      throw error
    }
  }

  /** Writes the documents of a batch while the core still measures it. When measuring fails, nothing is committed. */
  async #commitWhile(commit: BatchCommit, rows: Promise<PrioritizerRows | undefined>): Promise<void> {
    const begun = this.thread.run({ kind: 'begin', commit })
    // Its failure is told below, after that of the measuring.
    begun.catch(() => {})
    let refresh: RowsCommit | undefined
    try {
      refresh = this.#committed(await rows)
    } catch (error) {
      await this.orPoison(() => this.thread.run({ kind: 'abandon' }))
      throw error
    }
    const ended = this.thread.run({ kind: 'end', refresh }, buffersOf(refresh))
    // When the beginning failed, so does the end, and says less.
    ended.catch(() => {})
    await this.orPoison(() => begun)
    await this.#counted(ended)
  }

  async #run(job: CatalogJob, moved: ArrayBuffer[] = []): Promise<void> {
    await this.#counted(this.thread.run(job, moved))
  }

  /** Notes what a commit says of SQLite's own log. */
  async #counted(committed: Promise<unknown>): Promise<void> {
    this.#noteLog((await this.orPoison(() => committed)) as number)
  }

  #noteLog(bytes: number): void {
    this.#uncheckpointedBytes = bytes
    this.#small?.noteOthers()
  }

  #parametersOf(state: CatalogState): readonly unknown[] {
    return stateParameters(state, this.#setup.identity.text, this.#setup.hash)
  }
}

/** What can be handed over instead of copied: nobody reads rows after their commit. */
function buffersOf(rows: RowsCommit | undefined): ArrayBuffer[] {
  if (rows === undefined) return []
  const visits = rows.clusters === undefined ? [] : [rows.clusters.visits.rows]
  return [rows.ledger, ...visits].map(({ buffer }) => buffer as ArrayBuffer)
}

/** Another program held the catalog: nothing happened. */
export function isBusy(error: unknown): boolean {
  return error instanceof FreshdexError && error.code === 'BUSY'
}
