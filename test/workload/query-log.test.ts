import { describe, expect, it } from 'vitest'
import { QueryLog, type QueryRow } from '../../src/workload/query-log.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const DAY_MS = 86_400_000

/** Every record kept, every weight added up anew. */
class NaiveLog {
  readonly records: { name: string; count: number; atMs: number }[] = []
  readonly halfLifeMs: number

  constructor(halfLifeMs: number) {
    this.halfLifeMs = halfLifeMs
  }

  weights(atMs: number): Map<string, number> {
    const sums = new Map<string, number>()
    for (const record of this.records) {
      const weight = record.count * 2 ** (-(atMs - record.atMs) / this.halfLifeMs)
      sums.set(record.name, (sums.get(record.name) ?? 0) + weight)
    }
    return sums
  }
}

describe('a query log', () => {
  it('counts texts that differ in white space as one query', () => {
    const log = new QueryLog()
    const id = log.record(' thyroid  cancer', 40, 0)
    expect(log.record('thyroid cancer\n', 2, 0)).toBe(id)
    expect(log.weights(0)).toEqual([{ id, name: 'thyroid cancer', weight: 42 }])
    expect(log.size).toBe(1)
  })

  it('halves a weight with each half-life', () => {
    const log = new QueryLog({ halfLifeMs: DAY_MS })
    log.record('a', 8, 0)
    expect(log.weights(3 * DAY_MS)[0]?.weight).toBe(1)
    log.record('a', 1, 3 * DAY_MS)
    expect(log.weights(4 * DAY_MS)[0]?.weight).toBe(1)
  })

  it('forgets nothing with an infinite half-life', () => {
    const log = new QueryLog({ halfLifeMs: Number.POSITIVE_INFINITY })
    log.record('a', 8, 0)
    log.record('a', 1, 1e15)
    expect(log.weights(2e15)[0]?.weight).toBe(9)
  })

  it('stays finite over decades of a short half-life, and leaves out what weighs nothing', () => {
    const log = new QueryLog({ halfLifeMs: 1000 })
    log.record('old', 1e12, 0)
    for (let year = 0; year < 60; year++) log.record('yearly', 3, year * 365 * DAY_MS)
    expect(log.weights(59 * 365 * DAY_MS)).toEqual([{ id: 2, name: 'yearly', weight: 3 }])
    expect(log.weights(1e300)).toEqual([])
    for (let nth = 0; nth < 2000; nth++) log.record('huge', 1e12, 1e300)
    expect(log.weights(0)).toEqual([{ id: 3, name: 'huge', weight: 1e15 }])
    expect(() => log.record('more', 1.1e12, 0)).toThrow(RangeError)
  })

  it('puts equal weights in order of their ids, and grows its version with each change', () => {
    const log = new QueryLog()
    const versions = ['b', 'a', 'c'].map((name) => {
      log.record(name, 1, 0)
      return log.version
    })
    expect(log.weights(0).map(({ name }) => name)).toEqual(['b', 'a', 'c'])
    expect(new Set(versions).size).toBe(3)
    const before = log.version
    log.weights(9)
    log.changedRows()
    expect(log.version).toBe(before)
    log.clear()
    expect(log.version).toBeGreaterThan(before)
  })

  it('gives no id twice, not even after clear', () => {
    const log = new QueryLog()
    const id = log.record('a', 1, 0)
    log.clear()
    expect(log.size).toBe(0)
    expect(log.memoryBytes).toBe(0)
    expect(log.changedRows()).toEqual({ rows: [], droppedIds: [id] })
    expect(log.record('a', 1, 0)).toBeGreaterThan(id)
  })

  it.each<[string, () => unknown, RegExp]>([
    ['a blank query', () => new QueryLog().record(' \t', 1, 0), /must not be blank, received " \\t"/],
    ['a count of 0', () => new QueryLog().record('a', 0, 0), /count must be .* above 0, .*received 0/],
    ['an infinite count', () => new QueryLog().record('a', Number.POSITIVE_INFINITY, 0), /count .* Infinity/],
    ['no time', () => new QueryLog().record('a', 1, Number.NaN), /atMs .* NaN/],
    ['no queries', () => new QueryLog({ maxQueries: 0 }), /maxQueries .* received 0/],
    ['no half-life', () => new QueryLog({ halfLifeMs: 0 }), /halfLifeMs .* received 0/],
  ])('refuses %s', (_, call, message) => {
    expect(call).toThrow(RangeError)
    expect(call).toThrow(message)
  })

  it('agrees with a log that keeps every record, whatever the order of times', () => {
    withSeed('query log', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const halfLifeMs = random.pick([DAY_MS / 7, 30 * DAY_MS, Number.POSITIVE_INFINITY])
        const log = new QueryLog({ halfLifeMs })
        const naive = new NaiveLog(halfLifeMs)
        for (let at = 0; at < 200; at++) {
          const record = { name: `q${random.int(20)}`, count: random.between(1, 9), atMs: random.int(5 * DAY_MS) }
          log.record(record.name, record.count, record.atMs)
          naive.records.push(record)
        }
        const expected = naive.weights(6 * DAY_MS)
        const weights = log.weights(6 * DAY_MS)
        expect(weights.length).toBe(expected.size)
        for (const { name, weight } of weights) expect(weight / (expected.get(name) as number)).toBeCloseTo(1, 9)
        expect(weights.map(({ weight }) => weight)).toEqual(weights.map(({ weight }) => weight).sort((a, b) => b - a))
      }
    })
  })
})

