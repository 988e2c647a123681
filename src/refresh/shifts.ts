/** Score shifts for whoever wants to see them. The core keeps them together only while somebody does. */
import type { Key } from '../base/keys.js'
import type { BatchMeasure, SearchEngine } from '../engine.js'
import type { NamedQuery } from '../ledger/effects.js'

/** The score shifts of one write, column by column: document `documents[i]` moved for query `queries[i]`. */
export interface ShiftBatch {
  /** Numbers of documents, as the SQL tables have them. */
  readonly documents: Uint32Array
  /** Ids of queries, as the SQL tables have them; with `terms: 'single'`, hashes of words. */
  readonly queries: Uint32Array
  /** 0: did not match. */
  readonly scoresBefore: Float32Array
  readonly scoresAfter: Float32Array
  /** The keys of the documents, by number, removed ones included. */
  readonly keys: ReadonlyMap<number, Key>
  /**
   * The queries by id, as the workload names them: their texts, or, with `privacy: 'hash'`, the hashes of their words.
   */
  readonly texts: ReadonlyMap<number, string>
}

export type ShiftListener = (shifts: ShiftBatch) => void

export interface ShiftSetup {
  readonly engine: Pick<SearchEngine, 'measuring'>
  namesById(): ReadonlyMap<number, NamedQuery>
}

export class ShiftListeners {
  readonly #setup: ShiftSetup
  readonly #listeners = new Set<ShiftListener>()

  constructor(setup: ShiftSetup) {
    this.#setup = setup
  }

  /** Returns how to stop it. */
  add(listener: ShiftListener): () => void {
    if (this.#listeners.size === 0) this.#keep(true)
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#keep(false)
    }
  }

  /** `keys` are those of the documents that the write named, put and removed, by number. */
  tell(measure: BatchMeasure, keys: () => ReadonlyMap<number, Key>): void {
    if (this.#listeners.size === 0 || measure.keptShifts.length === 0) return
    const columns = columnsOf(measure.keptShifts)
    const moved = new Set(columns.documents)
    const known = this.#setup.namesById()
    const texts = Array.from(new Set(columns.queries), (id) => [id, known.get(id)?.query] as const)
    const batch: ShiftBatch = {
      ...columns,
      keys: new Map([...keys()].filter(([doc]) => moved.has(doc))),
      texts: new Map(texts.filter((entry): entry is readonly [number, string] => entry[1] !== undefined)),
    }
    // Later, and not within the write: what a listener throws is the application's and no failure of the write.
    for (const listener of this.#listeners) queueMicrotask(() => listener(batch))
  }

  /** Jobs of the core are in order: the next write knows. A core that is closed has nothing to tell. */
  #keep(keeps: boolean): void {
    this.#setup.engine.measuring?.keepShifts(keeps).catch(() => {})
  }
}

/** From records of 16 bytes: u32 document, u32 query, f32 score before, f32 score after. */
function columnsOf(records: Uint8Array): Omit<ShiftBatch, 'keys' | 'texts'> {
  const count = records.length / 16
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
  const batch = {
    documents: new Uint32Array(count),
    queries: new Uint32Array(count),
    scoresBefore: new Float32Array(count),
    scoresAfter: new Float32Array(count),
  }
  for (let i = 0; i < count; i++) {
    batch.documents[i] = view.getUint32(i * 16, true)
    batch.queries[i] = view.getUint32(i * 16 + 4, true)
    batch.scoresBefore[i] = view.getFloat32(i * 16 + 8, true)
    batch.scoresAfter[i] = view.getFloat32(i * 16 + 12, true)
  }
  return batch
}
