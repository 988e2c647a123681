/** Timetables of refreshes from what an index knows. */
import { Freshdex } from 'freshdex'
import type { PoissonLaw } from 'freshdex/schedule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START } from './orchard.js'

let index: Freshdex<Page>
const END = START + 70 * DAY_MS

/** Page 2 has changed every week for ten weeks, and was looked at like page 3, which never did. */
beforeAll(async () => {
  index = await openOrchard()
  for (let week = 1; week <= 10; week++) {
    await index.write({ put: [page(2, `apple news${week}`), page(3)] }, { at: START + 7 * week * DAY_MS })
  }
})

afterAll(() => index.close())

describe('a schedule of refreshes', () => {
  it('has the ages, stakes and rates of the documents, and a timetable by their keys', async () => {
    const schedule = await index.refresh.schedule({ crawls: 40, periodMs: 28 * DAY_MS, at: END })
    expect([schedule.at, schedule.start, schedule.weight]).toEqual([END, 'repeated', 'stake'])
    expect(schedule.keys.toSorted()).toEqual(PAGES.map(({ url }) => url).toSorted())
    const of = (nth: number) => schedule.keys.indexOf(page(nth).url)
    expect(schedule.pages[of(2)]!.lastCrawl).toBeCloseTo(0, 9)
    expect(schedule.pages[of(5)]!.lastCrawl).toBe(-70 * DAY_MS)
    const rate = (nth: number) => (schedule.pages[of(nth)]!.law as PoissonLaw).rate
    expect(rate(2)).toBeGreaterThan(5 * rate(3))
    expect(schedule.crawls[of(2)]).toBeGreaterThan(schedule.crawls[of(3)]!)
    const rows = [...schedule.rows()]
    expect(rows).toHaveLength(schedule.made.length)
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted((a, b) => a - b))
    const counts = new Map<unknown, number>()
    for (const { key } of rows) counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const [at, key] of schedule.keys.entries()) expect(counts.get(key) ?? 0).toBe(schedule.crawls[at])
  })

  it('takes all documents alike where nothing is at stake, and refreshes each as often as it must', async () => {
    const quiet = await Freshdex.open<Page>(':memory:', OPTIONS)
    await quiet.write({ put: [...PAGES] }, { at: START })
    const schedule = await quiet.refresh.schedule({ capacities: [10, 5], minimum: 1, at: START + DAY_MS })
    expect(schedule.weight).toBe('none')
    expect([...schedule.crawls].every((count) => count >= 1)).toBe(true)
    expect(schedule.periodMs).toBe(7 * DAY_MS)
    await quiet.close()
  })

  it('of one period begins with the copies of today', async () => {
    const schedule = await index.refresh.schedule({ crawls: 12, start: 'fresh', weight: 'none', at: END })
    expect(schedule.start).toBe('fresh')
    const of = (nth: number) => schedule.keys.indexOf(page(nth).url)
    // Copies of ten weeks are more likely stale than one of today by the same law.
    expect(schedule.crawls[of(5)]! + schedule.crawls[of(7)]!).toBeGreaterThanOrEqual(schedule.crawls[of(3)]!)
  })

  it.each([
    [{}, TypeError, /schedule needs crawls or capacities/],
    [{ crawls: -1 }, RangeError, /crawls must be/],
    [{ crawls: 5, periodMs: 0 }, RangeError, /periodMs must be/],
    [{ crawls: 5, start: 'now' }, RangeError, /start must be/],
    [{ crawls: 5, laws: 'poisson' }, TypeError, /laws must be a list/],
    [{ crawls: 5, laws: ['normal'] }, RangeError, /laws\[0\] must be/],
    [{ crawls: 5, laws: ['poisson'], updateTimesMs: [1] }, TypeError, /updateTimesMs are of use to/],
    [{ crawls: 5, weight: 'clicks' }, RangeError, /weight must be/],
    [{ crawls: 5, period: 3 }, TypeError, /unknown schedule option "period"/],
  ])('is refused with %o', async (options, type, message) => {
    const refused = index.refresh.schedule(options as never)
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toBeInstanceOf(type)
  })
})
