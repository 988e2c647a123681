/** Pages as numbers: lengths, and frequencies of the words of a workload. Nothing here comes from an index. */
import type { WorldPage } from '../world.js'
import type { WordCounter } from './word-counts.js'

export const FIELDS = ['title', 'text'] as const

/** Frequencies beyond it count as this many (docs/search-model.md). */
const MAX_FREQUENCY = 0xffff

export interface CountedPage {
  /** Tokens, by field. */
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
