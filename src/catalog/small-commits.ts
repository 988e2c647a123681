/**
 * Commits small batches on the calling thread, where a commit waits for no disk: with durability 'process' it only
 * copies a few pages into the operating system's memory. The way to the catalog's thread and back takes longer than
 * that. Whatever may take long is left to the thread: large batches, checkpoints, bringing waiting changes of the
 * ledger into its table, and waiting for another program that holds the catalog.
 */
import { statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { fromSqlite, inSqlite, openForWriting } from './connection.js'
import type { SpentUs } from './thread.js'
import { type BatchCommit, type RowsCommit, Transactions } from './transactions.js'

/** Bytes of a batch, or of the changes that it makes in the ledger. */
const SMALL_BYTES = 64 * 1024
/** Documents put and removed. */
const SMALL_DOCUMENTS = 16
const SMALL_ROWS = 256

const COMMITS_PER_LOOK = 16

/** Whether writing it holds up the event loop for no more than a millisecond or two. */
export function isSmallCommit(commit: BatchCommit, refresh: RowsCommit | undefined): boolean {
  const bytes = commit.row.length + commit.stored.length
  if (bytes > SMALL_BYTES || commit.numbers.length > SMALL_DOCUMENTS) return false
  if (commit.links !== undefined && commit.links.length > SMALL_ROWS) return false
  return refresh === undefined || isSmallChange(refresh)
}

function isSmallChange({ ledger, workload, signals, clusters, curves, frontier }: RowsCommit): boolean {
  const isRare = signals !== undefined || clusters !== undefined || curves !== undefined
  return ledger.length <= SMALL_BYTES && !isRare && workload === undefined && frontier === undefined
}

export class SmallCommits {
  readonly #db: Database
  readonly #transactions: Transactions
  readonly #threadUs: () => number
  /** SQLite's own log. */
  readonly #logFile: string
  #logBytes: number
  #uncounted = 0
  #spent: SpentUs = { indexUs: 0, ledgerUs: 0 }

  /** `threadUs` is the CPU time of this thread, in microseconds. */
  constructor(file: string, threadUs: () => number) {
    this.#db = inSqlite(file, () => openForWriting(file, 'process'))
    try {
      // Whoever is in the way is waited for by the catalog's thread.
      this.#db.pragma('busy_timeout = 0')
      this.#transactions = new Transactions(this.#db, 'process', threadUs, { folds: false })
    } catch (error) {
      this.#db.close()
      throw fromSqlite(error, file)
    }
    this.#threadUs = threadUs
    this.#logFile = `${file}-wal`
    this.#logBytes = this.#sizeOfLog()
  }

  /** What commits have taken of this thread. */
  get spentUs(): SpentUs {
    return this.#spent
  }

  /** Whether the thread should bring changes of the ledger into its table that were written here. */
  get isFoldDue(): boolean {
    return this.#transactions.isFoldDue
  }

  noteFolded(): void {
    this.#transactions.noteFolded()
  }

  /** The thread has written to SQLite's log, or moved it. */
  noteOthers(): void {
    this.#logBytes = this.#sizeOfLog()
  }

  /**
   * Commits the batch, and gives the bytes by which SQLite's log is known to have grown since the last time: it is
   * looked at now and then. BUSY: another connection writes, and nothing has happened.
   */
  commit(commit: BatchCommit, refresh: RowsCommit | undefined): number {
    const startUs = this.#threadUs()
    try {
      this.#transactions.beginBatch(commit)
      this.#transactions.endBatch(refresh)
    } catch (error) {
      throw fromSqlite(error, this.#db.name)
    } finally {
      this.#count(this.#threadUs() - startUs)
    }
    this.#uncounted++
    if (this.#uncounted < COMMITS_PER_LOOK) return 0
    this.#uncounted = 0
    const before = this.#logBytes
    this.#logBytes = this.#sizeOfLog()
    // It begins anew when all of it was moved into the database.
    return this.#logBytes >= before ? this.#logBytes - before : this.#logBytes
  }

  close(): void {
    this.#db.close()
  }

  /** What is not of one kind of statements is divided as these are. */
  #count(allUs: number): void {
    const { documentUs, rowUs } = this.#transactions.takeTimes()
    const share = rowUs > 0 ? rowUs / (documentUs + rowUs) : 0
    this.#spent = {
      indexUs: this.#spent.indexUs + allUs * (1 - share),
      ledgerUs: this.#spent.ledgerUs + allUs * share,
    }
  }

  #sizeOfLog(): number {
    return statSync(this.#logFile, { throwIfNoEntry: false })?.size ?? 0
  }
}
