/** The view likelihood in use: the one that was set, or the one that clicks say, or the usual one. */
import {
  ClickCounts,
  type ClickRow,
  DEFAULT_VIEW,
  type FittedView,
  fitView,
  type SampledView,
  sampleView,
  type ViewLikelihood,
} from './view-likelihood.js'

export class ClickedView {
  readonly #set: ViewLikelihood | undefined
  readonly #sampled: SampledView | undefined
  readonly #clicks = new ClickCounts()
  #hasNew = false

  /** `set`: undefined where clicks may say it. */
  constructor(set: ViewLikelihood | undefined) {
    this.#set = set
    // Once: a function of the user is not called in the middle of anything.
    this.#sampled = set && sampleView(set)
  }

  add(rank1: number, count: number): void {
    this.#clicks.add(rank1, count)
    this.#hasNew = true
  }

  clear(): void {
    this.#clicks.restore([])
    this.#hasNew = true
  }

  restore(rows: Iterable<ClickRow>): void {
    this.#clicks.restore(rows)
  }

  /** All clicks, if any is new since the last call. `giveBack` says that they were not written. */
  takeNew(): readonly ClickRow[] | undefined {
    const rows = this.#hasNew ? this.#clicks.rows() : undefined
    this.#hasNew = false
    return rows
  }

  giveBack(rows: readonly ClickRow[] | undefined): void {
    this.#hasNew ||= rows !== undefined
  }

  get clicks(): number {
    return this.#clicks.total
  }

  /** I(r) as it is used now. */
  get view(): ViewLikelihood {
    return this.#set ?? this.#fitted()?.view ?? DEFAULT_VIEW
  }

  /** I(r) as the core takes it; undefined for r^-3/2. */
  sampled(): SampledView | undefined {
    if (this.#set !== undefined) return this.#sampled
    const view = this.#fitted()?.view
    return view === undefined ? undefined : sampleView(view)
  }

  /** Undefined with too few clicks, or if another likelihood was set. */
  get fittedExponent(): number | undefined {
    return this.#set === undefined ? this.#fitted()?.exponent : undefined
  }

  #fitted(): FittedView | undefined {
    return fitView(this.#clicks.counts)
  }
}
