/**
 * Which queries are asked, and how often lately: a counter of distinct queries that decays with a half-life and holds
 * a bounded number of queries, known by their names.
 *
 * A weight is kept as of the query's last record and decayed to another time when it is needed. So a record
 * touches one query only, and no weight has to be scaled up over the years.
 */
import { amountOption, numberOption } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { plainText } from '../base/plain-text.js'
import { DAY_MS } from '../base/time.js'
import { finish, type Steps } from '../base/turns.js'
import { QueryCompletions } from './query-completions.js'

/** The share of additional queries that are held before the lightest are dropped, as dropping sorts all of them. */
const SLACK = 0.25
/** All names together, in UTF-16 units: 32 MiB at most. The lightest queries go when there are more. */
const MAX_NAME_UNITS = 16 * 1024 * 1024
/** What a clean-up leaves of them. */
const KEPT_NAME_UNITS = MAX_NAME_UNITS * 0.75
/** A query weighs no more, however often it is asked: sums of all queries stay what the ledger can hold. */
const MAX_WEIGHT = 1e15
/** The approximate memory of a query in V8: its numbers, its map entries, and the header of its string. */
const ENTRY_BYTES = 200

export interface QueryLogOptions {
  /** How many distinct queries to keep. Default 10,000. Up to a quarter more are held between two clean-ups. */
  readonly maxQueries?: number | undefined
  /** The time after which a query counts half. Default 30 days. Infinity: nothing is forgotten. */
  readonly halfLifeMs?: number | undefined
}

export interface WeightedQuery {
  /** Constant for as long as the query is in the log, and never given to another query. */
  readonly id: number
  readonly name: string
  readonly weight: number
}

/** A query of the log with what is known of its last search. */
export interface LoggedQuery extends WeightedQuery {
  /** When it was last asked. */
  readonly lastMs: number
  /** Whether its last search found anything; undefined where nobody looked. */
  readonly isAnswered: boolean | undefined
}

/** A query as it is stored: `weight` is that at `atMs`. */
export interface QueryRow extends LoggedQuery {
  readonly atMs: number
}

/** What was left out of the log because it holds a bounded number of queries. */
export interface DroppedQueries {
  readonly dropped: number
  /** What they weighed when they were dropped. */
  readonly droppedWeight: number
}

/** What a stored copy of the log has to take over. */
export interface QueryLogChanges {
  readonly rows: readonly QueryRow[]
  readonly droppedIds: readonly number[]
}

interface Entry {
  readonly id: number
  readonly name: string
  /** The weight at `atMs`: at most what was recorded, since the weight before an earlier drop is lost. */
  weight: number
  /** The most weight, at `atMs`, that this query can have lost by an earlier drop. */
  credit: number
  atMs: number
  lastMs: number
  isAnswered: boolean | undefined
}

export class QueryLog {
  #maxQueries = 0
  #halfLifeMs = 0
  readonly #entries = new Map<string, Entry>()
  readonly #changed = new Set<Entry>()
  readonly #droppedIds = new Set<number>()
  #nextId = 1
  #version = 0
  #nameUnits = 0
  /** The latest time of any record. */
  #latestMs = Number.NEGATIVE_INFINITY
  /** The largest sum of weight and credit that was ever dropped, as of `#latestMs`. */
  #credit = 0
  #dropped: DroppedQueries = { dropped: 0, droppedWeight: 0 }
  /** Made when it is first asked for. */
  #completions: QueryCompletions | undefined

  constructor(options: QueryLogOptions = {}) {
    this.configure(options)
  }

  /** Other bounds from now on. What is beyond a lower `maxQueries` goes with the next clean-up. */
  configure(options: QueryLogOptions): void {
    this.#maxQueries = numberOption('maxQueries', options.maxQueries, 10_000, { min: 1, max: 2 ** 24, integer: true })
    const range = { min: 0, aboveMin: true, max: Number.POSITIVE_INFINITY }
    this.#halfLifeMs = numberOption('halfLifeMs', options.halfLifeMs, 30 * DAY_MS, range)
    // Ranks of another half-life.
    this.#completions = undefined
  }

