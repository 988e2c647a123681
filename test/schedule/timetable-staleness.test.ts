/** Is the staleness that a schedule reports that of its own timetable? */
import { describe, expect, it } from 'vitest'
import { ParetoLaw } from '../../src/change/laws/pareto.js'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { WeibullLaw } from '../../src/change/laws/weibull.js'
import { RenewalLaw, type UpdateLaw } from '../../src/change/update-law.js'
import { allocate } from '../../src/schedule/allocation.js'
import { makeSchedule, type PageToCrawl, type Schedule } from '../../src/schedule/schedule.js'
import { SCHEDULE_STARTS, type ScheduleStart, StalenessTable } from '../../src/schedule/staleness-table.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { naiveStaleness } from './naive-staleness.js'
import { randomLaw, randomUpdateTimes } from './random-laws.js'

/** When a page is crawled under a schedule. */
function timesOf({ made, slots, ideal }: Schedule, page: number): number[] {
  return [...made].flatMap((crawl, slot) => (ideal.pages[crawl] === page ? [slots.times[slot] as number] : []))
}

function simulated(pages: readonly PageToCrawl[], schedule: Schedule, start: ScheduleStart): number {
  let sum = 0
  let weights = 0
  for (const [page, { law, weight = 1, lastCrawl = 0 }] of pages.entries()) {
    sum += weight * naiveStaleness({ law, times: timesOf(schedule, page), lastCrawl }, { start })
    weights += weight
  }
  return sum / weights
}

function mixedLaw(random: SeededRandom): UpdateLaw {
  const rate = 0.2 + 4 * random.next()
  const chance = random.next()
  if (chance < 0.4) return new PoissonLaw({ rate })
  if (chance < 0.6) return new ParetoLaw({ shape: 1.5, scale: 0.5 / rate })
  if (chance < 0.8) return new WeibullLaw({ shape: 0.7, scale: 1 / rate })
  return randomUpdateTimes(random, random.between(1, 5))
}

