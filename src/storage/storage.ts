import type { Stop } from '../base/abort.js'
import type { WaitingProperties } from '../base/waiting-properties.js'
import type { CheckLevel, CheckReport } from '../core/check-report.js'
import type { Reader } from '../core/reader.js'
import type { DiskStats } from '../core/stats.js'
import type { MeasuringEngine, QueryWords } from '../engine.js'
import type { LinkTable } from '../links/link-table.js'
import type { PrioritizerStore } from '../refresh/rows.js'
import type { Snapshot } from '../snapshot.js'
import type { CpuClocks } from '../write/cpu-account.js'
import type { Writer } from '../write/pipeline.js'
import type { BackupReport } from './backup.js'

/**
 * Where an index lives, and with that how its verbs are done: in memory, in a folder, or in a folder that somebody else
 * writes. The calls that return a promise come one at a time.
 */
export interface Storage<D extends object> {
  /** Reads the present moment: ask again for each read. */
  readonly reader: Reader<D>
  /** Another object whenever another state is shown. */
  readonly moment: object
  /** Undefined in memory. */
  readonly disk: DiskStats | undefined
  /** Undefined where nothing can be written. */
  readonly measuring: MeasuringEngine | undefined
  readonly words: QueryWords
  /** The links of its documents; undefined where they are not read, or somebody else writes. */
  readonly links: LinkTable | undefined
  /** What its threads have taken. */
  readonly clocks: CpuClocks
  /** Where the prioritizer's rows are kept. */
  readonly rows: PrioritizerStore
  /** Gives what can be written to. Throws READ_ONLY or POISONED. */
  writer(): Writer
  /** The fields that documents have yet to be analysed for. */
  readonly waiting: WaitingProperties
  /** Makes durable that none has. */
  noteReindexed(): Promise<void>
  snapshot(): Snapshot<D>
  /** `stop` is called between steps, and ends the work by what it throws; what was done until then stays done. */
  compact(stop: Stop): Promise<void>
  check(level: CheckLevel, stop: Stop): Promise<CheckReport>
  backup(path: string, stop: Stop): Promise<BackupReport>
  catchUp(): Promise<void>
  close(): Promise<void>
}
