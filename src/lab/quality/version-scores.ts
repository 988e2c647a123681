/**
 * What every page version scores for every query that it matches. Document frequencies and average lengths are those of
 * the first step, for all versions: a page's score is then its own, and does not move because others changed.
 */

import { numberOption } from '../../base/checks.js'
import type { ScoringModel } from '../../index.js'
import type { CountedWorld } from './counted-world.js'
import { forEachChange, type Timeline } from './timeline.js'
import { type CountedPage, type ExactQuery, FIELDS } from './word-counts.js'

/** Column by column, so that it can be sent to another thread. */
export interface VersionScores {
  /** By query: f(q). */
  readonly weights: Float64Array
  /** What people ask is something else from this step on: f(q) then. */
  readonly shift?: { readonly fromStep: number; readonly weights: Float64Array }
  /** By version: where its matches end in the columns below. */
  readonly matchEnds: Uint32Array
  /** Ascending within a version. */
  readonly queries: Uint32Array
  /** All scores are above 0. */
  readonly scores: Float64Array
}

/** How texts are scored. */
export interface TextScoring {
  readonly model: ScoringModel
  /** Of bm25. Default 1.2. */
  readonly k1?: number
  /** Of bm25. Default 0.75. */
  readonly b?: number
  /** Of the fields. Default DEFAULT_BOOSTS. */
  readonly boosts?: FieldBoosts
}

export type FieldBoosts = Readonly<Record<(typeof FIELDS)[number], number>>

export const DEFAULT_BOOSTS: FieldBoosts = { title: 2, text: 1 }

/** alpha · text score + beta · inlinks, for pages that have all words of a query. */
export interface LabScoring extends Partial<TextScoring> {
  /** Default 'tfidf', which is Lucene's classic one. */
  readonly model?: ScoringModel
  /** The weight of the text score. Default 1. */
  readonly alpha?: number
  /** The weight of the inlinks. Default 0. */
  readonly beta?: number
  /** Inlinks of pages by address, as of the first step and for all steps; pages that are not named have none. */
  readonly inlinks?: ReadonlyMap<string, number>
}

/** `queries`: those of the world's workload, or others of the same words. */
export function scoreVersions(
  { timeline, counted, workload }: CountedWorld,
  scoring: LabScoring = {},
  queries: readonly ExactQuery[] = workload.queries,
): VersionScores {
  const { model = 'tfidf', inlinks = new Map<string, number>() } = scoring
  const alpha = numberOption('alpha', scoring.alpha, 1, { min: 0 })
  const beta = numberOption('beta', scoring.beta, 0, { min: 0 })
  if (alpha === 0 && beta === 0) throw new RangeError('alpha or beta must be above 0: every score would be 0')
  if (beta > 0 && scoring.inlinks === undefined) throw new TypeError('beta needs inlinks')
  const frozen = new FrozenScores({ ...scoring, model }, firstStep(timeline, counted), workload.words.length)
  const matcher = new QueryMatcher(queries, workload.words.length)
  const matchEnds = new Uint32Array(counted.length)
  const [foundQueries, foundScores]: [Uint32Array[], Float64Array[]] = [[], []]
  let end = 0
  counted.forEach((page, version) => {
    const found = matcher.match(page.words)
    const bonus = beta * (inlinks.get(timeline.urls[timeline.pageOf[version]!]!) ?? 0)
    const scores = matcher.sums(page.words, frozen.wordScores(page), found).map((text) => alpha * text + bonus)
    // Who scores nothing is no answer.
    const isKept = (_: number, at: number) => scores[at]! > 0
    foundQueries.push(found.filter(isKept))
    foundScores.push(scores.filter((score) => score > 0))
    end += foundScores.at(-1)!.length
    matchEnds[version] = end
  })
  return {
    weights: Float64Array.from(queries, ({ weight }) => weight),
    matchEnds,
    queries: joined(new Uint32Array(end), foundQueries),
    scores: joined(new Float64Array(end), foundScores),
  }
}

