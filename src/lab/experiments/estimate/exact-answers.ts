/**
 * The answer lists of a workload, whole and in order, and what a page's change or its place in them is worth: Eq. 5 and
 * 6 of User-centric crawling without any estimate. Scores of other pages are taken to be as they are.
 */

import { Freshdex, type ScoringModel } from '../../../index.js'
import { inBatches, pageOptions, recordQueries } from '../../choosers/measured-index.js'
import type { FrozenScores } from '../../quality/version-scores.js'
import { type CountedPage, type ExactQuery, numberQueries, singleTermQueries } from '../../quality/word-counts.js'
import type { AskedQuery } from '../../worlds/generated-text.js'
import type { Week } from '../../worlds/page-versions.js'
import type { WorldPage } from '../../worlds/world.js'
import type { NumberedPage, PageChange } from './numbered-pages.js'
import { standardTokens } from './standard-tokens.js'

/** Pages by word at one moment, in one array for all words. */
export class WordPostings {
  readonly #begins: Uint32Array
  readonly #pages: Uint32Array
  readonly #scores: Float64Array

  constructor(scores: FrozenScores, pages: readonly NumberedPage[], words: number) {
    this.#begins = new Uint32Array(words + 1)
    for (const page of pages) for (const word of page.words) this.#begins[word + 1]!++
    for (let word = 0; word < words; word++) this.#begins[word + 1]! += this.#begins[word]!
    this.#pages = new Uint32Array(this.#begins[words]!)
    this.#scores = new Float64Array(this.#pages.length)
    const next = this.#begins.slice()
    for (const page of pages) {
      const wordScores = scores.wordScores(page)
      page.words.forEach((word, at) => {
        const slot = next[word]!++
        this.#pages[slot] = page.number
        this.#scores[slot] = wordScores[at]!
      })
    }
  }

  /** Every page that has all the words, with its score as float32: that is how scores are kept and compared. */
  answers(words: readonly number[]): { readonly pages: number[]; readonly scores: number[] } {
    const [pages, scores]: [number[], number[]] = [[], []]
    const rarest = words.reduce((best, word) => (this.#count(word) < this.#count(best) ? word : best))
    for (let at = this.#begins[rarest]!; at < this.#begins[rarest + 1]!; at++) {
      const page = this.#pages[at]!
      const score = this.#scoreOf(page, words)
      if (score === 0) continue
      pages.push(page)
      scores.push(score)
    }
    return { pages, scores }
  }

  #count(word: number): number {
    return this.#begins[word + 1]! - this.#begins[word]!
  }

  #scoreOf(page: number, words: readonly number[]): number {
    let sum = 0
    for (const word of words) {
      const at = this.#find(word, page)
      if (at === undefined) return 0
      sum += this.#scores[at]!
    }
    return Math.fround(sum)
  }

  #find(word: number, page: number): number | undefined {
    let [low, high] = [this.#begins[word]!, this.#begins[word + 1]!]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#pages[middle]! < page) low = middle + 1
      else high = middle
    }
    return low < this.#begins[word + 1]! && this.#pages[low] === page ? low : undefined
  }
}

export interface ExactShift {
  readonly query: ExactQuery
  readonly scoreBefore: number
  readonly scoreAfter: number
  readonly list: AnswerList
  readonly rank1Before: number
  readonly rank1After: number
  /** The weight of the query included. */
  readonly deltaQuality: number
}

/** The lists of one workload; each is made when it is first asked for. */
export class ExactAnswers {
  readonly #scores: FrozenScores
  readonly #postings: WordPostings
  readonly #queries: readonly ExactQuery[]
  readonly #byFirstWord = new Map<number, ExactQuery[]>()
  readonly #lists = new Map<ExactQuery, AnswerList>()

  constructor(scores: FrozenScores, postings: WordPostings, queries: readonly ExactQuery[]) {
    this.#scores = scores
    this.#postings = postings
    this.#queries = queries
    for (const query of queries) {
      const first = query.words[0]!
      const others = this.#byFirstWord.get(first)
      if (others === undefined) this.#byFirstWord.set(first, [query])
      else others.push(query)
    }
  }

