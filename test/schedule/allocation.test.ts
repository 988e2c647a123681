/** Allocation against every possible one, and the fast way against the greedy one. */
import { describe, expect, it } from 'vitest'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { allocate } from '../../src/schedule/allocation.js'
import { type AllocationBounds, apportion } from '../../src/schedule/allocation-bounds.js'
import { StalenessTable } from '../../src/schedule/staleness-table.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { allocateGreedily } from './greedy-allocation.js'
import { randomLaw } from './random-laws.js'

describe('an allocation', () => {
  it('is the best of all that keep the bounds, in 1,000 small cases', () => {
    withSeed('small allocations', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 1000; round++) {
        const { table, bounds } = randomCase(random, random.between(1, 4), random.between(0, 9))
        const all = [...everyAllocation(table.pages, bounds)]
        if (all.length === 0) {
          expect(() => allocate(table, bounds)).toThrow(expect.objectContaining({ code: 'INFEASIBLE' }))
          continue
        }
        const best = Math.min(...all.map((crawls) => table.objective(crawls)))
        const crawls = allocate(table, bounds)
        expect(all.map(String)).toContain(String([...crawls]))
        expect(table.objective(crawls)).toBeLessThanOrEqual(best + 1e-12)
        expect(crawls).toEqual(allocateGreedily(table, bounds))
      }
    })
  })

  it('is that of the greedy way, crawl by crawl, in large cases', () => {
    withSeed('large allocations', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < rounds(40, 100); round++) {
        // Many pages are sampled first.
        const pages = round % 20 === 0 ? 25_000 : random.between(500, 3000)
        const { table, bounds } = randomCase(random, pages, Math.floor(pages * 6 * random.next()), true)
        expect(allocate(table, bounds)).toEqual(allocateGreedily(table, bounds))
      }
    })
  })

  it('gives equal gains to the lowest pages', () => {
    const table = new StalenessTable(Array(1000).fill(new PoissonLaw({ rate: 2 })), { period: 1 })
    const crawls = allocate(table, { crawls: 1500 })
    expect([...crawls]).toEqual([...Array(500).fill(2), ...Array(500).fill(1)])
    expect(crawls).toEqual(allocateGreedily(table, { crawls: 1500 }))
  })

  it('gives what gains nothing to the lowest pages', () => {
    const table = new StalenessTable(Array(200).fill(new PoissonLaw({ rate: 2 })), {
      period: 1,
      weights: new Float64Array(200),
    })
    const bounds = { crawls: 1000, maximums: new Array(200).fill(300) }
    expect([...allocate(table, bounds).slice(0, 5)]).toEqual([300, 300, 300, 100, 0])
    expect(allocate(table, bounds)).toEqual(allocateGreedily(table, bounds))
  })

  it('follows the greedy way over a plateau of gains that differ by rounding only', () => {
    const laws = Array.from({ length: 40 }, (_, page) => new PoissonLaw({ rate: page % 2 === 0 ? 1e4 : 1e4 + 1e-9 }))
    const table = new StalenessTable(laws, { period: 1 })
    for (const crawls of [0, 1, 39, 40, 1000, 5000]) {
      const greedy = allocateGreedily(table, { crawls })
      expect(table.objective(allocate(table, { crawls }))).toBeCloseTo(table.objective(greedy), 12)
    }
  })

  it('of nothing is nothing', () => {
    expect(allocate(new StalenessTable([], { period: 1 }), { crawls: 0 })).toEqual(new Uint32Array())
    expect(() => allocate(new StalenessTable([], { period: 1 }), { crawls: 1 })).toThrow(/allow 0 crawls, and 1/)
  })
})

