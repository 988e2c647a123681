/** Counts words in texts. */

import { describe } from '../../base/describe.js'
import type { WorldPage } from '../worlds/world.js'

/** The tokens of a text in order. Must be local to white space: the tokens of a text are those of its parts. */
export type TokenReader = (text: string) => readonly string[]

/** Where texts are cut; analyzers know more kinds of it, which stay inside a part. */
const WHITE_SPACE = /[ \t\r\n]+/

/** A field of a page. */
export interface FieldCounts {
  /** The number of tokens. */
  readonly length: number
  /** By number of the word. */
  readonly frequencies: ReadonlyMap<number, number>
}

interface Piece {
  readonly tokens: number
  /** Numbers of the counted words in it, as often as they occur. */
  readonly words: readonly number[]
}

/** Parts between white space are read once and remembered. */
export class WordCounter {
  readonly #tokensOf: TokenReader
  readonly #numbers: ReadonlyMap<string, number>
  readonly #pieces = new Map<string, Piece>()

  /** `words` are numbered in this order. Their frequencies are told; of all other words only how many there are. */
  constructor(words: readonly string[], tokensOf: TokenReader) {
    this.#tokensOf = tokensOf
    this.#numbers = new Map(words.map((word, number) => [word, number]))
  }

  count(text: string): FieldCounts {
    const frequencies = new Map<number, number>()
    let length = 0
    for (const part of text.split(WHITE_SPACE)) {
      const { tokens, words } = this.#read(part)
      length += tokens
      for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
    }
    return { length, frequencies }
  }

  #read(text: string): Piece {
    const known = this.#pieces.get(text)
    if (known !== undefined) return known
    const tokens = this.#tokensOf(text)
    const words = tokens.flatMap((token) => this.#numbers.get(token) ?? [])
    const piece = { tokens: tokens.length, words }
    this.#pieces.set(text, piece)
    return piece
  }
}

/** Pages as numbers: lengths, and frequencies of the words of a workload. Nothing here comes from an index. */
export const FIELDS = ['title', 'text'] as const

/** Frequencies beyond it count as this many (docs/search-model.md). */
const MAX_FREQUENCY = 0xffff

export interface CountedPage {
  /** The number of tokens, by field. */
  readonly lengths: readonly number[]
  /** Numbers of its words, ascending. */
  readonly words: Uint32Array
  /** Of words[i] in field f: [i * FIELDS.length + f]. */
  readonly frequencies: Uint16Array
}

export function countPage(counter: WordCounter, page: WorldPage): CountedPage {
  const fields = FIELDS.map((field) => counter.count(page[field]))
  const words = Uint32Array.from(new Set(fields.flatMap(({ frequencies }) => [...frequencies.keys()]))).sort()
  const frequencies = new Uint16Array(words.length * FIELDS.length)
  words.forEach((word, at) => {
    for (const [field, counts] of fields.entries())
      frequencies[at * FIELDS.length + field] = Math.min(counts.frequencies.get(word) ?? 0, MAX_FREQUENCY)
  })
  return { lengths: fields.map(({ length }) => length), words, frequencies }
}

/** A workload as numbers: its words in order of first sight, and queries of which all words must occur. */
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
 * The single-term workload Q' (User-centric crawling, section 5.1): every word is a query, as heavy as all queries that
 * have it.
 */
export function singleTermQueries({ words, queries }: NumberedWorkload): ExactQuery[] {
  const weights = new Float64Array(words.length)
  for (const query of queries) for (const word of query.words) weights[word]! += query.weight
  return Array.from(weights, (weight, word) => ({ words: [word], weight }))
}
