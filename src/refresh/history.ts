/**
 * The refresh history of an index: the ledger, what the last refreshes did to which queries, and how a write enters both. An entry
 * is made before its write is durable, and taken back if it does not become so.
 */
import type { LedgerRows, RefreshCommit } from '../catalog/refresh-rows.js'
import { SKETCH_MINIMA } from '../change/min-hash.js'
import { type BatchMeasure, BatchOutcome, NO_DOCUMENT, type PreparedBatch } from '../engine/binding.js'
import { EFFECT_BYTES } from './effects.js'
import { Ledger } from './ledger.js'
import { packRows, unpacked, unpackRow } from './ledger-rows.js'

export type ObservedOutcome = 'same' | 'changed' | 'gone' | 'error'

/** The part of a commit that is the history's; the rest is the workload's. */
export type HistoryCommit = Pick<RefreshCommit, 'ledger' | 'removed'>

export interface HistoryEntry {
  readonly commit: HistoryCommit
  /** The write failed. */
  undo(): void
}

/** Where rows come from that an earlier process left. */
export interface HistorySource {
  rows(portion: number): Iterable<readonly (readonly unknown[])[]>
  documentsWithoutRow(): readonly number[]
  /** No document has a larger number. */
  lastDocument(): number
  effectsOf(doc: number): Uint8Array
}

/** Rows taken over before the event loop has its turn. */
const PORTION = 4096

/** A stake that moved less than this, relatively, is left as it is: it is not worth a row of the catalog, which is to agree. */
const STAKE_SHARE = 0.05

export class RefreshHistory {
  readonly ledger = new Ledger()
  /** Undefined in memory: then the effects are kept here. */
  readonly #source: HistorySource | undefined
  readonly #effects = new Map<number, Uint8Array>()
  #isLoaded: boolean
  #loading: Promise<void> | undefined
  #damagedRows = 0

