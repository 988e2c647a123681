/**
 * The queries by which refreshes are measured, and their bytes as the addon reads them: see native/quality/workload.h.
 *
 *   u32 queries | per query: u32 id | f64 weight | u16 words | per word: u8 bytes, UTF-8
 *
 * Example: query 7 of weight 1 with the word "ab" is  01000000 | 07000000 | 000000000000F03F | 0100 | 02 6162.
 */
import type { Steps } from '../base/turns.js'

/** Words are tokens of the index, each once. */
export interface MeasuredQuery {
  readonly id: number
  readonly weight: number
  readonly words: readonly string[]
}

/** The most words of a measured query. A longer one is a document, and no page has all its words. */
export const MAX_QUERY_WORDS = 64

/** REQUIRES: weights above 0; per query 1 to 64 distinct words of 1 to 255 bytes. */
export function* encodeWorkload(queries: readonly MeasuredQuery[]): Steps<Uint8Array> {
  // A UTF-16 unit takes at most three bytes.
  let room = 4
  for (const { words } of queries) {
    room = words.reduce((bytes, word) => bytes + 1 + 3 * word.length, room + 14)
    yield
  }
  const bytes = Buffer.allocUnsafe(room)
  let at = bytes.writeUInt32LE(queries.length)
  for (const { id, weight, words } of queries) {
    at = bytes.writeUInt32LE(id, at)
    at = bytes.writeDoubleLE(weight, at)
    at = bytes.writeUInt16LE(words.length, at)
    for (const word of words) {
      const length = bytes.write(word, at + 1, 'utf8')
      at = bytes.writeUInt8(length, at) + length
    }
    yield
  }
  return bytes.subarray(0, at)
}

export interface WordsQuery {
  readonly words: readonly string[]
  readonly weight: number
}

export interface WeightedWord {
  readonly word: string
  readonly weight: number
}

/**
 * The workload of single words Q' (User-centric crawling, section 5.1): a word weighs as much as all the queries that
 * contain it. A word that a query repeats counts once. Words come in order of first sight.
 */
export function singleTerms(queries: Iterable<WordsQuery>): WeightedWord[] {
  const weights = new Map<string, number>()
  for (const { words, weight } of queries) {
    for (const word of new Set(words)) weights.set(word, (weights.get(word) ?? 0) + weight)
  }
  return Array.from(weights, ([word, weight]) => ({ word, weight }))
}
