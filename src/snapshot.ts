import { randomUUID } from 'node:crypto'
import type { ColumnOptions } from './base/columns.js'
import type { FieldName } from './base/documents.js'
import { FreshdexError } from './base/errors.js'
import type { Gate } from './base/gate.js'
import type { Key } from './base/keys.js'
import type { ReadAside } from './core/engine.js'
import type { Reader } from './core/reader.js'
import type { IndexStats } from './core/stats.js'
import type { Token } from './core/tokens.js'
import { cursorFor, cursorMaker } from './search/cursor.js'
import type { CorrectionSources } from './search/did-you-mean.js'
import type { CursorPoint } from './search/filter-tree.js'
import type { Query } from './search/query.js'
import { type SearchAsyncOptions, type SearchOptions, splitSignal } from './search/search-options.js'
import type { SearchResult } from './search/search-result.js'
import type { SimilarOptions } from './search/similar-options.js'
import type { SuggestionSources } from './search/suggest.js'
import type { Suggestion, SuggestOptions } from './search/suggest-options.js'

/** Queries that people ask, for suggestions and corrections. */
export interface KnownQueries {
  readonly suggested: SuggestionSources['queries']
  readonly like: CorrectionSources['queries']
}

const NO_QUERIES: KnownQueries = { suggested: () => [], like: () => [] }

/**
 * The index as it was at one moment. Several reads through one snapshot agree with each other whatever is written
 * meanwhile. It keeps replaced data in memory, so close it soon. Closing the index ends its snapshots too.
 */
export class Snapshot<D extends object, C = ColumnOptions<D>> {
  readonly #reader: Reader<D>
  readonly #release: () => void
  /** In cursors. */
  #name: string | undefined
  #isClosed = false
  #queries: KnownQueries = NO_QUERIES

  /** For Freshdex.snapshot(). `release` is called once. */
  constructor(reader: Reader<D>, release: () => void) {
    this.#reader = reader
    this.#release = release
  }

  search(query: Query, options?: SearchOptions<D, C>): SearchResult<D> {
    const reader = this.#open()
    const asked = this.#goingOn(query, reader.withMoment(options))
    return reader.searches.search(query, asked, undefined, this.#cursorOf(query, asked), this.#queries.like)
  }

  /** The same, computed on another thread. */
  async searchAsync(query: Query, options?: SearchAsyncOptions<D, C>): Promise<SearchResult<D>> {
    const { signal, others } = splitSignal(options)
    const reader = this.#open()
    const asked = this.#goingOn(query, reader.withMoment(others))
    return reader.searches.searchAsync(
      query,
      asked,
      signal,
      undefined,
      this.#cursorOf(query, asked),
      this.#queries.like,
    )
  }

  /** The documents that have most in common with one. */
  similar(key: Key, options?: SimilarOptions<D, C>): SearchResult<D> {
    return this.#open().searches.similar(key, options)
  }

  /** What a text that is being typed may become: titles and words of this moment, queries as they are asked now. */
  suggest(text: string, options?: SuggestOptions<D>): Suggestion[] {
    return this.#open().suggestions.suggest(text, options, this.#queries.suggested)
  }

  /** The tokens that a text has in a field, as searches see them. Default: the first field. */
  analyze(text: string, field?: FieldName<D>): Token[] {
    return this.#open().analyze(text, field)
  }

  get(key: Key): D | undefined {
    return this.#open().documents.get(key)
  }

  /** All stored documents, in no order that means anything. */
  documents(): Generator<D> {
    return this.#open().documents.all()
  }

  /** The keys of all documents, in no order that means anything. */
  keys(): Generator<Key> {
    return this.#open().documents.keys()
  }

  has(key: Key): boolean {
    return this.#open().documents.has(key)
  }

  stats(): IndexStats {
    return this.#open().stats()
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#release()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** For Freshdex, which knows the queries that people ask. */
  static lendQueries<D extends object, C>(snapshot: Snapshot<D, C>, queries: KnownQueries): Snapshot<D, C> {
    snapshot.#queries = queries
    return snapshot
  }

  /** For Freshdex, which knows what the priorities of hits are. */
  static readerOf<D extends object, C>(snapshot: Snapshot<D, C>): Reader<D> {
    return snapshot.#open()
  }

  /** The options with the moment that the cursor is of, if there is one. */
  #goingOn(query: Query, options: unknown): unknown {
    const { after } = (options ?? {}) as { readonly after?: unknown }
    if (after === undefined) return options
    const { state, atMs } = cursorFor(query, { ...(options as object), after })
    if (state !== this.#name)
      throw new FreshdexError('CURSOR_EXPIRED', 'the cursor is not of this snapshot: go on where its result is from')
    return atMs === undefined ? options : { ...(options as object), at: atMs }
  }

  #cursorOf(query: Query, options: unknown): (point: CursorPoint) => string {
    return cursorMaker(query, options, () => (this.#name ??= `snapshot ${randomUUID()}`))
  }

  #open(): Reader<D> {
    if (this.#isClosed) throw new FreshdexError('CLOSED', 'the snapshot is closed')
    return this.#reader
  }
}

/** Reads snapshots of the present moment, and closes each when the reading is over. */
export function readingAside<D extends object>(index: { snapshot(): Snapshot<D> }, gate: Gate): ReadAside {
  return async (read) => {
    gate.check()
    const snapshot = index.snapshot()
    try {
      return await read(Snapshot.readerOf(snapshot) as Reader<object>)
    } finally {
      snapshot.close()
    }
  }
}
