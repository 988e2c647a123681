/**
 * Learns from pages that were fetched from the frontier: what each scores for the queries that it seemed to match, how
 * many of them are among the best answers of a query, what impact each has, and what each gained compared with what was
 * expected. The fetched pages are left out of the answers of a query, as these are what was known before.
 */
import { hostOf } from '../base/hosts.js'
import type { Pauses } from '../base/turns.js'
import type { ViewLikelihood } from '../workload/view-likelihood.js'
import { type FrontierCycle, MAX_NEEDY } from './cycle.js'
import { anchorsOf, cluesOf, type FrontierPage, importanceOf } from './frontier-page.js'
import { AppearanceGains } from './impact/appearance-gain.js'
import { PAIR_FEATURES, type PageClues, unlearntScore, writePairFeatures } from './impact/expected-score.js'
import { meanTopScore } from './impact/impact.js'
import { NgramIndex } from './impact/ngram-index.js'
import { pageNgrams } from './impact/ngrams.js'
import { VISIBLE_RANKS } from './impact/query-sketch.js'
import { leafOf, type RegressionTree } from './impact/regression-tree.js'
import { Lessons } from './lessons.js'
import { queryCluesOf } from './query-judge.js'

/** Queries of one cycle whose improvement is noted. More would add little. */
const MAX_IMPROVEMENTS = 1024
/** Queries of one cycle that are asked for all their answers. */
const MAX_FULL_SEARCHES = 500

export interface Learnt {
  /** The pages learnt from, and those whose documents were removed again. */
  readonly numbers: readonly number[]
  readonly lessons: Lessons
}

interface FetchedPage {
  readonly page: FrontierPage
  readonly clues: PageClues
  readonly scores: number[]
  impact: number
}

/**
 * New lessons, which the caller has to make its own; undefined when there is nothing to learn from. `current`: the
 * queries with current answers, heaviest first.
 */
export async function learn(cycle: FrontierCycle, current: Uint32Array, pauses: Pauses): Promise<Learnt | undefined> {
  const numbers = cycle.pages.fetched
  if (numbers.length === 0 || current.length === 0) return undefined
  const learning = new Learning(cycle, current, numbers)
  if (learning.isAny) {
    await learning.noteQueries(pauses)
    await learning.noteGains(pauses)
    await learning.notePairs(pauses)
  }
  return { numbers, lessons: learning.finish() }
}

class Learning {
  readonly #cycle: FrontierCycle
  readonly #current: Uint32Array
  /** The queries by which pages of the frontier are judged. */
  readonly #needy: ReadonlySet<number>
  readonly #lessons: Lessons
  /** Fetched pages by the numbers of their documents. */
  readonly #fetched = new Map<number, FetchedPage>()
  /** Numbers of documents by those of the pages. */
  readonly #documents = new Map<number, number>()
  readonly #index = new NgramIndex()
  readonly #gains: GainComparison

  constructor(cycle: FrontierCycle, current: Uint32Array, numbers: readonly number[]) {
    const { pages, lessons, queries, view, numberOf } = cycle
    this.#cycle = cycle
    this.#current = current
    this.#needy = new Set(queries.needy(lessons.improvability, MAX_NEEDY))
    this.#lessons = new Lessons(lessons)
    this.#gains = new GainComparison(lessons.tree, view)
    for (const number of numbers) {
      const page = pages.page(number) as FrontierPage
      const document = numberOf(page.url)
      if (document === undefined) continue
      this.#fetched.set(document, { page, clues: cluesOf(page, lessons), scores: [], impact: 0 })
      this.#documents.set(number, document)
      this.#index.add(number, pageNgrams(page.url, anchorsOf(page)))
    }
  }

  get isAny(): boolean {
    return this.#fetched.size > 0
  }

  /** Notes the impacts of pages, and by how many pages queries were improved. */
  async noteQueries(pauses: Pauses): Promise<void> {
    const { queries } = this.#cycle
    const current = this.#current
    const step = Math.ceil(current.length / MAX_IMPROVEMENTS)
    for (let at = 0; at < current.length; at++) {
      const query = current[at]!
      const numbers = queries.numbers(query)
      let improvement = 0
      for (let rank1 = 1; rank1 <= Math.min(VISIBLE_RANKS, numbers.length); rank1++) {
        const fetched = this.#fetched.get(numbers[rank1 - 1]!)
        if (fetched === undefined) continue
        fetched.impact += queries.frequencies[query]!
        improvement++
      }
      // Spread over all queries: the heaviest alone would say nothing about the others.
      if (at % step === 0)
        this.#lessons.addImprovement(meanTopScore(this.#scoresBefore(query), VISIBLE_RANKS), improvement)
      if (pauses.isDue) await pauses.pause()
    }
  }

