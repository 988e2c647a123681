/** Reading one state of an index: searches, documents, and counts. */
import { analyzeText, normalizeWord, ownAnalyzer } from '../analysis/analyzer.js'
import { describe } from '../base/describe.js'
import { readText } from '../base/documents.js'
import type { Gate } from '../base/gate.js'
import { encodeKey, type Key, requireKey } from '../base/keys.js'
import type { Clock } from '../base/time.js'
import type { CurveReading, StakeReading } from '../engine.js'
import type { OpenSettings } from '../options/index-settings.js'
import { decodeStored } from '../options/stored-form.js'
import { typedForms } from '../search/as-you-type.js'
import { Deadline } from '../search/deadline.js'
import { type CorrectionSources, correctedText } from '../search/did-you-mean.js'
import { bothFilters, resolveFilter } from '../search/filter.js'
import type { FilterNode } from '../search/filter-tree.js'
import { pinnedFor } from '../search/pins.js'
import type { Query } from '../search/query.js'
import { parseFilteredText } from '../search/query-text.js'
import { foundAt, resolveSearchOptions, type SearchSchema, type SearchSettings } from '../search/search-options.js'
import type { SearchResult } from '../search/search-result.js'
import { resolveSimilarOptions } from '../search/similar-options.js'
import { makeSnippet, type Snippet, type SnippetSettings } from '../search/snippet.js'
import { makeSuggestions, type SuggestionSources, type WeightedText } from '../search/suggest.js'
import { resolveSuggestOptions, type Suggestion, type SuggestSettings } from '../search/suggest-options.js'
import { withSynonyms } from '../search/synonyms.js'
import { type NativeReader, type NativeSnapshot, WANT_DOCS, WANT_EXPLANATIONS } from './addon-shape.js'
import { awaitNative, callNative } from './binding.js'
import { encodeColumns } from './columns-wire.js'
import { decodeCompletions, mergedCompletions, type WordCompletion } from './completions.js'
import {
  type CursorMaker,
  decodeHits,
  type HitJudge,
  type HitSelection,
  type KeyedDocument,
  keysIn,
  lastNumberOf,
  numbersOf,
  type ShownColumns,
  scoresOf,
  totalOf,
} from './hits.js'
import { decodeMarks, decodeTerms, encodeTexts, type FieldText } from './marks.js'
import { ALL_DOCUMENTS, type QueryEncoder } from './query-wire.js'
import type { ResultRoom } from './result-room.js'
import { type IndexStats, toStats } from './stats.js'
import { decodePlacedTokens, type Token } from './tokens.js'

/** Documents that are read at a time when all are asked for. */
const PORTION = 256

/** The longest token. */
const MAX_WORD_BYTES = 255

/** The limits of a search for all hits. */
const EVERYTHING = { limit: 2 ** 32 - 1, offset: 0 } as const

/** The share of a deadline that a search for all hits has, where they are to be judged. */
const SEARCHING_SHARE = 0.25

/** For the option `refresh` and `sort: 'priority'`. Undefined means now. */
type JudgeAt = (atMs: number | undefined) => HitJudge

type LikeQueries = CorrectionSources['queries']

/** A search as the addon takes it. */
interface SearchCall {
  readonly limit: number
  readonly offset: number
  readonly flags: number
  readonly deadlineMs: number
  readonly maxScored: number
  readonly countUpTo: number
  readonly pinned: Uint8Array | undefined
  readonly columns: Uint8Array | undefined
}

interface AskedSearch {
  readonly settings: SearchSettings
  readonly wire: Uint8Array
  readonly call: SearchCall
  /** All that documents have to pass. */
  readonly filter: FilterNode | undefined
  /** Whether the text of the query names columns. */
  readonly hasClauses: boolean
  readonly selection: HitSelection | undefined
  readonly shown: ShownColumns | undefined
}

/** A query without the columns that it names, and all that documents have to pass. */
interface AskedWords {
  readonly query: unknown
  readonly filter: FilterNode | undefined
}

