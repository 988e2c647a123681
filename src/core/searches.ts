/** Searches of one state of an index, at once or on another thread, and documents that are like another one. */
import { describe } from '../base/describe.js'
import { encodeKey, requireKey } from '../base/keys.js'
import { inTurns, Pauses } from '../base/turns.js'
import { typedForms } from '../search/as-you-type.js'
import { withoutClauses } from '../search/asked-words.js'
import { Deadline } from '../search/deadline.js'
import { type CorrectionSources, correctedText } from '../search/did-you-mean.js'
import type { FilterNode } from '../search/filter-tree.js'
import { pinnedFor } from '../search/pins.js'
import type { Query } from '../search/query.js'
import { resolveSearchOptions, type SearchSettings } from '../search/search-options.js'
import type { SearchResult } from '../search/search-result.js'
import { resolveSimilarOptions } from '../search/similar-options.js'
import type { SnippetSettings } from '../search/snippet.js'
import { withSynonyms } from '../search/synonyms.js'
import { type NativeSnapshot, WANT_DOCS, WANT_EXPLANATIONS } from './addon-shape.js'
import { awaitNative, callNative } from './binding.js'
import { encodeColumns } from './columns-wire.js'
import { type CursorMaker, decodeHits, numbersOf, type ShownColumns, totalOf } from './hits.js'
import { decodeTerms } from './marks.js'
import { addonArguments, EVERYTHING, plainCall, type ReadState, type SearchCall } from './read-state.js'
import type { ResultRoom } from './result-room.js'
import { choosingRows, type HitJudge, type HitSelection, type KeyedDocument, type ShownRows } from './shown-rows.js'
import { makeSnippets } from './snippets.js'
import { wordCompletions } from './suggestions.js'

/** The share of a deadline that a search for all hits has, where they are to be judged. */
const SEARCHING_SHARE = 0.25

/** For the option `refresh` and `sort: 'priority'`. Undefined means now. */
type JudgeAt = (atMs: number | undefined) => HitJudge

type LikeQueries = CorrectionSources['queries']

interface AskedSearch {
  readonly settings: SearchSettings
  readonly wire: Uint8Array
  readonly call: SearchCall
  /** All that documents have to pass. */
  readonly filter: FilterNode | undefined
  /** Whether the text of the query names columns. */
  readonly hasClauses: boolean
  /** Of all that the search does. */
  readonly deadline: Deadline
  readonly selection: HitSelection | undefined
  readonly shown: ShownColumns | undefined
}

export class Searches<D extends object> {
  readonly #state: ReadState

