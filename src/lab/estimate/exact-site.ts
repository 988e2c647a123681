/** A site whose pages change, with the exact answers of a workload at any moment. */
import type { Freshdex, ScoringModel } from '../../index.js'
import { pageOptions } from '../page-index.js'
import { FIELDS } from '../quality/counted-pages.js'
import { FrozenScores } from '../quality/frozen-scores.js'
import { WordCounter } from '../quality/word-counts.js'
import type { WorldPage } from '../world.js'
import { ExactAnswers, WordPostings } from './exact-answers.js'
import { type ExactWorkload, TERMS, type Terms } from './exact-workload.js'
import { NumberedPages } from './numbered-pages.js'
import { standardTokens } from './standard-tokens.js'

const BOOSTS = FIELDS.map((field) => pageOptions('standard').fields[field]?.boost ?? 1)

export class ExactSite {
  readonly pages: NumberedPages
  readonly #workload: ExactWorkload

  constructor(workload: ExactWorkload) {
    this.#workload = workload
    this.pages = new NumberedPages(new WordCounter(workload.words, standardTokens))
  }

  /** The answers under the statistics of this moment, which must be those of the indexes. */
  freeze(scoring: ScoringModel, indexes: readonly Freshdex<WorldPage>[]): Readonly<Record<Terms, ExactAnswers>> {
    const pages = this.pages.inOrder()
    const { words, queries } = this.#workload
    const scores = new FrozenScores(scoring, pages, words.length, BOOSTS)
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
