/** What refreshes were expected to gain beside what they did. */
import { Freshdex, type RefreshExplanation } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { gainInterval, NO_GAIN, withGain } from '../../../src/refresh/model/gain-interval.js'
import { reviewOf } from '../../../src/refresh/review/review.js'
import { ReviewDays, type StoredReviewDay, validReviewDays } from '../../../src/refresh/review/review-days.js'
import { newPath } from '../../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { DAY_MS, OPTIONS, openOrchard, type Page, page, START, url } from '../orchard.js'

const at = (days: number) => START + days * DAY_MS

describe('a review of an index', () => {
  test('has every refresh whose gain was measured, and no other', async () => {
    await using index = await openOrchard()
    expect(index.refresh.review()).toEqual({
      ...{ refreshes: 0, changes: 0, expectedChanges: 0, deltaQuality: 0, expectedDeltaQuality: 0, low: 0, high: 0 },
      ...{ ratio: undefined, slope: undefined, withinShare: undefined, days: [], verdict: 'nothing-expected' },
      sentence: expect.stringMatching(/^No refresh is reviewed yet/),
    })
    // Nothing was promised.
    await index.write({ put: [page(0)] }, { at: at(1) })
    expect(index.refresh.review().refreshes).toBe(0)
    await index.refresh.next({ budget: 1, at: at(1) })
    const { gains } = await index.write({ put: [page(0), page(1, 'more apple'), page(2, 'quince')] }, { at: at(2) })
    await index.refresh.observe(url(3), { outcome: 'same', at: at(2) })
    const measured = gains.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0)
    expect(measured).toBeGreaterThan(0)
    const review = index.refresh.review()
    expect(review).toMatchObject({ refreshes: 4, changes: 2 })
    expect(review.deltaQuality).toBeCloseTo(measured, 12)
    expect(review.days.map(({ from }) => from)).toEqual([at(2)])
    expect(review.ratio).toBeCloseTo(review.deltaQuality / review.expectedDeltaQuality, 12)
    expect(review.slope).toBeCloseTo(review.ratio as number, 12)
    expect(review.low).toBeLessThan(review.expectedDeltaQuality)
    expect(review.high).toBeGreaterThanOrEqual(review.expectedDeltaQuality)
    // Neither what nothing is known of, nor what has no interval, nor what was never there before.
    await index.refresh.observe(url(4), { outcome: 'changed', at: at(3) })
    await index.refresh.observe(url(5), { outcome: 'error', at: at(3) })
    await index.refresh.observe(url(6), { outcome: 'gone', at: at(3) })
    await index.write({ put: [page(0), page(77)], remove: [url(7)] }, { at: at(2) })
    expect(index.refresh.review()).toEqual(review)
  })

  test('compares with what explain and next said before', async () => {
    await using index = await openOrchard()
    await index.refresh.next({ budget: 1, at: at(1) })
    await index.write({ put: [page(1, 'more apple'), page(2)] }, { at: at(3) })
    const before = index.refresh.review()
    await index.refresh.next({ budget: 12, at: at(9) })
    const chosen = [url(4), url(1), url(8)]
    const expected = chosen.map((key) => index.refresh.explain(key, { at: at(9) }) as RefreshExplanation)
    await index.write({ put: [page(4, 'pear'), page(1, 'more apple'), page(8, 'quince')] }, { at: at(9) })
    const review = index.refresh.review({ since: at(9) })
    expect(review.refreshes).toBe(3)
    const sum = (value: (one: RefreshExplanation) => number) => expected.reduce((total, one) => total + value(one), 0)
    expect(review.expectedDeltaQuality).toBeCloseTo(
      sum(({ expected: { deltaQuality } }) => deltaQuality),
      12,
    )
    expect(review.expectedChanges).toBeCloseTo(
      sum(({ expected: { changeChance } }) => changeChance),
      12,
    )
    expect(index.refresh.review({ until: at(8) })).toEqual(before)
  })

  test('outlives its process', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    await index.refresh.next({ budget: 0 })
    for (const day of [2, 5, 9]) await index.write({ put: [page(day, `day${day}`), page(1)] }, { at: at(day) })
    const review = index.refresh.review()
    expect(review.days).toHaveLength(3)
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(again.refresh.review()).toEqual(review)
    expect((await again.check()).faults).toEqual([])
  })

  test('refuses what is no time', async () => {
    await using index = await openOrchard()
    expect(() => index.refresh.review({ since: 'today' as never })).toThrow(TypeError)
    expect(() => index.refresh.review({ until: Number.NaN })).toThrow(/until/)
    expect(() => index.refresh.review({ from: 1 } as never)).toThrow(/from/)
  })
})

