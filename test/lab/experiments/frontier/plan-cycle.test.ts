/** Plans against the reference, and against the exact expected case of certain scores with every page looked at. */
import { describe, expect, it } from 'vitest'
import { hybridImpact, hybridImpacts } from '../../../../src/frontier/impact/impact.js'
import { UNKNOWN_IMPROVABILITY } from '../../../../src/frontier/impact/neediness.js'
import { NgramIndex } from '../../../../src/frontier/impact/ngram-index.js'
import { matchShare, type Ngrams, queryNgrams } from '../../../../src/frontier/impact/ngrams.js'
import { fitQuadratic, type Quadratic, quadraticAt } from '../../../../src/frontier/impact/query-independent.js'
import { type FrontierCycleOptions, planFrontierCycle } from '../../../../src/lab/experiments/frontier/plan-cycle.js'
import { expectedImpacts } from '../../../frontier/impact/expected-case.js'
import {
  PAGES,
  pageNumber,
  QUERIES,
  UNCRAWLED_PAGES,
  VISIBLE_RANKS,
} from '../../../frontier/impact/reference-impact.js'
import impact from '../../../frontier/impact/vectors/search-impact.json' with { type: 'json' }
import { SeededRandom, withSeed } from '../../../support/seed.js'

const { queryIndependentScore, quadratic: coefficients, qi, hybrid, order } = impact.hybrid
const parabola: Quadratic = { coefficients: coefficients as [number, number, number], lowest: 0, highest: 1 }

const at = (c: readonly number[], x: number) => c[0]! + c[1]! * x + c[2]! * x * x

describe('the quadratic', () => {
  it('is that of the reference, clamped at 0 and at the range that it was fitted on', () => {
    for (const name of UNCRAWLED_PAGES as ('u1' | 'u2')[]) {
      expect(quadraticAt(parabola, queryIndependentScore[name])).toBeCloseTo(qi[name], 9)
    }
    expect(quadraticAt(parabola, 7)).toBe(quadraticAt(parabola, 1))
    expect(quadraticAt(parabola, -7)).toBe(quadraticAt(parabola, 0))
    expect(quadraticAt({ coefficients: [-1, 0, 0], lowest: 0, highest: 1 }, 0.5)).toBe(0)
  })

  it('is found again from its own values where these rise', () => {
    withSeed('quadratics', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const xs = Array.from({ length: random.between(5, 40) }, () => random.next() * 12)
        // Rises on the whole range: c1 + 2 c2 x is at least 0 from 0 to 12.
        const square = random.next() * 4 - 2
        const truth = [random.next() * 4 - 2, random.next() + Math.max(0, -24 * square), square] as const
        const exact = fitQuadratic(
          xs,
          xs.map((x) => at(truth, x)),
        )!
        for (let nth = 0; nth < 3; nth++) expect(exact.coefficients[nth]).toBeCloseTo(truth[nth]!, 6)
        expect([exact.lowest, exact.highest]).toEqual([Math.min(...xs), Math.max(...xs)])
      }
    })
  })

  it('never falls, and no other that never falls is nearer to noisy values', () => {
    withSeed('rising quadratics', (seed) => {
      const random = new SeededRandom(seed)
      let bent = 0
      for (let round = 0; round < 200; round++) {
        const truth = [random.next() * 4 - 2, random.next() * 8 - 4, random.next() * 4 - 2] as const
        const xs = Array.from({ length: random.between(5, 40) }, () => random.next() * 3)
        const ys = xs.map((x) => at(truth, x) + random.next() - 0.5)
        const error = (c: readonly number[]) => xs.reduce((sum, x, nth) => sum + (at(c, x) - ys[nth]!) ** 2, 0)
        const { coefficients: fitted, lowest, highest } = fitQuadratic(xs, ys)!
        const rises = (c: readonly number[]) => [lowest, highest].every((x) => c[1]! + 2 * c[2]! * x >= -1e-12)
        expect(rises(fitted.map((c, nth) => (nth === 1 ? c + 1e-9 : c)))).toBe(true)
        if (!rises(fitted.map((c, nth) => (nth === 1 ? c - 1e-6 : c)))) bent++
        for (let other = 0; other < 300; other++) {
          const size = 10 ** -random.between(0, 4)
          const near = fitted.map((c) => c + (random.next() - 0.5) * size)
          if (rises(near)) expect(error(near)).toBeGreaterThan(error(fitted) - 1e-9)
        }
      }
      expect(bent).toBeGreaterThan(20)
    })
  })

  it('does not turn importance round where pages without links happen to have more impact', () => {
    const falling = fitQuadratic([0, 0, 0, 1, 2, 3], [9, 9, 9, 2, 3, 4])!
    expect(quadraticAt(falling, 0)).toBeLessThanOrEqual(quadraticAt(falling, 3))
  })

  it('is a line through two different values, a constant for one, and nothing for none', () => {
    const line = fitQuadratic([1, 3, 3], [2, 5, 7])!
    for (const x of [1, 2, 3]) expect(quadraticAt(line, x)).toBeCloseTo(2 * x, 9)
    // Two values that only rounding tells apart are one.
    const near = fitQuadratic([1, 1 + Number.EPSILON, 3], [2, 2, 6])!
    for (const x of [1, 2, 3]) expect(quadraticAt(near, x)).toBeCloseTo(2 * x, 9)
    expect(fitQuadratic([4, 4], [1, 2])!.coefficients).toEqual([1.5, 0, 0])
    expect(fitQuadratic([], [])).toBeUndefined()
    expect(() => fitQuadratic([1], [])).toThrow(/one for each of 1 pages, received 0/)
  })
})

