/** Reading one state of an index: searches, suggestions, documents, curves and counts. */
import { analyzeText, ownAnalyzer } from '../analysis/analyzer.js'
import { describe } from '../base/describe.js'
import type { CurveReading, StakeReading } from '../engine.js'
import type { OpenSettings } from '../options/index-settings.js'
import { withoutClauses } from '../search/asked-words.js'
import { resolveFilter } from '../search/filter.js'
import type { FilterNode } from '../search/filter-tree.js'
import type { NativeReader } from './addon-shape.js'
import { callNative } from './binding.js'
import { Documents } from './documents.js'
import { Matches } from './matches.js'
import { type ReaderSetup, type ReadState, readState, type StoredDocuments } from './read-state.js'
import { Searches } from './searches.js'
import { type IndexStats, toStats } from './stats.js'
import { Suggestions } from './suggestions.js'
import { decodePlacedTokens, type Token } from './tokens.js'

/** What an index and its snapshots have in common: reading one state through one native handle. */
export class Reader<D extends object> {
  readonly #state: ReadState
  readonly searches: Searches<D>
  readonly suggestions: Suggestions
  readonly documents: Documents<D>
  readonly matches: Matches

  /**
   * The index and its snapshots share the setup. `stored` is absent when the core keeps stored documents itself.
   */
  constructor(native: NativeReader, setup: ReaderSetup, stored?: StoredDocuments) {
    this.#state = readState(native, setup, stored)
    this.searches = new Searches(this.#state)
    this.documents = new Documents(this.#state)
    this.suggestions = new Suggestions(this.#state, this.documents)
    this.matches = new Matches(this.#state)
  }

  /** A filter, checked. `name` is that of the option. */
  filterOf(name: string, filter: unknown): FilterNode {
    return resolveFilter(name, filter, this.#state.settings.columns) ?? { kind: 'and', children: [] }
  }

  /** The options of a search with its moment, where that decides what is found. */
  withMoment(options: unknown): unknown {
    const given = options as { readonly at?: unknown; readonly boosts?: unknown } | undefined
    if (this.#state.settings.expires === undefined && given?.boosts === undefined) return options
    return given?.at === undefined ? { ...given, at: this.#state.schema.now() } : options
  }

  /** Whether a search looks at a part of the documents only. */
  isRestricted(query: unknown, options: { readonly filter?: unknown; readonly operator?: 'and' | 'or' } = {}): boolean {
    const { filter, operator = 'and' } = options
    if (filter !== undefined || this.#state.settings.expires !== undefined) return true
    return withoutClauses(query, { operator, filter: undefined }, this.#state.settings).filter !== undefined
  }

  /** The tokens that a text has in a field, by default the first. */
  analyze(text: unknown, field: unknown): Token[] {
    return this.#state.gate.run(() => {
      if (typeof text !== 'string') throw new TypeError(`analyze needs a text, received ${describe(text)}`)
      const { fieldNames, fieldAnalyzers } = this.#state.settings
      const number = field === undefined ? 0 : fieldNames.indexOf(field as string)
      if (number < 0) {
        const known = fieldNames.join(', ')
        throw new TypeError(`analyze needs a field of the index, received ${describe(field)}; fields: ${known}`)
      }
      const analyzer = ownAnalyzer(fieldAnalyzers[number] as OpenSettings['analyzer'])
      if (analyzer !== undefined)
        return analyzeText(analyzer, text).tokens.map((token, position) => ({ token, position }))
      return decodePlacedTokens(callNative(() => this.#state.native.tokens(Buffer.from(text, 'utf8'), number)))
    })
  }

  /** Explains from now on by curves that are kept; for an index that measures nothing. */
  loadCurves(...given: Parameters<NativeReader['loadCurves']>): boolean {
    this.#state.gate.check()
    return callNative(() => this.#state.native.loadCurves(...given))
  }

  /** Undefined for a query without a curve. */
  curveOf(query: number): CurveReading | undefined {
    this.#state.gate.check()
    return callNative(() => this.#state.native.curveOf(query))
  }

  /** Undefined when nothing is measured. */
  stakeParts(number: number, limit: number): StakeReading | undefined {
    this.#state.gate.check()
    return callNative(() => this.#state.native.stakeParts(number, limit))
  }

  /** What the core holds, in bytes by part. */
  heldMemory() {
    const { termBytes, keyBytes, documentBytes, heldPostingBytes, mappedBytes } = callNative(() =>
      this.#state.native.stats(),
    )
    return {
      terms: termBytes,
      keys: keyBytes,
      documents: documentBytes,
      postings: heldPostingBytes,
      mapped: mappedBytes,
    }
  }

  stats(): IndexStats {
    this.#state.gate.check()
    return toStats(
      callNative(() => this.#state.native.stats()),
      this.#state.settings,
    )
  }
}
