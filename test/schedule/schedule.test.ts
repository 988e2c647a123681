/** Both parts together. */
import { describe, expect, it } from 'vitest'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { QuasiDeterministicLaw } from '../../src/change/laws/quasi-deterministic.js'
import { makeSchedule, type PageToCrawl, type Schedule } from '../../src/schedule/schedule.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { randomLaw } from './random-laws.js'

const daily = new PoissonLaw({ rate: 1 })
const never = new QuasiDeterministicLaw({ period: 1, times: [], probabilities: [] })

describe('a schedule', () => {
  it('gives each page its crawls, each in a slot of its own, within bounds and not before updates', () => {
    withSeed('schedules', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const pages = Array.from({ length: random.between(1, 40) }, (): PageToCrawl => {
          const minimum = random.int(2)
          return {
            law: random.chance(0.8) ? new PoissonLaw({ rate: random.between(1, 9) }) : randomLaw(random),
            weight: random.next(),
            minimum,
            maximum: minimum + random.between(1, 6),
          }
        })
        const capacities = [random.between(40, 60), random.between(1, 30)]
        const schedule = madeOrNothing(pages, capacities)
        if (schedule === undefined) continue
        expectWhole(schedule, pages)
        expect(schedule.made.length).toBeLessThanOrEqual((capacities[0] as number) + (capacities[1] as number))
      }
    })
  })

  it('lets crawlers go slower that have less to do', () => {
    const schedule = makeSchedule([{ law: daily, maximum: 3 }, { law: never }], { period: 1, capacities: [6, 2] })
    // A page that never changes can use one crawl, which gains nothing.
    expect([...schedule.crawls]).toEqual([3, 1])
    expect(schedule.capacities).toEqual([3, 1])
    expect([...schedule.slots.times]).toEqual([0, 0, 1 / 3, 2 / 3])
  })

  it('keeps crawls of a page within its window', () => {
    const window = { from: 0.5, until: 0.75 }
    const pages = [{ law: daily }, { law: daily, window, minimum: 3 }, { law: daily }]
    const schedule = makeSchedule(pages, { period: 1, capacities: [20] })
    expectWhole(schedule, pages)
    for (const [slot, crawl] of schedule.made.entries()) {
      if (schedule.ideal.pages[crawl] !== 1) continue
      const time = schedule.slots.times[slot] as number
      expect(time).toBeGreaterThanOrEqual(0.5)
      expect(time).toBeLessThanOrEqual(0.75)
    }
  })

  it('plans no crawl after an update that comes after the last slot', () => {
    const law = new QuasiDeterministicLaw({ period: 1, times: [0.3, 0.97], probabilities: [1, 1] })
    const { crawls, ideal } = makeSchedule([{ law }, { law: daily }], { period: 1, capacities: [10] })
    expect([...ideal.times].filter((time, crawl) => ideal.pages[crawl] === 0 && !(time <= 0.9))).toEqual([])
    expect(crawls[0]).toBeLessThanOrEqual(2)
  })

  it('of no pages is empty', () => {
    const { made, meanStaleness } = makeSchedule([], { period: 1, capacities: [3] })
    expect([made.length, meanStaleness]).toEqual([0, 0])
  })

  it.each([
    [{ capacities: [3], crawls: 4 }, /no more than the crawlers can make, 3, received 4/],
    [{ capacities: [3], crawls: 1.5 }, /crawls must be an integer/],
    [{ capacities: [-1] }, /capacities\[0\]/],
    [{ capacities: [3], period: 0 }, /period must be/],
  ])('is refused with %o', (options, message) => {
    expect(() => makeSchedule([{ law: daily }], { period: 1, ...options })).toThrow(message)
  })

  it('is refused with a window outside of the period', () => {
    const pages = [{ law: daily, window: { from: 0.5, until: 2 } }]
    expect(() => makeSchedule(pages, { period: 1, capacities: [3] })).toThrow(
      /window of page 0 must lie within \[0, 1\]/,
    )
  })
})

/** Undefined where late updates leave no way. */
function madeOrNothing(pages: readonly PageToCrawl[], capacities: readonly number[]): Schedule | undefined {
  try {
    return makeSchedule(pages, { period: 1, capacities })
  } catch (error) {
    expect(error).toMatchObject({ code: 'INFEASIBLE' })
    return undefined
  }
}

function expectWhole({ crawls, ideal, slots, made }: Schedule, pages: readonly PageToCrawl[]): void {
  const counts = new Uint32Array(pages.length)
  for (const [slot, crawl] of made.entries()) {
    counts[ideal.pages[crawl] as number]!++
    if (ideal.neverEarly[crawl] === 1) expect(slots.times[slot]).toBeGreaterThanOrEqual(ideal.times[crawl] as number)
  }
  expect(counts).toEqual(crawls)
  expect(new Set(made).size).toBe(made.length)
  for (const [page, { minimum = 0, maximum = Number.POSITIVE_INFINITY }] of pages.entries()) {
    expect(counts[page]).toBeGreaterThanOrEqual(minimum)
    expect(counts[page]).toBeLessThanOrEqual(maximum)
  }
}
