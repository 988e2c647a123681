/** Scores of words under the statistics of one moment, from docs/search-model.md. */
import type { ScoringModel } from '../../index.js'
import { type CountedPage, FIELDS } from './counted-pages.js'

const K1 = 1.2
const B = 0.75

/** Of title and text, unless said otherwise. */
export const DEFAULT_BOOSTS: readonly number[] = [2, 1]

export interface FieldStatistics {
  /** With at least one token in the field. */
  documents: number
  tokens: number
}

export class FrozenScores {
  readonly fields: readonly FieldStatistics[]
  readonly #model: ScoringModel
  readonly #boosts: readonly number[]
  /** Boost times idf, of word w in field f: [w * FIELDS.length + f]. */
  readonly #weights: Float64Array

  /** `words`: how many there are. `boosts`: of the fields. */
  constructor(
    model: ScoringModel,
    pages: readonly CountedPage[],
    words: number,
    boosts: readonly number[] = DEFAULT_BOOSTS,
  ) {
    this.#model = model
    this.#boosts = boosts
    this.fields = FIELDS.map((_, field) => ({
      documents: pages.filter(({ lengths }) => lengths[field]! > 0).length,
      tokens: pages.reduce((sum, { lengths }) => sum + lengths[field]!, 0),
    }))
    const found = new Uint32Array(words * FIELDS.length)
    for (const page of pages)
      page.words.forEach((word, at) => {
        for (let field = 0; field < FIELDS.length; field++)
          if (page.frequencies[at * FIELDS.length + field]! > 0) found[word * FIELDS.length + field]!++
      })
    this.#weights = Float64Array.from(found, (df, slot) => this.#weightOf(df, slot % FIELDS.length))
  }

  /** What each word of the page gives to its score, in the order of page.words. */
  wordScores(page: CountedPage): Float64Array {
    const factors = page.lengths.map((length, field) => this.#lengthFactor(length, field))
    return Float64Array.from(page.words, (word, at) => {
      let score = 0
      for (let field = 0; field < FIELDS.length; field++) {
        const frequency = page.frequencies[at * FIELDS.length + field]!
        if (frequency === 0) continue
        const weight = this.#weights[word * FIELDS.length + field]!
        score +=
          this.#model === 'bm25'
            ? weight * (frequency / (frequency + factors[field]!))
            : weight * Math.sqrt(frequency) * factors[field]!
      }
      return score
    })
  }

  #weightOf(df: number, field: number): number {
    const { documents } = this.fields[field]!
    const idf =
      this.#model === 'bm25'
        ? Math.log(1 + (documents - df + 0.5) / (df + 0.5))
        : 1 + Math.log((documents + 1) / (df + 1))
    return this.#boosts[field]! * idf
  }

  #lengthFactor(length: number, field: number): number {
    const read = lengthAsKept(length)
    if (this.#model === 'tfidf') return 1 / Math.sqrt(read)
    const { documents, tokens } = this.fields[field]!
    // A field that no page had has no average: every length counts as one.
    const relative = documents === 0 ? 1 : read / (tokens / documents)
    return K1 * (1 - B + B * relative)
  }
}

/** A length after its way through one byte: exact below 40, then four significant bits of what exceeds 24. */
function lengthAsKept(length: number): number {
  const rest = length - 24
  if (rest < 8) return length
  const step = 2 ** (Math.floor(Math.log2(rest)) - 3)
  return 24 + Math.floor(rest / step) * step
}
