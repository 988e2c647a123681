/** Crawl rates beside reference values, brute force on a few pages and the conditions of an optimum on many. */
import { describe, expect, it } from 'vitest'
import { poissonUtility } from '../../src/change/divergence-curve.js'
import { binaryFreshnessRates } from '../../src/math/binary-freshness-rates.js'
import { harmonicRates, type PageRates, signalledCrawlChances, splitBandwidth } from '../../src/math/harmonic-rates.js'
import { pages, randomPages, sumOf } from '../schedule/random-pages.js'
import vectors from '../schedule/vectors/later-policies.json' with { type: 'json' }
import { SeededRandom, withSeed } from '../support/seed.js'

const NO_PAGES = pages([], [])

describe('the reference', () => {
  const { importance, changeRates } = pages(vectors.importance, vectors.changeRate)

  it('has these rates for binary freshness', () => {
    const found = binaryFreshnessRates(importance, changeRates, vectors.bandwidth)
    const { rates, multiplier, freshness } = vectors.binaryAzar
    expectAllNear(found.rates, rates, 1e-9)
    expectAllNear([found.multiplier, found.freshness], [multiplier, freshness], 1e-9)
  })

  it('has these harmonic rates', () => {
    const found = harmonicRates(importance, changeRates, vectors.bandwidth)
    const { rates, multiplier, cost } = vectors.lambdaCrawlHarmonic
    expectAllNear(found.rates, rates, 1e-9)
    expectAllNear([found.multiplier, found.cost], [multiplier, cost], 1e-9)
  })

  it('has this greedy index', () => {
    for (const { mu, delta, t, V } of vectors.greedyIndex) {
      expect(Math.abs(mu * poissonUtility(delta, t) - V)).toBeLessThan(1e-9)
    }
  })
})

describe('rates for binary freshness', () => {
  const freshness = ({ importance, changeRates }: PageRates, rates: ArrayLike<number>) =>
    sumOf(importance, (mu, page) =>
      changeRates[page] === 0 ? mu : (mu * rates[page]!) / (rates[page]! + changeRates[page]!),
    )

  it('are the best of all splits among three pages', () => {
    eachCase('three binary pages', 40, 3, (few, bandwidth) => {
      const found = binaryFreshnessRates(few.importance, few.changeRates, bandwidth)
      const best = bestSplit(bandwidth, (rates) => freshness(few, rates))
      expect(found.freshness).toBeCloseTo(freshness(few, found.rates), 10)
      expect(found.freshness).toBeGreaterThanOrEqual(best - 1e-9)
      expect(found.freshness).toBeLessThanOrEqual(best * (1 + 1e-4))
    })
  })

  it('fulfil the conditions of an optimum on many pages, and are found by sorting too', () => {
    eachCase('many binary pages', 40, 400, (many, bandwidth) => {
      const { rates, multiplier } = binaryFreshnessRates(many.importance, many.changeRates, bandwidth)
      expect(sumOf(rates)).toBeCloseTo(bandwidth, 9)
      for (const [page, rate] of rates.entries()) {
        const [mu, d] = [many.importance[page]!, many.changeRates[page]!]
        const slope = d === 0 ? 0 : (mu * d) / (rate + d) ** 2
        expect(rate).toBeGreaterThanOrEqual(0)
        if (rate > 0) expect(Math.abs(slope / multiplier - 1)).toBeLessThan(1e-6)
        else expect(slope).toBeLessThanOrEqual(multiplier * (1 + 1e-9))
      }
      expect(Math.abs(multiplier / multiplierBySorting(many, bandwidth) - 1)).toBeLessThan(1e-9)
    })
  })

  it('of nothing to crawl are 0, and so they are without bandwidth', () => {
    const idle = pages([3, 0, 5], [0, 2, 0])
    expect(binaryFreshnessRates(idle.importance, idle.changeRates, 7)).toEqual({
      rates: new Float64Array(3),
      multiplier: 0,
      freshness: 8,
    })
    const some = pages([3, 1, 5], [4, 2, 0])
    const { rates, multiplier, freshness } = binaryFreshnessRates(some.importance, some.changeRates, 0)
    expectAllNear(rates, [0, 0, 0], 1e-12)
    expectAllNear([multiplier, freshness], [0.75, 5], 1e-12)
  })

  it('with more bandwidth than anybody needs still use it all', () => {
    const { importance, changeRates } = pages([1, 2], [1e-3, 1])
    const { rates, freshness } = binaryFreshnessRates(importance, changeRates, 1e9)
    expect(Math.abs(sumOf(rates) / 1e9 - 1)).toBeLessThan(1e-12)
    expect(freshness).toBeCloseTo(3, 6)
  })
})