describe('a full query log', () => {
  it('stays within its bound and holds every heavy query', () => {
    withSeed('full query log', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const maxQueries = random.between(1, 40)
        const halfLifeMs = random.pick([2000, 50_000, Number.POSITIVE_INFINITY])
        const log = new QueryLog({ maxQueries, halfLifeMs })
        const naive = new NaiveLog(halfLifeMs)
        for (let atMs = 0; atMs < 1500; atMs++) {
          // Mostly queries that never come back, and a few that do, the steadier the lower their number.
          const name = random.chance(0.5) ? `once ${atMs}` : `again ${Math.floor(random.next() ** 3 * 60)}`
          const record = { name, count: random.between(1, 3), atMs }
          log.record(record.name, record.count, record.atMs)
          naive.records.push(record)
          expect(log.size).toBeLessThanOrEqual(maxQueries + Math.max(1, maxQueries / 4))
        }
        expectHeavyHeld(log, naive, 1500)
      }
    })
  })

  it('holds a query that comes in portions, each lighter than all that were there before', () => {
    const log = new QueryLog({ maxQueries: 8, halfLifeMs: Number.POSITIVE_INFINITY })
    const naive = new NaiveLog(Number.POSITIVE_INFINITY)
    const record = (name: string, count: number) => {
      log.record(name, count, 0)
      naive.records.push({ name, count, atMs: 0 })
    }
    for (let first = 0; first < 8; first++) record(`first ${first}`, 1000)
    for (let portion = 0; portion < 100; portion++) {
      record('portions', 900)
      for (let other = 0; other < 3; other++) record(`other ${portion} ${other}`, 1)
    }
    expectHeavyHeld(log, naive, 0)
    expect(log.weights(0)[0]?.name).toBe('portions')
  })

  function expectHeavyHeld(log: QueryLog, naive: NaiveLog, atMs: number): void {
    const weights = naive.weights(atMs)
    const held = new Map(log.weights(atMs).map(({ name, weight }) => [name, weight]))
    expect(held.size).toBeLessThanOrEqual(log.maxQueries)
    const limit = [...weights.values()].reduce((sum, weight) => sum + weight, 0) / log.maxQueries
    for (const [name, weight] of held) expect(weight).toBeLessThanOrEqual((weights.get(name) as number) * (1 + 1e-9))
    // One that is among the queries beyond maxQueries until the next clean-up is held, too.
    const rows = new Set(log.changedRows().rows.map(({ name }) => name))
    const lost = [...weights].filter(([name, weight]) => weight > limit * (1 + 1e-9) && !rows.has(name))
    expect(lost).toEqual([])
  }
})

describe('a kept copy of a query log', () => {
  it('follows by changes alone, and restores the same log', () => {
    withSeed('kept query log', (seed) => {
      const random = new SeededRandom(seed)
      const options = { maxQueries: 20, halfLifeMs: 1000 }
      const log = new QueryLog(options)
      const copy = new Map<number, QueryRow>()
      for (let atMs = 0; atMs < 3000; atMs++) {
        log.record(`q${Math.floor(random.next() ** 2 * 80)}`, 1, atMs)
        if (random.chance(0.002)) log.clear()
        if (!random.chance(0.05)) continue
        const changes = log.changedRows()
        if (random.chance(0.3)) log.giveBack(changes)
        else {
          for (const id of changes.droppedIds) copy.delete(id)
          for (const row of changes.rows) copy.set(row.id, row)
        }
      }
      const { rows, droppedIds } = log.changedRows()
      for (const id of droppedIds) copy.delete(id)
      for (const row of rows) copy.set(row.id, row)
      const restored = new QueryLog(options)
      restored.restore(copy.values(), log.nextId)
      expect(restored.size).toBe(log.size)
      expect(restored.memoryBytes).toBe(log.memoryBytes)
      expect(restored.weights(3000)).toEqual(log.weights(3000))
      expect(restored.changedRows()).toEqual({ rows: [], droppedIds: [] })
      expect(restored.record('a new one', 1, 3000)).toBe(log.record('a new one', 1, 3000))
    })
  })

  it('is taken by an empty log only, each query once', () => {
    const row = { id: 7, name: 'a', weight: 1, atMs: 0, lastMs: 0, isAnswered: undefined }
    const log = new QueryLog()
    expect(() => log.restore([row, { ...row, id: 8 }])).toThrow('restore got the query "a" twice')
    expect(() => log.restore([row])).toThrow('restore needs an empty log')
  })
})
