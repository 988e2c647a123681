/** Needy queries against the reference, and the fit of improvability against known lines. */
import { describe, expect, it } from 'vitest'
import {
  fitLogLinear,
  ImprovabilityFit,
  improvabilityAt,
  needinessOf,
  needyQueries,
  UNKNOWN_IMPROVABILITY,
} from '../../../src/frontier/impact/neediness.js'
import { topValues } from '../../../src/math/heap.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { QUERIES } from './reference-impact.js'
import impact from './vectors/search-impact.json' with { type: 'json' }

const { bucketX, bucketY, a, b } = impact.improvabilityFit
const frequencies = QUERIES.map(({ frequency }) => frequency)
const meanScores = Object.values(impact.avgTopK)

describe('the reference', () => {
  it('has this line', () => {
    const fit = fitLogLinear(bucketX, bucketY)!
    expect(fit.a).toBeCloseTo(a, 9)
    expect(fit.b).toBeCloseTo(b, 9)
  })

  it('has these needy queries', () => {
    const neediness = needinessOf(frequencies, meanScores, { a, b })
    for (const [query, { name }] of QUERIES.entries()) {
      expect(neediness[query]).toBeCloseTo(impact.neediness[name as 'q1'], 9)
    }
    const names = (queries: Uint32Array) => Array.from(queries, (query) => QUERIES[query]!.name)
    expect(names(needyQueries(neediness, 1))).toEqual(impact.needyOrder)
    expect(names(needyQueries(neediness, 0.5))).toEqual(impact.selectedTop2)
  })
})

describe('needy queries', () => {
  it('are the share that was asked for, rounded up, and none of no frequency', () => {
    const neediness = Float64Array.from({ length: 100 }, (_, query) => (query < 5 ? 0 : 1))
    expect(needyQueries(neediness, 0.07)).toEqual(Uint32Array.of(5, 6, 7, 8, 9, 10, 11))
    expect(needyQueries(neediness, 0.0007)).toHaveLength(1)
    expect(needyQueries(neediness, 1)).toHaveLength(95)
    expect(needyQueries(neediness, 0)).toHaveLength(0)
    expect(needyQueries([], 1)).toHaveLength(0)
    expect(() => needyQueries(neediness, 2)).toThrow(/share must be a finite number from 0 to 1, received 2/)
  })

  it('are the most frequent before anything was learned', () => {
    expect([...needinessOf([3, 1, 2], [5, 0, 9], UNKNOWN_IMPROVABILITY)]).toEqual([3, 1, 2])
    expect(() => needinessOf([3], [5, 0], UNKNOWN_IMPROVABILITY)).toThrow(/one for each of 1 queries, received 2/)
  })
})

describe('the largest values', () => {
  it('are those of a sort, in 500 random cases', () => {
    withSeed('top values', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 500; round++) {
        const values = Array.from({ length: random.int(60) }, () => random.int(12) - 3)
        const count = random.int(70)
        const order = values.map((_, place) => place).sort((x, y) => values[y]! - values[x]! || x - y)
        expect([...topValues(values, count)]).toEqual(order.slice(0, count))
      }
    })
  })
})

describe('improvability', () => {
  it('is found again where it is exact', () => {
    withSeed('improvability', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const truth = { a: 4 * random.next() - 2, b: 4 * random.next() - 4 }
        const fit = new ImprovabilityFit()
        // As many observations of each score as a bucket holds: its means lie on the line.
        for (let level = 0; level < 20; level++) {
          for (let nth = 0; nth < 7; nth++) fit.add(level / 10, improvabilityAt(truth, level / 10))
        }
        expect(fit.fit()!.a).toBeCloseTo(truth.a, 9)
        expect(fit.fit()!.b).toBeCloseTo(truth.b, 9)
      }
    })
  })

  it('of counts is near the truth, whatever the order of the observations', () => {
    withSeed('improvability of counts', (seed) => {
      const random = new SeededRandom(seed)
      const truth = { a: 0.8, b: -3 }
      const observations = Array.from({ length: 20_000 }, () => {
        const x = random.next()
        const mean = improvabilityAt(truth, x)
        const improvement = Array.from({ length: 10 }, () => (random.chance(mean / 10) ? 1 : 0)).filter(Boolean).length
        return [x, improvement] as const
      })
      const [one, other] = [new ImprovabilityFit(), new ImprovabilityFit()]
      for (const [x, improvement] of observations) one.add(x, improvement)
      for (const [x, improvement] of random.shuffle(observations)) other.add(x, improvement)
      expect(Math.abs(one.fit()!.a - truth.a)).toBeLessThan(0.1)
      expect(Math.abs(one.fit()!.b - truth.b)).toBeLessThan(0.2)
      expect(other.fit()!.b).toBeCloseTo(one.fit()!.b, 9)
    })
  })

  it('leaves out buckets without improvement', () => {
    const fit = new ImprovabilityFit()
    for (let nth = 0; nth < 8; nth++) fit.add(0, 2)
    for (let nth = 0; nth < 8; nth++) fit.add(1, 0)
    const one = fit.fit({ buckets: 2 })!
    expect(one.b).toBe(0)
    expect(improvabilityAt(one, 1)).toBeCloseTo(2, 9)
    for (let nth = 0; nth < 8; nth++) fit.add(2, 1)
    const two = fit.fit({ buckets: 3 })!
    expect(improvabilityAt(two, 0)).toBeCloseTo(2, 9)
    expect(improvabilityAt(two, 2)).toBeCloseTo(1, 9)
  })

  it('is unknown while nothing improved, and keeps the latest observations', () => {
    const fit = new ImprovabilityFit(4)
    expect(fit.fit()).toBeUndefined()
    for (let nth = 0; nth < 4; nth++) fit.add(nth, 0)
    expect(fit.fit()).toBeUndefined()
    for (let nth = 0; nth < 4; nth++) fit.add(7, 3)
    expect(fit.size).toBe(4)
    expect(fit.fit()!.b).toBe(0)
    expect(improvabilityAt(fit.fit()!, 7)).toBeCloseTo(3, 9)
    expect(() => fit.add(Number.NaN, 1)).toThrow(/meanScore/)
    expect(() => fit.add(1, -1)).toThrow(/improvement/)
  })
})
