/** What measuring costs, as the core's clocks say. */
import type { Written } from '../storage/storage.js'

/** Of one write. */
export interface Overhead {
  /** Time in the core to index the batch, measuring left out. */
  readonly indexMs: number
  /** Time in the core to measure what the batch does to the answers of the workload. */
  readonly measureMs: number
  /** measureMs / indexMs. */
  readonly ratio: number
}

/** Of all writes since the index was opened. */
export interface OverheadStats extends Overhead {
  /** The same with the time for fitting curves, which goes by beside the writes. */
  readonly ratioWithFits: number
  readonly shifts: number
  /** Of these, due to a changed length norm alone. */
  readonly normShifts: number
}

export class OverheadTotals {
  #indexMs = 0
  #measureMs = 0
  #shifts = 0
  #normShifts = 0

  /** Of this write alone. */
  add({ prepared, measure, published }: Written): Overhead {
    const indexMs = prepared.indexMs + published.indexMs
    const measureMs = prepared.measureMs + measure.measureMs + published.measureMs
    this.#indexMs += indexMs
    this.#measureMs += measureMs
    this.#shifts += measure.shifts
    this.#normShifts += measure.normShifts
    return { indexMs, measureMs, ratio: measureMs / indexMs }
  }

  stats(fitMs: number): OverheadStats {
    const share = (ms: number) => (this.#indexMs > 0 ? ms / this.#indexMs : 0)
    return {
      indexMs: this.#indexMs,
      measureMs: this.#measureMs,
      ratio: share(this.#measureMs),
      ratioWithFits: share(this.#measureMs + fitMs),
      shifts: this.#shifts,
      normShifts: this.#normShifts,
    }
  }
}
