/** The transactions that change a catalog. They run in a thread of their own, or where small-commits.ts is. */
import type { Database, Statement } from 'better-sqlite3'
import { finish, type Steps } from '../base/turns.js'
import { NO_DOCUMENT } from '../engine.js'
import { packingChange } from '../ledger/packed-change.js'
import type { LinkChange } from '../links/link-table.js'
import type { Durability } from '../options/index-options.js'
import type { JudgementRows } from '../refresh/choose/judgements.js'
import type { PrioritizerRows } from '../refresh/rows.js'
import type { WorkloadChanges } from '../workload/stored-workload.js'
import { synchronous } from './connection.js'
import { prepareJudgementWriter } from './judgement-rows.js'
import { LedgerWriter } from './ledger-writer.js'
import { forgetUnlinkedKeys, prepareLinkWriter } from './link-rows.js'
import { prepareRowWriter } from './prioritizer-rows.js'
import { SAVE_STATE, type SegmentList, segmentRows } from './state.js'
import { prepareUnrecordedWriter } from './unrecorded-writes.js'
import { prepareWorkloadWriter } from './workload-rows.js'

/** What one write leaves behind. */
export interface BatchCommit {
  readonly sequence: number
  /** The row of the log. */
  readonly row: Uint8Array
  /** The keys of the documents put. */
  readonly keys: readonly (string | number)[]
  /** The stored forms of the documents put, one after another. */
  readonly stored: Uint8Array
  /** Where each stored form ends. */
  readonly storedEnds: Uint32Array
  /** The number of each document put, then of each removed; NO_DOCUMENT where nothing is to be done. */
  readonly numbers: Uint32Array
  /** Links that have moved; undefined where the index reads none. */
  readonly links: readonly LinkChange[] | undefined
  readonly state: readonly unknown[]
}

/** Rows of the prioritizer on their way to the catalog's thread: what they change of the ledger in one piece. */
export interface RowsCommit extends Omit<PrioritizerRows, 'ledger' | 'removed' | 'stakes' | 'workload'> {
  /** See ledger/packed-change.ts. */
  readonly ledger: Uint8Array
  /** Undefined when nothing was learnt. */
  readonly workload: WorkloadChanges | undefined
}

export function rowsCommit(rows: PrioritizerRows): RowsCommit {
  return finish(makingRowsCommit(rows))
}

/** The same in steps. */
export function* makingRowsCommit(rows: PrioritizerRows): Steps<RowsCommit> {
  const { ledger, removed, stakes, workload, ...rest } = rows
  const change = yield* packingChange({ ledger, removed, stakes })
  return { ...rest, ledger: change, workload: workload.isAny ? workload : undefined }
}

/** What a flush leaves behind: the whole list of segments, and which batches they hold. */
export interface FlushCommit {
  readonly flushed: number
  readonly segments: SegmentList
  readonly state: readonly unknown[]
}

/** CPU time that statements of batches took, in microseconds. */
export interface StatementTimes {
  /** Of the log and of documents. */
  documentUs: number
  /** Of rows of the prioritizer. */
  rowUs: number
}

/** Prepared statements of the one writing connection. */
export class Transactions {
  readonly #db: Database
  readonly #durability: Durability
  readonly #threadUs: () => number
  #times: StatementTimes = { documentUs: 0, rowUs: 0 }
  readonly #writeBatch: (commit: BatchCommit) => void
  readonly #commitFlush: (commit: FlushCommit) => void
  readonly #writeRefresh: (commit: RowsCommit) => void
  readonly #writeUnrecorded: (numbers: Uint32Array) => void
  readonly #commitRefresh: (commit: RowsCommit) => void
  readonly #commitWorkload: (changes: WorkloadChanges) => void
  readonly #commitJudgements: (rows: JudgementRows) => void
  readonly #foldLedger: () => void
  /** The documents of the batch that was begun. */
  #numbers: Uint32Array = new Uint32Array()

  readonly #begin: Statement
  readonly #commit: Statement
  readonly #rollback: Statement
  readonly #ledger: LedgerWriter

