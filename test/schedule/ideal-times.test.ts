import { describe, expect, it } from 'vitest'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { vanDerCorput } from '../../src/math/draws.js'
import { idealCrawls } from '../../src/schedule/ideal-times.js'
import { StalenessTable } from '../../src/schedule/staleness-table.js'
import { orderByTime } from '../../src/schedule/timetable.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const poisson = new PoissonLaw({ rate: 1 })

describe('the van der Corput sequence', () => {
  it('has the digits in reverse', () => {
    expect(Array.from({ length: 8 }, (_, n) => vanDerCorput(n))).toEqual([
      0,
      1 / 2,
      1 / 4,
      3 / 4,
      1 / 8,
      5 / 8,
      3 / 8,
      7 / 8,
    ])
    expect(vanDerCorput(2 ** 31)).toBe(2 ** -32)
  })

  it('is spread evenly in every run of it', () => {
    for (const start of [0, 5, 1000]) {
      const run = Array.from({ length: 500 }, (_, n) => vanDerCorput(start + n)).sort((a, b) => a - b)
      expect(Math.max(...run.map((value, at) => Math.abs(value * 500 - at)))).toBeLessThan(8)
    }
  })
})

describe('ideal crawls', () => {
  const law = new QuasiDeterministicLaw({ period: 12, times: [3, 6, 9], probabilities: [0.1, 0.9, 0.5] })
  const table = new StalenessTable([poisson, law, poisson, poisson], { period: 12 })

  it('without phases are at the multiples of T / (x + 1), and at update times', () => {
    const crawls = idealCrawls(table, [3, 2, 0, 1], 'unphased')
    expect([...crawls.pages]).toEqual([0, 0, 0, 1, 1, 3])
    expect([...crawls.times]).toEqual([3, 6, 9, 6, 9, 6])
    expect([...crawls.neverEarly]).toEqual([0, 0, 0, 1, 1, 0])
  })

  it('with phases are T / x apart, and at update times', () => {
    const { times } = idealCrawls(table, [2, 1, 2, 1])
    // One crawl: page 3, the first number, 0. Two crawls: pages 0 and 2, the next ones, 1/2 and 1/4.
    expect([...times]).toEqual([3, 9, 6, 1.5, 7.5, 0])
  })

  it('beyond those that are of use repeat the most useful ones', () => {
    expect([...idealCrawls(table, [0, 6, 0, 0]).times]).toEqual([0, 3, 6, 6, 9, 9])
  })

  it('with phases come nearly evenly, whatever the numbers of crawls', () => {
    withSeed('phases', (seed) => {
      const random = new SeededRandom(seed)
      const pages = 3000
      const even = new StalenessTable(Array(pages).fill(poisson), { period: 1 })
      const crawls = Array.from({ length: pages }, () => random.int(9))
      const total = crawls.reduce((a, b) => a + b)
      const behind = (times: Float64Array) => Math.max(...times.sort().map((time, at) => Math.abs(time * total - at)))
      expect(behind(idealCrawls(even, crawls).times)).toBeLessThan(30)
      expect(behind(idealCrawls(even, crawls, 'unphased').times)).toBeGreaterThan(1000)
    })
  })
})

describe('the order of times', () => {
  it.each([
    ['spread', (random: SeededRandom) => random.next()],
    ['few', (random: SeededRandom) => random.int(5)],
    ['all equal', () => 3],
    ['over many sizes', (random: SeededRandom) => 10 ** (30 * random.next() - 20)],
    [
      'close together, with one far away',
      (random: SeededRandom) => (random.chance(0.001) ? 1e18 : 1 + 1e-9 * random.next()),
    ],
    ['next to each other', (random: SeededRandom) => random.int(50) * Number.MIN_VALUE],
  ])('is that of a stable sort: %s', (label, draw) => {
    withSeed(`time order ${label}`, (seed) => {
      const random = new SeededRandom(seed)
      for (const count of [0, 1, 2, 23, 24, 25, 300, 20_000]) {
        const times = Float64Array.from({ length: count }, () => draw(random))
        const expected = Uint32Array.from(times, (_, at) => at).sort(
          (a, b) => (times[a] as number) - (times[b] as number) || a - b,
        )
        const order = orderByTime({ items: Uint32Array.from(times, (_, at) => at), times: times.slice() })
        expect(order.items).toEqual(expected)
        expect(order.times).toEqual(times.slice().sort())
      }
    })
  })
})
