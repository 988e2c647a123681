import type { Key } from '../documents.js'
import type { Gate } from '../gate.js'
import { encodeKey, requireKey } from '../keys.js'
import { type OpenSettings, resolveSearchOptions } from '../options.js'
import { decodeStored } from '../stored-form.js'
import { callNative, type NativeReader, WANT_DOCS, WANT_EXPLANATIONS } from './binding.js'
import { decodeHits, lastNumberOf, type SearchResult } from './hits.js'
import type { QueryEncoder } from './query-wire.js'
import { type Stats, toStats } from './stats.js'
import type { StoredDocuments } from './stored-documents.js'

/** Documents read at a time when all are asked for. */
const PORTION = 256

/** What all readers of an index share. */
export interface ReaderParts {
  readonly settings: OpenSettings
  readonly gate: Gate
  readonly queries: QueryEncoder
}

/** What an index and its snapshots have in common: reading one state through one native handle. */
export class Reader<D extends object> {
  readonly #native: NativeReader
  readonly #settings: OpenSettings
  readonly #gate: Gate
  readonly #queries: QueryEncoder
  readonly #stored: StoredDocuments | undefined

  /** The snapshots of an index share what belongs to it. `stored`: absent when the core keeps stored documents itself. */
  constructor(native: NativeReader, { settings, gate, queries }: ReaderParts, stored?: StoredDocuments) {
    this.#native = native
    this.#settings = settings
    this.#gate = gate
    this.#queries = queries
    this.#stored = stored
  }

  search(query: unknown, options: unknown): SearchResult<D> {
    return this.#gate.run(() => {
      const settings = resolveSearchOptions(options, this.#settings.fieldNames)
      const wire = this.#queries.encode(query, settings)
      const flags = (settings.docs ? WANT_DOCS : 0) | (settings.explain ? WANT_EXPLANATIONS : 0)
      const { limit, offset, deadlineMs, maxScored } = settings
      const buffer = callNative(() => this.#native.search(wire, limit, offset, flags, deadlineMs, maxScored))
      return decodeHits<D>(buffer, this.#settings, this.#stored)
    })
  }

  get(key: unknown): D | undefined {
    this.#gate.check()
    const known: Key = requireKey(key)
    const encoded = encodeKey(known)
    const own = callNative(() => this.#native.get(encoded))
    if (own === undefined) return undefined
    const stored = this.#stored?.read(callNative(() => this.#native.numberOf(encoded)) as number, own) ?? own
    return decodeStored<D>(stored, this.#settings.key, known)
  }

  /** The stored documents, in no order that means anything. The gate is looked at for each portion. */
  *documents(): Generator<D> {
    for (let from = 0; ; ) {
      this.#gate.check()
      const buffer = callNative(() => this.#native.list(from, PORTION))
      const { hits } = decodeHits<D>(buffer, this.#settings, this.#stored)
      for (const hit of hits) yield hit.doc as D
      if (hits.length < PORTION) return
      from = lastNumberOf(buffer) + 1
    }
  }

  has(key: unknown): boolean {
    this.#gate.check()
    const known: Key = requireKey(key)
    return callNative(() => this.#native.has(encodeKey(known)))
  }

  stats(): Stats {
    this.#gate.check()
    return toStats(
      callNative(() => this.#native.stats()),
      this.#settings,
    )
  }
}