describe('the staleness of a schedule', () => {
  const eight = Array.from({ length: 8 }, (): PageToCrawl => ({ law: new PoissonLaw({ rate: 1 }) }))

  it('of eight equal pages with a crawl each is that of a crawl a period, wherever it falls', () => {
    const schedule = makeSchedule(eight, { period: 1, capacities: [8] })
    // One gap of length 1, over and over: 1 - (1 - 1 / e).
    expect(schedule.meanStaleness).toBeCloseTo(1 / Math.E, 12)
    expect(schedule.idealStaleness).toBeCloseTo(1 / Math.E, 12)
    expect(simulated(eight, schedule, 'repeated') / schedule.meanStaleness).toBeCloseTo(1, 3)
  })

  it('of eight equal pages in one fresh period is more than Eq. 14 promises, as not all are crawled half-way', () => {
    const schedule = makeSchedule(eight, { period: 1, capacities: [8], start: 'fresh' })
    expect(schedule.idealStaleness).toBeCloseTo(1 + 2 * Math.expm1(-0.5), 12)
    const byHand = Array.from({ length: 8 }, (_, at) => at / 8).reduce(
      (sum, time) => sum + (2 - 1 + Math.expm1(-time) + Math.expm1(time - 1)) / 8,
      0,
    )
    expect(schedule.meanStaleness).toBeCloseTo(byHand, 12)
    expect(schedule.meanStaleness).toBeGreaterThan(0.25)
    expect(simulated(eight, schedule, 'fresh') / schedule.meanStaleness).toBeCloseTo(1, 3)
  })

  it.each(SCHEDULE_STARTS)('of forty mixed pages and sixty crawls agrees with a simulation, %s', (start) => {
    withSeed('mixed pages', (seed) => {
      const random = new SeededRandom(seed)
      const pages = Array.from({ length: 40 }, (): PageToCrawl => {
        const lastCrawl = random.chance(0.3) ? -2 * random.next() : 0
        return { law: mixedLaw(random), weight: 0.1 + random.next(), lastCrawl }
      })
      const schedule = makeSchedule(pages, { period: 1, capacities: [40, 20], start })
      const ratio = simulated(pages, schedule, start) / schedule.meanStaleness
      expect(Math.abs(ratio - 1)).toBeLessThan(0.01)
    })
  })

  it('agrees with a simulation page by page, for any law, age and timetable', () => {
    withSeed('timetables', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) {
        const start = random.pick(SCHEDULE_STARTS)
        const pages = Array.from({ length: random.between(1, 12) }, (): PageToCrawl => {
          const lastCrawl = random.chance(0.4) ? -3 * random.next() : 0
          return { law: random.chance(0.5) ? mixedLaw(random) : randomLaw(random), lastCrawl }
        })
        const crawls = random.between(0, 30)
        const phasing = random.chance(0.5) ? ('phased' as const) : ('unphased' as const)
        let schedule: Schedule
        try {
          schedule = makeSchedule(pages, { period: 1, capacities: [crawls], start, phasing })
        } catch (error) {
          expect(error).toMatchObject({ code: 'INFEASIBLE' })
          continue
        }
        for (const [page, own] of pages.entries()) {
          const naive = naiveStaleness({ ...own, times: timesOf(schedule, page) }, { start })
          expect(Math.abs((schedule.staleness[page] as number) - naive)).toBeLessThan(0.005)
        }
      }
    })
  })

  it('is 1 without crawls where the period is repeated, and 0 for a page that never changes', () => {
    const never = new QuasiDeterministicLaw({ period: 1, times: [], probabilities: [] })
    const seldom = new PoissonLaw({ rate: 1e-6 })
    const { staleness, crawls } = makeSchedule(
      [
        { law: seldom, maximum: 0 },
        { law: never, maximum: 0 },
      ],
      {
        period: 1,
        capacities: [0],
      },
    )
    expect([...crawls]).toEqual([0, 0])
    expect([...staleness]).toEqual([1, 0])
  })

  it('of a repeated period does not depend on what came before it, other than that of a fresh one', () => {
    const law = new PoissonLaw({ rate: 1 })
    const of = (start: ScheduleStart, lastCrawl: number) =>
      makeSchedule([{ law, lastCrawl }], { period: 1, capacities: [2], start }).meanStaleness
    expect(of('repeated', -5)).toBe(of('repeated', 0))
    expect(of('repeated', 0)).toBeCloseTo(1 + 2 * Math.expm1(-0.5), 12)
    expect(of('fresh', -5)).toBeLessThan(of('fresh', 0) + 0.2)
    // A copy of age 5 is crawled at once, and then evenly.
    const { made, slots } = makeSchedule([{ law, lastCrawl: -5 }], { period: 1, capacities: [2], start: 'fresh' })
    expect([...made].map((_, slot) => slots.times[slot])).toEqual([0, 0.5])
  })

  it('lets those pages go first whose last crawls are the longest ago', () => {
    const pages = [-0.1, -3, -0.5, -2].map(
      (lastCrawl): PageToCrawl => ({ law: new PoissonLaw({ rate: 1 }), lastCrawl }),
    )
    for (const start of SCHEDULE_STARTS) {
      const { made, ideal } = makeSchedule(pages, { period: 1, capacities: [4], start })
      expect(Array.from(made, (crawl) => ideal.pages[crawl])).toEqual([1, 3, 2, 0])
    }
  })

  it.each([
    [{ lastCrawl: 1 }, /last crawl of page 0 must be a finite number of at most 0/],
    [{ lastCrawl: Number.NaN }, /last crawl of page 0/],
  ])('is refused with %o', (own, message) => {
    const page = { law: new PoissonLaw({ rate: 1 }), ...own }
    expect(() => makeSchedule([page], { period: 1, capacities: [3] })).toThrow(message)
  })

  it('refuses a start that there is not', () => {
    const options = { period: 1, capacities: [3], start: 'stale' as never }
    expect(() => makeSchedule([{ law: new PoissonLaw({ rate: 1 }) }], options)).toThrow(/start must be/)
  })
})

