import type { Key } from '../base/keys.js'

export interface SearchResult<D extends object> {
  readonly hits: readonly Hit<D>[]
  /** All matches, not only those returned. */
  readonly total: number
  /** A prefix or fuzzy word had more expansions than were searched. */
  readonly truncated: boolean
  /** The deadline or maxScored ended the search early: total and order cover only what was scored. */
  readonly partial: boolean
}

export interface Hit<D extends object> {
  readonly key: Key
  readonly score: number
  /** As far as it was stored. Only with the option `docs`. */
  readonly doc?: D
  /** Only with the option `explain`. */
  readonly explain?: Explanation
  /** Only with the option `refresh`. */
  readonly refresh?: RefreshState
}

/** Why a hit has its score. */
export interface Explanation {
  /** Sum of the terms. */
  readonly text: number
  readonly weight: number
  readonly score: number
  readonly terms: readonly TermExplanation[]
}

export interface TermExplanation {
  readonly kind: 'word' | 'phrase' | 'prefix' | 'fuzzy'
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
  /** By which documents are compared; ΔQ_A to be expected of a refresh, with the user-centric policies. */
  readonly priority: number
  /** Since the last refresh. */
  readonly ageMs: number
  /** The part of the quality of all answers that a refresh is expected to win back, from 0 to about 1. */
  readonly expectedGain: number
  /** Of a refresh at that moment. */
  readonly expected: {
    /** How likely the document is not what it was at its last refresh, from 0 to 1. */
    readonly changeChance: number
    /** ΔQ_A, whatever it is compared by. */
    readonly deltaQuality: number
  }
  /** What the document has at stake in the answers of today. */
  readonly stake: number
}
