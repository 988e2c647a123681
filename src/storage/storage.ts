import type { RefreshCommit, StoredWorkload } from '../catalog/refresh-rows.js'
import type { FrontierSource } from '../discovery/frontier-book.js'
import type { BatchMeasure, PreparedBatch, Published } from '../engine/binding.js'
import type { CheckLevel, CheckReport } from '../engine/check-report.js'
import type { Reader } from '../engine/reader.js'
import type { EncodedBatch } from '../engine/slab.js'
import type { DiskStats } from '../engine/stats.js'
import type { HistorySource } from '../refresh/history-entry.js'
import type { MeasuringCore } from '../refresh/measurement.js'
import type { Snapshot } from '../snapshot.js'
import type { BackupReport } from './backup.js'

/** What a write did. */
export interface Written {
  readonly prepared: PreparedBatch
  readonly measure: BatchMeasure
  readonly published: Published
}

/** Enters a prepared write into the refresh history; the commit becomes durable with the write. */
export type EnterRefresh = (prepared: PreparedBatch, measure: BatchMeasure) => RefreshCommit | undefined

/** Refresh history that an earlier process left, or another one is writing. */
export interface StoredRefresh extends HistorySource {
  /** Grows with every change. */
  readonly version: number
  workload(): StoredWorkload
  readonly frontier: FrontierSource
}

/**
 * Where an index lives, and with that how its verbs are done: in memory, in a folder, or in a folder that somebody else
 * writes. The calls that return a promise come one at a time.
 */
export interface Storage<D extends object> {
  /** Of the present moment: ask again for each read. */
  readonly reader: Reader<D>
  /** Undefined in memory. */
  readonly disk: DiskStats | undefined
  snapshot(): Snapshot<D>
  write(batch: EncodedBatch, enter: EnterRefresh): Promise<Written>
  /** Makes refresh history durable that belongs to no write. */
  commitRefresh(commit: RefreshCommit): Promise<void>
  /** Undefined in memory. */
  readonly refresh: StoredRefresh | undefined
  /** Undefined where nothing can be written. */
  readonly measuring: MeasuringCore | undefined
  /** What is due after a write, if anything. */
  readonly isUpkeepDue: boolean
  upkeep(): Promise<void>
  compact(): Promise<void>
  check(level: CheckLevel): Promise<CheckReport>
  backup(path: string): Promise<BackupReport>
  catchUp(): Promise<void>
  close(): Promise<void>
}
