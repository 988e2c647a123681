/** Pages of words by Zipf's law, their revisions, and queries of the same words; always the same. */
import type { CountedQuery, Page } from './snapshot-data.js'
import { ZipfWords } from './zipf-words.js'

const SEED = 20_260_101
const TITLE_WORDS = 5
const TEXT_WORDS = 150
/** Words of a text that a revision replaces. */
const CHANGED_WORDS = 6

export class GeneratedRevisions {
  readonly #words = new ZipfWords(SEED)
  readonly #texts: string[][] = []

  /** The next pages, which there were not before. */
  newPages(count: number): Page[] {
    return Array.from({ length: count }, () => {
      this.#texts.push(this.#words.text(TEXT_WORDS).split(' '))
      return this.#pageOf(this.#texts.length - 1)
    })
  }

  /** Pages that there are, none twice, with a few other words. REQUIRES: there are as many. */
  revisions(count: number): Page[] {
    const first = this.#words.int(this.#texts.length)
    return Array.from({ length: count }, (_, at) => {
      const number = (first + at) % this.#texts.length
      const text = this.#texts[number]!
      for (let change = 0; change < CHANGED_WORDS; change++) text[this.#words.int(text.length)] = this.#words.word()
      return this.#pageOf(number)
    })
  }

  #pageOf(number: number): Page {
    const text = this.#texts[number]!
    return { url: `https://site.example/${number}`, title: text.slice(0, TITLE_WORDS).join(' '), text: text.join(' ') }
  }
}

/** Of one to three words, the most frequent first. */
export function generatedQueries(count: number): CountedQuery[] {
  const words = new ZipfWords(SEED + 1)
  const queries = new Set<string>()
  while (queries.size < count) queries.add(words.text(1 + words.int(3)))
  return [...queries].map((query, rank) => ({ query, count: 1 + 1000 / (1 + rank) }))
}
