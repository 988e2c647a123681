/** The workload as users see it. */
import { amountOption, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import { type Time, timeOption, toldTimeOption } from '../base/time.js'
import { inTurns, Pauses, type Steps } from '../base/turns.js'
import type { WorkloadKeeper } from './keeper.js'
import type { WorkloadState } from './workload-state.js'

export interface RecordOptions {
  /** How often the query was asked. Above 0, default 1. */
  readonly count?: number
  /** When the query was asked. Default now. */
  readonly at?: Time
}

/** A query of the workload. With privacy 'hash' it is made of the hashes of its words. */
export interface WorkloadQuery {
  readonly query: string
  readonly weight: number
}

export interface LoadReport {
  readonly recorded: number
  /** Queries that cannot be measured. */
  readonly skipped: number
  /** Queries, old or new, that the workload left out because it holds `maxQueries` of them: the lightest. */
  readonly dropped: number
}

/** A query that no document answers. */
export interface UnansweredQuery extends WorkloadQuery {
  /** When it was last asked, in milliseconds since 1970. */
  readonly lastAt: number
}

/** A query, or a query and how often it was asked. */
export type CountedQuery = string | readonly [query: string, count: number]

/** What the face needs of the prioritizer behind it. */
export interface WorkloadSetup {
  readonly state: WorkloadState
  readonly keeper: WorkloadKeeper
  /** Opened with `workload: false`. */
  readonly isOff: boolean
  now(): number
  /** Throws when the index is closed. */
  check(): void
  /** Throws READ_ONLY where somebody else writes. */
  requireWriting(): void
  /** Whether any document has all words of a text. */
  hasAnswer(text: string): boolean
  /** Runs work as a turn of the index. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** A query as the log has it, by the names of its alternatives; none for one that cannot be measured. */
interface NamedQuery {
  readonly names: readonly string[]
  readonly times: number
}

/**
 * What people search for: the queries by which refreshes are measured. Learnt from searches, recorded, or loaded; older
 * queries count less as time goes by. Changes are on disk within `learnFlushMs`.
 *
 * A query is measured by the words that must occur, in any field: phrases count as their words, fields and boosts are
 * dropped, and so is what is negated, a prefix or fuzzy. Alternatives (OR) are queries of their own that share the
 * count. A query without a word that must occur cannot be measured.
 */
export class Workload {
  readonly #setup: WorkloadSetup
  readonly #state: WorkloadState
  readonly #now: () => number
  readonly #check: () => void

  /** For Freshdex. */
  constructor(setup: WorkloadSetup) {
    this.#setup = setup
    this.#state = setup.state
    this.#now = setup.now
    this.#check = setup.check
  }

  /**
   * Counts a query; returns false, and counts nothing, for a query that cannot be measured, and for an index that was
   * opened with `workload: false`. With readOnly the query goes to the process that writes.
   */
  record(query: string | object, options?: RecordOptions): boolean {
    this.#check()
    const { count, at } = readOptions('record', options, ['count', 'at'])
    const times = amountOption('count', count, 1, { aboveMin: true })
    const atMs = toldTimeOption('at', at, this.#now())
    requireQuery(query)
    if (this.#setup.isOff) return false
    const isRecorded = this.#state.record(query, times, atMs)
    this.#setup.keeper.noted()
    return isRecorded
  }

  /** Counts many queries: all of them or, when the promise rejects, none. They are read to their end first. */
  async load(
    queries: AsyncIterable<CountedQuery> | Iterable<CountedQuery>,
    options?: Pick<RecordOptions, 'at'>,
  ): Promise<LoadReport> {
    this.#check()
    const { at } = readOptions('load', options, ['at'])
    const atMs = toldTimeOption('at', at, this.#now())
    if (typeof queries !== 'object' || queries === null)
      throw new TypeError(`queries must be iterable, received ${describe(queries)}`)
    const isOff = this.#setup.isOff
    const read: NamedQuery[] = []
    const pauses = new Pauses(this.#check)
    for await (const item of queries) {
      const [query, given] = readCounted(item, read.length)
      const times = amountOption('count', given, 1, { aboveMin: true })
      read.push({ names: isOff ? [] : this.#namesOf(query), times })
      if (read.length % QUERIES_PER_LOOK === 0 && pauses.isDue) await pauses.pause()
    }
    // It may have been closed meanwhile.
    this.#check()
    if (isOff) return { recorded: 0, skipped: read.length, dropped: 0 }
    // A turn, so that nothing of it is made durable before all is counted, and a close waits for it.
    return this.#setup.inTurn(() => inTurns(this.#counting(read, atMs), new Pauses()))
  }

  /** What may fail has been done by now. */
  *#counting(read: readonly NamedQuery[], atMs: number): Steps<LoadReport> {
    const { dropped } = this.#state.stats
    let recorded = 0
    for (const { names, times } of read) {
      if (this.#state.recordNames(names, times, atMs)) recorded++
      yield
    }
    this.#state.trim()
    this.#setup.keeper.noted()
    return { recorded, skipped: read.length - recorded, dropped: this.#state.stats.dropped - dropped }
  }

  /** A query that no search would take cannot be measured either. */
  #namesOf(query: string | object): readonly string[] {
    try {
      return this.#state.namesOf(query)
    } catch (error) {
      if (error instanceof FreshdexError && error.code === 'QUERY_TOO_COMPLEX') return []
      throw error
    }
  }

  /**
   * Somebody chose the answer with this key at this rank, counting from 1. From 50 clicks on at least three ranks the
   * view likelihood is fitted to them, unless the option `view` has set another.
   */
  click(query: string, key: string | number, rank: number): void {
    this.#check()
    if (typeof query !== 'string') throw new TypeError(`query must be a string, received ${describe(query)}`)
    if (typeof key !== 'string' && typeof key !== 'number')
      throw new TypeError(`key must be a string or a number, received ${describe(key)}`)
    if (rank === undefined) throw new TypeError('click needs the rank of the answer, counting from 1')
    const range = { min: 1, integer: true, max: Number.MAX_SAFE_INTEGER }
    const rank1 = numberOption('rank', rank, 1, range)
    if (this.#setup.isOff) return
    this.#state.click(rank1)
    this.#setup.keeper.noted()
  }

  /** What is kept of a query: its text, or hashes of its words. */
  get privacy(): 'text' | 'hash' {
    this.#check()
    return this.#state.privacy
  }

  /** The queries, heaviest first, with their weights at a time. Default now. */
  queries(options?: { readonly limit?: number; readonly at?: Time }): WorkloadQuery[] {
    this.#check()
    const { limit, at } = readOptions('queries', options, ['limit', 'at'])
    const most = numberOption('limit', limit, Number.MAX_SAFE_INTEGER, { min: 0, integer: true })
    const weights = this.#state.asked(timeOption('at', at, this.#now()))
    return weights.slice(0, most).map(({ name, weight }) => ({ query: name, weight }))
  }

  /**
   * Queries that no document answers, heaviest first. What people searched for and found is left out without a look;
   * the others are looked for now. With privacy 'hash' it is the queries whose last search found nothing.
   */
  unanswered(options?: { readonly limit?: number }): UnansweredQuery[] {
    this.#check()
    const { limit } = readOptions('unanswered', options, ['limit'])
    const most = numberOption('limit', limit, 100, { min: 0, integer: true, max: Number.MAX_SAFE_INTEGER })
    const isText = this.#state.privacy === 'text'
    const open: UnansweredQuery[] = []
    for (const { name, weight, lastMs, isAnswered } of this.#state.logged(this.#now())) {
      if (open.length >= most) break
      if (isAnswered || (isText ? this.#setup.hasAnswer(name) : isAnswered === undefined)) continue
      open.push({ query: name, weight, lastAt: lastMs })
    }
    return open
  }

  /**
   * Everything that was learnt so far, in this process, and for the writer also in others, is on disk when it resolves.
   * In memory it does nothing.
   */
  async flush(): Promise<void> {
    this.#check()
    await this.#setup.keeper.flush()
  }

  /**
   * Removes a query for good, as if nobody had asked it: from memory, from the files of the index, and from what other
   * processes have left. Resolves to false when it was not there. Asked again, it is learnt again.
   */
  async forget(query: string | object): Promise<boolean> {
    this.#check()
    requireQuery(query)
    this.#setup.requireWriting()
    return this.#setup.keeper.forget(query)
  }

  /** Forgets all queries and clicks. */
  clear(): void {
    this.#check()
    this.#setup.requireWriting()
    this.#state.clear()
    this.#setup.keeper.noted()
  }
}

/** Queries that are read between two looks at the clock. */
const QUERIES_PER_LOOK = 16

function readCounted(item: unknown, at: number): readonly [query: string | object, count: unknown] {
  const [query, count] = Array.isArray(item) ? item : [item, undefined]
  if (typeof query === 'string' || (Array.isArray(item) && typeof query === 'object' && query !== null))
    return [query, count]
  throw new TypeError(`queries[${at}] must be a query or [query, count], received ${describe(item)}`)
}

function requireQuery(query: unknown): void {
  if (typeof query !== 'string' && (typeof query !== 'object' || query === null))
    throw new TypeError(`query must be a string or a query object, received ${describe(query)}`)
}