describe('harmonic rates', () => {
  const cost = ({ importance, changeRates }: PageRates, rates: ArrayLike<number>) =>
    sumOf(importance, (mu, page) =>
      mu === 0 || changeRates[page] === 0 ? 0 : -mu * Math.log(rates[page]! / (rates[page]! + changeRates[page]!)),
    )

  it('are the best of all splits among three pages', () => {
    eachCase('three harmonic pages', 40, 3, (few, bandwidth) => {
      const found = harmonicRates(few.importance, few.changeRates, bandwidth)
      const best = -bestSplit(bandwidth, (rates) => -cost(few, rates))
      expect(found.cost).toBeCloseTo(cost(few, found.rates), 9)
      expect(found.cost).toBeLessThanOrEqual(best + 1e-9)
      expect(found.cost).toBeGreaterThanOrEqual(best * (1 - 1e-3) - 1e-6)
    })
  })

  it('fulfil the conditions of an optimum on many pages: all save the same', () => {
    eachCase('many harmonic pages', 40, 400, (many, bandwidth) => {
      const { rates, multiplier } = harmonicRates(many.importance, many.changeRates, bandwidth)
      expect(Math.abs(sumOf(rates) / bandwidth - 1)).toBeLessThan(1e-12)
      for (const [page, rate] of rates.entries()) {
        const [mu, d] = [many.importance[page]!, many.changeRates[page]!]
        if (mu === 0 || d === 0) expect(rate).toBe(0)
        else expect(Math.abs((mu * d) / (rate * (rate + d)) / multiplier - 1)).toBeLessThan(1e-9)
      }
    })
  })

  it('of nothing to crawl are 0, and without bandwidth cost without end', () => {
    const idle = pages([3, 0, 5], [0, 2, 0])
    expect(harmonicRates(idle.importance, idle.changeRates, 7)).toEqual({
      rates: new Float64Array(3),
      multiplier: 0,
      cost: 0,
    })
    const none = harmonicRates(Float64Array.of(1), Float64Array.of(1), 0)
    expect([none.rates[0], none.multiplier, none.cost]).toEqual([0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    const { rates, cost } = harmonicRates(Float64Array.of(1, 2), Float64Array.of(1e-3, 1), 1e9)
    expect(Math.abs(sumOf(rates) / 1e9 - 1)).toBeLessThan(1e-12)
    expect(cost).toBeCloseTo(0, 6)
  })
})

describe('chances to follow signals', () => {
  it('are in proportion to importance, until one is followed always', () => {
    // 1 + 3 + 4 of importance share 4: the last page changes once only and leaves 3 to the others.
    const chances = signalledCrawlChances(Float64Array.of(1, 3, 4), Float64Array.of(10, 5, 1), 4)
    expectAllNear(chances, [0.075, 0.45, 1], 1e-12)
  })

  it('are those of leaving out the saturated pages one after the other', () => {
    eachCase('signals', 60, 100, (many, bandwidth) => {
      const chances = signalledCrawlChances(many.importance, many.changeRates, bandwidth)
      expectAllNear(chances, chancesOneByOne(many, bandwidth), 1e-9)
    })
  })

  it('are 1 with enough bandwidth, but for what is worth nothing', () => {
    const chances = signalledCrawlChances(Float64Array.of(1, 0, 2), Float64Array.of(3, 4, 0), 1000)
    expect([...chances]).toEqual([1, 0, 1])
    expectAllNear(signalledCrawlChances(Float64Array.of(1, 2), Float64Array.of(3, 4), 7), [1, 1], 1e-12)
    expect([...signalledCrawlChances(Float64Array.of(1, 2), Float64Array.of(3, 4), 0)]).toEqual([0, 0])
  })
})

describe('a split of bandwidth', () => {
  it('costs the least of all splits, and each part is as if it were alone', () => {
    withSeed('splits', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const [without, withSignals] = [randomPages(random, 20), randomPages(random, 20)]
        const bandwidth = 10 ** (3 * random.next() - 1)
        const split = splitBandwidth(without, withSignals, bandwidth)
        expect(split.unsignalled + split.signalled).toBeLessThanOrEqual(bandwidth * (1 + 1e-12))
        const costOf = (unsignalled: number) =>
          splitBandwidth(without, NO_PAGES, unsignalled).cost +
          splitBandwidth(NO_PAGES, withSignals, bandwidth - unsignalled).cost
        for (let part = 1; part < 200; part++) {
          expect(split.cost).toBeLessThanOrEqual(costOf((part / 200) * bandwidth) * (1 + 1e-12) + 1e-9)
        }
        expect(Math.abs(costOf(split.unsignalled) - split.cost)).toBeLessThan(1e-6 * (1 + split.cost))
        const alone = harmonicRates(without.importance, without.changeRates, split.unsignalled)
        expectAllNear(alone.rates, split.rates, 1e-6 * bandwidth)
      }
    })
  })

  it('leaves nothing to pages that are not there', () => {
    const some = pages([1, 2], [3, 4])
    const split = splitBandwidth(NO_PAGES, some, 100)
    expect(split).toMatchObject({ unsignalled: 0, signalled: 7, multiplier: 0, cost: 0 })
    expect(splitBandwidth(NO_PAGES, NO_PAGES, 5)).toMatchObject({ unsignalled: 0, signalled: 0, cost: 0 })
  })
})

