/** How much memory an index holds, by part, and the limit beyond which writes are refused. */
import { FreshdexError } from '../base/errors.js'

/** Bytes of each part. */
export interface MemoryStats {
  /** The words of the documents, and their order for prefix and fuzzy words. */
  readonly terms: number
  readonly keys: number
  /** What the core keeps of documents: packed texts, stored forms of an index in memory, lengths, weights. */
  readonly documents: number
  /** Postings that are in no segment. */
  readonly postings: number
  /** What measuring keeps: curves, and words of the workload. */
  readonly measuring: number
  readonly workload: number
  /** Histories of documents. */
  readonly ledger: number
  readonly frontier: number
  /** Encoded batches of writes that have not ended. */
  readonly writes: number
  /** All of these together. */
  readonly total: number
  /** The option maxMemory. */
  readonly limit?: number
  /** Segments that are mapped: not counted, since the operating system takes these pages back when it needs them. */
  readonly mapped: number
}

/** What the index holds, without the batches of writes. */
export type HeldMemory = Omit<MemoryStats, 'writes' | 'total' | 'limit'>

export class MemoryLimit {
  readonly #limit: number
  readonly #held: () => HeldMemory
  #writes = 0

  constructor(limit: number | undefined, held: () => HeldMemory) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY
    this.#held = held
  }

  stats(): MemoryStats {
    const held = this.#held()
    const total = this.#totalOf(held)
    const limit = this.#limit === Number.POSITIVE_INFINITY ? {} : { limit: this.#limit }
    return { ...held, writes: this.#writes, total, ...limit }
  }

  /** Takes an encoded batch in, until the function that it returns is called. MEMORY when there is no room for it. */
  take(bytes: number): () => void {
    this.require(bytes)
    this.#writes += bytes
    let isHeld = true
    return () => {
      if (isHeld) this.#writes -= bytes
      isHeld = false
    }
  }

  hasRoom(bytes: number): boolean {
    return this.#limit === Number.POSITIVE_INFINITY || this.#totalOf(this.#held()) + bytes <= this.#limit
  }

  /** Throws MEMORY when there is no room for so many bytes. */
  require(bytes: number): void {
    if (this.hasRoom(bytes)) return
    const total = this.#totalOf(this.#held())
    const message =
      `the write needs ${bytes} bytes beside the ${total} that the index holds, and maxMemory is ${this.#limit}; ` +
      'remove documents and call compact, or open the index with a larger maxMemory'
    throw new FreshdexError('MEMORY', message, { detail: { bytes, total, limit: this.#limit } })
  }

  #totalOf({ terms, keys, documents, postings, measuring, workload, ledger, frontier }: HeldMemory): number {
    return terms + keys + documents + postings + measuring + workload + ledger + frontier + this.#writes
  }
}
