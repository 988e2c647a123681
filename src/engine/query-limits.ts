import { FreshdexError } from '../errors.js'
import { MAX_QUERY_BYTES, MAX_QUERY_CLAUSES, MAX_QUERY_DEPTH } from './query.js'

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

/** An analyzer made more of the query than a search should carry. */
export function tooManyTokenBytes(limit: number): FreshdexError {
  return tooComplex('bytes after analysis', limit)
}

/** The UTF-8 bytes of a part of the query, refused when it is over the limit all by itself. */
export function textBytes(text: string): number {
  // A UTF-16 unit takes at least one byte: gigantic strings are not even measured.
  const bytes = text.length > MAX_QUERY_BYTES ? text.length : Buffer.byteLength(text)
  if (bytes > MAX_QUERY_BYTES) throw tooMuchText()
  return bytes
}
