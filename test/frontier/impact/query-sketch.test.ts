/** Sketches and impacts against the reference, and against a sort of all pages after any sequence of changes. */
import { describe, expect, it } from 'vitest'
import { meanTopScore, pageImpacts } from '../../../src/frontier/impact/impact.js'
import { QuerySketches } from '../../../src/frontier/impact/query-sketch.js'
import { DEFAULT_VIEW } from '../../../src/workload/view-likelihood.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { named, PAGES, QUERIES, referenceSketches, UNCRAWLED_PAGES, VISIBLE_RANKS } from './reference-impact.js'
import impact from './vectors/search-impact.json' with { type: 'json' }

const noRefill = () => {
  throw new Error('no sketch was to run out')
}

describe('the reference', () => {
  it('has these sketches', () => {
    const sketches = referenceSketches()
    for (const [query, { name }] of QUERIES.entries()) {
      const names = topOf(sketches, query).map(({ page }) => PAGES[page])
      expect(names).toEqual(impact.sketches[name as keyof typeof impact.sketches])
    }
  })

  it('has these impacts', () => {
    expect(named(pageImpacts(referenceSketches(), PAGES.length), UNCRAWLED_PAGES)).toEqual(impact.impact)
    const selected = QUERIES.filter(({ name }) => impact.selectedTop2.includes(name))
    const fromSelected = named(pageImpacts(referenceSketches(selected), PAGES.length), UNCRAWLED_PAGES)
    expect(fromSelected).toEqual({ u2: 0, ...impact.impactFromSelectedSketches })
  })

  it('has these mean scores', () => {
    for (const { name, crawled } of QUERIES) {
      const scores = crawled.map(([, score]) => score).sort((a, b) => b - a)
      expect(meanTopScore(scores, VISIBLE_RANKS)).toBeCloseTo(impact.avgTopK[name as 'q1'], 9)
    }
    expect(meanTopScore([9, 4, 3, 2, 1], 2, 1)).toBe(3.5)
    expect(meanTopScore([9, 4, 3, 2, 1], 2, 1, 2)).toBe(2)
  })
})

describe('query sketches', () => {
  it('put fetched pages first among equal scores, then lower numbers', () => {
    const sketches = new QuerySketches([1], { visibleRanks: 4, refill: noRefill })
    for (const [page, isCrawled] of [
      [3, false],
      [9, true],
      [1, false],
      [5, true],
    ] as const) {
      sketches.offer(0, page, 0.5, isCrawled)
    }
    expect(topOf(sketches, 0).map(({ page }) => page)).toEqual([5, 9, 1, 3])
    expect(sketches.threshold(0)).toBe(0.5)
    sketches.remove(0, 9)
    expect([sketches.length(0), sketches.threshold(0)]).toEqual([3, 0])
  })

  it('know a page once, fetched or not, and forget it at a score of 0', () => {
    const sketches = new QuerySketches([1], { refill: noRefill })
    sketches.offer(0, 7, 2, false)
    sketches.offer(0, 7, 1, true)
    expect(topOf(sketches, 0)).toEqual([{ page: 7, score: 1, isCrawled: true }])
    sketches.offer(0, 7, 0, true)
    expect(sketches.length(0)).toBe(0)
  })

  it('ask for all pages only when more than the reserve is gone', () => {
    const left = new Set(Array.from({ length: 100 }, (_, page) => page))
    let asked = 0
    const sketches = new QuerySketches([1], {
      visibleRanks: 5,
      refill: (_, offer) => {
        asked++
        for (const page of left) offer(page, 1 + page, false)
      },
    })
    for (const page of left) sketches.offer(0, page, 1 + page, false)
    for (let best = 99; best >= 50; best--) {
      left.delete(best)
      sketches.remove(0, best)
      expect(topOf(sketches, 0).map(({ page }) => page)).toEqual([1, 2, 3, 4, 5].map((rank1) => best - rank1))
    }
    // Ten are kept: every sixth removal runs out.
    expect(asked).toBe(8)
  })

  it('take 8 bytes for each rank kept and 13 more', () => {
    expect(new QuerySketches(new Float64Array(1000), { refill: noRefill }).memoryBytes).toBe(173_000)
  })

  it('refuse queries, pages and scores that are none', () => {
    const sketches = new QuerySketches([1], { refill: noRefill })
    expect(() => sketches.offer(1, 0, 1, true)).toThrow('query must be an integer below 1, received 1')
    expect(() => sketches.offer(0, 2 ** 31, 1, true)).toThrow(/page must be an integer from 0/)
    expect(() => sketches.offer(0, 0, Number.NaN, true)).toThrow(/score must be a finite number of at least 0/)
    expect(() => sketches.offer(0, 0, -1, true)).toThrow(RangeError)
    expect(() => new QuerySketches([1], { visibleRanks: 4, keptRanks: 3, refill: noRefill })).toThrow(/keptRanks/)
  })

  it('are the best of all pages after any sequence of fetches, new scores, arrivals and departures', () => {
    withSeed('query sketches', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) checkRandomSketches(random.fork(`${round}`))
    })
  })
})

