/** How queries are named: by their texts, or by hashes of their words. */
import type { QueryPrivacy } from './learnt-rows.js'
import { hashName, textName } from './query-log.js'

/** What naming needs of the engine whose queries these are. */
export interface QueryWords {
  /** The tokens that a text has in the index. */
  tokensOf(text: string): readonly string[]
  hash(word: string): bigint
  /** The same function of bytes. */
  hashBytes(bytes: Uint8Array): bigint
}

/** What the workload needs of the engine whose queries it holds. */
export interface QueryReader {
  /** The conjunctions of words that a query asks for; empty for one without a word that must occur. */
  measurableTexts(query: unknown, operator?: 'and' | 'or'): readonly string[]
  readonly words: QueryWords
}

/**
 * The longest text of a query that is kept, in UTF-16 units: what people ask is shorter, and what programs ask is not
 * what pages are refreshed for.
 */
export const MAX_QUERY_UNITS = 1024

/** The name of a query by the text of its words; '' for a text without words, or one that is too long. */
export function queryName(text: string, privacy: QueryPrivacy, words: QueryWords): string {
  if (text.length > MAX_QUERY_UNITS) return ''
  const tokens = words.tokensOf(text)
  if (tokens.length === 0) return ''
  return privacy === 'hash' ? hashName(tokens, (word) => words.hash(word)) : textName(text)
}