/** What all readers of one index share. */
export interface ReaderSetup {
  readonly settings: OpenSettings
  readonly gate: Gate
  readonly queries: QueryEncoder
  readonly room: ResultRoom
  readonly now: Clock
}

/** What an index and its snapshots have in common: reading one state through one native handle. */
export class Reader<D extends object> {
  readonly #native: NativeReader
  readonly #settings: OpenSettings
  readonly #gate: Gate
  readonly #queries: QueryEncoder
  readonly #room: ResultRoom
  readonly #stored: StoredDocuments | undefined
  readonly #schema: SearchSchema

  /**
   * The index and its snapshots share the setup. `stored` is absent when the core keeps stored documents itself.
   */
  constructor(native: NativeReader, { settings, gate, queries, room, now }: ReaderSetup, stored?: StoredDocuments) {
    this.#native = native
    this.#settings = settings
    this.#gate = gate
    this.#queries = queries
    this.#room = room
    this.#stored = stored
    const { fieldNames, stored: properties, columns, expires } = settings
    const isStored = (name: string) => properties === 'all' || properties.includes(name)
    this.#schema = { fieldNames, storedFields: fieldNames.filter(isStored), columns, expires, now }
  }

  /**
   * `judgeAt` is called for `refresh` and `sort: 'priority'`, which are refused without it. Undefined means now.
   * `cursorOf` makes the cursor of a result whose hits can be gone on with, `likeQueries` gives queries of the
   * workload.
   */
  search(
    query: unknown,
    options: unknown,
    judgeAt?: JudgeAt,
    cursorOf?: CursorMaker,
    likeQueries?: LikeQueries,
  ): SearchResult<D> {
    return this.#gate.run(() => {
      const asked = this.#asked(query, options, { judgeAt, cursorOf })
      const { wire, call, selection, shown } = asked
      // Hits with a state, a document or an explanation are decoded when they are read, from a buffer of their own.
      const room = call.flags === 0 && selection === undefined ? this.#room : undefined
      const buffer = callNative(() => this.#native.search(wire, ...argumentsOf(call, room?.bytes)))
      const result = buffer === undefined ? (room as ResultRoom).take<D>(shown) : this.#result(buffer, selection, shown)
      return this.#corrected(result, query, asked, likeQueries)
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
    cursorOf?: CursorMaker,
    likeQueries?: LikeQueries,
  ): Promise<SearchResult<D>> {
    const native = this.#native as NativeSnapshot
    const { promise, cancel, ...asked } = this.#gate.run(() => {
      const asked = this.#asked(query, options, { judgeAt, cursorOf }, (wire) => Uint8Array.from(wire))
      return { ...callNative(() => native.searchAsync(asked.wire, ...argumentsOf(asked.call, undefined))), ...asked }
    })
    signal?.addEventListener('abort', cancel)
    try {
      const buffer = await awaitNative(() => promise)
      signal?.throwIfAborted()
      return this.#gate.run(() => {
        const result = this.#result(buffer as ArrayBuffer, asked.selection, asked.shown)
        return this.#corrected(result, query, asked, likeQueries)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** `keep` makes the wire form last for longer than until the next query. */
  #asked(
    query: unknown,
    options: unknown,
    { judgeAt, cursorOf }: { readonly judgeAt: JudgeAt | undefined; readonly cursorOf: CursorMaker | undefined },
    keep: (wire: Uint8Array) => Uint8Array = (wire) => wire,
  ): AskedSearch {
    const settings = resolveSearchOptions(options, this.#schema)
    const deadline = new Deadline(settings.deadlineMs)
    const { query: words, filter } = this.#withoutClauses(query, settings)
    const wire = keep(this.#encode(words, settings))
    const { snippet, maxScored, countUpTo } = settings
    const snippetsOf = this.#snippetMaker(wire, snippet, deadline)
    const selection = selectionOf(settings, deadline, judgeAt, snippetsOf)
    const flags = (settings.docs || snippet ? WANT_DOCS : 0) | (settings.explain ? WANT_EXPLANATIONS : 0)
    const { limit, offset } = selection?.byPriority === undefined ? settings : EVERYTHING
    const pinned = selection?.byPriority === undefined ? this.#pinned(query, settings) : undefined
    const columns = encodeColumns({ ...settings, facets: settings.facets?.requests, filter }, this.#settings.columns)
    // Finding a match takes less than judging it: all of the time for one would leave none for the other.
    const deadlineMs = deadline.leftMs() * (selection?.byPriority === undefined ? 1 : SEARCHING_SHARE)
    return {
      settings,
      wire,
      filter,
      hasClauses: filter !== settings.filter,
      selection,
      shown: this.#shown(settings, pinned === undefined ? cursorOf : undefined),
      call: { limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, columns },
    }
  }

  /** The result with another text, where it is one for a text and there is one that finds more. */
  #corrected(
    result: SearchResult<D>,
    query: unknown,
    { settings, hasClauses, filter }: Pick<AskedSearch, 'settings' | 'hasClauses' | 'filter'>,
    likeQueries?: LikeQueries,
  ): SearchResult<D> {
    if (!settings.didYouMean || typeof query !== 'string' || hasClauses || result.partial) return result
    const didYouMean = correctedText(query, result.total, {
      queries: (plain, edits, limit) => likeQueries?.(plain, edits, limit) ?? [],
      nearestWord: (word, edits) => this.#completions(word, edits, 1, { fields: settings.fields, isWhole: true })[0],
      count: (text, upTo) => this.#count(text, upTo, settings, filter),
    })
    return didYouMean === undefined
      ? result
      : Object.defineProperty(result, 'didYouMean', { value: didYouMean, enumerable: true })
  }

  #count(text: string, upTo: number, settings: SearchSettings, filter: FilterNode | undefined): number {
    const wire = this.#queries.encode(this.#withSynonyms(text, settings), settings)
    const call = { ...this.#everything(0, 0, filter), countUpTo: upTo }
    return totalOf(callNative(() => this.#native.search(wire, ...argumentsOf(call, undefined))) as ArrayBuffer)
  }

  #encode(query: unknown, settings: SearchSettings): Uint8Array {
    if (!settings.asYouType) return this.#queries.encode(this.#withSynonyms(query, settings), settings)
    if (typeof query !== 'string') throw new TypeError(`asYouType needs the query as text, received ${describe(query)}`)
    const context = this.#queries.contextOf(settings.operator)
    const { exact, tolerant } = typedForms(query, context, (parsed) => this.#withSynonyms(parsed, settings) as Query)
    return this.#queries.encodeTiers(tolerant === undefined ? [exact] : [exact, tolerant], settings)
  }

  /** A filter, checked. `name` is that of the option. */
  filterOf(name: string, filter: unknown): FilterNode {
    return resolveFilter(name, filter, this.#settings.columns) ?? { kind: 'and', children: [] }
  }

  /** The options of a search with its moment, where that decides what is found. */
  withMoment(options: unknown): unknown {
    const given = options as { readonly at?: unknown; readonly boosts?: unknown } | undefined
    if (this.#settings.expires === undefined && given?.boosts === undefined) return options
    return given?.at === undefined ? { ...given, at: this.#schema.now() } : options
  }

  /** Whether a search looks at a part of the documents only. */
  isRestricted(query: unknown, options: { readonly filter?: unknown; readonly operator?: 'and' | 'or' } = {}): boolean {
    const { filter, operator = 'and' } = options
    if (filter !== undefined || this.#settings.expires !== undefined) return true
    return this.#withoutClauses(query, { operator, filter: undefined }).filter !== undefined
  }

  #shown(
    { facets, group, isByPriority, asYouType, limit }: SearchSettings,
    cursorOf: CursorMaker | undefined,
  ): ShownColumns | undefined {
    // What has no typos comes first, whatever it scores: scores do not say where such a list goes on.
    const mayGoOn = group === undefined && !isByPriority && !asYouType
    if (facets === undefined && group === undefined && (cursorOf === undefined || !mayGoOn)) return undefined
    const groupKind = group && this.#settings.columns[group.column]?.kind
    return { facets, groupKind, cursorOf: mayGoOn && limit > 0 ? cursorOf : undefined, limit }
  }

  /** Columns that query text names are a filter, beside that of the options. */
  #withoutClauses(query: unknown, settings: Pick<SearchSettings, 'operator' | 'filter'>): AskedWords {
    const { fieldNames, columns } = this.#settings
    if (columns.length === 0 || typeof query !== 'string' || !query.includes(':'))
      return { query, filter: settings.filter }
    const found = parseFilteredText(query, { fields: new Set(fieldNames), operator: settings.operator, columns })
    if (found.filter === undefined) return { query, filter: settings.filter }
    return { query: found.query ?? '', filter: bothFilters(settings.filter, found.filter) }
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
      const { terms, settings } = resolveSimilarOptions(options, this.#schema)
      const deadline = new Deadline(settings.deadlineMs)
      const { fieldNames } = this.#settings
      const fields = settings.fields ?? fieldNames
      const mask = fields.reduce((bits, name) => (bits | (1 << fieldNames.indexOf(name))) >>> 0, 0)
      const encoded = encodeKey(known)
      const number = callNative(() => this.#native.numberOf(encoded))
      const found = callNative(() => this.#native.termsOf(encoded, mask, terms, deadline.leftMs()))
      if (number === undefined || found === undefined)
        throw new RangeError(`there is no document with the key ${describe(known)}`)
      const wire = this.#queries.encodeTerms(decodeTerms(found))
      const { limit, offset, docs, explain, snippet, countUpTo, maxScored } = settings
      const snippetsOf = this.#snippetMaker(wire, snippet, deadline)
      const judged = selectionOf(settings, deadline, judgeAt, snippetsOf)
      const without = { number, offset, limit }
      const plain = { judge: undefined, showsState: false, deadline, snippetsOf, byPriority: undefined }
      const selection = { ...plain, ...judged, without }
      const flags = (docs || snippet ? WANT_DOCS : 0) | (explain ? WANT_EXPLANATIONS : 0)
      const deadlineMs = deadline.leftMs()
      const bounds = { limit: limit + offset + 1, offset: 0, deadlineMs, maxScored, countUpTo: countUpTo + 1 }
      const columns = encodeColumns({ filter: settings.filter }, this.#settings.columns)
      const call = { ...bounds, flags, pinned: undefined, columns }
      const buffer = callNative(() => this.#native.search(wire, ...argumentsOf(call, undefined)))
      return this.#result(buffer as ArrayBuffer, { ...selection, showsDocs: docs })
    })
  }

  /** The tokens that a text has in a field, by default the first. */
  analyze(text: unknown, field: unknown): Token[] {
    return this.#gate.run(() => {
      if (typeof text !== 'string') throw new TypeError(`analyze needs a text, received ${describe(text)}`)
      const { fieldNames, fieldAnalyzers } = this.#settings
      const number = field === undefined ? 0 : fieldNames.indexOf(field as string)
      if (number < 0) {
        const known = fieldNames.join(', ')
        throw new TypeError(`analyze needs a field of the index, received ${describe(field)}; fields: ${known}`)
      }
      const analyzer = ownAnalyzer(fieldAnalyzers[number] as OpenSettings['analyzer'])
      if (analyzer !== undefined)
        return analyzeText(analyzer, text).tokens.map((token, position) => ({ token, position }))
      return decodePlacedTokens(callNative(() => this.#native.tokens(Buffer.from(text, 'utf8'), number)))
    })
  }

  /** What a text that is being typed may become. `queries`: those of the workload. */
  suggest(text: unknown, options: unknown, queries: SuggestionSources['queries']): Suggestion[] {
    return this.#gate.run(() => {
      if (typeof text !== 'string') throw new TypeError(`suggest needs a text, received ${describe(text)}`)
      const { fieldNames, fieldBoosts } = this.#settings
      const settings = resolveSuggestOptions(options, { fieldNames, fieldBoosts, stored: this.#schema.storedFields })
      return makeSuggestions(text, settings, {
        queries,
        titles: (typed, hasTypos, documents) => this.#titles(typed, hasTypos, documents, settings),
        words: (word, edits, limit) => this.#completions(word, edits, limit),
        hasMatch: (whole) => this.#hasMatch(whole),
      })
    })
  }

  /** Documents are read one by one: most suggestions need few of them. */
  *#titles(
    text: string,
    hasTypos: boolean,
    documents: number,
    { field, deadlineMs }: SuggestSettings,
  ): Generator<WeightedText> {
    const context = this.#queries.contextOf('and')
    const { exact, tolerant } = typedForms(text, context)
    if (hasTypos && tolerant === undefined) return
    const name = field as string
    const wire = this.#queries.encodeTiers(hasTypos ? [exact, tolerant] : [exact], { fields: [name], operator: 'and' })
    const call = { ...this.#everything(documents, 0, this.#foundNow()), deadlineMs }
    const buffer = callNative(() => this.#native.search(wire, ...argumentsOf(call, undefined))) as ArrayBuffer
    for (const { key, score } of this.#result(buffer, undefined).hits) {
      const stored = this.storedForm(key)
      if (stored === undefined) continue
      const document = decodeStored<object>(stored, this.#settings.key, key)
      yield { text: readText(document, name, key), weight: score }
    }
  }

  #completions(
    word: string,
    edits: number,
    limit: number,
    { fields, isWhole = false }: { readonly fields?: readonly string[] | undefined; readonly isWhole?: boolean } = {},
  ): WordCompletion[] {
    const groups = this.#queries.groupsOf(this.#queries.maskOf(fields ?? this.#settings.fieldNames))
    const found = groups.map(({ mask, analyzer }) => {
      const bytes = Buffer.from(analyzer === undefined ? word : normalizeWord(analyzer, word), 'utf8')
      if (bytes.length > MAX_WORD_BYTES) return []
      return decodeCompletions(callNative(() => this.#native.complete(bytes, mask, edits, limit, isWhole)))
    })
    return found.length === 1 ? (found[0] as WordCompletion[]) : mergedCompletions(found, limit)
  }

  #hasMatch(text: string): boolean {
    const wire = this.#queries.encode(text, { fields: undefined, operator: 'and' })
    return numbersOf(this.#best(wire, 1, 1, this.#foundNow())).length > 0
  }

  /** What is found at this moment; undefined where nothing expires. */
  #foundNow(): FilterNode | undefined {
    const { columns, expires } = this.#settings
    return expires === undefined ? undefined : foundAt(columns, expires, this.#schema.now())
  }

  #result(buffer: ArrayBuffer, selection: HitSelection | undefined, shown?: ShownColumns): SearchResult<D> {
    return decodeHits<D>(buffer, this.#settings, this.#stored, selection, shown)
  }

  #snippetMaker(wire: Uint8Array, settings: SnippetSettings | undefined, deadline: Deadline) {
    if (settings === undefined) return undefined
    return (documents: readonly KeyedDocument[]) => this.#snippets(documents, wire, settings, deadline)
  }

  /** Those of the first documents, where the time ends before the others. */
  #snippets(
    documents: readonly KeyedDocument[],
    wire: Uint8Array,
    settings: SnippetSettings,
    deadline: Deadline,
  ): readonly (Snippet | undefined)[] {
    const { fieldNames, fieldAnalyzers } = this.#settings
    const texts: FieldText[] = []
    for (const { key, document } of documents) {
      if (deadline.isOver) break
      const stored = document()
      for (const name of settings.fields)
        texts.push({ field: fieldNames.indexOf(name), text: readText(stored, name, key) })
    }
    const slab = encodeTexts(texts, fieldAnalyzers.map(ownAnalyzer), deadline)
    const marks = decodeMarks(callNative(() => this.#native.mark(wire, slab, deadline.leftMs())))
    const perDocument = settings.fields.length
    const snippets: (Snippet | undefined)[] = []
    for (let at = 0; (at + 1) * perDocument <= marks.length; at++) {
      if (deadline.isOver) break
      const marked = settings.fields.map((field, place) => ({
        field,
        text: texts[at * perDocument + place]?.text ?? '',
        marks: marks[at * perDocument + place] ?? [],
      }))
      snippets.push(makeSnippet(marked, settings))
    }
    return snippets
  }

  /** The numbers of all documents that match and pass, in order of their scores. */
  matching(query: unknown, filter?: FilterNode): Uint32Array {
    return this.#gate.run(() => {
      const words = this.#withoutClauses(query, { operator: 'and', filter })
      const wire = this.#queries.encode(words.query, { fields: undefined, operator: 'and' })
      return numbersOf(this.#best(wire, EVERYTHING.limit, 0, words.filter))
    })
  }

  /** The numbers of all documents that pass a filter, ascending. */
  documentsOf(filter: FilterNode): Uint32Array {
    return this.#gate.run(() => {
      const passing = encodeColumns({ filter }, this.#settings.columns)
      return new Uint32Array(callNative(() => this.#native.documentsOf(passing as Uint8Array)))
    })
  }

  /** The keys of all documents that pass a filter. */
  keysOf(filter: FilterNode): readonly Key[] {
    return this.#gate.run(() => keysIn(this.#best(ALL_DOCUMENTS, EVERYTHING.limit, 0, filter)))
  }

  /** The same, found on another thread. REQUIRES: as searchAsync. */
  async keysOfAsync(filter: FilterNode): Promise<readonly Key[]> {
    const native = this.#native as NativeSnapshot
    const { promise } = this.#gate.run(() => {
      const call = this.#everything(EVERYTHING.limit, 0, filter)
      return callNative(() => native.searchAsync(ALL_DOCUMENTS, ...argumentsOf(call, undefined)))
    })
    return keysIn((await awaitNative(() => promise)) as ArrayBuffer)
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

  #best(wire: Uint8Array, limit: number, maxScored: number, filter?: FilterNode): ArrayBuffer {
    const call = this.#everything(limit, maxScored, filter)
    return callNative(() => this.#native.search(wire, ...argumentsOf(call, undefined))) as ArrayBuffer
  }

  #everything(limit: number, maxScored: number, filter: FilterNode | undefined): SearchCall {
    const columns = encodeColumns({ filter }, this.#settings.columns)
    return { limit, offset: 0, flags: 0, deadlineMs: 0, maxScored, countUpTo: 0, pinned: undefined, columns }
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

  /** The same of a checked key, also while the index is being closed. */
  isDocument(key: Key): boolean {
    return callNative(() => this.#native.has(encodeKey(key)))
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

  /** What the core holds, in bytes by part. */
  heldMemory() {
    const { termBytes, keyBytes, documentBytes, heldPostingBytes, mappedBytes } = callNative(() => this.#native.stats())
    return {
      terms: termBytes,
      keys: keyBytes,
      documents: documentBytes,
      postings: heldPostingBytes,
      mapped: mappedBytes,
    }
  }

  stats(): IndexStats {
    this.#gate.check()
    return toStats(
      callNative(() => this.#native.stats()),
      this.#settings,
    )
  }
}

function argumentsOf<Room>(call: SearchCall, room: Room) {
  const { limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, columns } = call
  return [limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, room, columns] as const
}

function selectionOf(
  settings: SearchSettings,
  deadline: Deadline,
  judgeAt: JudgeAt | undefined,
  snippetsOf: HitSelection['snippetsOf'],
): HitSelection | undefined {
  const { refresh, isByPriority, offset, limit, atMs, docs } = settings
  const isJudged = refresh || isByPriority
  if (!isJudged && snippetsOf === undefined) return undefined
  if (isJudged && judgeAt === undefined)
    throw new TypeError("refresh and sort: 'priority' are for the index, not for a snapshot of it")
  return {
    judge: isJudged ? judgeAt?.(atMs) : undefined,
    showsState: refresh,
    showsDocs: docs,
    deadline,
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
