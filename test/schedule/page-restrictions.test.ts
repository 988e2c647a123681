/** Pages with forbidden parts of the period, fixed times, and crawlers of their own. */
import { describe, expect, it } from 'vitest'
import { PoissonLaw } from '../../src/change/laws/poisson.js'
import { makeSchedule, type PageToCrawl, type Schedule } from '../../src/schedule/schedule.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const law = new PoissonLaw({ rate: 2 })

function crawlsOf({ made, slots, ideal }: Schedule, page: number) {
  return [...made].flatMap((crawl, slot) =>
    ideal.pages[crawl] === page ? [{ time: slots.times[slot] as number, crawler: slots.crawlers[slot] as number }] : [],
  )
}

describe('a schedule of restricted pages', () => {
  it('crawls no page in a forbidden part, by a crawler that is not its own, or without its fixed times', () => {
    withSeed('restrictions', (seed) => {
      const random = new SeededRandom(seed)
      let made = 0
      for (let round = 0; round < 60; round++) {
        const capacities = [random.between(8, 20), random.between(8, 20)]
        const pages = Array.from({ length: random.between(2, 8) }, (): PageToCrawl => {
          const from = random.next()
          const window = { from, until: from + (1 - from) * random.next() }
          return {
            law,
            ...(random.chance(0.4) ? { forbidden: [window] } : {}),
            ...(random.chance(0.3) ? { fixed: [random.next() * 0.8] } : {}),
            ...(random.chance(0.3) ? { crawlers: [random.int(2)] } : {}),
          }
        })
        const schedule = madeOrNothing(pages, capacities)
        if (schedule === undefined) continue
        made++
        for (const [page, { forbidden = [], fixed = [], crawlers }] of pages.entries()) {
          const crawls = crawlsOf(schedule, page)
          expect(crawls).toHaveLength(schedule.crawls[page] as number)
          for (const { time, crawler } of crawls) {
            for (const { from, until } of forbidden) expect(time >= from && time <= until).toBe(false)
            if (crawlers !== undefined) expect(crawlers).toContain(crawler)
          }
          // A slot of a faster crawler comes sooner, so what is next differs from page to page.
          for (const time of fixed) expect(crawls.some((crawl) => crawl.time >= time)).toBe(true)
        }
      }
      expect(made).toBeGreaterThan(30)
    })
  })

  it('crawls at a fixed time, in the first slot from then on', () => {
    const pages = [{ law, fixed: [0.3, 0.9] }, { law }]
    const schedule = makeSchedule(pages, { period: 1, capacities: [10] })
    const times = crawlsOf(schedule, 0).map(({ time }) => time)
    expect(times).toEqual(expect.arrayContaining([0.3, 0.9]))
    expect(schedule.crawls[0]).toBeGreaterThanOrEqual(2)
  })

  it('gives two pages that are fixed at the same time two slots', () => {
    const schedule = makeSchedule(
      [
        { law, fixed: [0.45] },
        { law, fixed: [0.45] },
      ],
      { period: 1, capacities: [10] },
    )
    const times = [0, 1].map((page) => crawlsOf(schedule, page).map(({ time }) => time))
    expect(times.flat()).toEqual(expect.arrayContaining([0.5, 0.6]))
  })

  it('is infeasible where no slot is left', () => {
    const options = { period: 1, capacities: [4] }
    expect(() => makeSchedule([{ law, fixed: [0.9] }], options)).toThrow(
      expect.objectContaining({ code: 'INFEASIBLE', message: expect.stringContaining('no slot from 0.9 on') }),
    )
    expect(() => makeSchedule([{ law, minimum: 1, forbidden: [{ from: 0, until: 1 }] }], options)).toThrow(
      expect.objectContaining({ code: 'INFEASIBLE' }),
    )
  })

  it.each([
    [{ forbidden: [{ from: 0.5, until: 2 }] }, /a forbidden part of page 0 must lie within \[0, 1\]/],
    [{ fixed: [1] }, /a fixed time of page 0 must lie within \[0, 1\)/],
    [{ fixed: [Number.NaN] }, /a fixed time of page 0/],
    [{ crawlers: [1] }, /a crawler of page 0 must be the place of one of 1 crawlers, from 0, received 1/],
  ])('is refused with %o', (own, message) => {
    expect(() => makeSchedule([{ law, ...own }], { period: 1, capacities: [3] })).toThrow(message)
  })
})

/** Undefined where the restrictions leave no way. */
function madeOrNothing(pages: readonly PageToCrawl[], capacities: readonly number[]): Schedule | undefined {
  try {
    return makeSchedule(pages, { period: 1, capacities })
  } catch (error) {
    expect(error).toMatchObject({ code: 'INFEASIBLE' })
    return undefined
  }
}
