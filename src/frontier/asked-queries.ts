/**
 * The queries of the workload, each with the best answers that it had when it was last asked. They lie in columns, one
 * row a query, heaviest first. A row is current if the index has published nothing since the query was asked.
 */
import type { Pauses } from '../base/turns.js'
import { topValues } from '../math/heap.js'
import { KEPT_ANSWERS } from './cycle-rules.js'
import { meanTopScore } from './impact/impact.js'
import { type Improvability, needinessOf } from './impact/neediness.js'
import { type Ngrams, queryNgrams, textWords } from './impact/ngrams.js'
import { VISIBLE_RANKS } from './impact/query-sketch.js'

const NEVER = -1
/** Memory of a query besides its columns: an entry of a map and of a list. */
const ROW_BYTES = 60

export interface CountedQueryName {
  readonly name: string
  readonly weight: number
}

/** Queries between two looks at the clock. */
const PORTION = 256

export class AskedQueries {
  #rows = new Map<string, number>()
  #names: readonly string[] = []
  /** The n-grams of all rows, one row behind the other; `#ngramStarts` tells where those of a row begin. */
  #ngrams = new Float64Array()
  #ngramStarts = new Uint32Array(1)
  #words = new Uint8Array()
  /** f(q) */
  #frequencies = new Float64Array()
  /** The sequence of the index when the query was asked. */
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

  /** Without the names of the queries, which belong to the workload. */
  get memoryBytes(): number {
    const asked = [this.#frequencies, this.#sequences, this.#numbers, this.#scores]
    const columns = [this.#ngrams, this.#ngramStarts, this.#words, ...asked]
    return columns.reduce((sum, column) => sum + column.byteLength, this.size * ROW_BYTES)
  }

  /**
   * Replaces the queries. The answers of those that stay are kept; a name without words is left out. REQUIRES: heaviest
   * first, and of equals in an order that is the same in every process, so that sums are rounded alike.
   */
  async update(queries: readonly CountedQueryName[], pauses: Pauses): Promise<void> {
    const names: string[] = []
    const frequencies: number[] = []
    const ngrams: Ngrams[] = []
    const words: number[] = []
    /** Where each query was before, or NEVER. */
    const rows: number[] = []
    for (let at = 0; at < queries.length; at++) {
      if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
      const { name, weight } = queries[at]!
      const row = this.#rows.get(name) ?? NEVER
      const own = row === NEVER ? queryNgrams(name) : this.ngrams(row)
      if (own.length === 0 || !(weight > 0)) continue
      names.push(name)
      frequencies.push(weight)
      ngrams.push(own)
      words.push(row === NEVER ? Math.min(255, textWords(name).length) : this.words(row))
      rows.push(row)
    }
    if (pauses.isDue) await pauses.pause()
    const isAsBefore = names.length === this.size && rows.every((row, at) => row === at)
    if (isAsBefore) {
      this.#frequencies = Float64Array.from(frequencies)
      return
    }
    const moved = await this.#moved(rows, pauses)
    const joined = await joinedNgrams(ngrams, pauses)
    const byName = new Map<string, number>()
    for (let row = 0; row < names.length; row++) {
      if (row % PORTION === 0 && pauses.isDue) await pauses.pause()
      byName.set(names[row]!, row)
    }
    // All at once: whoever asks in between sees the queries as they were.
    this.#frequencies = Float64Array.from(frequencies)
    this.#sequences = moved.sequences
    this.#numbers = moved.numbers
    this.#scores = moved.scores
    this.#words = Uint8Array.from(words)
    this.#ngrams = joined.all
    this.#ngramStarts = joined.starts
    this.#names = names
    this.#rows = byName
  }

  /** The answers in the new rows of their queries. */
  async #moved(rows: readonly number[], pauses: Pauses) {
    const numbers = new Uint32Array(rows.length * KEPT_ANSWERS)
    const scores = new Float32Array(rows.length * KEPT_ANSWERS)
    const sequences = new Float64Array(rows.length).fill(NEVER)
    for (let at = 0; at < rows.length; at++) {
      if (at % PORTION === 0 && pauses.isDue) await pauses.pause()
      const row = rows[at]!
      if (row === NEVER || this.#sequences[row] === NEVER) continue
      const [first, end] = [row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS]
      sequences[at] = this.#sequences[row]!
      numbers.set(this.#numbers.subarray(first, end), at * KEPT_ANSWERS)
      scores.set(this.#scores.subarray(first, end), at * KEPT_ANSWERS)
    }
    return { sequences, numbers, scores }
  }

  name(row: number): string {
    return this.#names[row] as string
  }

  ngrams(row: number): Ngrams {
    return this.#ngrams.subarray(this.#ngramStarts[row], this.#ngramStarts[row + 1])
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

  /** The documents that answer the query, best first. */
  numbers(row: number): Uint32Array {
    return this.#numbers.subarray(row * KEPT_ANSWERS, row * KEPT_ANSWERS + this.scores(row).length)
  }

  /** The scores of the answers, best first. */
  scores(row: number): Float32Array {
    const all = this.#scores.subarray(row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS)
    const end = all.indexOf(0)
    return end < 0 ? all : all.subarray(0, end)
  }

  /** The mean score of the visible ranks; 0 for a query that was never asked. */
  meanScore(row: number): number {
    return meanTopScore(this.#scores, VISIBLE_RANKS, row * KEPT_ANSWERS, (row + 1) * KEPT_ANSWERS)
  }

  /** The neediest queries, in the order of their rows, judged by the answers that are known. */
  needy(improvability: Improvability, count: number): Uint32Array {
    if (this.size <= count) return Uint32Array.from({ length: this.size }, (_, row) => row)
    const meanScores = new Float64Array(this.size)
    for (let row = 0; row < this.size; row++) meanScores[row] = this.meanScore(row)
    return topValues(needinessOf(this.#frequencies, meanScores, improvability), count).sort()
  }
}

/** One behind the other, and where those of each row begin. */
async function joinedNgrams(ngrams: readonly Ngrams[], pauses: Pauses) {
  const starts = new Uint32Array(ngrams.length + 1)
  for (let row = 0; row < ngrams.length; row++) starts[row + 1] = starts[row]! + ngrams[row]!.length
  const all = new Float64Array(starts[ngrams.length]!)
  for (let row = 0; row < ngrams.length; row++) {
    if (row % PORTION === 0 && pauses.isDue) await pauses.pause()
    all.set(ngrams[row]!, starts[row])
  }
  return { all, starts }
}