describe.each([
  ['allocate', allocate],
  ['allocateGreedily', allocateGreedily],
])('bounds that %s cannot keep', (_, method) => {
  const table = new StalenessTable([new PoissonLaw({ rate: 1 }), new PoissonLaw({ rate: 2 })], { period: 1 })

  it.each([
    [{ crawls: 3, minimums: [2, 2] }, 'the minimums of all pages take 4 crawls, and there are 3'],
    [{ crawls: 3, maximums: [1, 1] }, 'the maximums of all pages allow 2 crawls, and 3 are to be made'],
  ])('are infeasible: %o', (bounds, message) => {
    expect(() => method(table, bounds)).toThrow(expect.objectContaining({ code: 'INFEASIBLE', message }))
  })

  it.each([
    [{ crawls: 1.5 }, /crawls must be an integer/],
    [{ crawls: -1 }, /crawls must be an integer/],
    [{ crawls: 3, minimums: [1] }, /minimums must be one for each of 2 pages, received 1/],
    [{ crawls: 3, minimums: [1, -1] }, /minimums\[1\] must be/],
    [{ crawls: 3, maximums: [1, 0.5] }, /maximums\[1\] must be/],
    [
      { crawls: 3, minimums: [2, 0], maximums: [1, 5] },
      /minimum of page 0 must not exceed its maximum, received 2 and 1/,
    ],
  ])('are refused: %o', (bounds, message) => {
    expect(() => method(table, bounds)).toThrow(RangeError)
    expect(() => method(table, bounds)).toThrow(message)
  })
})

describe('a table of staleness', () => {
  it('refuses what is no law, no weight or another period', () => {
    const law = new PoissonLaw({ rate: 1 })
    expect(() => new StalenessTable([{} as never], { period: 1 })).toThrow(/law of page 0 must be a law of updates/)
    expect(() => new StalenessTable([law], { period: 0 })).toThrow(/period must be/)
    expect(() => new StalenessTable([law], { period: 1, weights: [1, 2] })).toThrow(/one for each of 1 pages/)
    expect(() => new StalenessTable([law], { period: 1, weights: [-1] })).toThrow(/weight of page 0 must be/)
    expect(() => new StalenessTable([law], { period: 1, weights: [Number.POSITIVE_INFINITY] })).toThrow(/page 0/)
  })
})

describe('an apportionment', () => {
  it('has the total, is nearest to the shares, and rounds the largest remainders up', () => {
    withSeed('apportionment', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const shares = Array.from({ length: random.between(1, 30) }, () => random.int(5) + random.next())
        const total = random.int(200)
        const parts = apportion(shares, total)
        const sum = shares.reduce((a, b) => a + b)
        expect(parts.reduce((a, b) => a + b)).toBe(total)
        for (const [at, part] of parts.entries()) {
          expect(Math.abs(part - ((shares[at] as number) / sum) * total)).toBeLessThan(1)
        }
      }
    })
    expect([...apportion([1, 1, 1], 4)]).toEqual([2, 1, 1])
    expect([...apportion([0, 0], 0)]).toEqual([0, 0])
    expect(() => apportion([0, 0], 1)).toThrow(/sum of shares/)
    expect(() => apportion([1, Number.NaN], 1)).toThrow(/shares\[1\]/)
  })
})

function randomCase(random: SeededRandom, pages: number, crawls: number, isFeasible = false) {
  const laws = Array.from({ length: pages }, () => randomLaw(random))
  const weights = laws.map(() => (random.chance(0.4) ? random.int(3) : random.next()))
  const table = new StalenessTable(laws, { period: 1, weights })
  const minimums = laws.map(() => (random.chance(0.7) ? 0 : random.int(3)))
  const maximums = minimums.map((least) =>
    random.chance(0.3) ? Number.POSITIVE_INFINITY : least + random.int(isFeasible ? 20 : 5),
  )
  const least = minimums.reduce((a, b) => a + b, 0)
  const most = maximums.reduce((a, b) => a + b, 0)
  const bounded = isFeasible ? Math.max(least, Math.min(most, crawls)) : crawls
  return { table, bounds: { crawls: bounded, minimums, maximums } }
}

function* everyAllocation(pages: number, bounds: AllocationBounds, page = 0): Generator<number[]> {
  if (page === pages) {
    if (bounds.crawls === 0) yield []
    return
  }
  const most = Math.min(bounds.maximums?.[page] as number, bounds.crawls)
  for (let made = bounds.minimums?.[page] as number; made <= most; made++) {
    for (const others of everyAllocation(pages, { ...bounds, crawls: bounds.crawls - made }, page + 1)) {
      yield [made, ...others]
    }
  }
}
