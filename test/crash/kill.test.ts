/**
 * A writer is killed at any moment, again and again, in the same folder. What is found there must be exactly the
 * steps up to some position: all that were acknowledged, maybe some that were on their way, each whole.
 * FRESHDEX_LONG=1: 1,000 kills.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newDiskPath } from '../storage/temporary-folder.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { OPTIONS, type Written } from './batches.mjs'
import { DoomedWriter, type Moment, type Said } from './doomed-writer.js'
import { ExpectedState } from './expected-state.js'
import { codeOf } from './steps.mjs'

const KILLS = rounds(10, 500)
/** Then another folder: the creation of an index is to be hit too. */
const KILLS_PER_FOLDER = rounds(5, 12)

/** At most this many are acknowledged before a writer is killed. */
const MOST_STEPS = rounds(60, 120)

type Durability = 'power' | 'process'

describe('a writer killed at any moment', () => {
  test.concurrent.each(['process', 'power'] as const)(
    'loses nothing that was acknowledged, with the durability of %s',
    { timeout: 3_600_000 },
    async (durability) => {
      await withSeed(`kill ${durability}`, async (seed) => {
        const series = new KillSeries(seed, durability)
        while (series.counts.kills < KILLS) await series.killOnce()
        console.log(`seed ${seed}, durability ${durability}:`, series.counts)
        expect(series.counts.batches).toBeGreaterThan(KILLS)
        series.end()
      })
    },
  )
})

class KillSeries {
  readonly counts = {
    kills: 0,
    beforeOpening: 0,
    whileOpening: 0,
    batches: 0,
    /** Committed, and killed before it could be said. */
    unsaidSteps: 0,
    /** Found between the steps of a batch. */
    insideBatch: 0,
    /** Segment files that no list names: a flush, or the removal of what it replaced, was cut off. */
    inFlush: 0,
    withLog: 0,
  }
  readonly #random: SeededRandom
  readonly #durability: Durability
  #folder = ''
  #seed = 0
  #expected = new ExpectedState(0)

  constructor(seed: number, durability: Durability) {
    this.#random = new SeededRandom(seed)
    this.#durability = durability
  }

  async killOnce(): Promise<void> {
    if (this.counts.kills++ % KILLS_PER_FOLDER === 0) this.#startOver()
    const moment = this.#chooseMoment()
    const said = await DoomedWriter.run(
      { folder: this.#folder, seed: this.#seed, durability: this.#durability, from: this.#expected.position },
      moment,
    )
    this.#count(said)
    const before = this.#expected.position
    const context = `kill ${this.counts.kills}, ${JSON.stringify(moment)}, said ${JSON.stringify(said)}`
    try {
      await this.#verify(said)
    } catch (error) {
      if (error instanceof Error) error.message = `${context}: ${error.message}`
      throw error
    }
    const { position } = this.#expected
    this.counts.batches += position.number - before.number
    if (codeOf(position) > codeOf(said.acknowledged ?? before)) this.counts.unsaidSteps++
    if (position.step > 0) this.counts.insideBatch++
  }

  end(): void {
    if (this.#folder !== '') rmSync(this.#folder, { recursive: true, force: true })
  }

  #startOver(): void {
    this.end()
    this.#folder = newDiskPath()
    this.#seed = this.#random.uint32()
    this.#expected = new ExpectedState(this.#seed)
  }

  #chooseMoment(): Moment {
    const random = this.#random
    const way = random.next()
    if (way < 0.08) return { after: 'start', delayMs: random.int(300) }
    if (way < 0.3) return { after: 'ready', delayMs: random.int(40) }
    return { after: random.between(1, MOST_STEPS), delayMs: random.int(25) }
  }

  /** First as a reader, which may change nothing; then as the next writer. */
  async #verify({ acknowledged, sent }: Said): Promise<void> {
    const known = this.#expected.position
    const range = { first: acknowledged ?? known, last: sent ?? known }
    if (acknowledged !== undefined) {
      const reader = await Freshdex.open<Written>(this.#folder, { workload: OPTIONS.workload, readOnly: true })
      try {
        this.#expected.findIn(reader, this.#folder, range)
        this.#expected.expectIn(reader)
        this.#expected.expectHistoryIn(reader)
      } finally {
        await reader.close()
      }
    }
    const index = await Freshdex.open<Written>(this.#folder, { ...OPTIONS, durability: this.#durability })
    try {
      this.#expected.findIn(index, this.#folder, range)
      await this.#expected.expectWhole(index)
      expect(readdirSync(path.join(this.#folder, 'segments'))).toHaveLength(index.stats().disk?.segments as number)
    } finally {
      await index.close()
    }
  }

  #count({ ready, sent }: Said): void {
    if (!ready) this.counts.beforeOpening++
    else if (sent === undefined) this.counts.whileOpening++
    const catalog = path.join(this.#folder, 'catalog.db')
    const wal = statSync(`${catalog}-wal`, { throwIfNoEntry: false })
    if (wal !== undefined && wal.size > 0) this.counts.withLog++
    if (sent === undefined) return
    const db = new Database(catalog, { readonly: true })
    const named = db.prepare('SELECT count(*) FROM segments').pluck().get() as number
    db.close()
    if (readdirSync(path.join(this.#folder, 'segments')).length !== named) this.counts.inFlush++
  }
}
