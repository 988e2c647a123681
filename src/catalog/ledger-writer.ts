/**
 * Writes changes of the ledger, either into its table or, where that would change rows all over the file, into the
 * table of changes that wait.
 */
import type { Database, Statement } from 'better-sqlite3'
import { type LedgerChange, sizeOfChange, unpackChange } from '../ledger/packed-change.js'
import { prepareLedgerFold, prepareLedgerWriter } from './ledger-rows.js'

/** From so many rows and stakes on, what waits is brought into the table. */
const MOST_WAITING = 16_384
/**
 * A change of so many rows goes into the table, much of which it touches anyway. So does one of mostly new documents:
 * their rows come behind all others.
 */
const DIRECT_ROWS = 1024

export class LedgerWriter {
  readonly #put: (change: LedgerChange) => void
  readonly #fold: () => void
  readonly #wait: Statement
  readonly #isAnyWaiting: () => boolean
  readonly #folds: boolean
  /** Rows and stakes, roughly: a transaction that fails is not taken back here. */
  #waiting: number

  /** `folds`: false for a writer that leaves bringing changes into the table to another one. All changes wait then. */
  constructor(db: Database, { folds = true } = {}) {
    this.#folds = folds
    const putRows = prepareLedgerWriter(db)
    const setStake = db.prepare('UPDATE ledger SET stake = ? WHERE doc = ?')
    const remove = db.prepare('DELETE FROM ledger WHERE doc = ?')
    this.#put = ({ ledger, removed, stakes }) => {
      // First: the rows of the change are newer, and so are its removals.
      for (let at = 0; at < stakes.length; at += 2) setStake.run(stakes[at + 1], stakes[at])
      putRows(ledger)
      for (const doc of removed) remove.run(doc)
    }
    this.#fold = prepareLedgerFold(db)
    this.#wait = db.prepare('INSERT INTO ledger_changes (bytes) VALUES (?)')
    const isAny = db.prepare('SELECT EXISTS (SELECT 1 FROM ledger_changes)').pluck()
    this.#isAnyWaiting = () => isAny.get() === 1
    // What a process left that was killed has waited long enough.
    this.#waiting = folds && this.#isAnyWaiting() ? MOST_WAITING : 0
  }

  /** A packed change, within a transaction of the caller. Gives the documents that are removed. */
  write(packed: Uint8Array): Uint32Array {
    const { rows, stakes, removed, added } = sizeOfChange(packed)
    if (rows + stakes + removed === 0) return NO_DOCUMENTS
    const isDirect = this.#folds && (rows >= DIRECT_ROWS || 2 * added > rows)
    const change = isDirect || removed > 0 ? (unpackChange(packed) as LedgerChange) : undefined
    if (isDirect) {
      this.fold()
      this.#put(change as LedgerChange)
    } else {
      this.#wait.run(packed)
      this.#waiting += rows + stakes + removed
      if (this.#folds && this.#waiting >= MOST_WAITING) this.fold()
    }
    return change?.removed ?? NO_DOCUMENTS
  }

  /** Whether there is much that waits of what this writer has written. */
  get isFoldDue(): boolean {
    return this.#waiting >= MOST_WAITING
  }

  /** Another writer has brought into the table what waited. */
  noteFolded(): void {
    this.#waiting = 0
  }

  /** Brings what waits into the table, within a transaction of the caller. */
  fold(): void {
    if (this.#isAnyWaiting()) this.#fold()
    this.#waiting = 0
  }
}

const NO_DOCUMENTS = new Uint32Array()