  /** Notes what was expected of pages, and what they gained. */
  async noteGains(pauses: Pauses): Promise<void> {
    const { queries } = this.#cycle
    for (const query of this.#current) {
      const found: [number, number][] = []
      const scores = queries.scores(query)
      queries.numbers(query).forEach((document, at) => {
        if (this.#fetched.has(document)) found.push([document, scores[at]!])
      })
      const matching = this.#needy.has(query) ? this.#index.matching(queries.ngrams(query), this.#cycle.rules.rho) : []
      if (found.length === 0 && matching.length === 0) continue
      const seemed = Array.from(matching, (number): [number, Float64Array] => {
        const document = this.#documents.get(number)!
        return [document, this.#features(query, document)]
      })
      this.#gains.note({ frequency: queries.frequencies[query]!, scores: this.#scoresBefore(query) }, seemed, found)
      if (pauses.isDue) await pauses.pause()
    }
  }

  /** Notes the real scores of fetched pages for queries that they seemed to match. */
  async notePairs(pauses: Pauses): Promise<void> {
    const { queries, best } = this.#cycle
    let searches = 0
    for (const query of this.#current) {
      const matching = this.#index.matching(queries.ngrams(query), this.#cycle.rules.rho)
      if (matching.length === 0) continue
      if (++searches > MAX_FULL_SEARCHES) return
      const { numbers, scores } = best(queries.name(query), Number.POSITIVE_INFINITY)
      const scoreOf = new Map<number, number>()
      numbers.forEach((document, at) => {
        if (this.#fetched.has(document)) scoreOf.set(document, scores[at]!)
      })
      for (const number of matching) this.#notePair(query, this.#documents.get(number)!, scoreOf)
      if (pauses.isDue) await pauses.pause()
    }
  }

  finish(): Lessons {
    const isByTree = this.#cycle.lessons.tree !== undefined
    for (const [document, { page, scores, impact }] of this.#fetched) {
      this.#lessons.addPage(hostOf(page.url), scores, importanceOf(page), impact)
      this.#lessons.addGain(this.#gains.of(document), isByTree)
    }
    return this.#lessons
  }

  #notePair(query: number, document: number, scoreOf: ReadonlyMap<number, number>): void {
    const { scores } = this.#fetched.get(document) as FetchedPage
    const score = scoreOf.get(document) ?? 0
    this.#lessons.addPair(this.#features(query, document), score)
    if (score > 0) scores.push(score)
  }

  #features(query: number, document: number): Float64Array {
    const { clues } = this.#fetched.get(document) as FetchedPage
    const features = new Float64Array(PAIR_FEATURES.length)
    const queryClues = queryCluesOf(this.#cycle.queries, query, this.#scoresBefore(query))
    writePairFeatures(features, 0, clues, queryClues)
    return features
  }

  /** The scores of the answers without the fetched pages, best first. */
  #scoresBefore(query: number): number[] {
    const { queries } = this.#cycle
    const numbers = queries.numbers(query)
    return Array.from(queries.scores(query)).filter((_, at) => !this.#fetched.has(numbers[at]!))
  }
}

export interface ComparedGain {
  readonly expected: number
  readonly measured: number
}

/** A query, with its answers without the fetched pages. */
export interface QueryBefore {
  readonly frequency: number
  /** Best first. */
  readonly scores: readonly number[]
}

/**
 * Compares, query by query, what fetched pages have gained with what would have been expected of them, both in ΔQ_A.
 * The expectation is based on the answers without these pages and on what had been learnt before. It covers the queries
 * that URL and anchors match; the measured gain covers all queries that the page answers.
 */
export class GainComparison {
  readonly #tree: RegressionTree | undefined
  readonly #view: ViewLikelihood
  /** Sums by the number of the document. */
  readonly #expected = new Map<number, number>()
  readonly #measured = new Map<number, number>()

  /** `tree`: that of the lessons known before; undefined when there was none. */
  constructor(tree: RegressionTree | undefined, view: ViewLikelihood) {
    this.#tree = tree
    this.#view = view
  }

  /** `matching`: documents that seemed to match, with their features. `found`: those that do, with their scores. */
  note(
    { frequency, scores }: QueryBefore,
    matching: Iterable<readonly [document: number, features: Float64Array]>,
    found: Iterable<readonly [document: number, score: number]>,
  ): void {
    const gains = new AppearanceGains(scores, this.#view)
    for (const [document, features] of matching)
      add(this.#expected, document, frequency * this.#expectedGain(gains, scores, features))
    for (const [document, score] of found) add(this.#measured, document, frequency * gains.gain(score))
  }

  of(document: number): ComparedGain {
    return { expected: this.#expected.get(document) ?? 0, measured: this.#measured.get(document) ?? 0 }
  }

  #expectedGain(gains: AppearanceGains, scores: readonly number[], features: Float64Array): number {
    if (this.#tree === undefined) return gains.gain(unlearntScore(features[0]!, features[1]!, scores))
    return gains.expectedGain(this.#tree.values[leafOf(this.#tree, features)]!)
  }
}

function add(sums: Map<number, number>, document: number, gain: number): void {
  sums.set(document, (sums.get(document) ?? 0) + gain)
}
