/** What an index must hold after a number of steps, and whether it does. */
import { isDeepStrictEqual } from 'node:util'
import type { Freshdex, Snapshot } from 'freshdex'
import { expect } from 'vitest'
import { KEYS, keyOf, queryOf, type Written } from './batches.mjs'
import { expectedFrontier, expectedLooks, frontierIn, looksOf } from './looks.mjs'
import { advance, advanceOne, firstState, type State } from './states.mjs'
import { codeOf, type Position } from './steps.mjs'

/** Batches whose documents are searched for: older ones are mostly overwritten. */
const SEARCHED = 6

type Reader = Pick<Freshdex<Written>, 'refresh' | 'clusters' | 'frontier' | 'workload' | 'stats'>

export class ExpectedState {
  readonly #seed: number
  #state: State = firstState()

  constructor(seed: number) {
    this.#seed = seed
  }

  get position(): Position {
    return this.#state.position
  }

  /** There is no way back. */
  advance(position: Position): void {
    expect(codeOf(position), 'position').toBeGreaterThanOrEqual(codeOf(this.position))
    this.#state = advance(this.#seed, this.#state, position)
  }

  /** Pages of the frontier learnt from so far, at a later position. */
  learntAt(position: Position): number {
    return expectedFrontier(advance(this.#seed, this.#state, position)).learnt
  }

  /**
   * Goes on to the last position, of those that are possible, at which everything besides the documents is as the index
   * has it. Its batches tell most of where it is, but not how many steps there were after the last of them.
   */
  findIn(index: Reader, folder: string, { first, last }: { readonly first: Position; readonly last: Position }): void {
    const { sequence } = index.stats()
    expect(sequence).toBeGreaterThanOrEqual(first.number)
    expect(sequence).toBeLessThanOrEqual(last.number)
    const start = sequence === first.number ? first : { number: sequence, step: 0 }
    this.advance(codeOf(start) > codeOf(this.position) ? start : this.position)
    const actual = { ...looksOf(index), stored: frontierIn(folder) }
    const looksAt = (state: State) => ({ ...expectedLooks(state), stored: expectedFrontier(state) })
    let found: State | undefined
    for (let state = this.#state; state.position.number === sequence; state = advanceOne(this.#seed, state)) {
      if (codeOf(state.position) > codeOf(last)) break
      if (isDeepStrictEqual(looksAt(state), actual)) found = state
    }
    if (found === undefined) expect(actual, 'no position fits; the first is').toEqual(looksAt(this.#state))
    else this.#state = found
  }

  /** Every document, the number of them, and that searches find the newest. */
  expectIn(reader: Pick<Snapshot<Written>, 'get' | 'has' | 'search' | 'stats'>): void {
    const { position, documents } = this.#state
    const last = position.number
    expect(reader.stats()).toMatchObject({ sequence: last, documents: documents.size })
    for (let nth = 0; nth < KEYS; nth++) {
      const [key, expected] = [keyOf(nth), documents.get(keyOf(nth))]
      expect(reader.get(key), `document ${key}`).toEqual(expected)
      expect(reader.has(key)).toBe(expected !== undefined)
    }
    this.#expectColumnsIn(reader)
    for (let number = Math.max(1, last - SEARCHED); number <= last; number++) {
      const { hits } = reader.search(`b${number}`, { limit: KEYS, docs: true })
      const newest = [...documents.values()].filter(({ body }) => body.endsWith(`\nb${number}`))
      const byKey = (a: Written, b: Written) => (String(a.id) < String(b.id) ? -1 : 1)
      expect(hits.map(({ doc }) => doc as Written).sort(byKey), `batch ${number}`).toEqual(newest.sort(byKey))
    }
  }

  /** That they are found, counted and sorted by the columns that the documents have. */
  #expectColumnsIn(reader: Pick<Snapshot<Written>, 'search'>): void {
    const documents = [...this.#state.documents.values()]
    const everything = reader.search('*', { limit: KEYS, sort: { number: 'desc' }, facets: ['group'], docs: true })
    expect(everything.total).toBe(documents.length)
    const numbers = everything.hits.map(({ doc }) => doc?.number)
    expect(numbers).toEqual(documents.map(({ number }) => number).sort((a, b) => b - a))
    for (const group of ['g0', 'g1', 'g2', 'g3', 'g4', 'k0', 'k1', 'k2']) {
      const count = documents.filter((document) => document.group.includes(group)).length
      expect(reader.search('*', { filter: { group } }).total, group).toBe(count)
      const counted = everything.facets?.group?.find(({ value }) => value === group)?.count ?? 0
      expect(counted, group).toBe(count)
    }
  }

  /**
   * What is known of the documents besides their text, of nothing else, and that no query of an acknowledged batch is
   * forgotten.
   */
  expectHistoryIn(index: Reader): void {
    const { position, refreshes } = this.#state
    const last = position.number
    expect(looksOf(index)).toEqual(expectedLooks(this.#state))
    expect(index.stats().ledger).toMatchObject({ documents: refreshes.size, damagedRows: 0 })
    expect(index.stats().frontier).toMatchObject({ damagedRows: 0 })
    const weights = new Map(index.workload.queries().map(({ query, weight }) => [query, weight]))
    // A batch that was sent again after a crash may be counted again.
    for (let number = 1; number <= Math.min(7, last); number++) {
      const recorded = Math.floor((last - number) / 7) + 1
      expect(weights.get(queryOf(number)), queryOf(number)).toBeGreaterThanOrEqual(recorded)
    }
  }

  /** And that the index is whole: its check looks at the rows of ledger, sites, clusters and frontier too. */
  async expectWhole(index: Freshdex<Written>): Promise<void> {
    this.expectIn(index)
    this.expectHistoryIn(index)
    const { ok, faults, documents } = await index.check({ level: 3 })
    expect({ ok, faults, documents }).toEqual({ ok: true, faults: [], documents: this.#state.documents.size })
  }
}