describe.each([
  ['binaryFreshnessRates', binaryFreshnessRates],
  ['harmonicRates', harmonicRates],
  ['signalledCrawlChances', signalledCrawlChances],
])('%s', (_, method) => {
  it('refuses what is no page and no bandwidth', () => {
    const [one, two] = [Float64Array.of(1), Float64Array.of(1, 2)]
    expect(() => method(two, one, 1)).toThrow(/changeRates must be one for each of 2 pages, received 1/)
    expect(() => method(Float64Array.of(1, -1), two, 1)).toThrow(
      /importance\[1\] must be a finite number of at least 0/,
    )
    expect(() => method(two, Float64Array.of(Number.NaN, 1), 1)).toThrow(/changeRates\[0\] must be/)
    expect(() => method(one, one, -1)).toThrow(/bandwidth must be a finite number of at least 0, received -1/)
    expect(() => method(one, one, Number.POSITIVE_INFINITY)).toThrow(RangeError)
    expect(() => method(one, one, undefined as never)).toThrow(TypeError)
  })
})

/** At least one page has to be crawled. */
function eachCase(label: string, rounds: number, count: number, check: (of: PageRates, bandwidth: number) => void) {
  withSeed(label, (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < rounds; round++) {
      const drawn = randomPages(random, count)
      drawn.importance[0] = 1
      drawn.changeRates[0] = 0.5
      check(drawn, count * 10 ** (3 * random.next() - 2))
    }
  })
}

/** Finer and finer grids over all ways to split a bandwidth among three: right for anything with one peak. */
function bestSplit(bandwidth: number, value: (rates: readonly [number, number, number]) => number): number {
  let best = Number.NEGATIVE_INFINITY
  let [first, second, width] = [bandwidth / 2, bandwidth / 2, bandwidth / 2]
  for (let round = 0; round < 25; round++) {
    let [nextFirst, nextSecond] = [first, second]
    for (let a = -10; a <= 10; a++) {
      for (let b = -10; b <= 10; b++) {
        const x = Math.min(bandwidth, Math.max(0, first + (a / 10) * width))
        const y = Math.min(bandwidth - x, Math.max(0, second + (b / 10) * width))
        const found = value([x, y, bandwidth - x - y])
        if (found > best) [best, nextFirst, nextSecond] = [found, x, y]
      }
    }
    ;[first, second, width] = [nextFirst, nextSecond, width * 0.6]
  }
  return best
}

/** Pages join in order of μ / d for as long as they are above the multiplier of those before them. */
function multiplierBySorting({ importance, changeRates }: PageRates, bandwidth: number): number {
  const order = [...importance.keys()]
    .filter((page) => importance[page]! > 0 && changeRates[page]! > 0)
    .sort((a, b) => importance[b]! / changeRates[b]! - importance[a]! / changeRates[a]!)
  let [means, changes, multiplier] = [0, bandwidth, 0]
  for (const page of order) {
    if (importance[page]! / changeRates[page]! <= multiplier) break
    means += Math.sqrt(importance[page]! * changeRates[page]!)
    changes += changeRates[page]!
    multiplier = (means / changes) ** 2
  }
  return multiplier
}

function chancesOneByOne({ importance, changeRates }: PageRates, bandwidth: number): number[] {
  const chances: number[] = Array.from(changeRates, (d) => (d === 0 ? 1 : 0))
  let open = [...importance.keys()].filter((page) => importance[page]! > 0 && changeRates[page]! > 0)
  let left = bandwidth
  for (;;) {
    const all = open.reduce((sum, page) => sum + importance[page]!, 0)
    const share = (page: number) => (left * importance[page]!) / (changeRates[page]! * all)
    const full = open.find((page) => share(page) >= 1)
    if (full === undefined) {
      for (const page of open) chances[page] = share(page)
      return chances
    }
    chances[full] = 1
    left -= changeRates[full]!
    open = open.filter((page) => page !== full)
  }
}

function expectAllNear(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  expect(found.length).toBe(expected.length)
  for (let at = 0; at < found.length; at++) expect(Math.abs(found[at]! - expected[at]!)).toBeLessThan(tolerance)
}
