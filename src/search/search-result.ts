/** What a search returns. */
import type { Key } from '../base/keys.js'
import type { AnyColumnValue } from './column-values.js'
import type { FacetCounts } from './facets.js'
import type { Snippet } from './snippet.js'

export interface SearchResult<D extends object> {
  readonly hits: readonly Hit<D>[]
  /**
   * The number of all matches, not only of those returned. Where `isTotalExact` is false there are more: matches are
   * counted up to the option `countUpTo`.
   */
  readonly total: number
  readonly isTotalExact: boolean
  /** A prefix or fuzzy word had more expansions than were searched. */
  readonly truncated: boolean
  /** The deadline or maxScored ended the search early: total and order cover only what was scored. */
  readonly partial: boolean
  /** A text that finds more documents. Only with the option `didYouMean`, and only where few were found. */
  readonly didYouMean?: string
  /** Only with the option `facets`. */
  readonly facets?: FacetCounts
  /**
   * To be passed on as `after` for the hits behind these; absent where there are none, and with `group`, pinned
   * documents or `sort: 'priority'`. It is good for as long as the index keeps the state that these hits are of:
   * CURSOR_EXPIRED then.
   */
  readonly cursor?: string
}

export interface Hit<D extends object> {
  readonly key: Key
  readonly score: number
  /** Only with the option `group`: the value of its group; undefined for the documents without a value. */
  readonly group?: AnyColumnValue
  /** The document as far as it was stored. Only with the option `docs`. */
  readonly doc?: D
  /** Only with the option `explain`. */
  readonly explain?: Explanation
  /** Only with the option `snippet`, and only of a document with text. */
  readonly snippet?: Snippet
  /** Only with the option `refresh`. */
  readonly refresh?: RefreshState
}

/** Why a hit has its score. */
export interface Explanation {
  /** Sum of the terms. */
  readonly text: number
  readonly weight: number
  readonly score: number
  /** By how much each of the `boosts` multiplies the text. Only with boosts. */
  readonly factors?: readonly number[]
  readonly terms: readonly TermExplanation[]
}

export interface TermExplanation {
  readonly kind: 'word' | 'phrase' | 'prefix' | 'fuzzy' | 'all'
  /** Empty for `all`, which is in no field. */
  readonly field: string
  readonly term: string
  readonly tf: number
  readonly df: number
  readonly idf: number
  /** Tokens of the field, as rounded for scoring. */
  readonly length: number
  readonly averageLength: number
  readonly boost: number
  readonly score: number
}

/** What a hit of a search carries with the option `refresh`. */
export interface RefreshState {
  /** The number by which documents are compared. With the user-centric policies, the expected ΔQ_A of a refresh. */
  readonly priority: number
  /** The share of today's answers that the document carries, 0 to 1. */
  readonly stake: number
  /** The share of what refreshing everything at `judgedAt` would gain, 0 to 1. */
  readonly expectedGain: number
  /** The time since the last refresh. */
  readonly ageMs: number
  /** How likely the copy is still what the document says: 1 - changeChance. */
  readonly currentProbability: number
  /** When all documents were last judged together, in milliseconds since 1970: `expectedGain` is a share of that. */
  readonly judgedAt: number
  /** What is expected of a refresh at that moment. */
  readonly expected: {
    /** The probability that the document has changed since its last refresh, 0 to 1. */
    readonly changeChance: number
    /** ΔQ_A, whichever policy computes the priority. */
    readonly deltaQuality: number
  }
}