describe('the hybrid', () => {
  it('is that of the reference', () => {
    for (const name of UNCRAWLED_PAGES as ('u1' | 'u2')[]) {
      expect(hybridImpact(impact.impact[name], qi[name])).toBeCloseTo(hybrid[name], 9)
    }
    expect(() => hybridImpacts([1], [1, 2])).toThrow(/same pages, received 1 and 2/)
    expect(() => hybridImpacts([1], [1], 1.2)).toThrow(/queryWeight/)
  })
})

describe('the plan of a cycle', () => {
  const plan = (options: Partial<FrontierCycleOptions> = {}) => {
    const pages = Uint32Array.from(UNCRAWLED_PAGES, pageNumber)
    const index = new NgramIndex()
    for (const page of pages) {
      const own = QUERIES.filter(({ uncrawled }) => uncrawled.some(([other]) => other === page))
      index.add(page, queryNgrams(own.map(({ name }) => name).join(' ')))
    }
    const best = QUERIES.map(({ crawled }) => crawled.map(([, score]) => score).sort((a, b) => b - a))
    const queries = {
      frequencies: QUERIES.map(({ frequency }) => frequency),
      ngrams: QUERIES.map(({ name }) => queryNgrams(name)),
      crawledScores: best.flatMap((scores) => Array.from({ length: VISIBLE_RANKS }, (_, at) => scores[at] ?? 0)),
    }
    const expectedScore = (page: number, query: number) =>
      QUERIES[query]!.uncrawled.find(([other]) => other === page)?.[1] ?? 0
    const importance = UNCRAWLED_PAGES.map((name) => queryIndependentScore[name as 'u1'])
    const { a, b } = impact.improvabilityFit
    return planFrontierCycle(
      queries,
      { pages, index, expectedScore, importance },
      { fetches: 4, improvability: { a, b }, quadratic: parabola, visibleRanks: VISIBLE_RANKS, ...options },
    )
  }

  it('is that of the reference with all sketches', () => {
    const { pages, impacts, needy, queryImpacts } = plan()
    expect(Array.from(pages, (page) => PAGES[page])).toEqual(order)
    for (const [nth, name] of order.entries()) expect(impacts[nth]).toBeCloseTo(hybrid[name as 'u1'], 9)
    expect(Array.from(needy, (query) => QUERIES[query]!.name)).toEqual(impact.needyOrder)
    expect([...queryImpacts]).toEqual(Object.values(impact.impact))
  })

  it('is that of the reference with the sketches of needy queries alone', () => {
    const { needy, queryImpacts, pages } = plan({ needyShare: 0.5, quadratic: undefined, fetches: 2 })
    expect(Array.from(needy, (query) => QUERIES[query]!.name)).toEqual(impact.selectedTop2)
    const { u1, u3, u4 } = impact.impactFromSelectedSketches
    expect([...queryImpacts]).toEqual([u1, 0, u3, u4])
    expect(Array.from(pages, (page) => PAGES[page])).toEqual(['u3', 'u4'])
  })

  it('refuses columns of other lengths, and plans nothing for nothing', () => {
    expect(() => plan({ visibleRanks: 3 })).toThrow('crawledScores must be 12 long, received 8')
    const index = new NgramIndex()
    const frontier = { pages: new Uint32Array(), index, expectedScore: () => 0, importance: [] }
    const none = { frequencies: [], ngrams: [], crawledScores: [] }
    expect(planFrontierCycle(none, frontier, { fetches: 9, improvability: UNKNOWN_IMPROVABILITY }).pages).toHaveLength(
      0,
    )
  })

  it('has the pages of the exact expected case when scores are certain, in 100 random cases', () => {
    withSeed('cycle plans', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) checkRandomPlan(random.fork(`${round}`))
    })
  })
})

