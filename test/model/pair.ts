/** An index and its twin, written to and asked together: for tests that choose their documents themselves. */
import { Freshdex, type Query, type UpkeepOptions } from 'freshdex'
import { expect } from 'vitest'
import { difference } from './comparison.js'
import type { Configuration } from './configurations.js'
import { HitOrder } from './hit-order.js'
import { type NaiveDocument, NaiveIndex, type NaiveKey } from './naive-index.js'
import type { NaiveQuery } from './naive-matcher.js'

const WHOLE = { limit: 10_000, offset: 0 }

export class Pair {
  readonly index: Freshdex<NaiveDocument>
  readonly twin: NaiveIndex
  readonly #order = new HitOrder()

  private constructor(index: Freshdex<NaiveDocument>, twin: NaiveIndex) {
    this.index = index
    this.twin = twin
  }

  /** `upkeep` is for an index in a folder. */
  static async open(configuration: Configuration, place = ':memory:', upkeep?: UpkeepOptions): Promise<Pair> {
    const options = upkeep === undefined ? configuration.options : { ...configuration.options, upkeep }
    const index = await Freshdex.open<NaiveDocument>(place, options)
    return new Pair(index, new NaiveIndex(configuration.twin))
  }

  async write(put: readonly NaiveDocument[], remove: readonly NaiveKey[] = []): Promise<void> {
    for (const document of put) if (this.twin.put(document) === 'added') this.#order.added(document.id as NaiveKey)
    for (const key of remove) if (this.twin.remove(key)) this.#order.removed(key)
    await this.index.write({ put, remove })
  }

  /** The whole result and a first page of it must be as the twin says; tells how many matched. */
  compare(query: NaiveQuery): number {
    const expected = this.twin.search(query)
    for (const page of [WHOLE, { limit: 10, offset: 0 }]) {
      const answer = this.index.search(query as Query, page)
      expect(difference(answer, expected, page, this.#order), JSON.stringify(query)).toBeUndefined()
    }
    return expected.scores.size
  }

  /** Ends with the check of every invariant. */
  async close(): Promise<void> {
    const { ok, faults } = await this.index.check()
    expect({ ok, faults }).toEqual({ ok: true, faults: [] })
    expect(this.index.stats().documents).toBe(this.twin.size)
    await this.index.close()
  }
}