describe('the book of reviews', () => {
  test('has the sums of every day, step by step, and can take a step back', () => {
    withSeed('review book', (seed) => {
      const random = new SeededRandom(seed)
      const book = new ReviewDays()
      const stored = new Map<number, StoredReviewDay>()
      let days: readonly StoredReviewDay[] = []
      for (let step = 0; step < 200; step++) {
        const entries = Array.from({ length: random.int(5) }, () => ({
          atMs: START + random.int(5) * DAY_MS + random.int(DAY_MS),
          gain: { changeChance: random.next(), gainIfChanged: random.next(), spread: 1 + random.next() },
          isChanged: random.chance(0.5),
          deltaQuality: random.next(),
        }))
        for (const { atMs, gain, isChanged, deltaQuality } of entries) book.add(atMs, gain, isChanged, deltaQuality)
        const { rows: commit, undo } = book.step()
        expect(commit === undefined).toBe(entries.length === 0)
        if (random.chance(0.3)) {
          undo()
          expect(book.days()).toEqual(days)
          continue
        }
        for (const row of commit?.days ?? []) stored.set(row.day, row)
        for (const { atMs, gain } of entries) {
          const day = Math.floor(atMs / DAY_MS)
          const row = book.days().find((one) => one.day === day)!
          const before = days.find((one) => one.day === day)
          const own = entries.filter((entry) => Math.floor(entry.atMs / DAY_MS) === day)
          expect(row.refreshes).toBe((before?.refreshes ?? 0) + own.length)
          const sum = own.reduce((total, entry) => withGain(total, entry.gain), {
            mean: before?.expectedDeltaQuality ?? 0,
            variance: before?.variance ?? 0,
          })
          expect(row.expectedDeltaQuality).toBeCloseTo(sum.mean, 9)
          expect(row.variance).toBeCloseTo(sum.variance, 9)
          expect(gain.spread).toBeGreaterThanOrEqual(1)
        }
        days = book.days()
        const restored = new ReviewDays()
        restored.load([...stored.values()].map((row) => Object.values(row)))
        expect(restored.days(), `seed ${seed}, step ${step}`).toEqual(days)
      }
    })
  })

  test('forgets the oldest days, and says so', () => {
    const book = new ReviewDays()
    const gain = { changeChance: 0.5, gainIfChanged: 1, spread: 1 }
    for (let day = 0; day < 900; day++) book.add(day * DAY_MS, gain, true, 1)
    const { rows: commit, undo } = book.step()
    expect(commit).toMatchObject({ firstDay: 100 })
    expect(book.days()).toHaveLength(800)
    undo()
    expect(book.days()).toEqual([])
  })

  test('passes over rows that make no sense', () => {
    const sound = [20_000, 3, 1, 1.5, 2, 1, 0.5]
    const broken = [
      ...[
        [1.5, 3, 1, 1.5, 2, 1, 0.5],
        ['x', 3, 1, 1.5, 2, 1, 0.5],
        [2e8, 3, 1, 1.5, 2, 1, 0.5],
      ],
      ...[
        [1, 3, 4, 1.5, 2, 1, 0.5],
        [1, 3, 1, 3.5, 2, 1, 0.5],
        [1, 3, 1, 1.5, -2, 1, 0.5],
      ],
      ...[
        [1, 3, 1, 1.5, 2, null, 0.5],
        [1, 3, 1, 1.5, 2, 1, Number.POSITIVE_INFINITY],
        [1, 2.5, 1, 1.5, 2, 1, 0.5],
      ],
    ]
    const { days, faults } = validReviewDays([sound, ...broken])
    expect(days).toHaveLength(1)
    expect(faults).toHaveLength(broken.length)
  })
})

