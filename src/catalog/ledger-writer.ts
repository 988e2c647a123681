/**
 * Writes changes of the ledger, either into its table or, where that would change rows all over the file, into the
 * table of changes that wait.
 */
import type { Database } from 'better-sqlite3'
import type { LedgerChange } from '../ledger/packed-change.js'
import { REFRESHES_AT } from '../ledger/rows.js'
import { prepareChangeWriter } from './ledger-changes.js'
import { prepareLedgerFold, prepareLedgerWriter } from './ledger-rows.js'

/** From so many rows and stakes on, what waits is brought into the table. */
const MOST_WAITING = 4096
/** A change of so many rows goes into the table: it touches much of it anyway. */
const DIRECT_ROWS = 1024

export class LedgerWriter {
  readonly #put: (change: LedgerChange) => void
  readonly #fold: () => void
  readonly #wait: (change: LedgerChange) => void
  readonly #isAnyWaiting: () => boolean
  /** Rows and stakes, roughly: a transaction that fails is not taken back here. */
  #waiting: number

  constructor(db: Database) {
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
    this.#wait = prepareChangeWriter(db)
    const isAny = db.prepare('SELECT EXISTS (SELECT 1 FROM ledger_changes)').pluck()
    this.#isAnyWaiting = () => isAny.get() === 1
    // What a process left that was killed has waited long enough.
    this.#waiting = this.#isAnyWaiting() ? MOST_WAITING : 0
  }

  /** Within a transaction of the caller. */
  write(change: LedgerChange): void {
    const { ledger, removed, stakes } = change
    const rows = ledger.effectEnds.length
    if (rows + removed.length + stakes.length === 0) return
    if (rows >= DIRECT_ROWS || areMostlyNew(change)) {
      this.fold()
      this.#put(change)
      return
    }
    this.#wait(change)
    this.#waiting += rows + removed.length + stakes.length / 2
    if (this.#waiting >= MOST_WAITING) this.fold()
  }

  /** Brings what waits into the table, within a transaction of the caller. */
  fold(): void {
    if (this.#isAnyWaiting()) this.#fold()
    this.#waiting = 0
  }
}

/** New documents have the largest numbers, so that their rows come behind all others. */
function areMostlyNew({ ledger: { numbers, effectEnds } }: LedgerChange): boolean {
  const width = numbers.length / Math.max(1, effectEnds.length)
  let added = 0
  for (let at = REFRESHES_AT; at < numbers.length; at += width) if (numbers[at] === 0) added++
  return 2 * added > effectEnds.length
}
