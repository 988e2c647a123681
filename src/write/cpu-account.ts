/**
 * What an index costs in CPU time, and how much of that its prioritizer: times of the threads that are its own, read
 * from their clocks. What V8 does beside them, on threads that compile and collect garbage for the whole process,
 * belongs to nobody and is left out, and so is the passing of promises and messages on the JavaScript thread.
 */
import type { Written } from '../engine.js'

/** All in microseconds of CPU time, since the index was opened. */
export interface CpuClocks {
  /** Of the calling thread, since it began. */
  threadUs(): number
  /** Of the thread that writes the core; beginning and adopting fits is left out. */
  writerUs(): number
  /** Of the catalog's thread, and of sending it what to do. */
  catalogUs(): CatalogCost
}

export interface CatalogCost {
  readonly indexUs: number
  /** For rows of the prioritizer. */
  readonly ledgerUs: number
}

export const NO_CATALOG_COST: CatalogCost = { indexUs: 0, ledgerUs: 0 }

/** Of an index that nobody writes here. */
export const NO_CLOCKS: CpuClocks = { threadUs: () => 0, writerUs: () => 0, catalogUs: () => NO_CATALOG_COST }

/** What the writes of an index cost, in microseconds of CPU time. */
export interface Overhead {
  /** Indexing and storing documents: what there would be to pay without a prioritizer. */
  readonly indexUs: number
  /** Measuring what batches do to the answers of the workload. */
  readonly measureUs: number
  /** Fitting curves, beside the writes: fits that were finished. */
  readonly fitUs: number
  /** The history of documents: sketches of their versions, their rows in memory and in the catalog, what was learnt. */
  readonly ledgerUs: number
  /** (measureUs + fitUs + ledgerUs) / indexUs. */
  readonly ratio: number
  /** The part of the workload's weight, from 0 to 1, that was left out to save time: see `maxOverhead`. */
  readonly skippedWeight: number
}

/** The same for all writes since the index was opened. */
export interface OverheadStats extends Overhead {
  readonly shifts: number
  /** Of these, due to a changed length norm alone. */
  readonly normShifts: number
}

type Part = 'index' | 'ledger' | 'fit'
type Spent = Omit<Overhead, 'ratio' | 'skippedWeight'>

export class CpuAccount {
  readonly #clocks: CpuClocks
  /** Of the JavaScript thread. */
  readonly #here: Record<Part, number> = { index: 0, ledger: 0, fit: 0 }
  #measureUs = 0
  #sketchUs = 0
  #coreFitUs = 0
  #shifts = 0
  #normShifts = 0
  #skipped = { weight: 0, writes: 0 }
  #reported: Spent = { indexUs: 0, measureUs: 0, fitUs: 0, ledgerUs: 0 }

  constructor(clocks: CpuClocks) {
    this.#clocks = clocks
  }

  /** Runs work, which waits for nothing, as a part of the account. */
  timed<T>(part: Part, work: () => T): T {
    const startUs = this.#clocks.threadUs()
    try {
      return work()
    } finally {
      this.#here[part] += this.#clocks.threadUs() - startUs
    }
  }

  /** A fit was finished. */
  fitted(coreUs: number): void {
    this.#coreFitUs += coreUs
  }

  /** Takes a write in, and gives what was spent since the last report: by this write, and by what came before it. */
  report({ prepared, measure, published }: Written): Overhead {
    const { skippedWeight = 0 } = measure
    this.#measureUs += prepared.measureUs + measure.measureUs + published.measureUs
    this.#sketchUs += prepared.sketchUs
    this.#shifts += measure.shifts
    this.#normShifts += measure.normShifts
    this.#skipped = { weight: this.#skipped.weight + skippedWeight, writes: this.#skipped.writes + 1 }
    const spent = this.#spent()
    const before = this.#reported
    this.#reported = spent
    return withRatio(
      {
        indexUs: Math.max(0, spent.indexUs - before.indexUs),
        measureUs: spent.measureUs - before.measureUs,
        fitUs: spent.fitUs - before.fitUs,
        ledgerUs: spent.ledgerUs - before.ledgerUs,
      },
      skippedWeight,
    )
  }

  stats(): OverheadStats {
    const { weight, writes } = this.#skipped
    const { indexUs, ...rest } = this.#spent()
    const overhead = withRatio({ indexUs: Math.max(0, indexUs), ...rest }, writes > 0 ? weight / writes : 0)
    return { ...overhead, shifts: this.#shifts, normShifts: this.#normShifts }
  }

  #spent(): Spent {
    const catalog = this.#clocks.catalogUs()
    const writerUs = this.#clocks.writerUs() - this.#measureUs - this.#sketchUs
    return {
      indexUs: this.#here.index + writerUs + catalog.indexUs,
      measureUs: this.#measureUs,
      fitUs: this.#here.fit + this.#coreFitUs,
      ledgerUs: this.#here.ledger + this.#sketchUs + catalog.ledgerUs,
    }
  }
}

function withRatio(spent: Spent, skippedWeight: number): Overhead {
  const { indexUs, measureUs, fitUs, ledgerUs } = spent
  return { ...spent, ratio: indexUs > 0 ? (measureUs + fitUs + ledgerUs) / indexUs : 0, skippedWeight }
}
