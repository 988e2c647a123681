/** The queries by which refreshes are measured: those of the workload, whole or word by word, as words of the index. */
import type { Steps } from '../base/turns.js'
import type { QueryPrivacy } from './learnt-rows.js'
import { MAX_QUERY_WORDS, type MeasuredQuery, singleTerms } from './measured-queries.js'
import { type WeightedQuery, wordHashesOf } from './query-log.js'
import type { QueryWords } from './query-names.js'

export interface MeasuredWorkloadSetup {
  readonly terms: 'full' | 'single'
  readonly words: QueryWords
  /** How queries are named now. */
  privacy(): QueryPrivacy
  /** All queries with their weights as of now, heaviest first; those that wait are entered into the log first. */
  weights(): readonly WeightedQuery[]
  /** Their sum without those that wait. */
  loggedWeight(): number
  maxQueries(): number
  /** Enters searches that wait into the log. */
  enterWaiting(): void
}

/** A measured query as it is shown. */
export interface NamedWeight {
  readonly query: string
  readonly weight: number
}

/** The approximate memory of the words of one query. */
const WORDS_BYTES = 200

/**
 * With terms 'full' a measured query is a query of the log, and has its id. With terms 'single' it is a word of any of
 * them, and its id is made of the hash of the word.
 */
export class MeasuredWorkload {
  readonly #setup: MeasuredWorkloadSetup
  /** The distinct words of queries, by name. */
  readonly #words = new Map<string, readonly string[]>()
  /** The weight recorded since `markTakenUp`. */
  #newWeight = 0
  /** The weight of the log at that time. */
  #knownWeight = 0

  constructor(setup: MeasuredWorkloadSetup) {
    this.#setup = setup
  }

