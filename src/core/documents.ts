/** The documents of one state of an index: by key, by number, and all of them. */
import { encodeKey, type Key, requireKey } from '../base/keys.js'
import { decodeStored } from '../options/stored-form.js'
import { callNative } from './binding.js'
import { decodeHits, firstKeyOf, lastNumberOf } from './hits.js'
import type { ReadState } from './read-state.js'

/** Documents that are read at a time when all are asked for. */
const PORTION = 256

export interface StoredPortion {
  readonly documents: readonly object[]
  /** Where the next portion begins; undefined behind the last. */
  readonly next: number | undefined
}

export class Documents<D extends object> {
  readonly #state: ReadState

  constructor(state: ReadState) {
    this.#state = state
  }

  /**
   * Undefined when there is no such document. For a change under way, too, which goes on while the index is being
   * closed.
   */
  numberOf(key: Key): number | undefined {
    return callNative(() => this.#state.native.numberOf(encodeKey(key)))
  }

  /** Undefined when there is no such document. */
  keyOf(number: number): Key | undefined {
    this.#state.gate.check()
    return firstKeyOf(
      callNative(() => this.#state.native.list(number, 1)),
      number,
    )
  }

  get(key: unknown): D | undefined {
    this.#state.gate.check()
    const known: Key = requireKey(key)
    const stored = this.storedForm(known)
    return stored === undefined ? undefined : decodeStored<D>(stored, this.#state.settings.key, known)
  }

  /** The stored bytes of a document. For a write under way, which goes on while the index is being closed. */
  storedForm(key: Key): Uint8Array | undefined {
    const encoded = encodeKey(key)
    const own = callNative(() => this.#state.native.get(encoded))
    if (own === undefined) return undefined
    return this.#state.stored?.read(callNative(() => this.#state.native.numberOf(encoded)) as number, own) ?? own
  }

  /** The stored documents, in no particular order. The gate is checked for each portion. */
  *all(): Generator<D> {
    for (let from = 0; ; ) {
      this.#state.gate.check()
      const buffer = callNative(() => this.#state.native.list(from, PORTION))
      const { hits } = decodeHits<D>(buffer, this.#state.settings, this.#state.stored)
      for (const hit of hits) yield hit.doc as D
      if (hits.length < PORTION) return
      from = lastNumberOf(buffer) + 1
    }
  }

  /** Stored documents in order of their numbers, the first being `from`. */
  portion(from: number, limit: number): StoredPortion {
    const buffer = callNative(() => this.#state.native.list(from, limit))
    const { hits } = decodeHits<D>(buffer, this.#state.settings, this.#state.stored)
    return {
      documents: hits.map(({ doc }) => doc as D),
      next: hits.length < limit ? undefined : lastNumberOf(buffer) + 1,
    }
  }

  /** The keys of all documents, in no particular order. The gate is checked for each portion. */
  *keys(): Generator<Key> {
    for (let from = 0; ; ) {
      this.#state.gate.check()
      const buffer = callNative(() => this.#state.native.list(from, PORTION))
      const { hits } = decodeHits<D>(buffer, this.#state.settings)
      for (const { key } of hits) yield key
      if (hits.length < PORTION) return
      from = lastNumberOf(buffer) + 1
    }
  }

  has(key: unknown): boolean {
    this.#state.gate.check()
    const known: Key = requireKey(key)
    return callNative(() => this.#state.native.has(encodeKey(known)))
  }

  /** The same of a checked key, also while the index is being closed. */
  isDocument(key: Key): boolean {
    return callNative(() => this.#state.native.has(encodeKey(key)))
  }
}
