/** SBR, EBR and proportional refreshing beside their definitions, on worlds small enough to try everything. */
import { describe, expect, it } from 'vitest'
import { changesPerStep } from '../../../src/lab/choosers/by-rate.js'
import {
  allocateOptimally,
  apportionWithin,
  clicksOf,
  planByEmbarrassment,
  planByStaleness,
  planCrawls,
} from '../../../src/lab/choosers/planned.js'
import type { ScoredWorld } from '../../../src/lab/quality/repository-quality.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { type QueryScores, scoredWorld } from '../quality/scored-worlds.js'

/** A few pages that stay, some of which change. */
function tinyWorld(random: SeededRandom) {
  const pages = random.between(1, 4)
  const weights = [random.between(1, 5), random.between(1, 5)]
  const version = (): QueryScores => ({ 0: random.between(0, 3) / 3, 1: random.next() })
  const steps = Array.from({ length: random.between(3, 6) }, (_, step) => {
    const all = Array.from({ length: pages }, (_, page) => page)
    return new Map(all.filter((page) => step === 0 || random.chance((page + 1) / 6)).map((page) => [page, version()]))
  })
  const world = scoredWorld(pages, weights, steps)
  const differences = Float64Array.from(world.timeline.changedPages, () => random.between(0, 10) / 10)
  return { world, weights, steps, differences }
}

/** By page: changes after the first step whose difference is at least the threshold, and above 0. */
function countChanges({ timeline }: ScoredWorld, differences: Float64Array, threshold: number): number[] {
  const counts = timeline.urls.map(() => 0)
  timeline.changedPages.forEach((page, change) => {
    const isLater = change >= timeline.changeEnds[0]!
    if (isLater && differences[change]! > 0 && differences[change]! >= threshold) counts[page]!++
  })
  return counts
}

/** -ln((n - X + 1/2) / (n + 1/2)) */
const rateOf = (changes: number, visits: number) => -Math.log((visits - changes + 0.5) / (visits + 0.5))

/** For which share of the period a page is stale (Eq. 14 of Wolf et al.). */
function staleness(rate: number, period: number, crawls: number): number {
  if (rate === 0) return 0
  const changes = (rate * period) / (crawls + 1)
  return 1 + (Math.exp(-changes) - 1) / changes
}

function objective(rates: readonly number[], weights: readonly number[], period: number, crawls: readonly number[]) {
  return rates.reduce((sum, rate, page) => sum + weights[page]! * staleness(rate, period, crawls[page]!), 0)
}

/** All ways to give `total` crawls to pages, at most `most` to one and none to pages that do not count. */
function allocations(counts: readonly boolean[], total: number, most: number): number[][] {
  if (counts.length === 0) return total === 0 ? [[]] : []
  const [isCounted, ...rest] = counts
  const found: number[][] = []
  for (let crawls = 0; crawls <= (isCounted ? Math.min(total, most) : 0); crawls++)
    for (const others of allocations(rest, total - crawls, most)) found.push([crawls, ...others])
  return found
}

/** The plan has one crawl a step, so that none is lost for being the second of its page. */
function expectOptimal(plan: number[][], rates: readonly number[], weights: readonly number[]): void {
  const period = plan.length
  const crawls = rates.map((_, page) => plan.flat().filter((planned) => planned === page).length)
  const counts = rates.map((rate, page) => rate > 0 && weights[page]! > 0)
  if (!counts.includes(true)) {
    expect(plan.flat()).toEqual([])
    return
  }
  const best = Math.min(
    ...allocations(counts, period, period).map((others) => objective(rates, weights, period, others)),
  )
  expect(plan.flat().length).toBe(period)
  expect(objective(rates, weights, period, crawls)).toBeCloseTo(best, 9)
}

describe('staleness-based refreshing', () => {
  it('crawls so that pages are stale for the least time', () => {
    withSeed('sbr', (seed) => {
      const random = seededRandom('sbr', seed)
      for (let round = 0; round < 150; round++) {
        const { world, differences } = tinyWorld(random)
        const visits = world.timeline.atMs.length - 1
        const threshold = random.between(0, 10) / 10
        const plan = planByStaleness(world.timeline, differences, threshold, Array(visits).fill(1))
        const rates = countChanges(world, differences, threshold).map((count) => rateOf(count, visits))
        expectOptimal(
          plan,
          rates,
          rates.map(() => 1),
        )
      }
    })
  })
})

