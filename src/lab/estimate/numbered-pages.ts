/** The counted pages of a site, week by week. */
import { type CountedPage, countPage } from '../quality/counted-pages.js'
import type { WordCounter } from '../quality/word-counts.js'
import type { WorldPage } from '../world.js'
import type { Week } from '../worlds/week-history.js'

/** With its number, in order of first sight: that of equal scores. */
export interface NumberedPage extends CountedPage {
  readonly number: number
}

/** What a week does to one page. */
export interface PageChange {
  readonly url: string
  readonly before: NumberedPage | undefined
  readonly after: NumberedPage | undefined
}

export class NumberedPages {
  readonly #counter: WordCounter
  readonly #pages = new Map<string, NumberedPage>()
  #sinceFirst = 0

  constructor(counter: WordCounter) {
    this.#counter = counter
  }

  /** Numbers are below. */
  get numberLimit(): number {
    return this.#sinceFirst
  }

  get(url: string): NumberedPage | undefined {
    return this.#pages.get(url)
  }

  urls(): Iterable<string> {
    return this.#pages.keys()
  }

  /** By number, ascending. */
  inOrder(): NumberedPage[] {
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

  #count(page: WorldPage, number: number): NumberedPage {
    return { number, ...countPage(this.#counter, page) }
  }
}
