/**
 * The queries of the workload with the best answers that each had when it was last asked: columns, one row a query, heaviest first. A row is current when the index has
 * published nothing since; others are asked anew, the needy first.
 */
import { meanTopScore } from '../frontier/impact.js'
import { type Improvability, needinessOf } from '../frontier/neediness.js'
import { type Ngrams, queryNgrams, textWords } from '../frontier/ngrams.js'
import { VISIBLE_RANKS } from '../frontier/query-sketch.js'
import { topValues } from '../frontier/top-values.js'

/** Answers kept of a query: twice the visible ranks, so that those that new pages pushed out are still known. */
export const KEPT_ANSWERS = 2 * VISIBLE_RANKS

const NEVER = -1

export interface CountedQueryName {
  readonly name: string
  readonly weight: number
}

export class QueryBook {
  #rows = new Map<string, number>()
  #names: readonly string[] = []
  #ngrams: readonly Ngrams[] = []
  #words = new Uint8Array()
  /** f(q) */
  #frequencies = new Float64Array()
  /** Of the index, when the query was asked. */
  #sequences = new Float64Array()
  #numbers = new Uint32Array()
  /** KEPT_ANSWERS a row, best first, then zeros. */
  #scores = new Float32Array()

  get size(): number {
    return this.#names.length
  }

  get frequencies(): Float64Array {
    return this.#frequencies
  }

  get memoryBytes(): number {
    const columns = [this.#words, this.#frequencies, this.#sequences, this.#numbers, this.#scores]
    const texts = this.#names.reduce((sum, name, row) => sum + name.length + this.#ngrams[row]!.byteLength + 200, 0)
    return columns.reduce((sum, column) => sum + column.byteLength, texts)
  }

  /** In place of the queries that are there; answers of those that stay are kept. A name without words to compare is left out. */
  update(queries: readonly CountedQueryName[]): void {
    const before = { rows: this.#rows, ngrams: this.#ngrams, words: this.#words, sequences: this.#sequences }
    const [numbers, scores] = [this.#numbers, this.#scores]
    const known = queries
      .map(({ name, weight }) => {
        const row = before.rows.get(name)
        const ngrams = row === undefined ? queryNgrams(name) : before.ngrams[row]!
        return { name, weight, row, ngrams }
      })
      .filter(({ ngrams, weight }) => ngrams.length > 0 && weight > 0)
      // The same order in every process: sums are rounded alike then.
      .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
    this.#names = known.map(({ name }) => name)
    this.#rows = new Map(this.#names.map((name, row) => [name, row]))
    this.#ngrams = known.map(({ ngrams }) => ngrams)
    this.#words = Uint8Array.from(known, ({ name, row }) =>
      row === undefined ? Math.min(255, textWords(name).length) : before.words[row]!,
    )
    this.#frequencies = Float64Array.from(known, ({ weight }) => weight)
    this.#sequences = Float64Array.from(known, ({ row }) => (row === undefined ? NEVER : before.sequences[row]!))
    this.#numbers = new Uint32Array(known.length * KEPT_ANSWERS)
    this.#scores = new Float32Array(known.length * KEPT_ANSWERS)
    known.forEach(({ row }, at) => {
      if (row === undefined) return
      const [first, end] = [row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS]
      this.#numbers.set(numbers.subarray(first, end), at * KEPT_ANSWERS)
      this.#scores.set(scores.subarray(first, end), at * KEPT_ANSWERS)
    })
  }

  name(row: number): string {
    return this.#names[row] as string
  }

  ngrams(row: number): Ngrams {
    return this.#ngrams[row] as Ngrams
  }

  words(row: number): number {
    return this.#words[row] as number
  }

  isCurrent(row: number, sequence: number): boolean {
    return this.#sequences[row] === sequence
  }

  setAnswers(row: number, sequence: number, numbers: Uint32Array, scores: Float64Array): void {
    const first = row * KEPT_ANSWERS
    this.#sequences[row] = sequence
    this.#scores.fill(0, first, first + KEPT_ANSWERS)
    this.#numbers.set(numbers.subarray(0, KEPT_ANSWERS), first)
    this.#scores.set(scores.subarray(0, KEPT_ANSWERS), first)
  }

  /** Documents, best first. */
  numbers(row: number): Uint32Array {
    return this.#numbers.subarray(row * KEPT_ANSWERS, row * KEPT_ANSWERS + this.scores(row).length)
  }

  /** Of these documents. */
  scores(row: number): Float32Array {
    const all = this.#scores.subarray(row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS)
    const end = all.indexOf(0)
    return end < 0 ? all : all.subarray(0, end)
  }

  /** Of the visible ranks; 0 of a query that was never asked. */
  meanScore(row: number): number {
    return meanTopScore(this.#scores, VISIBLE_RANKS, row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS)
  }

  /** The neediest queries, neediest first, by the answers that are known. */
  needy(improvability: Improvability, count: number): Uint32Array {
    const meanScores = Float64Array.from({ length: this.size }, (_, row) => this.meanScore(row))
    return topValues(needinessOf(this.#frequencies, meanScores, improvability), count)
  }
}
