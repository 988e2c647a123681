import type { CheckLevel, CheckReport } from '../engine/check-report.js'
import type { Reader } from '../engine/reader.js'
import type { EncodedBatch } from '../engine/slab.js'
import type { DiskStats } from '../engine/stats.js'
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
  /** The counts of the batch, in the order of write-report.ts. */
  write(batch: EncodedBatch): Promise<Float64Array>
  /** What is due after a write, if anything. */
  readonly isUpkeepDue: boolean
  upkeep(): Promise<void>
  compact(): Promise<void>
  check(level: CheckLevel): Promise<CheckReport>
  backup(path: string): Promise<BackupReport>
  catchUp(): Promise<void>
  close(): Promise<void>
}