interface Scored {
  readonly page: number
  readonly score: number
  readonly isCrawled: boolean
}

function checkRandomSketches(random: SeededRandom): void {
  const queries = random.between(1, 4)
  const pages = random.between(1, 60)
  const visibleRanks = random.between(1, 6)
  const frequencies = Array.from({ length: queries }, () => random.between(1, 9))
  const worlds = frequencies.map(() => new Map<number, Scored>())
  const sketches = new QuerySketches(frequencies, {
    visibleRanks,
    keptRanks: visibleRanks + random.int(visibleRanks + 1),
    refill: (query, offer) => {
      for (const { page, score, isCrawled } of random.shuffle(worlds[query]!.values())) offer(page, score, isCrawled)
    },
  })
  const fetched = new Set<number>()
  for (let step = 0; step < 300; step++) {
    const page = random.int(pages)
    if (random.chance(0.1)) fetched.add(page)
    else if (random.chance(0.02)) fetched.delete(page)
    for (const [query, world] of worlds.entries()) {
      if (random.chance(0.3)) {
        world.delete(page)
        sketches.remove(query, page)
      } else if (random.chance(0.8)) {
        // Few distinct scores make ties; some differ by less than a float32 can tell.
        const score = random.int(6) / 3 + (random.chance(0.1) ? 1e-12 : 0)
        if (score > 0) world.set(page, { page, score: Math.fround(score), isCrawled: fetched.has(page) })
        else world.delete(page)
        sketches.offer(query, page, score, fetched.has(page))
      }
    }
    if (random.chance(0.3)) expectBest(sketches, worlds)
  }
  expectBest(sketches, worlds)
}

function expectBest(sketches: QuerySketches, worlds: readonly Map<number, Scored>[]): void {
  const steps = new Map<number, number>()
  const views = new Map<number, number>()
  for (const [query, world] of worlds.entries()) {
    const order = [...world.values()].sort(
      (a, b) => b.score - a.score || Number(b.isCrawled) - Number(a.isCrawled) || a.page - b.page,
    )
    const best = order.slice(0, sketches.visibleRanks)
    expect(topOf(sketches, query)).toEqual(best)
    for (const [nth, { page, isCrawled }] of best.entries()) {
      if (isCrawled) continue
      const frequency = sketches.frequencies[query]!
      steps.set(page, (steps.get(page) ?? 0) + frequency)
      views.set(page, (views.get(page) ?? 0) + frequency * (nth + 1) ** -1.5)
    }
  }
  const pages = 60
  expect([...pageImpacts(sketches, pages)]).toEqual(Array.from({ length: pages }, (_, page) => steps.get(page) ?? 0))
  const impacts = pageImpacts(sketches, pages, DEFAULT_VIEW)
  const errors = impacts.map((value, page) => Math.abs(value - (views.get(page) ?? 0)))
  expect(Math.max(...errors)).toBeLessThan(1e-9)
}

function topOf(sketches: QuerySketches, query: number): Scored[] {
  return Array.from({ length: sketches.length(query) }, (_, at) => ({
    page: sketches.pageAt(query, at + 1),
    score: sketches.scoreAt(query, at + 1),
    isCrawled: sketches.isCrawledAt(query, at + 1),
  }))
}
