/**
 * What an index costs in CPU time, and how much of that its prioritizer: times of the threads that are its own, read
 * from their clocks, and its share of what V8 does on threads of its own, which compile and collect garbage for the
 * whole process. That share is taken to be the share of the JavaScript thread's time that was the index's, so that a
 * busy application is not charged to its index. What passes promises and messages on is in no account.
 */
import type { Written } from '../engine.js'

/** All in microseconds of CPU time, since the index was opened. */
export interface CpuClocks {
  /** Of the calling thread, since it began. */
  threadUs(): number
  /** Of the whole process. */
  processUs(): number
  /** Of the thread that writes the core; beginning and adopting fits is left out. */
  writerUs(): number
  /** Of the catalog's thread, and of sending it what to do. */
  catalogUs(): CatalogCost
}

export interface CatalogCost {
  readonly indexUs: number
  /** For rows of the prioritizer. */
  readonly ledgerUs: number
  /** What both have of the catalog's thread. */
  readonly threadUs: number
  /** What they have of the calling thread, which sends it what to do. */
  readonly hereUs: { readonly indexUs: number; readonly ledgerUs: number }
}

export const NO_CATALOG_COST: CatalogCost = {
  ...{ indexUs: 0, ledgerUs: 0, threadUs: 0 },
  hereUs: { indexUs: 0, ledgerUs: 0 },
}

/** Of an index that nobody writes here. */
export const NO_CLOCKS: CpuClocks = {
  ...{ threadUs: () => 0, processUs: () => 0, writerUs: () => 0 },
  catalogUs: () => NO_CATALOG_COST,
}

/** For `processUs`. */
export function processCpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

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

const PARTS = ['index', 'ledger', 'fit'] as const
type Part = (typeof PARTS)[number]
/** Microseconds by part. */
type Parts = Readonly<Record<Part, number>>
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
  /** What was the index's of the threads of V8 so far. */
  #beside: Parts = NO_PARTS
  /** As of the last look at them. */
  #looked: Look

  constructor(clocks: CpuClocks) {
    this.#clocks = clocks
    this.#looked = { loopUs: clocks.threadUs(), othersUs: this.#othersUs(), here: NO_PARTS }
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

  /**
   * Takes a write in, and gives what was spent since the last report: by this write, and by what came before it. A fit
   * under way has taken time that is not known yet: `isFitting` leaves the threads of V8, from which it could not be
   * told apart, to a later report.
   */
  report({ prepared, measure, published }: Written, { isFitting }: { readonly isFitting: boolean }): Overhead {
    const { skippedWeight = 0 } = measure
    if (!isFitting) this.#lookBeside()
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
      indexUs: this.#here.index + writerUs + catalog.indexUs + this.#beside.index,
      measureUs: this.#measureUs,
      fitUs: this.#here.fit + this.#coreFitUs + this.#beside.fit,
      ledgerUs: this.#here.ledger + this.#sketchUs + catalog.ledgerUs + this.#beside.ledger,
    }
  }

  /** What other threads than those of the index have taken. */
  #othersUs(): number {
    const { processUs, threadUs, writerUs, catalogUs } = this.#clocks
    const catalogThreadUs = catalogUs().threadUs
    return processUs() - threadUs() - writerUs() - catalogThreadUs - this.#coreFitUs
  }

  /** Divides what they have taken since the last look as the time of this thread was divided meanwhile. */
  #lookBeside(): void {
    const before = this.#looked
    const now = { loopUs: this.#clocks.threadUs(), othersUs: this.#othersUs(), here: this.#loopParts() }
    this.#looked = now
    this.#beside = besideOf(this.#beside, before, now)
  }

  /** What the index has taken of this thread, sending the catalog's thread its jobs included. */
  #loopParts(): Parts {
    const { indexUs, ledgerUs } = this.#clocks.catalogUs().hereUs
    const { index, ledger, fit } = this.#here
    return { index: index + indexUs, ledger: ledger + ledgerUs, fit }
  }
}

const NO_PARTS: Parts = { index: 0, ledger: 0, fit: 0 }

/** What clocks have said at a moment, in microseconds. */
export interface Look {
  /** Of the JavaScript thread, … */
  readonly loopUs: number
  /** … of threads that are not the index's, … */
  readonly othersUs: number
  /** … and what was the index's of the JavaScript thread. */
  readonly here: Parts
}

/** Adds to `beside` the index's share of what other threads have taken between two looks. */
export function besideOf(beside: Parts, before: Look, now: Look): Parts {
  const loopUs = now.loopUs - before.loopUs
  const othersUs = Math.max(0, now.othersUs - before.othersUs)
  if (loopUs <= 0 || othersUs === 0) return beside
  const added = { ...beside }
  for (const part of PARTS) {
    const share = Math.min(1, Math.max(0, now.here[part] - before.here[part]) / loopUs)
    added[part] += share * othersUs
  }
  return added
}

function withRatio(spent: Spent, skippedWeight: number): Overhead {
  const { indexUs, measureUs, fitUs, ledgerUs } = spent
  return { ...spent, ratio: indexUs > 0 ? (measureUs + fitUs + ledgerUs) / indexUs : 0, skippedWeight }
}
