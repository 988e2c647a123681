/** Timetables against the cheapest assignment, found by another method. */
import { describe, expect, it } from 'vitest'
import { timetableDeviation } from '../../src/lab/experiments/schedule/crawl-schemes.js'
import { makeRestrictedTimetable, type Restrictions } from '../../src/schedule/restricted-timetable.js'
import { NO_CRAWL } from '../../src/schedule/slot-network.js'
import { crawlerSlots, type Slots } from '../../src/schedule/slots.js'
import { type CrawlTimes, makeTimetable } from '../../src/schedule/timetable.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { leastCost, slotCost } from './assignment-twin.js'
import vectors from './vectors/optimal-crawling.json' with { type: 'json' }

describe('a timetable', () => {
  it('costs what that of the reference does', () => {
    const { C, S, T, tasks, slotTimes, totalCost } = vectors.transportation
    const slots = crawlerSlots(Array(C).fill(S), T)
    expect([...slots.times]).toEqual(slotTimes)
    const crawls = {
      times: Float64Array.from(tasks, ({ ideal }) => ideal),
      neverEarly: Uint8Array.from(tasks, ({ type }) => (type === 'Q' ? 1 : 0)),
    }
    const made = makeTimetable(crawls, slots)
    expect(Math.abs(timetableCost(crawls, slots, made) - totalCost)).toBeLessThan(1e-9)
    expectKept(crawls, slots, made)
    const byFlow = makeRestrictedTimetable(crawls, slots, {})
    expect(Math.abs(timetableCost(crawls, slots, byFlow) - totalCost)).toBeLessThan(1e-9)
  })

  it('costs as little as any, in 1,000 random cases, and is refused where there is none', () => {
    withSeed('timetables', (seed) => {
      const random = new SeededRandom(seed)
      let refused = 0
      for (let round = 0; round < 1000; round++) {
        const slots = randomSlots(random)
        const crawls = randomCrawls(random, slots.times.length)
        const expected = leastCost(crawls, slots)
        if (expected === undefined) {
          refused++
          expect(() => makeTimetable(crawls, slots)).toThrow(expect.objectContaining({ code: 'INFEASIBLE' }))
          continue
        }
        const made = makeTimetable(crawls, slots)
        expectKept(crawls, slots, made)
        expect(timetableCost(crawls, slots, made)).toBeCloseTo(expected, 9)
      }
      expect(refused).toBeGreaterThan(50)
      expect(refused).toBeLessThan(500)
    })
  })

  it('with windows, forbidden and fixed slots and idle slots costs as little as any, in 500 random cases', () => {
    withSeed('restricted timetables', (seed) => {
      const random = new SeededRandom(seed)
      let refused = 0
      for (let round = 0; round < 500; round++) {
        const slots = randomSlots(random)
        const crawls = randomCrawls(random, random.between(1, slots.times.length))
        const restrictions = randomRestrictions(random, crawls, slots)
        const expected = leastCost(crawls, slots, restrictions)
        if (expected === undefined) {
          refused++
          expect(() => makeRestrictedTimetable(crawls, slots, restrictions)).toThrow(
            expect.objectContaining({ code: 'INFEASIBLE' }),
          )
          continue
        }
        const made = makeRestrictedTimetable(crawls, slots, restrictions)
        expectKept(crawls, slots, made)
        const cost = made.reduce(
          (sum, crawl, slot) => (crawl === NO_CRAWL ? sum : sum + slotCost(crawls, slots, restrictions, crawl, slot)),
          0,
        )
        expect(cost).toBeCloseTo(expected, 9)
      }
      expect(refused).toBeGreaterThan(20)
      expect(refused).toBeLessThan(400)
    })
  })

  it('is as cheap by scanning as by flow, for a few hundred crawls', () => {
    withSeed('scan and flow', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 20; round++) {
        const slots = crawlerSlots([random.between(50, 200), random.between(50, 200)], 1)
        const times = Float64Array.from(slots.times, () => 0.7 * random.next())
        const crawls = { times, neverEarly: Uint8Array.from(times, () => (random.chance(0.2) ? 1 : 0)) }
        const made = makeTimetable(crawls, slots)
        const byFlow = makeRestrictedTimetable(crawls, slots, {})
        expect(timetableCost(crawls, slots, byFlow)).toBeCloseTo(timetableCost(crawls, slots, made), 9)
      }
    })
  })

  it('of nothing is nothing', () => {
    const nothing = { times: new Float64Array(), neverEarly: new Uint8Array() }
    expect(makeTimetable(nothing, crawlerSlots([], 1))).toEqual(new Uint32Array())
    expect(makeRestrictedTimetable(nothing, crawlerSlots([2], 1), {})).toEqual(Uint32Array.of(NO_CRAWL, NO_CRAWL))
  })
})