describe('embarrassment-based refreshing', () => {
  it('weighs pages by their clicks and the share of their changes that are large', () => {
    withSeed('ebr', (seed) => {
      const random = seededRandom('ebr', seed)
      for (let round = 0; round < 150; round++) {
        const { world, weights, steps, differences } = tinyWorld(random)
        const visits = world.timeline.atMs.length - 1
        const threshold = random.between(0, 10) / 10
        const clicks = clicksByHand(steps[0]!, weights)
        expect([...clicksOf(world)].map((count) => count.toFixed(9))).toEqual(clicks.map((count) => count.toFixed(9)))
        const plan = planByEmbarrassment(world, differences, clicksOf(world), threshold, Array(visits).fill(1))
        const all = world.timeline.urls.map(
          (_, page) =>
            [...world.timeline.changedPages.subarray(world.timeline.changeEnds[0])].filter((p) => p === page).length,
        )
        const large = countChanges(world, differences, threshold)
        expectOptimal(
          plan,
          all.map((count) => rateOf(count, visits)),
          all.map((count, page) => (count === 0 ? 0 : (clicks[page]! * large[page]!) / count)),
        )
      }
    })
  })

  function clicksByHand(first: ReadonlyMap<number, QueryScores>, weights: readonly number[]): number[] {
    const clicks = Array.from(first, () => 0)
    weights.forEach((weight, query) => {
      const answers = [...first].filter(([, scores]) => (scores[query] ?? 0) > 0)
      answers.sort(([a, scoresA], [b, scoresB]) => scoresB[query]! - scoresA[query]! || a - b)
      answers.forEach(([page], at) => {
        clicks[page]! += weight * (at + 1) ** -1.5
      })
    })
    return clicks
  }
})

describe('a plan of crawls', () => {
  it('spreads the crawls of a page, keeps every allowance, and crawls no page that never changes', () => {
    const plan = planCrawls({
      ratesPerStep: Float64Array.of(0.5, 0, 0.5, 0.5),
      allowances: [1, 0, 2, 1, 0, 2],
      allocate: allocateOptimally,
    })
    expect(plan.map((pages) => pages.length)).toEqual([1, 0, 2, 1, 0, 2])
    for (const page of [0, 2, 3]) expect(plan.flat().filter((planned) => planned === page).length).toBe(2)
    expect(plan.flat()).not.toContain(1)
  })

  it('has no more crawls than pages that change', () => {
    const ratesPerStep = Float64Array.of(0.5, 0, 0)
    expect(planCrawls({ ratesPerStep, allowances: [3, 3, 3], allocate: allocateOptimally })).toEqual([[0], [0], [0]])
    const still = new Float64Array(3)
    expect(planCrawls({ ratesPerStep: still, allowances: [1, 1], allocate: allocateOptimally })).toEqual([[], []])
  })

  it('counts no change in a world of one step', () => {
    const { timeline } = scoredWorld(2, [1], [new Map([[0, { 0: 1 }]])])
    expect([...changesPerStep(timeline)]).toEqual([0, 0])
  })
})

describe('proportional parts within a limit', () => {
  it('have the sum asked for, none above the limit, and never less for a larger share', () => {
    withSeed('apportion', (seed) => {
      const random = seededRandom('apportion', seed)
      for (let round = 0; round < 300; round++) {
        const shares = Float64Array.from({ length: random.between(1, 8) }, () => random.next() ** 4 + 1e-6)
        const most = random.between(1, 10)
        const total = random.between(0, shares.length * most)
        const parts = apportionWithin(shares, total, most)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
        expect(Math.max(...parts)).toBeLessThanOrEqual(most)
        for (const [a, shareA] of shares.entries())
          for (const [b, shareB] of shares.entries())
            if (shareA > shareB) expect(parts[a]).toBeGreaterThanOrEqual(parts[b]! - 1)
      }
    })
  })
})
