/** The typed form of a query, and the limits of a query. What nodes match and how they score: docs/search-model.md. */
import { FreshdexError } from '../base/errors.js'

/** Text in the query syntax, or a tree. Text may stand anywhere in a tree. */
export type Query = string | QueryNode

export type QueryNode = LeafQuery | AllQuery | AndQuery | OrQuery | NotQuery

export type LeafQuery = WordQuery | PhraseQuery | PrefixQuery | FuzzyQuery

interface Leaf {
  /** Only this field. Default: the fields of the search options. */
  readonly field?: string
  /** Multiplies the score. Finite, at least 0. Default 1. */
  readonly boost?: number
}

export interface WordQuery extends Leaf {
  /** Analysed like a document; if it has several tokens, all must occur. */
  readonly word: string
}

export interface PhraseQuery extends Leaf {
  /** Analysed like a document; the tokens must stand in this order, with the same gaps. */
  readonly phrase: string
}

export interface PrefixQuery extends Leaf {
  /** Lower-cased and compared with words as documents have them, before stemming. */
  readonly prefix: string
  /**
   * The most edits between `prefix` and the beginning of a word, with the first letter kept. Where a number is given,
   * 0 too, a stop word vanishes as it does for `fuzzy`. Default: none.
   */
  readonly edits?: 0 | 1 | 2
}

export interface FuzzyQuery extends Leaf {
  /** Lower-cased and compared with words as documents have them, before stemming. */
  readonly fuzzy: string
  /** The most edits: letters inserted, deleted or replaced, and neighbours swapped. Default 1. */
  readonly edits?: 1 | 2
}

/** All documents. */
export interface AllQuery {
  readonly all: true
  /** The score. Finite, at least 0. Default 1. */
  readonly boost?: number
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

/** The most text in one query, in UTF-8 bytes. */
export const MAX_QUERY_BYTES = 64 * 1024
/** The most clauses, which are parts without parts of their own: words, phrases, empty groups. */
export const MAX_QUERY_CLAUSES = 1024
/** Deepest nesting; a single word is one level. */
export const MAX_QUERY_DEPTH = 32

function tooComplex(what: string, limit: number): FreshdexError {
  const message = `the query is too complex: more than ${limit} ${what}`
  return new FreshdexError('QUERY_TOO_COMPLEX', message, { detail: { what, limit } })
}

export function tooMuchText(): FreshdexError {
  return tooComplex('bytes of text', MAX_QUERY_BYTES)
}

export function tooManyClauses(): FreshdexError {
  return tooComplex('clauses', MAX_QUERY_CLAUSES)
}

export function tooDeep(): FreshdexError {
  return tooComplex('levels', MAX_QUERY_DEPTH)
}

/** An analyzer made too many bytes of tokens of the query. */
export function tooManyTokenBytes(limit: number): FreshdexError {
  return tooComplex('bytes after analysis', limit)
}

/** The UTF-8 bytes of a part of the query. A part that exceeds the limit by itself is refused. */
export function textBytes(text: string): number {
  // A UTF-16 unit takes at least one byte: gigantic strings are not even measured.
  const bytes = text.length > MAX_QUERY_BYTES ? text.length : Buffer.byteLength(text)
  if (bytes > MAX_QUERY_BYTES) throw tooMuchText()
  return bytes
}
