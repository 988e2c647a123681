/**
 * A ledger that can be held: whoever follows it does not see that it has moved on, so that models and totals which were
 * frozen stay. Rows are read as they are, and touches are told, whether it is held or not.
 */
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import type { ReadableLedger } from '../../ledger/ledger.js'
import type { OpenQuestions } from '../../ledger/questions.js'
import type { DocumentSections } from '../../ledger/sections.js'
import type { SiteTrust } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'

export class HeldLedger implements ReadableLedger {
  readonly #ledger: ReadableLedger
  #heldVersion: number | undefined

  constructor(ledger: ReadableLedger) {
    this.#ledger = ledger
  }

  /** From now on its version stays as it is. */
  hold(): void {
    this.#heldVersion ??= this.#ledger.version
  }

  release(): void {
    this.#heldVersion = undefined
  }

  get version(): number {
    return this.#heldVersion ?? this.#ledger.version
  }

  get columns(): LedgerColumns {
    return this.#ledger.columns
  }

  get rows(): number {
    return this.#ledger.rows
  }

  get groupings(): number {
    return this.#ledger.groupings
  }

  get questions(): OpenQuestions {
    return this.#ledger.questions
  }

  get trust(): SiteTrust {
    return this.#ledger.trust
  }

  get sections(): DocumentSections {
    return this.#ledger.sections
  }

  totals(): LedgerTotals {
    return this.#ledger.totals()
  }

  onTouched(listener: (doc: number) => void): () => void {
    return this.#ledger.onTouched(listener)
  }
}
