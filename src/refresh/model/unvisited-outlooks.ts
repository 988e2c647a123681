/**
 * What to expect of pages that were never visited since they came in, as far as no signals speak of them. It depends on
 * their section and on when they came in. Pages come in many at a time, so the last outlook of a section is mostly that
 * of its next page, too.
 */
import { type GridOutlook, newOutlookSums, type OutlookSums } from '../../change/grid-outlook.js'
import type { RateChances } from '../../change/rate-grid.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import type { RateModel } from './rate-model.js'

interface UnvisitedOutlook {
  refreshedMs: number
  atMs: number
  /** On the clock of the section. */
  ageMs: number
  readonly sums: OutlookSums
}

export class UnvisitedOutlooks {
  readonly #grid: GridOutlook
  #rates: RateModel | undefined
  readonly #bySection: UnvisitedOutlook[] = []

  constructor(grid: GridOutlook) {
    this.#grid = grid
  }

  /** Valid until the next call. REQUIRES: the page was never rated, and `chances` are those of its rates. */
  of(
    rates: RateModel,
    columns: LedgerColumns,
    doc: number,
    atMs: number,
    chances: RateChances,
  ): Readonly<UnvisitedOutlook> {
    if (rates !== this.#rates) {
      this.#rates = rates
      this.#bySection.length = 0
    }
    const section = rates.sectionOf(doc)
    const refreshedMs = columns.refreshedMs[doc]!
    while (this.#bySection.length <= section)
      this.#bySection.push({ refreshedMs: Number.NaN, atMs: 0, ageMs: 0, sums: newOutlookSums() })
    const last = this.#bySection[section]!
    if (last.refreshedMs === refreshedMs && last.atMs === atMs) return last
    last.refreshedMs = refreshedMs
    last.atMs = atMs
    last.ageMs = rates.ageMs(columns, doc, atMs)
    this.#grid.at(chances, last.ageMs, last.sums)
    return last
  }
}