describe('a timetable that cannot be', () => {
  const slots = crawlerSlots([2], 1)
  const crawls = (...times: number[]) => ({ times: Float64Array.from(times), neverEarly: new Uint8Array(times.length) })

  it.each([
    [() => makeTimetable(crawls(0.5), slots), RangeError, /as many, received 1 times, 1 kinds and 2 slots/],
    [() => makeTimetable(crawls(0.5, -1), slots), RangeError, /times\[1\] must be a finite number/],
    [() => makeTimetable(crawls(0.5, Number.NaN), slots), RangeError, /times\[1\]/],
    [
      () => makeRestrictedTimetable(crawls(0.1, 0.2, 0.3), slots, {}),
      Error,
      /3 crawls are to be made, and there are 2/,
    ],
    [
      () => makeRestrictedTimetable(crawls(0.1), slots, { windows: new Map([[0, { from: 1, until: 0 }]]) }),
      RangeError,
      /window of crawl 0 must begin before it ends, received 1 to 0/,
    ],
    [
      () => makeRestrictedTimetable(crawls(0.1), slots, { fixed: new Map([[0, 2]]) }),
      RangeError,
      /a fixed slot must be/,
    ],
    [
      () => makeRestrictedTimetable(crawls(0.1), slots, { fixed: new Map([[1, 0]]) }),
      RangeError,
      /a crawl with a fixed/,
    ],
    [() => crawlerSlots([1.5], 1), RangeError, /capacities\[0\] must be an integer/],
    [() => crawlerSlots([1], 0), RangeError, /period must be/],
  ])('is refused: %s', (make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })

  it('is refused with the crawls that are too late', () => {
    const late = { times: Float64Array.of(0.6, 0.7), neverEarly: Uint8Array.of(0, 1) }
    expect(() => makeTimetable(late, slots)).toThrow(
      expect.objectContaining({
        code: 'INFEASIBLE',
        message: '1 crawls are left for the 1 slots from 0.5 on, but none of them may be made before 0.7',
      }),
    )
  })

  it('is refused where it would take too much memory', () => {
    const many = { times: new Float64Array(3000), neverEarly: new Uint8Array(3000) }
    const windows = new Map(Array.from({ length: 3000 }, (_, crawl) => [crawl, { from: 0, until: 1 }]))
    expect(() => makeRestrictedTimetable(many, crawlerSlots([3000], 1), { windows })).toThrow(
      expect.objectContaining({ code: 'NOT_SUPPORTED' }),
    )
  })
})

describe('the slots of crawlers', () => {
  it('are those of each, in the order of time', () => {
    withSeed('slots', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 100; round++) {
        const capacities = Array.from({ length: random.between(1, 6) }, () => random.int(12))
        const { times, crawlers } = crawlerSlots(capacities, 24)
        expect([...times]).toEqual([...times].sort((a, b) => a - b))
        for (const [crawler, capacity] of capacities.entries()) {
          const own = [...times].filter((_, slot) => crawlers[slot] === crawler)
          expect(own).toEqual(Array.from({ length: capacity }, (_, nth) => (nth * 24) / capacity))
        }
      }
    })
  })
})

describe('the deviation of a timetable', () => {
  it('is counted in slots of the crawler that makes the crawl', () => {
    const slots = crawlerSlots([2, 4], 1)
    const crawls = { times: Float64Array.of(0.5, 0, 0.5, 0.25, 0.75, 0), neverEarly: Uint8Array.of(1, 0, 0, 0, 0, 0) }
    expect([...slots.crawlers]).toEqual([0, 1, 1, 0, 1, 1])
    // Slots 0, 0, 0.25, 0.5, 0.5, 0.75: the first crawl is half the period early on the slow crawler, one of its slots.
    const deviation = timetableDeviation(crawls, slots, Uint32Array.of(0, 1, 3, 2, 5, 4), {
      capacities: [2, 4],
      period: 1,
      windows: [0, 1, 2],
    })
    const within = [4, 5, 6].map((crawls, slots) => ({ slots, share: crawls / 6 }))
    expect(deviation).toEqual({ early: 1, meanSlots: (1 + 2) / 6, maxSlots: 2, within20Slots: 1, within })
  })
})

function randomSlots(random: SeededRandom): Slots {
  return crawlerSlots(
    Array.from({ length: random.between(1, 3) }, () => random.between(1, 5)),
    1,
  )
}

function randomCrawls(random: SeededRandom, count: number): CrawlTimes {
  const latest = random.chance(0.5) ? 0.6 : 1
  const times = Float64Array.from({ length: count }, () =>
    random.chance(0.3) ? (latest * random.int(5)) / 5 : latest * random.next(),
  )
  return { times, neverEarly: Uint8Array.from(times, () => (random.chance(0.35) ? 1 : 0)) }
}

function randomRestrictions(random: SeededRandom, crawls: CrawlTimes, slots: Slots): Restrictions {
  const windows = new Map<number, { from: number; until: number }>()
  const forbidden = new Map<number, Set<number>>()
  const fixed = new Map<number, number>()
  for (const crawl of crawls.times.keys()) {
    if (random.chance(0.4)) {
      const from = 0.7 * random.next()
      windows.set(crawl, { from, until: from + 0.2 + 0.5 * random.next() })
    }
    if (random.chance(0.2))
      forbidden.set(crawl, new Set([random.int(slots.times.length), random.int(slots.times.length)]))
    if (random.chance(0.1)) fixed.set(crawl, random.int(slots.times.length))
  }
  return { windows, forbidden, fixed }
}

/** Every crawl once, and none of those early that must not be. */
function expectKept(crawls: CrawlTimes, slots: Slots, made: Uint32Array): void {
  const all = [...made].filter((crawl) => crawl !== NO_CRAWL).sort((a, b) => a - b)
  expect(all).toEqual([...crawls.times.keys()])
  for (const [slot, crawl] of made.entries()) {
    if (crawl !== NO_CRAWL && crawls.neverEarly[crawl] === 1) {
      expect(slots.times[slot]).toBeGreaterThanOrEqual(crawls.times[crawl] as number)
    }
  }
}

/** The sum of the distances of all crawls from their times. */
function timetableCost(crawls: CrawlTimes, slots: Slots, made: Uint32Array): number {
  return made.reduce((sum, crawl, slot) => sum + Math.abs(slots.times[slot]! - crawls.times[crawl]!), 0)
}