  /** Heaviest first, as they are when the first step is made. `wordOf` has the words of `hashes`. */
  *queries(wordOf: ReadonlyMap<bigint, string>): Steps<MeasuredQuery[]> {
    const whole: MeasuredQuery[] = []
    const weights = this.#setup.weights()
    yield
    for (const { id, name, weight } of weights) {
      const words = this.#measurableWords(name, wordOf)
      if (words !== undefined) whole.push({ id, weight, words })
      yield
    }
    if (this.#setup.terms === 'full') return whole
    return singleTerms(whole).map(({ word, weight }) => ({ id: this.#wordId(word), weight, words: [word] }))
  }

  /** Whether words stay what they are. Named by hashes, a word is known only once the index has it. */
  get areWordsKnown(): boolean {
    return this.#setup.privacy() === 'text'
  }

  /** The hashes whose words `queries` needs; empty unless queries are named by hashes. */
  hashes(): bigint[] {
    if (this.#setup.privacy() === 'text') return []
    return this.#setup.weights().flatMap(({ name }) => wordHashesOf(name) ?? [])
  }

  /**
   * The queries of the log that measured queries with these ids speak for, and those that cannot be measured. `wordOf`
   * as for `queries`.
   */
  *takenOver(ids: ReadonlySet<number>, wordOf: ReadonlyMap<bigint, string>): Steps<ReadonlySet<number>> {
    const taken = new Set<number>()
    const weights = this.#setup.weights()
    yield
    for (const { id, name } of weights) {
      const words = this.#measurableWords(name, wordOf)
      const has = this.#setup.terms === 'full' ? () => ids.has(id) : (word: string) => ids.has(this.#wordId(word))
      if (words === undefined || words.every(has)) taken.add(id)
      yield
    }
    return taken
  }

  /** The share, by weight, that some queries of the log have: 0 to 1; 0 for an empty log. */
  shareOf(ids: ReadonlySet<number>): number {
    const weights = this.#setup.weights()
    const total = sumOf(weights)
    return total > 0 ? sumOf(weights.filter(({ id }) => ids.has(id))) / total : 0
  }

  // How far the measurement lags behind the log.

  /** How much was recorded since `markTakenUp`, in proportion to what was known then. */
  get newShare(): number {
    this.#setup.enterWaiting()
    return this.#newWeight === 0 ? 0 : this.#newWeight / this.#knownWeight
  }

  noteRecorded(weight: number): void {
    this.#newWeight += weight
  }

  /** The measurement knows the workload as it is now. */
  markTakenUp(): void {
    // Searches that wait are new to it.
    this.#knownWeight = this.#setup.loggedWeight()
    this.#newWeight = 0
  }

  /** The measurement has to take up the workload, however little of it is new. */
  markOutdated(): void {
    this.#newWeight = Number.POSITIVE_INFINITY
  }

  /** All by their ids, in steps, as they are when the first step is made. */
  *naming(): Steps<ReadonlyMap<number, NamedWeight>> {
    if (this.#setup.terms === 'single') return this.namesById()
    const names = new Map<number, NamedWeight>()
    const weights = this.#setup.weights()
    yield
    for (const { id, name, weight } of weights) {
      names.set(id, { query: name, weight })
      yield
    }
    return names
  }

  /** By their ids, as they are now: all, or those of `ids` that are still known. */
  namesById(ids?: ReadonlySet<number>): ReadonlyMap<number, NamedWeight> {
    const weights = this.#setup.weights()
    const isWanted = ({ id }: { readonly id: number }) => ids === undefined || ids.has(id)
    if (this.#setup.terms === 'full')
      return new Map(weights.filter(isWanted).map(({ id, name, weight }) => [id, { query: name, weight }]))
    const queries = weights.map(({ name, weight }) => ({ words: this.#tokensOf(name), weight }))
    const words = singleTerms(queries).map(({ word, weight }) => ({ id: this.#wordId(word), query: word, weight }))
    return new Map(words.filter(isWanted).map(({ id, ...named }) => [id, named]))
  }

  /** With terms 'single': the id of a text of one word; undefined for a text of several. */
  idOfOneWord(text: string): number | undefined {
    const [word, ...others] = new Set(this.#tokensOf(text))
    return word === undefined || others.length > 0 ? undefined : this.#wordId(word)
  }

  /** A query of the log is no more. */
  forget(name: string): void {
    this.#words.delete(name)
  }

  get memoryBytes(): number {
    return this.#words.size * WORDS_BYTES
  }

  /** Undefined for a query that cannot be measured. */
  #measurableWords(name: string, wordOf: ReadonlyMap<bigint, string>): readonly string[] | undefined {
    const words = this.#wordsOf(name, wordOf)
    return words !== undefined && words.length > 0 && words.length <= MAX_QUERY_WORDS ? words : undefined
  }

  #wordsOf(name: string, wordOf: ReadonlyMap<bigint, string>): readonly string[] | undefined {
    if (this.#setup.privacy() === 'text') return this.#words.get(name) ?? this.#keepWords(name)
    // A word that the index does not have stands for itself: the query is open, and counts as such. No analyzer gives
    // a token that begins with a zero.
    return wordHashesOf(name)?.map((hash) => wordOf.get(hash) ?? `\0${hash.toString(16)}`)
  }

  /** Words are kept, because a new epoch begins within a write and needs the words of every query. */
  #keepWords(name: string): readonly string[] {
    const words = [...new Set(this.#tokensOf(name))]
    // Of queries that were dropped since: cheaper to begin anew than to follow them.
    if (this.#words.size >= 2 * this.#setup.maxQueries()) this.#words.clear()
    this.#words.set(name, words)
    return words
  }

  #tokensOf(text: string): readonly string[] {
    return this.#setup.words.tokensOf(text)
  }

  #wordId(word: string): number {
    return Number(BigInt.asUintN(32, this.#setup.words.hash(word)))
  }
}

function sumOf(queries: readonly WeightedQuery[]): number {
  return queries.reduce((sum, { weight }) => sum + weight, 0)
}
