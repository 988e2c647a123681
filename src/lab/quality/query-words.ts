/** A workload as numbers: its words in order of first sight, and queries of which all words must occur. */
import { describe } from '../../describe.js'
import type { TokenReader } from './word-counts.js'

export interface ExactQuery {
  /** Numbers of words; none twice, at least one. */
  readonly words: readonly number[]
  /** f(q). */
  readonly weight: number
}

export interface NumberedWorkload {
  /** By number. */
  readonly words: readonly string[]
  readonly queries: readonly ExactQuery[]
}

/** Queries without any word are passed over: no page answers them. */
export function numberQueries(
  counted: Iterable<{ readonly query: string; readonly count: number }>,
  tokensOf: TokenReader,
): NumberedWorkload {
  const numbers = new Map<string, number>()
  const queries: ExactQuery[] = []
  for (const { query, count } of counted) {
    if (!Number.isFinite(count) || count <= 0) {
      throw new RangeError(`the count of the query ${describe(query)} must be above 0, received ${describe(count)}`)
    }
    const words = [...new Set(tokensOf(query))].map((word) => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    })
    if (words.length > 0) queries.push({ words, weight: count })
  }
  if (queries.length === 0) throw new RangeError('queries must hold at least one query that has a word')
  return { words: [...numbers.keys()], queries }
}

/**
 * The single-term workload Q' (User-centric crawling, section 5.1): every word is a query, as heavy as all queries that have
 * it.
 */
export function singleTermQueries({ words, queries }: NumberedWorkload): ExactQuery[] {
  const weights = new Float64Array(words.length)
  for (const query of queries) for (const word of query.words) weights[word]! += query.weight
  return Array.from(weights, (weight, word) => ({ words: [word], weight }))
}
