/** What an index must hold after a number of batches, and whether it does. */
import type { Freshdex, Snapshot } from 'freshdex'
import { expect } from 'vitest'
import { historyOf, KEYS, keyOf, queryOf, type State, stateAfter, type Written } from './batches.mjs'

/** Batches whose documents are searched for: older ones are mostly overwritten. */
const SEARCHED = 6

export class ExpectedState {
  readonly #seed: number
  #state: State

  constructor(seed: number) {
    this.#seed = seed
    this.#state = stateAfter(seed, 0)
  }

  get number(): number {
    return this.#state.number
  }

  /** Goes on to batch `number`; there is no way back. */
  advance(number: number): void {
    expect(number, 'batches of the index').toBeGreaterThanOrEqual(this.number)
    this.#state = stateAfter(this.#seed, number, this.#state)
  }

  /** Every document, the number of them, and that searches find the newest. */
  expectIn(reader: Pick<Snapshot<Written>, 'get' | 'has' | 'search' | 'stats'>): void {
    const { number: last, documents } = this.#state
    expect(reader.stats()).toMatchObject({ sequence: last, documents: documents.size })
    for (let nth = 0; nth < KEYS; nth++) {
      const [key, expected] = [keyOf(nth), documents.get(keyOf(nth))]
      expect(reader.get(key), `document ${key}`).toEqual(expected)
      expect(reader.has(key)).toBe(expected !== undefined)
    }
    for (let number = Math.max(1, last - SEARCHED); number <= last; number++) {
      const { hits } = reader.search(`b${number}`, { limit: KEYS, docs: true })
      const newest = [...documents.values()].filter(({ body }) => body.endsWith(`\nb${number}`))
      const byKey = (a: Written, b: Written) => (String(a.id) < String(b.id) ? -1 : 1)
      expect(hits.map(({ doc }) => doc as Written).sort(byKey), `batch ${number}`).toEqual(newest.sort(byKey))
    }
  }

  /** What is known of the refreshes of each document, of nothing else, and that no query of an acknowledged batch is forgotten. */
  expectHistoryIn(index: Pick<Freshdex<Written>, 'refresh' | 'workload' | 'stats'>): void {
    const { number: last, refreshes } = this.#state
    for (let nth = 0; nth < KEYS; nth++) {
      const [key, expected] = [keyOf(nth), refreshes.get(keyOf(nth))]
      expect(historyOf(index, key), `history of ${key}`).toEqual(expected)
    }
    expect(index.stats().ledger).toMatchObject({ documents: refreshes.size, damagedRows: 0 })
    const weights = new Map(index.workload.queries().map(({ query, weight }) => [query, weight]))
    // A batch that was sent again after a crash may be counted again.
    for (let number = 1; number <= Math.min(7, last); number++) {
      const recorded = Math.floor((last - number) / 7) + 1
      expect(weights.get(queryOf(number)), `weight of ${queryOf(number)}`).toBeGreaterThanOrEqual(recorded)
    }
  }

  /** And that the index is whole: its check looks at the rows of the ledger too. */
  async expectWhole(index: Freshdex<Written>): Promise<void> {
    this.expectIn(index)
    this.expectHistoryIn(index)
    const { ok, faults, documents } = await index.check({ level: 3 })
    expect({ ok, faults, documents }).toEqual({ ok: true, faults: [], documents: this.#state.documents.size })
  }
}