describe('the allocation of crawls', () => {
  it.each(SCHEDULE_STARTS)('is that of brute force over all allocations, %s', (start) => {
    withSeed('allocations', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 1000; round++) {
        const laws = Array.from({ length: random.between(1, 4) }, () => randomLaw(random))
        const weights = laws.map(() => (random.chance(0.3) ? 1 : random.next()))
        const lastCrawls = laws.map(() => (random.chance(0.5) ? 0 : -2 * random.next()))
        const crawls = random.between(0, 6)
        const table = new StalenessTable(laws, { period: 1, start, weights, lastCrawls })
        const curves = laws.map((law, page) => {
          const useful = Math.min(crawls, table.usefulCrawls(page))
          const age = -(lastCrawls[page] as number)
          // Which update times of a quasi-deterministic page are crawled is chosen greedily, and tested below.
          const best = (count: number) =>
            law instanceof RenewalLaw ? leastStaleness(law, { count, start, age }) : table.staleness(page, count)
          return Array.from({ length: useful + 1 }, (_, count) => best(count))
        })
        const maximums = curves.map((curve) => curve.length - 1)
        const most = maximums.reduce((sum, each) => sum + each, 0)
        const total = Math.min(crawls, most)
        const found = allocate(table, { crawls: total, maximums })
        const objective = (counts: ArrayLike<number>) =>
          curves.reduce((sum, curve, page) => sum + (weights[page] as number) * (curve[counts[page]!] as number), 0)
        const best = Math.min(...allAllocations(maximums, total).map(objective))
        expect(Math.abs(table.objective(found) - objective(found))).toBeLessThan(1e-9)
        expect(objective(found) - best).toBeLessThan(1e-9)
      }
    })
  })

  it('of a repeated period takes greedy update times that are nearly the best of all subsets', () => {
    withSeed('repeated update times', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const law = randomUpdateTimes(random, random.between(1, 6))
        const table = new StalenessTable([law], { period: 1, start: 'repeated' })
        for (let count = 1; count <= table.usefulCrawls(0); count++) {
          const best = Math.min(
            ...subsets([0, ...law.times], count).map((times) =>
              times.reduce((sum, from, at) => sum + table.staleTime(0, from, times[at + 1] ?? times[0]! + 1), 0),
            ),
          )
          const greedy = table.staleness(0, count)
          expect(greedy).toBeGreaterThan(best - 1e-9)
          expect(1 - greedy).toBeGreaterThanOrEqual((1 - 1 / Math.E) * (1 - best) - 1e-9)
          expect(table.gain(0, count - 1)).toBeLessThanOrEqual(count === 1 ? 1 : table.gain(0, count - 2) + 1e-12)
        }
      }
    })
  })
})

interface SpacedCrawls {
  readonly count: number
  readonly start: ScheduleStart
  readonly age: number
}

/**
 * By the expected stale times of all gaps; the first crawl of a fresh period is looked for, the others follow evenly.
 */
function leastStaleness(law: RenewalLaw, { count, start, age }: SpacedCrawls): number {
  if (start === 'repeated') return count === 0 ? 1 : count * law.staleTime(1 / count)
  const from = (first: number) =>
    law.staleTime(age + first) - law.staleTime(age) + (count === 0 ? 0 : count * law.staleTime((1 - first) / count))
  if (count === 0) return from(1)
  let low = 0
  let high = 1
  while (high - low > 1e-9) {
    const third = (high - low) / 3
    if (from(low + third) < from(high - third)) high -= third
    else low += third
  }
  return Math.min(from(0), from((low + high) / 2))
}

function allAllocations(maximums: readonly number[], total: number): number[][] {
  const [most, ...others] = maximums
  if (most === undefined) return total === 0 ? [[]] : []
  return Array.from({ length: Math.min(most, total) + 1 }, (_, own) => own).flatMap((own) =>
    allAllocations(others, total - own).map((rest) => [own, ...rest]),
  )
}

/** All subsets of this size, each in the order of the items. */
function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, at) => subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]))
}
