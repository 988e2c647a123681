/**
 * What refreshing all pages at once would gain: the sum of their expected ΔQ_A. The expected gain of a page is a share
 * of this sum.
 */
import type { Ledger } from '../../ledger/ledger.js'
import type { CurrentModel } from '../model/current-model.js'

/** A judgement of all pages together. */
export interface JudgedTotal {
  /** Σ E[ΔQ_A] over all present pages. */
  readonly deltaQuality: number
  /** The moment for which they were judged. */
  readonly atMs: number
}

export class GainTotal {
  readonly #ledger: Ledger
  readonly #gains: CurrentModel
  #last: (JudgedTotal & { readonly modelVersion: number; readonly ledgerVersion: number }) | undefined

  constructor(ledger: Ledger, gains: CurrentModel) {
    this.#ledger = ledger
    this.#gains = gains
  }

  /** Judges all pages at this moment, unless that was done last. */
  at(atMs: number): JudgedTotal {
    const { version } = this.#ledger
    if (this.#last?.atMs !== atMs || this.#last.ledgerVersion !== version) this.#judge(atMs)
    return this.#last as JudgedTotal
  }

  /** The last judgement; a new one when there is none, or the pages have moved noticeably since. */
  lastOr(atMs: number): JudgedTotal {
    if (this.#last === undefined || this.#last.modelVersion !== this.#gains.version) this.#judge(atMs)
    return this.#last as JudgedTotal
  }

  #judge(atMs: number): void {
    const { columns, rows, version } = this.#ledger
    let deltaQuality = 0
    for (let doc = 0; doc < rows; doc++) {
      if (columns.present[doc] !== 1) continue
      const { changeChance, gainIfChanged } = this.#gains.expected(doc, atMs)
      deltaQuality += changeChance * gainIfChanged
    }
    this.#last = { deltaQuality, atMs, modelVersion: this.#gains.version, ledgerVersion: version }
  }
}