function firstStep(timeline: Timeline, counted: readonly CountedPage[]): CountedPage[] {
  const pages: CountedPage[] = []
  forEachChange(timeline, 0, (_, version) => pages.push(counted[version]!))
  return pages
}

function joined<Column extends Uint32Array | Float64Array>(column: Column, parts: readonly Column[]): Column {
  let at = 0
  for (const part of parts) {
    column.set(part, at)
    at += part.length
  }
  return column
}

/** Finds the queries of which a page has all words: each is looked at only where the page has its rarest word. */
class QueryMatcher {
  readonly #queries: readonly ExactQuery[]
  /** By word. */
  readonly #byRarest: number[][]
  /** By word; meaningful only within a call. */
  readonly #isThere: Uint8Array
  readonly #wordScores: Float64Array

  constructor(queries: readonly ExactQuery[], words: number) {
    this.#queries = queries
    this.#isThere = new Uint8Array(words)
    this.#wordScores = new Float64Array(words)
    this.#byRarest = Array.from({ length: words }, () => [])
    // Rare among queries stands for rare among pages.
    const uses = new Uint32Array(words)
    for (const query of queries) for (const word of query.words) uses[word]!++
    queries.forEach((query, number) => {
      const rarest = query.words.reduce((best, word) => (uses[word]! < uses[best]! ? word : best))
      this.#byRarest[rarest]!.push(number)
    })
  }

  /** Ascending. */
  match(words: Uint32Array): Uint32Array {
    const found: number[] = []
    for (const word of words) this.#isThere[word] = 1
    for (const word of words)
      for (const number of this.#byRarest[word]!)
        if (this.#queries[number]!.words.every((other) => this.#isThere[other] === 1)) found.push(number)
    for (const word of words) this.#isThere[word] = 0
    return Uint32Array.from(found).sort()
  }

  /** Sums of the scores of their words, for queries that match. */
  sums(words: Uint32Array, wordScores: Float64Array, found: Uint32Array): Float64Array {
    words.forEach((word, at) => {
      this.#wordScores[word] = wordScores[at]!
    })
    const sums = new Float64Array(found.length)
    found.forEach((number, at) => {
      for (const word of this.#queries[number]!.words) sums[at]! += this.#wordScores[word]!
    })
    return sums
  }
}

const K1 = 1.2
const B = 0.75

export interface FieldStatistics {
  /** Documents with at least one token in the field. */
  documents: number
  tokens: number
}

/** Scores of words under the statistics of one moment, from docs/search-model.md. */
export class FrozenScores {
  readonly fields: readonly FieldStatistics[]
  readonly #model: ScoringModel
  readonly #k1: number
  readonly #b: number
  /** As FIELDS. */
  readonly #boosts: readonly number[]
  /** Boost times idf, of word w in field f: [w * FIELDS.length + f]. */
  readonly #weights: Float64Array

  /** `words`: how many there are. */
  constructor(scoring: TextScoring, pages: readonly CountedPage[], words: number) {
    const { model, boosts = DEFAULT_BOOSTS } = scoring
    this.#model = model
    this.#k1 = numberOption('k1', scoring.k1, K1, { min: 0 })
    this.#b = numberOption('b', scoring.b, B, { min: 0, max: 1 })
    this.#boosts = FIELDS.map((field) => numberOption(`boosts.${field}`, boosts[field], 1, { min: 0 }))
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
    return this.#k1 * (1 - this.#b + this.#b * relative)
  }
}

/** A length after its way through one byte: exact below 40, then four significant bits of what exceeds 24. */
function lengthAsKept(length: number): number {
  const rest = length - 24
  if (rest < 8) return length
  const step = 2 ** (Math.floor(Math.log2(rest)) - 3)
  return 24 + Math.floor(rest / step) * step
}