  constructor(state: ReadState) {
    this.#state = state
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
    return this.#state.gate.run(() => {
      const asked = this.#asked(query, options, { judgeAt, cursorOf })
      const { wire, call, selection, shown } = asked
      // Hits with a state, a document or an explanation are decoded when they are read, from a buffer of their own.
      const room = call.flags === 0 && selection === undefined ? this.#state.room : undefined
      const buffer = callNative(() => this.#state.native.search(wire, ...addonArguments(call, room?.bytes)))
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
    const native = this.#state.native as NativeSnapshot
    const { promise, cancel, ...asked } = this.#state.gate.run(() => {
      const asked = this.#asked(query, options, { judgeAt, cursorOf }, (wire) => Uint8Array.from(wire))
      return { ...callNative(() => native.searchAsync(asked.wire, ...addonArguments(asked.call, undefined))), ...asked }
    })
    signal?.addEventListener('abort', cancel)
    try {
      const buffer = (await awaitNative(() => promise)) as ArrayBuffer
      signal?.throwIfAborted()
      const chosen = await this.#chosen(buffer, asked.selection, signal)
      return this.#state.gate.run(() => {
        const result = this.#result(buffer, asked.selection, asked.shown, chosen)
        return this.#corrected(result, query, asked, likeQueries)
      })
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Judging all matches takes long where there are many: with pauses. Undefined where none are judged. */
  async #chosen(
    buffer: ArrayBuffer,
    selection: HitSelection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ShownRows | undefined> {
    if (selection?.byPriority === undefined) return undefined
    const pauses = new Pauses(() => {
      signal?.throwIfAborted()
      this.#state.gate.check()
    })
    return inTurns(choosingRows(numbersOf(buffer), selection), pauses)
  }

  /** `keep` makes the wire form last for longer than until the next query. */
  #asked(
    query: unknown,
    options: unknown,
    { judgeAt, cursorOf }: { readonly judgeAt: JudgeAt | undefined; readonly cursorOf: CursorMaker | undefined },
    keep: (wire: Uint8Array) => Uint8Array = (wire) => wire,
  ): AskedSearch {
    const settings = resolveSearchOptions(options, this.#state.schema)
    const deadline = new Deadline(settings.deadlineMs)
    const { query: words, filter } = withoutClauses(query, settings, this.#state.settings)
    const wire = keep(this.#encode(words, settings))
    const { snippet, maxScored, countUpTo } = settings
    const snippetsOf = this.#snippetMaker(wire, snippet, deadline)
    const selection = selectionOf(settings, deadline, judgeAt, snippetsOf)
    const flags = (settings.docs || snippet ? WANT_DOCS : 0) | (settings.explain ? WANT_EXPLANATIONS : 0)
    const { limit, offset } = selection?.byPriority === undefined ? settings : EVERYTHING
    const pinned = selection?.byPriority === undefined ? this.#pinned(query, settings) : undefined
    const columns = encodeColumns(
      { ...settings, facets: settings.facets?.requests, filter },
      this.#state.settings.columns,
    )
    // Finding a match takes less than judging it: all of the time for one would leave none for the other.
    const deadlineMs = deadline.leftMs() * (selection?.byPriority === undefined ? 1 : SEARCHING_SHARE)
    return {
      settings,
      wire,
      filter,
      hasClauses: filter !== settings.filter,
      deadline,
      selection,
      shown: this.#shown(settings, pinned === undefined ? cursorOf : undefined),
      call: { limit, offset, flags, deadlineMs, maxScored, countUpTo, pinned, columns },
    }
  }

  /** The result with another text, where it is one for a text and there is one that finds more. */
  #corrected(
    result: SearchResult<D>,
    query: unknown,
    { settings, hasClauses, filter, deadline }: Pick<AskedSearch, 'settings' | 'hasClauses' | 'filter' | 'deadline'>,
    likeQueries?: LikeQueries,
  ): SearchResult<D> {
    if (!settings.didYouMean || typeof query !== 'string' || hasClauses || result.partial) return result
    const didYouMean = correctedText(query, result.total, {
      queries: (plain, edits, limit) => likeQueries?.(plain, edits, limit) ?? [],
      nearestWord: (word, edits) =>
        wordCompletions(this.#state, word, edits, 1, { fields: settings.fields, isWhole: true, deadline })[0],
      count: (text, upTo) => this.#count(text, upTo, settings, filter, deadline),
    })
    // What was found after the end of the time may not be what there is.
    return didYouMean === undefined || deadline.isOver
      ? result
      : Object.defineProperty(result, 'didYouMean', { value: didYouMean, enumerable: true })
  }

  #count(
    text: string,
    upTo: number,
    settings: SearchSettings,
    filter: FilterNode | undefined,
    deadline: Deadline,
  ): number {
    const wire = this.#state.queries.encode(this.#withSynonyms(text, settings), settings)
    const call = { ...plainCall(this.#state, 0, 0, filter), countUpTo: upTo, deadlineMs: deadline.leftMs() }
    return totalOf(callNative(() => this.#state.native.search(wire, ...addonArguments(call, undefined))) as ArrayBuffer)
  }

  #encode(query: unknown, settings: SearchSettings): Uint8Array {
    if (!settings.asYouType) return this.#state.queries.encode(this.#withSynonyms(query, settings), settings)
    if (typeof query !== 'string') throw new TypeError(`asYouType needs the query as text, received ${describe(query)}`)
    const context = this.#state.queries.contextOf(settings.operator)
    const { exact, tolerant } = typedForms(query, context, (parsed) => this.#withSynonyms(parsed, settings) as Query)
    return this.#state.queries.encodeTiers(tolerant === undefined ? [exact] : [exact, tolerant], settings)
  }

  #shown(
    { facets, group, isByPriority, asYouType, limit }: SearchSettings,
    cursorOf: CursorMaker | undefined,
  ): ShownColumns | undefined {
    // What has no typos comes first, whatever it scores: scores do not say where such a list goes on.
    const mayGoOn = group === undefined && !isByPriority && !asYouType
    if (facets === undefined && group === undefined && (cursorOf === undefined || !mayGoOn)) return undefined
    const groupKind = group && this.#state.settings.columns[group.column]?.kind
    return { facets, groupKind, cursorOf: mayGoOn && limit > 0 ? cursorOf : undefined, limit }
  }

  #withSynonyms(query: unknown, { synonyms, operator }: SearchSettings): unknown {
    const table = synonyms ?? this.#state.settings.synonyms
    return table ? withSynonyms(query as Query, table, this.#state.queries.contextOf(operator)) : query
  }

  /** The numbers of the documents that come first, u32 each. */
  #pinned(query: unknown, { pinned }: SearchSettings): Uint8Array | undefined {
    if (pinned === false) return undefined
    const keys = pinned ?? pinnedFor(this.#state.settings.pins, query)
    if (keys.length === 0) return undefined
    const numbers = keys.map((key) => callNative(() => this.#state.native.numberOf(encodeKey(key))))
    const present = Uint32Array.from(numbers.filter((number) => number !== undefined))
    return present.length === 0 ? undefined : new Uint8Array(present.buffer)
  }

  /** The documents that have most in common with one. RangeError when it is not there. */
  similar(key: unknown, options: unknown, judgeAt?: JudgeAt): SearchResult<D> {
    return this.#state.gate.run(() => {
      const known = requireKey(key)
      const { terms, settings } = resolveSimilarOptions(options, this.#state.schema)
      const deadline = new Deadline(settings.deadlineMs)
      const { fieldNames } = this.#state.settings
      const fields = settings.fields ?? fieldNames
      const mask = fields.reduce((bits, name) => (bits | (1 << fieldNames.indexOf(name))) >>> 0, 0)
      const encoded = encodeKey(known)
      const number = callNative(() => this.#state.native.numberOf(encoded))
      const found = callNative(() => this.#state.native.termsOf(encoded, mask, terms, deadline.leftMs()))
      if (number === undefined || found === undefined)
        throw new RangeError(`there is no document with the key ${describe(known)}`)
      const wire = this.#state.queries.encodeTerms(decodeTerms(found))
      const { limit, offset, docs, explain, snippet, countUpTo, maxScored } = settings
      const snippetsOf = this.#snippetMaker(wire, snippet, deadline)
      const judged = selectionOf(settings, deadline, judgeAt, snippetsOf)
      const without = { number, offset, limit }
      const plain = { judge: undefined, showsState: false, deadline, snippetsOf, byPriority: undefined }
      const selection = { ...plain, ...judged, without }
      const flags = (docs || snippet ? WANT_DOCS : 0) | (explain ? WANT_EXPLANATIONS : 0)
      const deadlineMs = deadline.leftMs()
      const bounds = { limit: limit + offset + 1, offset: 0, deadlineMs, maxScored, countUpTo: countUpTo + 1 }
      const columns = encodeColumns({ filter: settings.filter }, this.#state.settings.columns)
      const call = { ...bounds, flags, pinned: undefined, columns }
      const buffer = callNative(() => this.#state.native.search(wire, ...addonArguments(call, undefined)))
      return this.#result(buffer as ArrayBuffer, { ...selection, showsDocs: docs })
    })
  }

  #result(
    buffer: ArrayBuffer,
    selection: HitSelection | undefined,
    shown?: ShownColumns,
    chosen?: ShownRows,
  ): SearchResult<D> {
    return decodeHits<D>(buffer, this.#state.settings, this.#state.stored, selection, shown, chosen)
  }

  #snippetMaker(wire: Uint8Array, settings: SnippetSettings | undefined, deadline: Deadline) {
    if (settings === undefined) return undefined
    return (documents: readonly KeyedDocument[]) => makeSnippets(this.#state, documents, wire, settings, deadline)
  }
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