  get maxQueries(): number {
    return this.#maxQueries
  }

  get halfLifeMs(): number {
    return this.#halfLifeMs
  }

  /** Since the log was made or, with what `restore` was given, ever. */
  get dropped(): DroppedQueries {
    return this.#dropped
  }

  /** Distinct queries held. */
  get size(): number {
    return this.#entries.size
  }

  /** Grows with every change. */
  get version(): number {
    return this.#version
  }

  /** The latest time of any record; -Infinity without one. */
  get latestMs(): number {
    return this.#latestMs
  }

  /** The id of the next new query. It is passed to `restore`, so that no id is given twice. */
  get nextId(): number {
    return this.#nextId
  }

  /** The id of a query by its name; undefined when it is not held. */
  idOf(name: string): number | undefined {
    return this.#entries.get(name)?.id
  }

  /** The queries whose texts are known, in the order of their texts; kept along with the log from now on. */
  get completions(): QueryCompletions {
    if (this.#completions === undefined) {
      this.#completions = new QueryCompletions(plainText)
      for (const entry of this.#entries.values()) this.#rank(entry)
    }
    return this.#completions
  }

  /** What a query weighs at a time, as `weights` says it; 0 for one that is not held. */
  weightOf(name: string, atMs: number): number {
    const entry = this.#entries.get(name)
    return entry === undefined ? 0 : entry.weight * this.#decay(Math.max(atMs, this.#latestMs) - entry.atMs)
  }

  /** The logarithm of what the query would have weighed in 1970: of two queries, the heavier one has the higher. */
  #rank({ name, weight, atMs }: Entry): void {
    if (this.#completions === undefined || wordHashesOf(name) !== undefined) return
    this.#completions.set(name, Math.log2(weight) + atMs / this.#halfLifeMs)
  }

  /** Estimated. */
  get memoryBytes(): number {
    return this.#entries.size * ENTRY_BYTES + this.#nameUnits * 2
  }

  /**
   * Counts a query `count` times. Times may come in any order. `isAnswered`: whether a search found anything. Returns
   * its id.
   */
  record(text: string, count: number, atMs: number, isAnswered?: boolean): number {
    const name = textName(text)
    if (name === '') throw new RangeError(`a query must not be blank, received ${describe(text)}`)
    amountOption('count', count, 1, { aboveMin: true })
    requireTime(atMs)
    this.#advance(atMs)
    const known = this.#entries.get(name)
    const entry = known ?? this.#add({ ...this.#newEntry(name), lastMs: atMs, isAnswered })
    if (atMs > entry.atMs) this.#bringTo(entry, atMs)
    entry.weight = Math.min(MAX_WEIGHT, entry.weight + count * this.#decay(entry.atMs - atMs))
    if (atMs >= entry.lastMs) {
      entry.lastMs = atMs
      entry.isAnswered = isAnswered ?? entry.isAnswered
    }
    this.#changed.add(entry)
    this.#rank(entry)
    this.#version++
    const isFull = this.#entries.size >= this.maxQueries + Math.max(1, this.maxQueries * SLACK)
    if (isFull || this.#nameUnits > MAX_NAME_UNITS) this.#dropLightest()
    return entry.id
  }

  /**
   * The queries by weight at `atMs`, heaviest first, at most `maxQueries` of them. The log does not know the past:
   * before its last record, weights are those of its last record. A query too old to weigh anything is left out.
   */
  weights(atMs: number): WeightedQuery[] {
    requireTime(atMs)
    const nowMs = Math.max(atMs, this.#latestMs)
    const queries: WeightedQuery[] = []
    for (const { id, name, weight, atMs } of this.#entries.values()) {
      const decayed = weight * this.#decay(nowMs - atMs)
      if (decayed > 0) queries.push({ id, name, weight: decayed })
    }
    return this.#heaviest(queries)
  }

  /** The sum of them. */
  totalWeight(atMs: number): number {
    requireTime(atMs)
    // Only where not all of them count does it matter which are the heaviest.
    if (this.#entries.size > this.maxQueries) return this.weights(atMs).reduce((total, { weight }) => total + weight, 0)
    const nowMs = Math.max(atMs, this.#latestMs)
    let total = 0
    for (const entry of this.#entries.values()) total += entry.weight * this.#decay(nowMs - entry.atMs)
    return total
  }

  /** The same queries with what is known of their last searches. */
  queries(atMs: number): LoggedQuery[] {
    requireTime(atMs)
    const nowMs = Math.max(atMs, this.#latestMs)
    const queries: LoggedQuery[] = []
    for (const { id, name, weight, atMs, lastMs, isAnswered } of this.#entries.values()) {
      const decayed = weight * this.#decay(nowMs - atMs)
      if (decayed > 0) queries.push({ id, name, weight: decayed, lastMs, isAnswered })
    }
    return this.#heaviest(queries)
  }

  #heaviest<Q extends WeightedQuery>(queries: Q[]): Q[] {
    queries.sort((a, b) => b.weight - a.weight || a.id - b.id)
    return queries.length > this.maxQueries ? queries.slice(0, this.maxQueries) : queries
  }

  /** Forgets a query, as if it had never been asked; false when it is not in the log. */
  forget(name: string): boolean {
    const entry = this.#entries.get(name)
    if (entry === undefined) return false
    this.#remove(entry)
    this.#version++
    return true
  }

  /** Drops what is beyond `maxQueries` now, and not only when a quarter more has come together. */
  trim(): void {
    if (this.#entries.size > this.maxQueries || this.#nameUnits > MAX_NAME_UNITS) this.#dropLightest()
  }

  clear(): void {
    for (const { id } of this.#entries.values()) this.#droppedIds.add(id)
    this.#entries.clear()
    this.#changed.clear()
    this.#completions = undefined
    this.#nameUnits = 0
    this.#credit = 0
    this.#latestMs = Number.NEGATIVE_INFINITY
    this.#version++
  }

  /** Takes what changed since the last call: rows to write and ids to delete. */
  changedRows(): QueryLogChanges {
    const rows = Array.from(this.#changed, ({ credit: _, ...row }) => row)
    const droppedIds = [...this.#droppedIds]
    this.#changed.clear()
    this.#droppedIds.clear()
    return { rows, droppedIds }
  }

  /** Gives back changes that could not be written: the next `changedRows` has them again, as they are by then. */
  giveBack({ rows, droppedIds }: QueryLogChanges): void {
    for (const { id, name } of rows) {
      const entry = this.#entries.get(name)
      if (entry?.id === id) this.#changed.add(entry)
      else this.#droppedIds.add(id)
    }
    for (const id of droppedIds) this.#droppedIds.add(id)
  }

  /** Fills an empty log with rows that `changedRows` gave. */
  restore(rows: Iterable<QueryRow>, nextId = 1, dropped: DroppedQueries = this.#dropped): void {
    finish(this.restoring(rows, nextId, dropped))
  }

  /** The same in steps. */
  *restoring(rows: Iterable<QueryRow>, nextId: number, dropped: DroppedQueries): Steps<void> {
    if (this.#entries.size > 0) throw new RangeError(`restore needs an empty log, this one has ${this.#entries.size}`)
    this.#nextId = Math.max(this.#nextId, nextId)
    this.#dropped = dropped
    for (const { id, name, weight, atMs, lastMs, isAnswered } of rows) {
      requireTime(atMs)
      numberOption('weight', weight, 0, { min: 0 })
      const bounded = Math.min(MAX_WEIGHT, weight)
      if (this.#entries.has(name)) throw new RangeError(`restore got the query ${describe(name)} twice`)
      this.#advance(atMs)
      this.#add({ id, name, weight: bounded, credit: 0, atMs, lastMs, isAnswered })
      yield
    }
    this.#version++
  }

  #newEntry(name: string) {
    return { id: this.#nextId, name, weight: 0, credit: this.#credit, atMs: this.#latestMs }
  }

  #add(entry: Entry): Entry {
    this.#entries.set(entry.name, entry)
    this.#nextId = Math.max(this.#nextId, entry.id + 1)
    this.#nameUnits += entry.name.length
    this.#rank(entry)
    return entry
  }

  #bringTo(entry: Entry, atMs: number): void {
    const left = this.#decay(atMs - entry.atMs)
    entry.weight *= left
    entry.credit *= left
    entry.atMs = atMs
  }

  #advance(atMs: number): void {
    if (atMs <= this.#latestMs) return
    if (this.#credit > 0) this.#credit *= this.#decay(atMs - this.#latestMs)
    this.#latestMs = atMs
  }

  /** What is left of a weight of 1; 1 for no elapsed time, however short the half-life. */
  #decay(elapsedMs: number): number {
    return elapsedMs <= 0 ? 1 : 2 ** (-elapsedMs / this.halfLifeMs)
  }

  /**
   * Keeps the queries with the largest sums of weight and credit. A new query's credit is the largest sum ever dropped,
   * so that a query that was dropped repeatedly can still displace those that happened to come first. It follows, as
   * for Misra and Gries' counters, that no credit exceeds the total weight recorded divided by maxQueries, and that
   * every query above that is held.
   */
  #dropLightest(): void {
    const sums = Array.from(this.#entries.values(), (entry) => ({
      entry,
      sum: (entry.weight + entry.credit) * this.#decay(this.#latestMs - entry.atMs),
    }))
    sums.sort((a, b) => b.sum - a.sum || b.entry.id - a.entry.id)
    let kept = 0
    for (let units = 0; kept < Math.min(this.maxQueries, sums.length); kept++) {
      units += sums[kept]!.entry.name.length
      if (units > KEPT_NAME_UNITS) break
    }
    const lightest = sums.slice(kept)
    this.#credit = Math.max(this.#credit, lightest[0]?.sum ?? 0)
    let { dropped, droppedWeight } = this.#dropped
    for (const { entry } of lightest) {
      dropped++
      droppedWeight += entry.weight * this.#decay(this.#latestMs - entry.atMs)
      this.#remove(entry)
    }
    this.#dropped = { dropped, droppedWeight }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.name)
    this.#changed.delete(entry)
    this.#completions?.delete(entry.name)
    this.#droppedIds.add(entry.id)
    this.#nameUnits -= entry.name.length
  }
}

function requireTime(atMs: number): void {
  if (!Number.isFinite(atMs)) throw new RangeError(`atMs must be a finite number, received ${describe(atMs)}`)
}

const HASH_DIGITS = 16
const HASH_NAME = new RegExp(`^[0-9a-f]{${HASH_DIGITS}}(?:\\.[0-9a-f]{${HASH_DIGITS}})*$`)

/**
 * The name of a query by its text. Two texts that differ only in white space are one query. A lone surrogate becomes
 * U+FFFD, as it would on the way through UTF-8.
 */
export function textName(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The name of a query whose text must not be kept: it can be matched with the words of an index, but not be read. The
 * 64-bit hashes of the distinct words as 16 hexadecimal digits each, joined by dots and sorted, so that they do not
 * reveal the order of the words. '' for no words.
 */
export function hashName(words: Iterable<string>, hash: (word: string) => bigint): string {
  const hashes = Array.from(new Set(words), (word) => BigInt.asUintN(64, hash(word)).toString(16))
  const padded = hashes.map((digits) => digits.padStart(HASH_DIGITS, '0'))
  return [...new Set(padded)].sort().join('.')
}

/** The hashes in a name made by hashName; undefined for any other name. */
export function wordHashesOf(name: string): bigint[] | undefined {
  if (!HASH_NAME.test(name)) return undefined
  return name.split('.').map((digits) => BigInt(`0x${digits}`))
}
