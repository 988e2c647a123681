/** Reading one state of an index: searches, documents, and counts. */
import { describe } from '../base/describe.js'
import { readText } from '../base/documents.js'
import type { Gate } from '../base/gate.js'
import { encodeKey, type Key, requireKey } from '../base/keys.js'
import type { CurveReading, StakeReading } from '../engine.js'
import type { OpenSettings } from '../options/index-settings.js'
import { decodeStored } from '../options/stored-form.js'
import { pinnedFor } from '../search/pins.js'
import type { Query } from '../search/query.js'
import { resolveSearchOptions, type SearchSettings } from '../search/search-options.js'
import type { SearchResult } from '../search/search-result.js'
import { resolveSimilarOptions } from '../search/similar-options.js'
import { makeSnippet, type Snippet, type SnippetSettings } from '../search/snippet.js'
import { withSynonyms } from '../search/synonyms.js'
import { type NativeReader, type NativeSnapshot, WANT_DOCS, WANT_EXPLANATIONS } from './addon-shape.js'
import { awaitNative, callNative } from './binding.js'
import {
  decodeHits,
  type HitJudge,
  type HitSelection,
  type KeyedDocument,
  lastNumberOf,
  numbersOf,
  scoresOf,
} from './hits.js'
import { decodeMarks, decodeTerms, encodeTexts } from './marks.js'
import type { QueryEncoder } from './query-wire.js'
import type { ResultRoom } from './result-room.js'
import { type IndexStats, toStats } from './stats.js'

/** Documents that are read at a time when all are asked for. */
const PORTION = 256

/** The limits of a search for all hits. */
const EVERYTHING = { limit: 2 ** 32 - 1, offset: 0 } as const

/** For the options `refresh` and `orderBy`. Undefined means now. */
type JudgeAt = (atMs: number | undefined) => HitJudge

/** A search as the addon takes it. */
interface SearchCall {
  readonly limit: number
  readonly offset: number
  readonly flags: number
  readonly deadlineMs: number
  readonly maxScored: number
  readonly countUpTo: number
  readonly pinned: Uint8Array | undefined
}

interface AskedSearch {
  readonly wire: Uint8Array
  readonly call: SearchCall
  readonly selection: HitSelection | undefined
}

/** What all readers of one index share. */
export interface ReaderSetup {
  readonly settings: OpenSettings
  readonly gate: Gate
  readonly queries: QueryEncoder
  readonly room: ResultRoom
}

/** What an index and its snapshots have in common: reading one state through one native handle. */
export class Reader<D extends object> {
  readonly #native: NativeReader
  readonly #settings: OpenSettings
  readonly #gate: Gate
  readonly #queries: QueryEncoder
  readonly #room: ResultRoom
  readonly #stored: StoredDocuments | undefined
  /** The fields whose text is stored. */
  readonly #storedFields: readonly string[]

  /**
   * The index and its snapshots share the setup. `stored` is absent when the core keeps stored documents itself.
   */
  constructor(native: NativeReader, { settings, gate, queries, room }: ReaderSetup, stored?: StoredDocuments) {
    this.#native = native
    this.#settings = settings
    this.#gate = gate
    this.#queries = queries
    this.#room = room
    this.#stored = stored
    const { fieldNames, stored: properties } = settings
    this.#storedFields = properties === 'all' ? fieldNames : fieldNames.filter((name) => properties.includes(name))
  }

