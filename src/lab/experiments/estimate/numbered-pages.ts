/** The counted pages of a site, week by week. */

import type { Freshdex, ScoringModel } from '../../../index.js'
import { pageOptions } from '../../choosers/measured-index.js'
import { FrozenScores } from '../../quality/version-scores.js'
import { type CountedPage, countPage, FIELDS, WordCounter } from '../../quality/word-counts.js'
import type { Week } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import { ExactAnswers, type ExactWorkload, TERMS, type Terms, WordPostings } from './exact-answers.js'
import { standardTokens } from './standard-tokens.js'

/** A page with its number. Numbers are given in order of first sight, which is also the order of equal scores. */
export interface NumberedPage extends CountedPage {
  readonly number: number
}

/** What a week does to one page. */
export interface PageChange {
  readonly url: string
  readonly before: NumberedPage | undefined
  readonly after: NumberedPage | undefined
}

class NumberedPages {
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

const { title, text } = pageOptions('standard').fields
const BOOSTS = { title: title?.boost ?? 1, text: text?.boost ?? 1 }

/** A site whose pages change, with the exact answers of a workload at any moment. */
export class ExactSite {
  readonly pages: NumberedPages
  readonly #workload: ExactWorkload

  constructor(workload: ExactWorkload) {
    this.#workload = workload
    this.pages = new NumberedPages(new WordCounter(workload.words, standardTokens))
  }

  /** The pages that have a word, by number of the word. */
  frequencies(): Uint32Array {
    const found = new Uint32Array(this.#workload.words.length)
    for (const { words } of this.pages.inOrder()) for (const word of words) found[word]!++
    return found
  }

  /** The answers under the statistics of this moment, which must be those of the indexes. */
  freeze(scoring: ScoringModel, indexes: readonly Freshdex<WorldPage>[]): Readonly<Record<Terms, ExactAnswers>> {
    const pages = this.pages.inOrder()
    const { words, queries } = this.#workload
    const scores = new FrozenScores({ model: scoring, boosts: BOOSTS }, pages, words.length)
    for (const index of indexes) requireSame(index, scores)
    const postings = new WordPostings(scores, pages, words.length)
    const answers = TERMS.map((terms) => [terms, new ExactAnswers(scores, postings, queries[terms])])
    return Object.fromEntries(answers) as Record<Terms, ExactAnswers>
  }
}

/** Texts that are read differently would make every comparison worthless. */
function requireSame(index: Freshdex<WorldPage>, { fields }: FrozenScores): void {
  const stats = index.stats().fields
  const [own, other] = [JSON.stringify(fields), JSON.stringify(FIELDS.map((field) => stats[field]))]
  if (own !== other) throw new Error(`the statistics of the fields are ${own} by counting and ${other} in the index`)
}
