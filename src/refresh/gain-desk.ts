import { FrozenView } from './frozen-view.js'
import { type ExpectedGain, type GainModel, gainModel } from './gain-model.js'
import type { Ledger } from './ledger.js'
import { ageMs } from './policy.js'

/**
 * What refreshes of the pages of one ledger are expected to gain. Who refreshes is compared with the model of the last plan: that is what was
 * promised. Where nobody asks what to refresh, nothing is promised, and no model is made beside writes.
 */
export class GainDesk {
  readonly #ledger: Ledger
  #frozen: FrozenView | undefined
  #model: GainModel | undefined
  #promise: GainModel | undefined

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** By a model of the ledger as it is, but for small moves of its totals. */
  expected(doc: number, atMs: number): ExpectedGain {
    return this.#newest().gainOf(this.#ledger.columns, doc, atMs)
  }

  /** How far gains are from what is expected of them, for all pages alike: see ExpectedGain. */
  get spread(): number {
    return this.#newest().spread
  }

  /** How fast the clock of the page's section has run since its last refresh, by all others; 1 for a page that was refreshed just now. */
  sectionPace(doc: number, atMs: number): number {
    const { columns } = this.#ledger
    const plainMs = ageMs(columns, doc, atMs)
    return plainMs === 0 ? 1 : this.#newest().rates.ageMs(columns, doc, atMs) / plainMs
  }

  /** What changes of the page's section gain, by those of all pages with the same at stake. */
  sectionFactor(doc: number): number {
    return this.#newest().sectionFactor(doc)
  }

  /** From now on refreshes are compared with what is expected of them now. */
  promise(): void {
    this.#promise = this.#newest()
  }

  /** By what was promised; undefined when nothing was. */
  promised(doc: number, atMs: number): ExpectedGain | undefined {
    return this.#promise?.gainOf(this.#ledger.columns, doc, atMs)
  }

  #newest(): GainModel {
    if (this.#frozen === undefined || this.#frozen.follow({ totals: true, groups: true, visits: true }))
      this.#model = undefined
    this.#frozen ??= new FrozenView(this.#ledger)
    this.#model ??= gainModel(this.#frozen.view)
    return this.#model
  }
}
