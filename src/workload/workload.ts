/** The workload as users see it. */
import { numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { type Time, timeOption } from '../base/time.js'
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
}

/** A query, or a query and how often it was asked. */
export type CountedQuery = string | readonly [query: string, count: number]

/**
 * What people search for: the queries by which refreshes are measured. Learnt from searches, recorded, or loaded; older
 * queries count less as time goes by. Changes are kept with the next write, observation or close.
 *
 * A query can be measured when it asks for words, or phrases (taken as words), that must all occur, in any field.
 */
export class Workload {
  readonly #state: WorkloadState
  readonly #now: () => number
  readonly #check: () => void

  /** For Freshdex. `check` throws when the index is closed. */
  constructor(state: WorkloadState, now: () => number, check: () => void) {
    this.#state = state
    this.#now = now
    this.#check = check
  }

  /** Counts a query; returns false, and counts nothing, for a query that cannot be measured. */
  record(query: string | object, options?: RecordOptions): boolean {
    this.#check()
    const { count, at } = readOptions('record', options, ['count', 'at'])
    const times = numberOption('count', count, 1, { min: 0, aboveMin: true })
    const atMs = timeOption('at', at, this.#now())
    if (typeof query !== 'string' && (typeof query !== 'object' || query === null))
      throw new TypeError(`query must be a string or a query object, received ${describe(query)}`)
    return this.#state.record(query, times, atMs)
  }

  /** Counts many queries, one after another. Queries before a faulty one stay counted. */
  async load(
    queries: AsyncIterable<CountedQuery> | Iterable<CountedQuery>,
    options?: Pick<RecordOptions, 'at'>,
  ): Promise<LoadReport> {
    this.#check()
    const { at } = readOptions('load', options, ['at'])
    const atMs = timeOption('at', at, this.#now())
    if (typeof queries !== 'object' || queries === null)
      throw new TypeError(`queries must be iterable, received ${describe(queries)}`)
    let recorded = 0
    let skipped = 0
    for await (const item of queries) {
      const [query, count] = typeof item === 'string' ? [item, 1] : item
      if (this.record(query, { count, at: atMs })) recorded++
      else skipped++
    }
    return { recorded, skipped }
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
    this.#state.click(numberOption('rank', rank, 1, range))
  }

  /** The queries, heaviest first, with their weights at a time. Default now. */
  queries(options?: { readonly limit?: number; readonly at?: Time }): WorkloadQuery[] {
    this.#check()
    const { limit, at } = readOptions('queries', options, ['limit', 'at'])
    const most = numberOption('limit', limit, Number.MAX_SAFE_INTEGER, { min: 0, integer: true })
    const weights = this.#state.weights(timeOption('at', at, this.#now()))
    return weights.slice(0, most).map(({ name, weight }) => ({ query: name, weight }))
  }

  /** Forgets all queries and clicks. */
  clear(): void {
    this.#check()
    this.#state.clear()
  }
}