  /** The shifts of the page in all lists. Lists in which its score stays are left out. */
  shiftsOf({ before, after }: PageChange): ExactShift[] {
    const [old, renewed] = [this.#wordScores(before), this.#wordScores(after)]
    const shifts: ExactShift[] = []
    for (const word of new Set([...old.keys(), ...renewed.keys()])) {
      for (const query of this.#byFirstWord.get(word) ?? []) {
        const [scoreBefore, scoreAfter] = [sumOf(old, query.words), sumOf(renewed, query.words)]
        if (scoreBefore === scoreAfter) continue
        const list = this.listOf(query)
        const move = list.move((before ?? after)!.number, scoreBefore, scoreAfter)
        shifts.push({ query, scoreBefore, scoreAfter, list, ...move, deltaQuality: query.weight * move.deltaQuality })
      }
    }
    return shifts
  }

  /** Sum of f(q) · I(rank) · score, by number of the page. */
  stakes(numberLimit: number): Float64Array {
    const stakes = new Float64Array(numberLimit)
    for (const query of this.#queries) {
      const { pages, scores } = this.listOf(query)
      pages.forEach((page, at) => {
        stakes[page]! += query.weight * view(at + 1) * scores[at]!
      })
    }
    return stakes
  }

  listOf(query: ExactQuery): AnswerList {
    const known = this.#lists.get(query)
    if (known !== undefined) return known
    const list = new AnswerList(this.#postings.answers(query.words))
    this.#lists.set(query, list)
    return list
  }

  #wordScores(page: CountedPage | undefined): Map<number, number> {
    if (page === undefined) return new Map()
    const scores = this.#scores.wordScores(page)
    return new Map(Array.from(page.words, (word, at) => [word, scores[at]!]))
  }
}

/** 0 unless all words are there. */
function sumOf(wordScores: ReadonlyMap<number, number>, words: readonly number[]): number {
  let sum = 0
  for (const word of words) {
    const score = wordScores.get(word)
    if (score === undefined) return 0
    sum += score
  }
  return Math.fround(sum)
}

/** I(r); 0 for Infinity. */
function view(rank1: number): number {
  return rank1 ** -1.5
}

/** Best first, equal scores by the number of the page. */
class AnswerList {
  readonly pages: Uint32Array
  readonly scores: Float32Array
  /** [r]: what the pages at ranks 1 … r gain together by moving up one rank, and lose by moving down one. */
  readonly #gains: Float64Array
  readonly #losses: Float64Array

  constructor({ pages, scores }: { readonly pages: readonly number[]; readonly scores: readonly number[] }) {
    const order = Uint32Array.from(pages, (_, at) => at).sort(
      (a, b) => scores[b]! - scores[a]! || pages[a]! - pages[b]!,
    )
    this.pages = order.map((at) => pages[at]!)
    this.scores = Float32Array.from(order, (at) => scores[at]!)
    this.#gains = new Float64Array(order.length + 1)
    this.#losses = new Float64Array(order.length + 1)
    for (let rank1 = 1; rank1 <= order.length; rank1++) {
      const score = this.scores[rank1 - 1]!
      // Nobody moves up from rank 1.
      const gain = rank1 === 1 ? 0 : (view(rank1 - 1) - view(rank1)) * score
      this.#gains[rank1] = this.#gains[rank1 - 1]! + gain
      this.#losses[rank1] = this.#losses[rank1 - 1]! + (view(rank1) - view(rank1 + 1)) * score
    }
  }

  /** A score of 0 is not in the list. Others of the new score come before the page; a rank of Infinity is no rank. */
  move(page: number, scoreBefore: number, scoreAfter: number) {
    const rank1Before = scoreBefore > 0 ? this.#rank1Of(page, scoreBefore) : Number.POSITIVE_INFINITY
    const others = this.#countAtLeast(scoreAfter) - (scoreBefore >= scoreAfter && scoreBefore > 0 ? 1 : 0)
    const rank1After = scoreAfter > 0 ? others + 1 : Number.POSITIVE_INFINITY
    const self = (view(rank1After) - view(rank1Before)) * scoreAfter
    return { rank1Before, rank1After, deltaQuality: self + this.#displaced(rank1Before, rank1After) }
  }

  /** What the others gain that move by one rank. */
  #displaced(from: number, to: number): number {
    const n = this.pages.length
    if (from < to) return this.#gains[Math.min(to, n)]! - this.#gains[from]!
    return this.#losses[to - 1]! - this.#losses[Math.min(from - 1, n)]!
  }

  #rank1Of(page: number, score: number): number {
    let [low, high] = [0, this.pages.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const isBefore = this.scores[middle]! > score || (this.scores[middle] === score && this.pages[middle]! < page)
      if (isBefore) low = middle + 1
      else high = middle
    }
    if (this.pages[low] !== page) throw new Error(`page ${page} is not at rank ${low + 1} with the score ${score}`)
    return low + 1
  }

  #countAtLeast(score: number): number {
    let [low, high] = [0, this.scores.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.scores[middle]! >= score) low = middle + 1
      else high = middle
    }
    return low
  }
}

const BATCH = 500

/**
 * 'full': whole queries. 'single': their words, each as heavy as all queries that have it (User-centric crawling,
 * section 5.1).
 */
export type Terms = 'full' | 'single'
export const TERMS: readonly Terms[] = ['full', 'single']

/** A workload as numbers, whole or word by word. */
export interface ExactWorkload {
  /** By number. */
  readonly words: readonly string[]
  readonly queries: Readonly<Record<Terms, readonly ExactQuery[]>>
}

export function exactWorkload(counted: readonly AskedQuery[]): ExactWorkload {
  const workload = numberQueries(counted, standardTokens)
  return { words: workload.words, queries: { full: workload.queries, single: singleTermQueries(workload) } }
}

/** In memory, with the pages of the first week; nothing of that was measured. */
export async function openMeasured(
  { added }: Week,
  counted: readonly AskedQuery[],
  { terms, scoring, pieces }: { readonly terms: Terms; readonly scoring: ScoringModel; readonly pieces: number },
): Promise<Freshdex<WorldPage>> {
  const workload = { terms, pieces, learn: false, maxQueries: counted.length, halfLifeMs: Number.POSITIVE_INFINITY }
  const options = { ...pageOptions('standard'), scoring, store: false, workload }
  const index = await Freshdex.open<WorldPage>(':memory:', options)
  for (const put of inBatches(added, BATCH)) await index.write({ put }, { at: 0 })
  recordQueries(index, counted)
  return index
}
