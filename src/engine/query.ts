/** The typed form of a query. What each node matches and how it scores: docs/search-model.md. */

/** Text in the query syntax, or a tree. Text may stand anywhere in a tree. */
export type Query = string | QueryNode

export type QueryNode = LeafQuery | AndQuery | OrQuery | NotQuery

export type LeafQuery = WordQuery | PhraseQuery | PrefixQuery | FuzzyQuery

interface Leaf {
  /** Only this field. Default: the fields of the search options. */
  readonly field?: string
  /** Multiplies the score. Finite, at least 0. Default 1. */
  readonly boost?: number
}

export interface WordQuery extends Leaf {
  /** Analysed like a document; more than one token means all of them. */
  readonly word: string
}

export interface PhraseQuery extends Leaf {
  /** Analysed like a document; the tokens must stand in this order, with the same gaps. */
  readonly phrase: string
}

export interface PrefixQuery extends Leaf {
  /** Lower-cased and compared with tokens as the index has them, that is, after stemming. */
  readonly prefix: string
}

export interface FuzzyQuery extends Leaf {
  /** Lower-cased and compared with tokens as the index has them, that is, after stemming. */
  readonly fuzzy: string
  /** Most letters inserted, deleted or replaced. Default 1. */
  readonly edits?: 1 | 2
}

export interface AndQuery {
  readonly and: readonly Query[]
  readonly boost?: number
}

export interface OrQuery {
  readonly or: readonly Query[]
  readonly boost?: number
}

export interface NotQuery {
  readonly not: Query
}

/** Most text in one query, in UTF-8 bytes. */
export const MAX_QUERY_BYTES = 64 * 1024
/** Most parts without parts of their own: words, phrases, empty groups. */
export const MAX_QUERY_CLAUSES = 1024
/** Deepest nesting; a single word is one level. */
export const MAX_QUERY_DEPTH = 32
