/** The pages of a site as numbers: lengths, and frequencies of the words of a workload. Nothing here comes from an index. */
import type { Page, Week } from './snapshot-data.js'
import type { WordCounter } from './word-counts.js'

export const FIELDS = ['title', 'text'] as const

export interface CountedPage {
  /** In order of first sight: that of equal scores. */
  readonly number: number
  /** Tokens, by field. */
  readonly lengths: readonly number[]
  /** Numbers of its words, ascending. */
  readonly words: Uint32Array
  /** Of words[i] in field f: [i * FIELDS.length + f]. */
  readonly frequencies: Uint16Array
}

/** What a week does to one page. */
export interface PageChange {
  readonly url: string
  readonly before: CountedPage | undefined
  readonly after: CountedPage | undefined
}

export class CountedPages {
  readonly #counter: WordCounter
  readonly #pages = new Map<string, CountedPage>()
  #sinceFirst = 0

  constructor(counter: WordCounter) {
    this.#counter = counter
  }

  /** Numbers are below. */
  get numberLimit(): number {
    return this.#sinceFirst
  }

  get(url: string): CountedPage | undefined {
    return this.#pages.get(url)
  }

  urls(): Iterable<string> {
    return this.#pages.keys()
  }

  /** By number, ascending. */
  inOrder(): CountedPage[] {
    return [...this.#pages.values()].sort((a, b) => a.number - b.number)
  }

  /** What the week will do; apply() does it. */
  changesOf({ added, replaced, gone }: Week): PageChange[] {
    const put = [...added, ...replaced].map((page) => {
      const before = this.#pages.get(page.url)
      return { url: page.url, before, after: this.#count(page, before?.number ?? this.#sinceFirst++) }
    })
    return [...put, ...gone.map((url) => ({ url, before: this.#pages.get(url), after: undefined }))]
  }

  apply(changes: readonly PageChange[]): void {
    for (const { url, after } of changes) {
      if (after === undefined) this.#pages.delete(url)
      else this.#pages.set(url, after)
    }
  }

  #count(page: Page, number: number): CountedPage {
    const fields = FIELDS.map((field) => this.#counter.count(page[field]))
    const words = Uint32Array.from(new Set(fields.flatMap(({ frequencies }) => [...frequencies.keys()]))).sort()
    const frequencies = new Uint16Array(words.length * FIELDS.length)
    words.forEach((word, at) => {
      for (const [field, counts] of fields.entries())
        frequencies[at * FIELDS.length + field] = counts.frequencies.get(word) ?? 0
    })
    return { number, lengths: fields.map(({ length }) => length), words, frequencies }
  }
}
