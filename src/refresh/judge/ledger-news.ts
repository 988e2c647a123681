/**
 * A ledger as another thread sees it. The columns lie in shared memory. What does not, and which rows were touched
 * since the last question, goes along with each question.
 *
 * The owner of the ledger may change rows while the other thread reads them. Whatever that thread makes of a
 * half-written row lasts no longer than its answer: the row is among the touched ones of the next question.
 */
import type { LedgerColumnArrays, LedgerColumns } from '../../ledger/column-arrays.js'
import type { Ledger, ReadableLedger } from '../../ledger/ledger.js'
import { NO_QUESTIONS, type OpenQuestions } from '../../ledger/questions.js'
import type { DocumentSections } from '../../ledger/sections.js'
import { SiteTrust, type TrustRow } from '../../ledger/site-trust.js'
import { type LedgerTotals, noTotals } from '../../ledger/totals.js'

/** What is new since the last question. */
export interface LedgerNews {
  readonly rows: number
  readonly version: number
  readonly groupings: number
  readonly questions: OpenQuestions
  readonly totals: LedgerTotals
  /** Where they were replaced. */
  readonly columns: LedgerColumns | undefined
  /** Where there are more of them. */
  readonly sections: { readonly parents: readonly number[]; readonly byDocument: Uint16Array } | undefined
  /** All of it, where any has changed. */
  readonly trust: readonly TrustRow[] | undefined
  /** Documents whose rows were touched; undefined when these are too many to list. */
  readonly touched: Uint32Array | undefined
}

/** More touched rows than this share of all are not listed. */
const LISTED_SHARE = 0.1
const FIRST_LISTED = 1024

/** The owner's side: collects what is new. */
export class LedgerReporter {
  readonly #ledger: Ledger
  readonly #stopListening: () => void
  #touched = new Uint32Array(FIRST_LISTED)
  #count = 0
  #isOverflown = false
  /** The version of the ledger from which on touched rows are collected. */
  readonly sinceVersion: number
  #sent: { present: unknown; versions: unknown; byDocument: unknown; sections: number; trust: number } | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
    this.sinceVersion = ledger.version
    this.#stopListening = ledger.onTouched((doc) => this.#add(doc))
  }

  close(): void {
    this.#stopListening()
  }

  /** Whether a row was touched since the last news. */
  get isTouched(): boolean {
    return this.#count > 0 || this.#isOverflown
  }

  take(): LedgerNews {
    const { rows, version, groupings, questions, columns, sections, trust } = this.#ledger
    const sent = this.#sent
    const touched = this.#isOverflown ? undefined : this.#touched.slice(0, this.#count)
    this.#count = 0
    this.#isOverflown = false
    this.#sent = {
      present: columns.present,
      versions: columns.versions,
      byDocument: sections.byDocument,
      sections: sections.parents.length,
      trust: trust.version,
    }
    const hasColumns = sent?.present === columns.present && sent.versions === columns.versions
    const hasSections = sent?.byDocument === sections.byDocument && sent.sections === sections.parents.length
    return {
      ...{ rows, version, groupings, questions, touched, totals: this.#ledger.totals() },
      columns: hasColumns ? undefined : { ...columns },
      sections: hasSections ? undefined : { parents: [...sections.parents], byDocument: sections.byDocument },
      trust: sent?.trust === trust.version ? undefined : trust.rows(),
    }
  }

  #add(doc: number): void {
    if (this.#isOverflown) return
    if (this.#count >= Math.max(FIRST_LISTED, LISTED_SHARE * this.#ledger.rows)) {
      this.#isOverflown = true
      return
    }
    if (this.#count === this.#touched.length) {
      const longer = new Uint32Array(2 * this.#count)
      longer.set(this.#touched)
      this.#touched = longer
    }
    this.#touched[this.#count++] = doc
  }
}

/** The other thread's side: the ledger as of the last news. */
export class MirroredLedger implements ReadableLedger {
  columns: LedgerColumns = {} as LedgerColumnArrays
  rows = 0
  version = 0
  groupings = 0
  questions = NO_QUESTIONS
  trust = new SiteTrust()
  readonly sections = new MirroredSections()
  #totals: LedgerTotals = noTotals()
  readonly #listeners = new Set<(doc: number) => void>()

  totals(): LedgerTotals {
    return this.#totals
  }

  onTouched(listener: (doc: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `beforeTouched`: is called when all is new, and before anybody is told of touched rows. */
  take(
    { rows, version, groupings, questions, totals, columns, sections, trust, touched }: LedgerNews,
    beforeTouched?: () => void,
  ): void {
    // One object, as that of a ledger: whoever holds it sees the new arrays.
    if (columns !== undefined) Object.assign(this.columns, columns)
    if (sections !== undefined) Object.assign(this.sections, sections)
    if (trust !== undefined) this.trust = SiteTrust.of(trust)
    Object.assign(this, { rows, version, groupings, questions })
    this.#totals = totals
    beforeTouched?.()
    const all = touched ?? { length: rows }
    for (const listener of this.#listeners)
      for (let at = 0; at < all.length; at++) listener(touched === undefined ? at : touched[at]!)
  }
}

class MirroredSections implements DocumentSections {
  parents: readonly number[] = [0]
  byDocument = new Uint16Array()

  of(doc: number): number {
    return doc < this.byDocument.length ? this.byDocument[doc]! : 0
  }
}
