import type { EncodedBatch } from '../core/batch.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import type { Reader } from '../core/reader.js'
import type { DiskStats } from '../core/stats.js'
import type { MeasuringCore, Written } from '../engine.js'
import type { EnterRefresh, RefreshCommit, StoredRefresh } from '../refresh/rows.js'
import type { Snapshot } from '../snapshot.js'
import type { BackupReport } from './backup.js'

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
