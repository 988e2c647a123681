/**
 * Writes change rows of the ledger in the core, all documents of a batch by one call (native/ledger/ledger_rows.h). A
 * process that writes now and then would run the same steps in JavaScript that V8 has not compiled, or compile them
 * again for each opening.
 */
import { SKETCH_MINIMA } from '../change/sketches.js'
import { loadAddon } from '../core/addon.js'
import { BatchOutcome } from '../engine.js'
import { hasVersions, type LedgerColumnArrays, reserveVersions } from './column-arrays.js'
import type { VersionSketch } from './profile.js'
import { ONE_PROFILE } from './versions.js'

type NativeLedger = InstanceType<ReturnType<typeof loadAddon>['Ledger']>

/** What a batch did: see NativeEntered in src/core/addon-shape.ts. */
export type EnteredRows = ReturnType<NativeLedger['enter']>

/** The documents of a batch, what became of them, and what was measured. */
export interface LedgerBatch {
  /** NO_DOCUMENT for those of which nothing is to be entered. */
  readonly documents: Uint32Array
  /** Of each document: a BatchOutcome, or STAKED. */
  readonly outcomes: Uint8Array
  /** SKETCH_MINIMA numbers for each of the first documents, of those that were added or changed; or none at all. */
  readonly sketches: Uint32Array
  readonly pages: Uint32Array
  /** NaN: not known. */
  readonly deltaQuality: Float64Array
  /** NaN: it stays as it is. */
  readonly stakes: Float64Array
  readonly effects: Uint8Array
  /** Empty where there are no effects. */
  readonly effectEnds: Uint32Array
}

/** Nobody has looked at the document, but its stake has moved: an outcome beside those of BatchOutcome. */
export const STAKED = 6

/** What became of a row: a number of `NativeEntered.entered`. */
export const Entered = { nothing: 0, created: 1, refreshed: 2, removed: 3, staked: 4, full: 5 } as const

export interface VisitTimes {
  readonly atMs: number
  /** A row that was refreshed later than this was dated by a wrong clock, and begins anew. */
  readonly latestMs: number
}

export class RowChanges {
  readonly #columns: LedgerColumnArrays
  readonly #totals: Float64Array
  readonly #halfLifeMs: number
  #native: NativeLedger | undefined
  /** The arrays that it works on: columns are replaced when the ledger grows. */
  #over: Pick<LedgerColumnArrays, 'present' | 'versions'> | undefined

  constructor(columns: LedgerColumnArrays, totals: Float64Array, halfLifeMs: number) {
    this.#columns = columns
    this.#totals = totals
    this.#halfLifeMs = halfLifeMs
  }

  /**
   * REQUIRES: every document has a place in the columns. Where the profile of a page is full, `keepCurve` is called
   * before the next one begins.
   */
  enter(batch: LedgerBatch, times: VisitTimes, profiles: number, keepCurve: (doc: number) => void): EnteredRows {
    const { documents, outcomes, sketches, pages, deltaQuality, stakes, effects, effectEnds } = batch
    if (profiles > ONE_PROFILE && sketches.length > 0 && !hasVersions(this.#columns)) reserveVersions(this.#columns)
    const rules = Float64Array.of(times.atMs, times.latestMs, this.#halfLifeMs, profiles)
    const native = this.#overColumns()
    const done = native.enter(documents, outcomes, sketches, pages, deltaQuality, stakes, effects, effectEnds, rules)
    for (let at = done.entered.indexOf(Entered.full); at >= 0; at = done.entered.indexOf(Entered.full, at + 1)) {
      keepCurve(documents[at]!)
      native.newBase(documents[at]!, rules, sketches.slice(at * SKETCH_MINIMA, (at + 1) * SKETCH_MINIMA))
    }
    return done
  }

  /** Adds the row of a page that is present to the totals, or takes it away. */
  count(doc: number, sign: 1 | -1): void {
    if (this.#columns.present[doc] === 1) this.#overColumns().count(doc, sign)
  }

  #overColumns(): NativeLedger {
    const { present, versions } = this.#columns
    if (this.#native === undefined || this.#over?.present !== present || this.#over.versions !== versions) {
      addon ??= loadAddon()
      // A copy keeps these arrays, also when the ledger has longer ones.
      this.#native = new addon.Ledger({ ...this.#columns }, this.#totals)
      this.#over = { present, versions }
    }
    return this.#native
  }
}

/** Finding it takes a look into folders. */
let addon: ReturnType<typeof loadAddon> | undefined

/** A batch of one document. `deltaQuality` undefined: it could not be measured. */
export function batchOfOne(
  doc: number,
  outcome: keyof typeof BatchOutcome,
  { deltaQuality, sketch }: { readonly deltaQuality?: number | undefined; readonly sketch?: VersionSketch | undefined },
): LedgerBatch {
  const documents = Uint32Array.of(doc)
  return {
    documents,
    outcomes: Uint8Array.of(BatchOutcome[outcome]),
    sketches: sketch === undefined ? NO_NUMBERS : sketch.minima.slice(sketch.at, sketch.at + SKETCH_MINIMA),
    pages: documents,
    deltaQuality: Float64Array.of(deltaQuality ?? Number.NaN),
    stakes: Float64Array.of(Number.NaN),
    effects: NO_BYTES,
    effectEnds: NO_NUMBERS,
  }
}

const NO_NUMBERS = new Uint32Array()
const NO_BYTES = new Uint8Array()
