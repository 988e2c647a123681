/** What the catalog's thread does with the catalog that is open: one job after another. */
import type { Database } from 'better-sqlite3'
import { openForReading, openForWriting } from './connection.js'
import { CatalogCosts } from './costs.js'
import { clearInbox, takeFromInbox } from './inbox.js'
import { packDocuments } from './packed-documents.js'
import { endReindexing } from './reindexing.js'
import type { CatalogJob, SpentUs, ThreadOptions } from './thread.js'
import { type BatchCommit, type RowsCommit, Transactions } from './transactions.js'

/** From here on a checkpoint waits a little for readers that are in its way; below it gives up at once. */
const WAIT_FROM_BYTES = 64 * 1024 * 1024
const WAIT_MS = 500

/** What a commit of queries adds to SQLite's log: some pages, and something for each query. */
const WORKLOAD_BYTES = 16 * 1024
const QUERY_BYTES = 128
/** What a judgement of one document adds, roughly. */
const JUDGEMENT_BYTES = 48
/** A process that only searches makes no write whose upkeep would move SQLite's log into the database. */
const LEARNT_LOG_BYTES = 8 * 1024 * 1024

/** Pages moved by one transaction of a shrinking: each goes through SQLite's log first. */
const SHRINK_PAGES = 1024

function bytesOf({ row, stored }: BatchCommit): number {
  return row.length + stored.length
}

/** Roughly what a commit adds to SQLite's log. */
function refreshBytesOf({ ledger, frontier, curves }: RowsCommit): number {
  const pages = frontier?.put.reduce((sum, { url, anchors }) => sum + url.length + anchors.length, 0) ?? 0
  const curveBytes = curves?.changes.reduce((sum, { put }) => sum + put.bytes.length, 0) ?? 0
  return ledger.length + pages + (frontier?.lessons?.length ?? 0) + curveBytes
}

export class CatalogJobs {
  readonly #db: Database
  readonly #costs: CatalogCosts
  /** Undefined where nothing may be written. */
  readonly #transactions: Transactions | undefined
  /** Committed since SQLite's log was last moved into the database as a whole. */
  #logBytes = 0
  /** SQLite's log still has a query that was removed for good: somebody who reads kept it from being emptied. */
  #owesTruncation = false
  /** The bytes of the batch that is begun and not ended. */
  #begunBytes = 0

  /** `threadUs` is the CPU time of this thread, in microseconds. */
  constructor({ file, access }: ThreadOptions, threadUs: () => number) {
    this.#costs = new CatalogCosts(threadUs)
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
        this.#logBytes += bytesOf(job.commit)
        return this.#logBytes
      case 'begin':
        this.#transactions?.beginBatch(job.commit)
        this.#begunBytes = bytesOf(job.commit)
        return undefined
      case 'end':
        this.#transactions?.endBatch(job.refresh)
        this.#logBytes += this.#begunBytes
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
        this.#logBytes += refreshBytesOf(job.commit)
        return this.#logBytes
      case 'workload':
        this.#transactions?.commitWorkload(job.changes)
        this.#logBytes += WORKLOAD_BYTES + job.changes.rows.length * QUERY_BYTES
        this.#owesTruncation ||= job.isForGood
        if (this.#owesTruncation || this.#logBytes > LEARNT_LOG_BYTES) this.#checkpoint({ isUrgent: job.isForGood })
        return this.#logBytes
      case 'judgements':
        this.#transactions?.commitJudgements(job.rows)
        this.#logBytes += job.rows.docs.length * JUDGEMENT_BYTES
        if (this.#logBytes > LEARNT_LOG_BYTES) this.#checkpoint()
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

  /** Readers that show an older moment keep their part of SQLite's log from being moved; it grows until they go on. */
  #checkpoint({ isUrgent = false } = {}): void {
    const waits = isUrgent || this.#logBytes > WAIT_FROM_BYTES
    const before = this.#db.pragma('busy_timeout', { simple: true }) as number
    this.#db.pragma(`busy_timeout = ${waits ? WAIT_MS : 0}`)
    try {
      const [{ busy, log, checkpointed }] = this.#db.pragma(
        `wal_checkpoint(${this.#owesTruncation ? 'TRUNCATE' : waits ? 'RESTART' : 'PASSIVE'})`,
      ) as [{ readonly busy: number; readonly log: number; readonly checkpointed: number }]
      if (log === checkpointed) this.#logBytes = 0
      if (busy === 0) this.#owesTruncation = false
    } finally {
      this.#db.pragma(`busy_timeout = ${before}`)
    }
  }
}
