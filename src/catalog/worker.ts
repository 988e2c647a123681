/** The thread that works on a catalog: commits and checks wait for disks, and the event loop must not. */
import { parentPort, workerData } from 'node:worker_threads'
import { threadClock } from '../core/thread-clock.js'
import { openForReading, openForWriting } from './connection.js'
import { CatalogCosts } from './costs.js'
import { clearInbox, takeFromInbox } from './inbox.js'
import type { Answer, CatalogJob, Request, ThreadData } from './thread.js'
import { type BatchCommit, type RowsCommit, Transactions } from './transactions.js'

const { file, access, addon } = workerData as ThreadData
const db = access === 'read' ? openForReading(file) : openForWriting(file, access)
const threadCpuUs = threadClock(addon)
const costs = new CatalogCosts(threadCpuUs)
const transactions = access === 'read' ? undefined : new Transactions(db, access, threadCpuUs)

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

/** Committed since SQLite's log was last moved into the database as a whole. */
let logBytes = 0

/** SQLite's log still has a query that was removed for good: somebody who reads kept it from being emptied. */
let owesTruncation = false

/** The bytes of the batch that is begun and not ended. */
let begunBytes = 0

function bytesOf({ row, stored }: BatchCommit): number {
  return row.length + stored.length
}

/** Roughly what a commit adds to SQLite's log. */
function refreshBytesOf({ ledger, frontier, curves }: RowsCommit): number {
  const pages = frontier?.put.reduce((sum, { url, anchors }) => sum + url.length + anchors.length, 0) ?? 0
  const curveBytes = curves?.changes.reduce((sum, { put }) => sum + put.bytes.length, 0) ?? 0
  return ledger.length + pages + (frontier?.lessons?.length ?? 0) + curveBytes
}

function work(job: CatalogJob): unknown {
  switch (job.kind) {
    case 'batch':
      transactions?.beginBatch(job.commit)
      transactions?.endBatch(job.refresh)
      logBytes += bytesOf(job.commit)
      return logBytes
    case 'begin':
      transactions?.beginBatch(job.commit)
      begunBytes = bytesOf(job.commit)
      return undefined
    case 'end':
      transactions?.endBatch(job.refresh)
      logBytes += begunBytes
      return logBytes
    case 'abandon':
      transactions?.abandonBatch()
      return undefined
    case 'flush':
      transactions?.commitFlush(job.commit)
      return undefined
    case 'refresh':
      transactions?.commitRows(job.commit)
      logBytes += refreshBytesOf(job.commit)
      return logBytes
    case 'workload':
      transactions?.commitWorkload(job.changes)
      logBytes += WORKLOAD_BYTES + job.changes.rows.length * QUERY_BYTES
      owesTruncation ||= job.isForGood
      if (owesTruncation || logBytes > LEARNT_LOG_BYTES) checkpoint({ isUrgent: job.isForGood })
      return logBytes
    case 'judgements':
      transactions?.commitJudgements(job.rows)
      logBytes += job.rows.docs.length * JUDGEMENT_BYTES
      if (logBytes > LEARNT_LOG_BYTES) checkpoint()
      return logBytes
    case 'take':
      return takeFromInbox(job.inbox, job.after)
    case 'clear':
      return clearInbox(job.inbox, job.mark)
    case 'checkpoint':
      return checkpoint()
    case 'shrink':
      transactions?.foldLedger()
      return shrink()
    case 'copy':
      db.prepare('VACUUM INTO ?').run(job.file)
      return undefined
    case 'integrity':
      return db.prepare('PRAGMA integrity_check').pluck().all()
    case 'close':
      foldBeforeTheEnd()
      db.close()
      return undefined
  }
}

/** Changes of the ledger that cannot be brought into it now wait for the next opening. */
function foldBeforeTheEnd(): void {
  try {
    transactions?.foldLedger()
  } catch {
    // A disk that is full, or another program that is in the way, has not lost anything.
  }
}

/** Gives pages that nothing uses back to the file system, a portion to a transaction. */
function shrink(): void {
  const freePages = () => db.pragma('freelist_count', { simple: true }) as number
  for (let free = freePages(); free > 0; ) {
    db.pragma(`incremental_vacuum(${SHRINK_PAGES})`)
    const left = freePages()
    if (left >= free) break
    free = left
    checkpoint()
  }
  checkpoint()
}

/** Readers that show an older moment keep their part of SQLite's log from being moved; it grows until they go on. */
function checkpoint({ isUrgent = false } = {}): void {
  const waits = isUrgent || logBytes > WAIT_FROM_BYTES
  const before = db.pragma('busy_timeout', { simple: true }) as number
  db.pragma(`busy_timeout = ${waits ? WAIT_MS : 0}`)
  try {
    const [{ busy, log, checkpointed }] = db.pragma(
      `wal_checkpoint(${owesTruncation ? 'TRUNCATE' : waits ? 'RESTART' : 'PASSIVE'})`,
    ) as [{ readonly busy: number; readonly log: number; readonly checkpointed: number }]
    if (log === checkpointed) logBytes = 0
    if (busy === 0) owesTruncation = false
  } finally {
    db.pragma(`busy_timeout = ${before}`)
  }
}

parentPort?.on('message', ({ id, job }: Request) => {
  let answer: Omit<Answer, 'spent'>
  try {
    answer = { id, value: work(job) }
  } catch (error) {
    // An error loses its code on the way between threads.
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
    answer = { id, failure: { code, message: String(message) } }
  }
  parentPort?.postMessage({ ...answer, spent: costs.after(job.kind, transactions?.takeTimes()) } satisfies Answer)
})