function checkRandomPlan(random: SeededRandom): void {
  const text = (words: number) => Array.from({ length: words }, () => `w${random.int(6)}`).join(' ')
  const [rho, visibleRanks, fetches] = [random.pick([1, 1, 0.5]), random.between(1, 4), random.between(1, 12)]
  const pageTexts: Ngrams[] = Array.from({ length: 30 }, () => queryNgrams(text(random.between(0, 6))))
  const queryTexts: Ngrams[] = Array.from({ length: 8 }, () => queryNgrams(text(random.between(1, 2))))
  const frequencies = queryTexts.map(() => random.between(1, 5))
  const score = () => random.int(8) / 8
  const scores = pageTexts.map(() => queryTexts.map(score))
  const crawled = queryTexts.map(() => Array.from({ length: visibleRanks }, score).sort((a, b) => b - a))
  const importance = pageTexts.map(() => random.next() * 5)
  const quadratic = { coefficients: [0.5, random.next() - 0.5, 0.1] as const, lowest: 0.5, highest: 4 }
  const index = new NgramIndex()
  for (const [page, ngrams] of pageTexts.entries()) index.add(page, ngrams)
  // Pages that may not be fetched are rivals all the same.
  const pages = Uint32Array.from([...pageTexts.keys()].filter(() => random.chance(0.8)))
  const frontier = {
    pages,
    index,
    expectedScore: (page: number, query: number) => scores[page]![query]!,
    importance: Array.from(pages, (page) => importance[page]!),
  }
  const { pages: planned } = planFrontierCycle(
    { frequencies, ngrams: queryTexts, crawledScores: crawled.flat() },
    frontier,
    {
      fetches,
      improvability: UNKNOWN_IMPROVABILITY,
      quadratic,
      rho,
      visibleRanks,
    },
  )
  const uncertain = queryTexts.map((ngrams, query) => ({
    frequency: frequencies[query]!,
    crawledScores: crawled[query]!,
    uncrawled: [...pageTexts.keys()]
      .filter((page) => matchShare(ngrams, pageTexts[page]!) >= rho)
      .map((page) => ({ page, scores: [scores[page]![query]!] })),
  }))
  const exact = expectedImpacts(uncertain, pageTexts.length, () => 1, visibleRanks)
  const values = exact.map((value, page) => 0.9 * value + 0.1 * quadraticAt(quadratic, importance[page]!))
  const best = [...pages].sort((a, b) => values[b]! - values[a]! || a - b)
  expect(planned).toHaveLength(Math.min(fetches, pages.length))
  for (const [nth, page] of planned.entries()) expect(values[page]).toBeCloseTo(values[best[nth]!]!, 9)
  expect(new Set(planned).size).toBe(planned.length)
}
