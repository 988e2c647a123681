/**
 * The table `ledger_changes`: changes of the ledger that are durable and wait to be brought into it. A commit adds one
 * row here instead of changing a row of `ledger` for each document, all over the file. Documents that are refreshed
 * again before their turn are written once. Whoever reads the ledger reads what waits, too.
 */
import type { Database } from 'better-sqlite3'
import { KEEP_EFFECTS } from '../ledger/effects.js'
import { type LedgerChange, unpackChange } from '../ledger/packed-change.js'
import { type LedgerRows, packedValues, STAKE_AT } from '../ledger/rows.js'
import { inSqlite } from './connection.js'

/** What waits for one document: a row, that it is removed, or another stake in whatever row there is. */
interface Waiting {
  readonly rows?: LedgerRows
  readonly row?: number
  readonly isRemoved?: boolean
  /** Undefined: those of the row in the table stay. */
  readonly effects?: Uint8Array | undefined
  readonly stake?: number
}

const NO_EFFECTS = new Uint8Array()

export class WaitingChanges {
  readonly #byDocument = new Map<number, Waiting>()
  /** The places of changes that cannot be read, counting from 0. */
  readonly damaged: readonly number[]

  /** `packed`: all that wait, oldest first. */
  constructor(packed: Iterable<unknown>) {
    const damaged: number[] = []
    let place = 0
    for (const bytes of packed) {
      const change = unpackChange(bytes)
      if (change === undefined) damaged.push(place)
      else this.#take(change)
      place++
    }
    this.damaged = damaged
  }

  /** Ascending. */
  get documents(): Uint32Array {
    return Uint32Array.from(this.#byDocument.keys()).sort()
  }

  has(doc: number): boolean {
    return this.#byDocument.has(doc)
  }

  isRemoved(doc: number): boolean {
    return this.#byDocument.get(doc)?.isRemoved === true
  }

  /** The values that the row of a document has with what waits for it; undefined for no row. */
  over(doc: number, values: readonly unknown[] | undefined): readonly unknown[] | undefined {
    const waiting = this.#byDocument.get(doc)
    if (waiting === undefined) return values
    if (waiting.isRemoved) return undefined
    const row = waiting.rows === undefined ? values?.slice() : packedValues(waiting.rows, waiting.row as number)
    if (row !== undefined && waiting.stake !== undefined) row[STAKE_AT] = waiting.stake
    return row
  }

  /** The effects of the last refresh, given those of the table. */
  effectsOver(doc: number, effects: Uint8Array): Uint8Array {
    const waiting = this.#byDocument.get(doc)
    return waiting?.isRemoved ? NO_EFFECTS : (waiting?.effects ?? effects)
  }

  /** Whether effects wait, which take the place of those in the table. */
  hasEffects(doc: number): boolean {
    return this.#byDocument.get(doc)?.effects !== undefined
  }

  /** Whether nothing but a stake waits. */
  stakeAlone(doc: number): number | undefined {
    const waiting = this.#byDocument.get(doc)
    return waiting?.rows === undefined ? waiting?.stake : undefined
  }

  #take({ ledger, removed, stakes }: LedgerChange): void {
    for (let at = 0; at < stakes.length; at += 2) {
      const doc = stakes[at]!
      this.#byDocument.set(doc, { ...this.#byDocument.get(doc), stake: stakes[at + 1]! })
    }
    const width = ledger.effectEnds.length === 0 ? 0 : ledger.numbers.length / ledger.effectEnds.length
    let begin = 0
    for (const [row, end] of ledger.effectEnds.entries()) {
      const doc = ledger.numbers[row * width]!
      const before = this.#byDocument.get(doc)
      const kept = before?.isRemoved ? NO_EFFECTS : before?.effects
      const effects = end === KEEP_EFFECTS ? kept : ledger.effects.subarray(begin, end)
      if (end !== KEEP_EFFECTS) begin = end
      this.#byDocument.set(doc, { rows: ledger, row, effects })
    }
    for (const doc of removed) this.#byDocument.set(doc, { isRemoved: true })
  }
}

/** What waits in a catalog, as of the moment that the connection shows. */
export function waitingChanges(db: Database): WaitingChanges {
  const text = 'SELECT bytes FROM ledger_changes ORDER BY id'
  return new WaitingChanges(inSqlite(db.name, () => db.prepare(text).pluck().all()))
}

/** The same for a connection that only reads, which unpacks them once for each version of the rows. */
export function shownChanges(db: Database): WaitingChanges {
  const version = inSqlite(db.name, () => db.prepare('SELECT version FROM refresh_state').pluck().get())
  const known = SHOWN.get(db)
  if (known !== undefined && known.version === version) return known.changes
  const changes = waitingChanges(db)
  SHOWN.set(db, { version, changes })
  return changes
}

const SHOWN = new WeakMap<Database, { readonly version: unknown; readonly changes: WaitingChanges }>()