  /** `judgeAt` is called for the options `refresh` and `orderBy`, which are refused without it. Undefined means now. */
  search(query: unknown, options: unknown, judgeAt?: JudgeAt): SearchResult<D> {
    return this.#gate.run(() => {
      const { wire, call, selection } = this.#asked(query, options, judgeAt)
      // Hits with a state, a document or an explanation are decoded when they are read, from a buffer of their own.
      const room = call.flags === 0 && selection === undefined ? this.#room : undefined
      const buffer = callNative(() => this.#native.search(wire, ...argumentsOf(call), room?.bytes))
      return buffer === undefined ? (room as ResultRoom).take<D>() : this.#result(buffer, selection)
    })
  }

  /**
   * The same, computed on another thread. REQUIRES: the reader of a snapshot, which stays open until the promise
   * settles.
   */
  async searchAsync(
    query: unknown,
    options: unknown,
    signal: AbortSignal | undefined,
    judgeAt?: JudgeAt,
  ): Promise<SearchResult<D>> {
    const native = this.#native as NativeSnapshot
    const { promise, cancel, selection } = this.#gate.run(() => {
      const asked = this.#asked(query, options, judgeAt, (wire) => Uint8Array.from(wire))
      return { ...callNative(() => native.searchAsync(asked.wire, ...argumentsOf(asked.call))), ...asked }
    })
    signal?.addEventListener('abort', cancel)
    try {
      const buffer = await awaitNative(() => promise)
      signal?.throwIfAborted()
      return this.#gate.run(() => this.#result(buffer as ArrayBuffer, selection))
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** `keep` makes the wire form last for longer than until the next query. */
  #asked(
    query: unknown,
    options: unknown,
    judgeAt: JudgeAt | undefined,
    keep: (wire: Uint8Array) => Uint8Array = (wire) => wire,
  ): AskedSearch {
    const settings = resolveSearchOptions(options, this.#settings.fieldNames, this.#storedFields)
    const wire = keep(this.#queries.encode(this.#withSynonyms(query, settings), settings))
    const { snippet, deadlineMs, maxScored, countUpTo } = settings
    const snippetsOf = snippet && ((documents: readonly KeyedDocument[]) => this.#snippets(documents, wire, snippet))
    const selection = selectionOf(settings, judgeAt, snippetsOf)
    const flags = (settings.docs || snippet ? WANT_DOCS : 0) | (settings.explain ? WANT_EXPLANATIONS : 0)
    const { limit, offset } = selection?.byPriority === undefined ? settings : EVERYTHING
    const pinned = selection?.byPriority === undefined ? this.#pinned(query, settings) : undefined
    return { wire, selection, call: { limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned } }
  }

  #withSynonyms(query: unknown, { synonyms, operator }: SearchSettings): unknown {
    const table = synonyms ?? this.#settings.synonyms
    return table ? withSynonyms(query as Query, table, this.#queries.contextOf(operator)) : query
  }

  /** The numbers of the documents that come first, u32 each. */
  #pinned(query: unknown, { pinned }: SearchSettings): Uint8Array | undefined {
    if (pinned === false) return undefined
    const keys = pinned ?? pinnedFor(this.#settings.pins, query)
    if (keys.length === 0) return undefined
    const numbers = keys.map((key) => callNative(() => this.#native.numberOf(encodeKey(key))))
    const present = Uint32Array.from(numbers.filter((number) => number !== undefined))
    return present.length === 0 ? undefined : new Uint8Array(present.buffer)
  }

  /** The documents that have most in common with one. RangeError when it is not there. */
  similar(key: unknown, options: unknown, judgeAt?: JudgeAt): SearchResult<D> {
    return this.#gate.run(() => {
      const known = requireKey(key)
      const { terms, settings } = resolveSimilarOptions(options, this.#settings.fieldNames, this.#storedFields)
      const { fieldNames } = this.#settings
      const fields = settings.fields ?? fieldNames
      const mask = fields.reduce((bits, name) => (bits | (1 << fieldNames.indexOf(name))) >>> 0, 0)
      const encoded = encodeKey(known)
      const number = callNative(() => this.#native.numberOf(encoded))
      const found = callNative(() => this.#native.termsOf(encoded, mask, terms))
      if (number === undefined || found === undefined)
        throw new RangeError(`there is no document with the key ${describe(known)}`)
      const wire = this.#queries.encodeTerms(decodeTerms(found))
      const { limit, offset, docs, explain, snippet, countUpTo, deadlineMs, maxScored } = settings
      const snippetsOf = snippet && ((documents: readonly KeyedDocument[]) => this.#snippets(documents, wire, snippet))
      const judged = selectionOf(settings, judgeAt, snippetsOf)
      const without = { number, offset, limit }
      const selection = { judge: undefined, showsState: false, snippetsOf, byPriority: undefined, ...judged, without }
      const flags = (docs || snippet ? WANT_DOCS : 0) | (explain ? WANT_EXPLANATIONS : 0)
      const call = { limit: limit + offset + 1, offset: 0, flags, deadlineMs, maxScored, countUpTo: countUpTo + 1 }
      const buffer = callNative(() => this.#native.search(wire, ...argumentsOf({ ...call, pinned: undefined })))
      return this.#result(buffer as ArrayBuffer, { ...selection, showsDocs: docs })
    })
  }

  #result(buffer: ArrayBuffer, selection: HitSelection | undefined): SearchResult<D> {
    return decodeHits<D>(buffer, this.#settings, this.#stored, selection)
  }

  #snippets(
    documents: readonly KeyedDocument[],
    wire: Uint8Array,
    settings: SnippetSettings,
  ): readonly (Snippet | undefined)[] {
    const { fieldNames, analyzer } = this.#settings
    const texts = documents.flatMap(({ key, document }) =>
      settings.fields.map((name) => ({ field: fieldNames.indexOf(name), text: readText(document, name, key) })),
    )
    const slab = encodeTexts(texts, typeof analyzer === 'string' ? undefined : analyzer)
    const marks = decodeMarks(callNative(() => this.#native.mark(wire, slab)))
    const perDocument = settings.fields.length
    return documents.map((_, at) => {
      const marked = settings.fields.map((field, place) => ({
        field,
        text: texts[at * perDocument + place]?.text ?? '',
        marks: marks[at * perDocument + place] ?? [],
      }))
      return makeSnippet(marked, settings)
    })
  }

  /** The numbers of all documents that match. */
  matching(query: unknown): Uint32Array {
    return this.#gate.run(() => {
      const wire = this.#queries.encode(query, { fields: undefined, operator: 'and' })
      return numbersOf(this.#best(wire, EVERYTHING.limit, 0))
    })
  }

  /** The best documents that have all words of a text, by their numbers, and what they score. */
  best(words: string, limit: number): { readonly numbers: Uint32Array; readonly scores: Float64Array } {
    return this.#gate.run(() => {
      const wire = this.#queries.encode({ word: words }, { fields: undefined, operator: 'and' })
      const buffer = this.#best(wire, Math.min(limit, EVERYTHING.limit), 0)
      return { numbers: numbersOf(buffer), scores: scoresOf(buffer) }
    })
  }

  /** Whether any document has all words of a text. Ends with the first. */
  hasAnswer(words: string): boolean {
    return this.#gate.run(() => {
      const wire = this.#queries.encode({ word: words }, { fields: undefined, operator: 'and' })
      return numbersOf(this.#best(wire, 1, 1)).length > 0
    })
  }

  #best(wire: Uint8Array, limit: number, maxScored: number): ArrayBuffer {
    return callNative(() => this.#native.search(wire, limit, 0, 0, 0, maxScored, 0)) as ArrayBuffer
  }

  /**
   * Undefined when there is no such document. For a change under way, too, which goes on while the index is being
   * closed.
   */
  numberOf(key: Key): number | undefined {
    return callNative(() => this.#native.numberOf(encodeKey(key)))
  }

  /** Undefined when there is no such document. */
  keyOf(number: number): Key | undefined {
    this.#gate.check()
    const buffer = callNative(() => this.#native.list(number, 1))
    const numbers = numbersOf(buffer)
    return numbers[0] === number ? decodeHits<D>(buffer, this.#settings).hits[0]?.key : undefined
  }

  get(key: unknown): D | undefined {
    this.#gate.check()
    const known: Key = requireKey(key)
    const stored = this.storedForm(known)
    return stored === undefined ? undefined : decodeStored<D>(stored, this.#settings.key, known)
  }

  /** The stored bytes of a document. For a write under way, which goes on while the index is being closed. */
  storedForm(key: Key): Uint8Array | undefined {
    const encoded = encodeKey(key)
    const own = callNative(() => this.#native.get(encoded))
    if (own === undefined) return undefined
    return this.#stored?.read(callNative(() => this.#native.numberOf(encoded)) as number, own) ?? own
  }

  /** The stored documents, in no particular order. The gate is checked for each portion. */
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

  /** Stored documents in order of their numbers, the first being `from`. */
  portion(from: number, limit: number): StoredPortion {
    const buffer = callNative(() => this.#native.list(from, limit))
    const { hits } = decodeHits<D>(buffer, this.#settings, this.#stored)
    return {
      documents: hits.map(({ doc }) => doc as D),
      next: hits.length < limit ? undefined : lastNumberOf(buffer) + 1,
    }
  }

  /** The keys of all documents, in no particular order. The gate is checked for each portion. */
  *keys(): Generator<Key> {
    for (let from = 0; ; ) {
      this.#gate.check()
      const buffer = callNative(() => this.#native.list(from, PORTION))
      const { hits } = decodeHits<D>(buffer, this.#settings)
      for (const { key } of hits) yield key
      if (hits.length < PORTION) return
      from = lastNumberOf(buffer) + 1
    }
  }

  has(key: unknown): boolean {
    this.#gate.check()
    const known: Key = requireKey(key)
    return callNative(() => this.#native.has(encodeKey(known)))
  }

  /** Explains from now on by curves that are kept; for an index that measures nothing. */
  loadCurves(...given: Parameters<NativeReader['loadCurves']>): boolean {
    this.#gate.check()
    return callNative(() => this.#native.loadCurves(...given))
  }

  /** Undefined for a query without a curve. */
  curveOf(query: number): CurveReading | undefined {
    this.#gate.check()
    return callNative(() => this.#native.curveOf(query))
  }

  /** Undefined when nothing is measured. */
  stakeParts(number: number, limit: number): StakeReading | undefined {
    this.#gate.check()
    return callNative(() => this.#native.stakeParts(number, limit))
  }

  stats(): IndexStats {
    this.#gate.check()
    return toStats(
      callNative(() => this.#native.stats()),
      this.#settings,
    )
  }
}

function argumentsOf({ limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned }: SearchCall) {
  return [limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned] as const
}

function selectionOf(
  settings: SearchSettings,
  judgeAt: JudgeAt | undefined,
  snippetsOf: HitSelection['snippetsOf'],
): HitSelection | undefined {
  const { refresh, orderBy, offset, limit, atMs, docs } = settings
  const isByPriority = orderBy === 'priority'
  const isJudged = refresh || isByPriority
  if (!isJudged && snippetsOf === undefined) return undefined
  if (isJudged && judgeAt === undefined)
    throw new TypeError('refresh and orderBy are for the index, not for a snapshot of it')
  return {
    judge: isJudged ? judgeAt?.(atMs) : undefined,
    showsState: refresh,
    showsDocs: docs,
    snippetsOf,
    byPriority: isByPriority ? { offset, limit } : undefined,
  }
}

export interface StoredPortion {
  readonly documents: readonly object[]
  /** Where the next portion begins; undefined behind the last. */
  readonly next: number | undefined
}

/** Stored documents that the core does not keep itself. It has their numbers and the hashes of their stored forms. */
export interface StoredDocuments {
  /** The stored form. CORRUPT unless it is there and has this hash, 8 bytes, little endian. */
  read(document: number, hash: Uint8Array): Uint8Array
}
