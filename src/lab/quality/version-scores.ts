/**
 * What every page version scores for every query that it matches. Document frequencies and average lengths are those of the
 * first step, for all versions: a page's score is then its own, and does not move because others changed.
 */
import type { ScoringModel } from '../../index.js'
import { numberOption } from '../../option-checks.js'
import type { CountedPage } from './counted-pages.js'
import type { CountedWorld } from './counted-world.js'
import { FrozenScores } from './frozen-scores.js'
import type { ExactQuery } from './query-words.js'
import { forEachChange, type Timeline } from './timeline.js'

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
  /** Above 0. */
  readonly scores: Float64Array
}

/** alpha · text score + beta · inlinks, for pages that have all words of a query. */
export interface LabScoring {
  /** Default 'tfidf', which is Lucene's classic one. */
  readonly model?: ScoringModel
  /** Default 1. */
  readonly alpha?: number
  /** Default 0. */
  readonly beta?: number
  /** Of pages by their address; none for those that are not named. As at the first step, for all steps. */
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
  const frozen = new FrozenScores(model, firstStep(timeline, counted), workload.words.length)
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

  /** Of the scores of their words, for queries that match. */
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