  constructor(source: HistorySource | undefined) {
    this.#source = source
    this.#isLoaded = source === undefined
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Rows that could not be read. Their documents begin anew. */
  get damagedRows(): number {
    return this.#damagedRows
  }

  get memoryBytes(): number {
    let bytes = this.ledger.memoryBytes
    for (const effects of this.#effects.values()) bytes += effects.length + 64
    return bytes
  }

  /** At once: for answers that cannot wait. `nowMs` dates documents of which nothing is known. */
  load(nowMs: number): void {
    if (this.#isLoaded) return
    for (const _ of this.#take(nowMs));
  }

  /** The same with pauses, for whoever can wait. */
  async loadInPortions(nowMs: number): Promise<void> {
    if (this.#isLoaded) return
    this.#loading ??= this.#takeSlowly(nowMs)
    await this.#loading
  }

  async #takeSlowly(nowMs: number): Promise<void> {
    for (const _ of this.#take(nowMs)) await new Promise((resolve) => setImmediate(resolve))
  }

  *#take(nowMs: number): Generator<void> {
    const source = this.#source as HistorySource
    const damaged: number[] = []
    // A damaged number could ask for a ledger of any size.
    const last = source.lastDocument()
    for (const portion of source.rows(PORTION)) {
      // Somebody who could not wait has been through meanwhile.
      if (this.#isLoaded) return
      for (const values of portion) {
        const row = unpackRow(values)
        if (row === undefined || row.doc > last) damaged.push(values[0] as number)
        else this.ledger.restore(row)
      }
      yield
    }
    if (this.#isLoaded) return
    const isUnknown = (doc: number) => doc >= 0 && doc <= last && !this.#has(doc)
    for (const doc of [...damaged, ...source.documentsWithoutRow()]) if (isUnknown(doc)) this.ledger.created(doc, nowMs)
    this.#damagedRows = damaged.length
    this.#isLoaded = true
  }

  #has(doc: number): boolean {
    return doc < this.ledger.rows && (this.ledger.columns.lastOutcome[doc] as number) > 0
  }

  /** A write, as the core prepared it. REQUIRES: loaded. */
  enter({ documents, outcomes, sketches }: PreparedBatch, measure: BatchMeasure, atMs: number): HistoryEntry {
    const before = this.#copyOf(documents.filter((doc) => doc !== NO_DOCUMENT))
    const pageOf = new Map<number, number>()
    measure.pages.forEach((doc, page) => {
      pageOf.set(doc, page)
    })
    const touched: number[] = []
    const removed: number[] = []
    documents.forEach((doc, at) => {
      if (doc === NO_DOCUMENT) return
      const page = pageOf.get(doc)
      const deltaQuality = page === undefined ? 0 : (measure.deltaQuality[page] as number)
      if (outcomes[at] === BatchOutcome.removed) {
        this.ledger.removed(doc)
        removed.push(doc)
        return
      }
      const isSame = outcomes[at] === BatchOutcome.same
      const sketch = isSame || sketches.length === 0 ? undefined : { minima: sketches, at: at * SKETCH_MINIMA }
      if (outcomes[at] === BatchOutcome.added || !this.#has(doc)) this.ledger.created(doc, atMs, sketch)
      else this.ledger.refreshed(doc, atMs, isSame ? 'same' : 'changed', deltaQuality, sketch)
      if (page !== undefined) this.ledger.setStake(doc, measure.stakes[page] as number)
      touched.push(doc)
    })
    const effectsOf = (doc: number) => effectsOfPage(measure, pageOf.get(doc))
    if (this.#source === undefined) this.#keepEffects(touched, removed, effectsOf)
    const commit = {
      ledger: packRows(this.ledger.columns, touched, effectsOf),
      removed: Uint32Array.from(removed),
    }
    return { commit, undo: () => this.#putBack(before) }
  }

  /** A refresh that brought no new text, or none at all. Returns how to take it back. REQUIRES: loaded, the document has a row. */
  observe(doc: number, outcome: ObservedOutcome, atMs: number): () => void {
    const before = this.#copyOf([doc])
    if (outcome === 'error') this.ledger.failed(doc, atMs)
    else if (outcome === 'gone') this.ledger.gone(doc, atMs)
    else this.ledger.refreshed(doc, atMs, outcome, outcome === 'changed' ? this.#meanGain(doc) : 0)
    return () => this.#putBack(before)
  }

  /** The rows of documents as they are now. */
  rowsOf(docs: readonly number[]): HistoryCommit {
    return { ledger: packRows(this.ledger.columns, docs, () => undefined), removed: new Uint32Array() }
  }

  /** Takes over all stakes. Gives those that have moved, document and stake in turn. */
  setStakes(stakes: Float64Array): Float64Array {
    const moved: number[] = []
    for (let doc = 0; doc < this.ledger.rows; doc++) {
      if (!this.#has(doc)) continue
      const stake = stakes[doc] ?? 0
      const known = this.ledger.columns.stake[doc] as number
      if (Math.abs(stake - known) <= STAKE_SHARE * Math.max(stake, known)) continue
      this.ledger.setStake(doc, stake)
      moved.push(doc, stake)
    }
    return Float64Array.from(moved)
  }

  /** What the last refresh that changed a document did to the queries. */
  effectsOf(doc: number): Uint8Array {
    return this.#source?.effectsOf(doc) ?? this.#effects.get(doc) ?? NO_EFFECTS
  }

  /** What a change that was only heard of is taken to have been worth: the mean of the document's changes so far. */
  #meanGain(doc: number): number {
    const { sumDeltaQuality, changes } = this.ledger.columns
    return (changes[doc] as number) > 0 ? (sumDeltaQuality[doc] as number) / (changes[doc] as number) : 0
  }

  /** Packed, and not as objects: most copies are never needed. */
  #copyOf(docs: ArrayLike<number>): LedgerRows {
    return packRows(this.ledger.columns, Array.from(docs), () => undefined)
  }

  #putBack(rows: LedgerRows): void {
    for (const values of unpacked(rows)) {
      const row = unpackRow(values)
      if (row === undefined) this.ledger.removed(values[0] as number)
      else this.ledger.restore(row)
    }
  }

  #keepEffects(
    touched: readonly number[],
    removed: readonly number[],
    effectsOf: (doc: number) => Uint8Array | undefined,
  ): void {
    for (const doc of removed) this.#effects.delete(doc)
    for (const doc of touched) {
      const effects = effectsOf(doc)
      if (effects !== undefined) this.#effects.set(doc, effects.slice())
    }
  }
}

const NO_EFFECTS = new Uint8Array()

function effectsOfPage({ effects, effectEnds }: BatchMeasure, page: number | undefined): Uint8Array | undefined {
  if (page === undefined) return undefined
  const begin = page === 0 ? 0 : (effectEnds[page - 1] as number)
  return effects.subarray(begin * EFFECT_BYTES, (effectEnds[page] as number) * EFFECT_BYTES)
}