describe('a review of some days', () => {
  const day = (nth: number, expectedDeltaQuality: number, deltaQuality: number): StoredReviewDay => ({
    ...{ day: nth, refreshes: 10, changes: 4, expectedChanges: 5 },
    ...{ expectedDeltaQuality, variance: expectedDeltaQuality ** 2 / 4, deltaQuality },
  })

  test('has sums, the line through 0, and the days within their intervals', () => {
    const rows = [day(1, 1, 1), day(2, 2, 1), day(3, 1, 30)]
    const review = reviewOf(rows)
    expect(review).toMatchObject({ refreshes: 30, changes: 12, expectedChanges: 15, deltaQuality: 32 })
    expect(review.ratio).toBe(8)
    expect(review.slope).toBeCloseTo((1 * 1 + 2 * 1 + 1 * 30) / (1 + 4 + 1), 12)
    expect(review.days.map(({ isWithin }) => isWithin)).toEqual([true, true, false])
    expect(review.withinShare).toBeCloseTo(2 / 3, 12)
    const variance = rows.reduce((sum, row) => sum + row.variance, NO_GAIN.variance)
    expect({ low: review.low, high: review.high }).toEqual(gainInterval({ mean: 4, variance }))
  })

  test('does not take a day for a success whose interval holds everything', () => {
    // A gain of 0.663 where 3,140 was expected is between 0 and 20,000, and no success.
    const wide = { ...day(1, 3140, 0.663), variance: 3140 ** 2 * 30 }
    const review = reviewOf([wide])
    expect(review.low).toBe(0)
    // Nor does a day count that gained more, in an interval as wide: which days count must not depend on their gains.
    const more = { ...day(2, 3140, 1e6), variance: 3140 ** 2 * 30 }
    expect(reviewOf([wide, more])).toMatchObject({ withinShare: undefined, days: [{}, { verdict: 'more' }] })
    expect(review.days).toMatchObject([{ isWithin: true, verdict: 'too-few-to-tell' }])
    expect(review).toMatchObject({ verdict: 'too-few-to-tell', withinShare: undefined })
    expect(review.sentence).toBe(
      '10 refreshes found 4 changes, where 5 were expected. ' +
        'They gained less than 0.1% of what was expected: too few refreshes to tell whether that is chance.',
    )
  })

  test('says in words what its numbers say', () => {
    const sentence = (expected: number, gained: number) => reviewOf([day(1, expected, gained)]).sentence
    expect(sentence(100, 93)).toMatch(
      /They gained 93% of what was expected; anything from 34% to 1\d\d% may be chance\.$/,
    )
    expect(sentence(100, 1)).toMatch(/They gained 1% of what was expected, less than the 34% that chance explains/)
    expect(sentence(100, 320)).toMatch(
      /They gained 3.2 times what was expected, more than the 1\d\d% that chance explains/,
    )
    expect(sentence(0, 0)).toMatch(/Nothing was to be gained\.$/)
    withSeed('review sentences', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const row = {
          ...{ day: 1, refreshes: 1 + random.int(1e6), changes: random.int(2), expectedChanges: random.next() * 9 },
          expectedDeltaQuality: random.pick([0, 1e-9, random.next(), 1e12]),
          variance: random.pick([0, 1e-9, random.next(), 1e26]),
          deltaQuality: random.pick([0, 1e-12, random.next(), 1e12]),
        }
        const { sentence: text, verdict, low, high, deltaQuality, expectedDeltaQuality } = reviewOf([row])
        expect(text).not.toMatch(/NaN|Infinity|undefined|\de[+-]?\d/)
        expect(text).toMatch(/\.$/)
        if (verdict === 'as-expected') expect(deltaQuality >= low && deltaQuality <= high).toBe(true)
        if (verdict === 'as-expected' || verdict === 'less') expect(low).toBeGreaterThan(0.04 * expectedDeltaQuality)
        if (verdict === 'more') expect(deltaQuality).toBeGreaterThan(high)
      }
    })
  })

  test('takes whole days', () => {
    const rows = [day(1, 1, 1), day(2, 2, 1), day(3, 1, 30)]
    expect(reviewOf(rows, { since: 2.7 * DAY_MS }).days.map(({ from }) => from / DAY_MS)).toEqual([2, 3])
    expect(reviewOf(rows, { since: 0, until: 2 * DAY_MS }).refreshes).toBe(20)
    expect(reviewOf(rows, { since: 9 * DAY_MS }).ratio).toBe(undefined)
  })
})
