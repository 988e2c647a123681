/** What the catalog's thread does with the catalog that is open: one job after another. */
import { closeSync, readSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { openPlain } from '../base/plain-files.js'
import { openForReading, openForWriting } from './connection.js'
import { CatalogCosts } from './costs.js'
import { clearInbox, takeFromInbox } from './inbox.js'
import { packDocuments } from './packed-documents.js'
import { endReindexing } from './reindexing.js'
import type { CatalogJob, SpentUs, ThreadOptions } from './thread.js'
import { Transactions } from './transactions.js'

/** From here on a checkpoint waits a little for readers that are in its way; below it gives up at once. */
const WAIT_FROM_BYTES = 64 * 1024 * 1024
const WAIT_MS = 500

/** What is learnt or observed makes no write whose upkeep would move SQLite's log into the database. */
const LEARNT_LOG_BYTES = 8 * 1024 * 1024

/** Pages moved by one transaction of a shrinking: each goes through SQLite's log first. */
const SHRINK_PAGES = 1024

interface MovedLog {
  readonly bytes: number
  /** Which beginning of the log that was. */
  readonly sequence: number
}

const NOTHING_MOVED: MovedLog = { bytes: 0, sequence: 0 }

function sizeOf(logFile: string): number {
  return statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
}

/** How often the log has begun anew, from its header: a big-endian u32 at offset 12. */
function sequenceOf(logFile: string): number {
  const header = Buffer.alloc(16)
  let descriptor: number | undefined
  try {
    descriptor = openPlain(logFile)
    return readSync(descriptor, header, 0, header.length, 0) === header.length ? header.readUInt32BE(12) : 0
  } catch {
    // It may have gone meanwhile.
    return 0
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

export class CatalogJobs {
  readonly #db: Database
  readonly #costs: CatalogCosts
  /** SQLite's own. */
  readonly #logFile: string
  /** Undefined where nothing may be written. */
  readonly #transactions: Transactions | undefined
  /** How far SQLite's log has been moved into the database as a whole. */
  #moved = NOTHING_MOVED
  /** SQLite's log still has a query that was removed for good: somebody who reads kept it from being emptied. */
  #owesTruncation = false

  /** `threadUs` is the CPU time of this thread, in microseconds. */
  constructor({ file, access }: ThreadOptions, threadUs: () => number) {
    this.#costs = new CatalogCosts(threadUs)
    this.#logFile = `${file}-wal`
    this.#db = access === 'read' ? openForReading(file) : openForWriting(file, access)
    this.#transactions = access === 'read' ? undefined : new Transactions(this.#db, access, threadUs)
  }

  /** What all jobs so far have taken, the last one included, which is of this kind. */
  spentAfter(kind: CatalogJob['kind']): SpentUs {
    return this.#costs.after(kind, this.#transactions?.takeTimes())
  }

  work(job: CatalogJob): unknown {
    switch (job.kind) {
      case 'batch':
        this.#transactions?.beginBatch(job.commit)
        this.#transactions?.endBatch(job.refresh)
        return this.#logBytes
      case 'begin':
        this.#transactions?.beginBatch(job.commit)
        return undefined
      case 'end':
        this.#transactions?.endBatch(job.refresh)
        return this.#logBytes
      case 'abandon':
        this.#transactions?.abandonBatch()
        return undefined
      case 'flush':
        this.#transactions?.commitFlush(job.commit)
        return undefined
      case 'reindexed':
        endReindexing(this.#db)
        return undefined
      case 'refresh':
        this.#transactions?.commitRows(job.commit)
        this.#checkpointLarge()
        return this.#logBytes
      case 'workload':
        this.#transactions?.commitWorkload(job.changes)
        this.#owesTruncation ||= job.isForGood
        if (this.#owesTruncation) this.#checkpoint({ isUrgent: job.isForGood })
        else this.#checkpointLarge()
        return this.#logBytes
      case 'judgements':
        this.#transactions?.commitJudgements(job.rows)
        this.#checkpointLarge()
        return this.#logBytes
      case 'take':
        return takeFromInbox(job.inbox, job.after)
      case 'clear':
        return clearInbox(job.inbox, job.mark)
      case 'checkpoint':
        return this.#checkpoint()
      case 'pack': {
        const last = packDocuments(this.#db, job.after)
        this.#checkpoint()
        return last
      }
      case 'fold':
        this.#transactions?.foldLedger()
        return this.#logBytes
      case 'shrink':
        this.#transactions?.foldLedger()
        this.#transactions?.forgetUnlinkedKeys()
        return this.#shrink()
      case 'copy':
        this.#db.prepare('VACUUM INTO ?').run(job.file)
        return undefined
      case 'integrity':
        return this.#db.prepare('PRAGMA integrity_check').pluck().all()
      case 'close':
        this.#foldBeforeTheEnd()
        this.#db.close()
        return undefined
    }
  }

  /** Changes of the ledger that cannot be brought into it now wait for the next opening. */
  #foldBeforeTheEnd(): void {
    try {
      this.#transactions?.foldLedger()
    } catch {
      // A disk that is full, or another program that is in the way, has not lost anything.
    }
  }

  /** Gives pages that nothing uses back to the file system, a portion to a transaction. */
  #shrink(): void {
    const freePages = () => this.#db.pragma('freelist_count', { simple: true }) as number
    for (let free = freePages(); free > 0; ) {
      this.#db.pragma(`incremental_vacuum(${SHRINK_PAGES})`)
      const left = freePages()
      if (left >= free) break
      free = left
      this.#checkpoint()
    }
    this.#checkpoint()
  }

  /**
   * What waits in SQLite's log, in bytes: whole pages, of which a small commit writes several, and not what was
   * committed.
   */
  get #logBytes(): number {
    const { bytes, sequence } = this.#moved
    const size = sizeOf(this.#logFile)
    // It begins anew with the first commit after it was moved, if no reader is in the way.
    const isMoved = bytes > 0 && size >= bytes && sequenceOf(this.#logFile) === sequence
    if (!isMoved) this.#moved = NOTHING_MOVED
    return size - this.#moved.bytes
  }

  #checkpointLarge(): void {
    if (this.#logBytes > LEARNT_LOG_BYTES) this.#checkpoint()
  }

  /** Readers that show an older moment keep their part of SQLite's log from being moved; it grows until they go on. */
  #checkpoint({ isUrgent = false } = {}): void {
    const waits = isUrgent || this.#logBytes > WAIT_FROM_BYTES
    const before = this.#db.pragma('busy_timeout', { simple: true }) as number
    this.#db.pragma(`busy_timeout = ${waits ? WAIT_MS : 0}`)
    try {
      const [{ busy, log, checkpointed }] = this.#db.pragma(
        `wal_checkpoint(${this.#owesTruncation ? 'TRUNCATE' : waits ? 'RESTART' : 'PASSIVE'})`,
      ) as [{ readonly busy: number; readonly log: number; readonly checkpointed: number }]
      if (log === checkpointed) this.#moved = { bytes: sizeOf(this.#logFile), sequence: sequenceOf(this.#logFile) }
      if (busy === 0) this.#owesTruncation = false
    } finally {
      this.#db.pragma(`busy_timeout = ${before}`)
    }
  }
}