  /** `threadUs` is the CPU time of this thread, in microseconds. `folds`: see LedgerWriter. */
  constructor(db: Database, durability: Durability, threadUs: () => number, { folds = true } = {}) {
    this.#db = db
    this.#threadUs = threadUs
    this.#durability = durability
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#commit = db.prepare('COMMIT')
    this.#rollback = db.prepare('ROLLBACK')
    const ledger = new LedgerWriter(db, { folds })
    this.#ledger = ledger
    this.#writeRefresh = prepareRowWriter(db, ledger)
    this.#writeUnrecorded = prepareUnrecordedWriter(db, ledger)
    this.#foldLedger = db.transaction(() => ledger.fold()).immediate
    this.#writeBatch = this.#prepareBatch()
    this.#commitFlush = this.#prepareFlush()
    this.#commitRefresh = db.transaction(this.#writeRefresh).immediate
    this.#commitWorkload = db.transaction(prepareWorkloadWriter(db)).immediate
    const writeJudgements = prepareJudgementWriter(db)
    this.#commitJudgements = db.transaction((rows: JudgementRows) => {
      // Whoever asks for priorities in SQL is to find the histories that they were judged by.
      ledger.fold()
      writeJudgements(rows)
    }).immediate
  }

  /**
   * Writes the batch without its refresh history, which may not be known yet. Other transactions have to wait until the
   * batch ends.
   */
  beginBatch(commit: BatchCommit): void {
    this.#numbers = commit.numbers
    this.#begin.run()
    const startUs = this.#threadUs()
    this.#orAbandon(() => this.#writeBatch(commit))
    this.#times.documentUs += this.#threadUs() - startUs
  }

  /** Without rows nobody keeps account of the batch. REQUIRES: a batch was begun. */
  endBatch(refresh: RowsCommit | undefined): void {
    if (!this.#db.inTransaction) throw new Error('no batch was begun')
    this.#orAbandon(() => {
      const startUs = this.#threadUs()
      if (refresh === undefined) this.#writeUnrecorded(this.#numbers)
      else this.#writeRefresh(refresh)
      this.#times[refresh === undefined ? 'documentUs' : 'rowUs'] += this.#threadUs() - startUs
      this.#commit.run()
    })
  }

  /** What statements of batches have taken since they were last asked for. */
  takeTimes(): StatementTimes {
    const times = this.#times
    this.#times = { documentUs: 0, rowUs: 0 }
    return times
  }

  abandonBatch(): void {
    if (this.#db.inTransaction) this.#rollback.run()
  }

  #orAbandon(work: () => void): void {
    try {
      work()
    } catch (error) {
      // After some failures SQLite has rolled back already.
      this.abandonBatch()
      throw error
    }
  }

  /** Writes what a judgement said, for SQL. */
  commitJudgements(rows: JudgementRows): void {
    this.#commitJudgements(rows)
  }

  /** Forgets keys that no link names any more. */
  forgetUnlinkedKeys(): void {
    this.#db.transaction(() => forgetUnlinkedKeys(this.#db)).immediate()
  }

  /** Brings changes of the ledger that wait into its table. */
  foldLedger(): void {
    this.#foldLedger()
  }

  /** Whether many changes of the ledger wait of those that were written here. */
  get isFoldDue(): boolean {
    return this.#ledger.isFoldDue
  }

  /** Somebody else has brought them into the table. */
  noteFolded(): void {
    this.#ledger.noteFolded()
  }

  /** Writes what was learnt alone. */
  commitWorkload(changes: WorkloadChanges): void {
    this.#commitWorkload(changes)
  }

  /** Writes refresh history alone: the index stays as it is. */
  commitRows(commit: RowsCommit): void {
    this.#commitRefresh(commit)
  }

  /**
   * The commit is synced whatever the durability: the segments that are not named any more are removed next, and a
   * loss of power must not bring back a list that names them.
   */
  commitFlush(commit: FlushCommit): void {
    this.#db.pragma('synchronous = FULL')
    try {
      this.#commitFlush(commit)
    } finally {
      this.#db.pragma(`synchronous = ${synchronous(this.#durability)}`)
    }
  }

  #prepareBatch(): (commit: BatchCommit) => void {
    const log = this.#db.prepare('INSERT INTO log (sequence, bytes) VALUES (?, ?)')
    // A row that stays as it is is not written: most documents of a batch are there already.
    const put = this.#db.prepare(`INSERT INTO documents (doc, key) VALUES (?, ?)
      ON CONFLICT (doc) DO UPDATE SET key = excluded.key WHERE key IS NOT excluded.key`)
    const store = this.#db.prepare(`INSERT INTO stored (doc, bytes) VALUES (?, ?)
      ON CONFLICT (doc) DO UPDATE SET bytes = excluded.bytes WHERE bytes IS NOT excluded.bytes`)
    const remove = this.#db.prepare('DELETE FROM documents WHERE doc = ?')
    const unstored = ['stored', 'packed'].map((table) => this.#db.prepare(`DELETE FROM ${table} WHERE doc = ?`))
    const unstore = (number: number) => {
      for (const statement of unstored) statement.run(number)
    }
    const save = this.#db.prepare(SAVE_STATE)
    // Not every catalog has the tables.
    let putLinks: ((changes: readonly LinkChange[]) => void) | undefined
    return ({ sequence, row, keys, stored, storedEnds, numbers, links, state }: BatchCommit) => {
      log.run(sequence, row)
      if (links !== undefined && links.length > 0) {
        putLinks ??= prepareLinkWriter(this.#db)
        putLinks(links)
      }
      for (const number of numbers.subarray(keys.length)) {
        if (number === NO_DOCUMENT) continue
        remove.run(number)
        unstore(number)
      }
      let begin = 0
      // Not by a function for each batch: the compiler would begin anew with it after every collection of garbage.
      for (let at = 0; at < keys.length; at++) {
        const end = storedEnds[at] as number
        if (numbers[at] !== NO_DOCUMENT) {
          put.run(numbers[at], keys[at])
          if (end > begin) store.run(numbers[at], stored.subarray(begin, end))
          else unstore(numbers[at] as number)
        }
        begin = end
      }
      save.run(...state)
    }
  }

  #prepareFlush(): (commit: FlushCommit) => void {
    const clear = this.#db.prepare('DELETE FROM segments')
    const name = this.#db.prepare('INSERT INTO segments (number, kind, bytes) VALUES (?, ?, ?)')
    const forget = this.#db.prepare('DELETE FROM log WHERE sequence <= ?')
    const save = this.#db.prepare(SAVE_STATE)
    return this.#db.transaction(({ flushed, segments, state }: FlushCommit) => {
      clear.run()
      for (const row of segmentRows(segments)) name.run(...row)
      forget.run(flushed)
      save.run(...state)
    }).immediate
  }
}
