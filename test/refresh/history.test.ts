/** The history of refreshes: what each write and each observation leaves in it, and that it outlives its process. */
import { Freshdex, type SuggestedPage } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, HOUR_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

const at = (days: number) => START + days * DAY_MS

/**
 * Everything that an index says of its refreshes at one moment, without the last digits: sums are not always made in
 * one order.
 */
async function looksOf(index: Freshdex<Page>, atMs: number = at(100)): Promise<Looks> {
  const looks = {
    next: (await index.refresh.next({ budget: 1000, at: atMs })).pages,
    explained: PAGES.map(({ url }) => index.refresh.explain(url, { at: atMs })),
    queries: index.workload.queries({ at: atMs }),
    clicks: index.stats().workload.clicks,
  }
  return JSON.parse(JSON.stringify(looks, (_, value) => (typeof value === 'number' ? +value.toPrecision(9) : value)))
}

interface Looks {
  readonly next: unknown
  readonly explained: unknown
  readonly queries: unknown
  readonly clicks: unknown
}

/** Nothing is being fitted beside, and all that was is durable. */
async function settle(index: Freshdex<Page>): Promise<void> {
  await index.refresh.fit()
  await index.refresh.observe(url(11), { outcome: 'same', at: at(5) })
}

const keysOf = (suggestions: readonly SuggestedPage[]) => suggestions.map(({ key }) => key)

async function places() {
  return [
    ['in memory', ':memory:'],
    ['in a folder', newPath()],
  ] as const
}

describe.each(await places())('an index %s', (_, path) => {
  test('remembers what came of each write', async () => {
    const folder = path === ':memory:' ? path : newPath()
    await using index = await openOrchard(folder)
    const explain = (nth: number) => index.refresh.explain(url(nth), { at: at(9) })
    expect(explain(0)).toMatchObject({
      ...{ key: url(0), at: at(9), lastOutcome: 'new', createdAt: START, refreshedAt: START, ageMs: 9 * DAY_MS },
      ...{ refreshes: 0, changes: 0, errors: 0, lastDeltaQuality: 0, history: [], queries: [] },
    })
    expect(explain(0)?.stake).toBeGreaterThan(0)
    await index.write({ put: [page(0), page(1, 'more apple')] }, { at: at(2) })
    expect(explain(0)).toMatchObject({ lastOutcome: 'same', refreshedAt: at(2), refreshes: 1, changes: 0 })
    expect(explain(0)?.history).toEqual([{ intervalMs: 2 * DAY_MS, deltaQuality: 0 }])
    expect(explain(1)).toMatchObject({
      lastOutcome: 'changed',
      refreshedAt: at(2),
      refreshes: 1,
      changes: 1,
      createdAt: START,
    })
    expect(explain(2)).toMatchObject({ lastOutcome: 'new', refreshes: 0 })
    // Only what is stored is new: for searches the page is the same.
    await index.write({ put: [{ ...page(2), links: 77 }] }, { at: at(3) })
    expect(explain(2)).toMatchObject({ refreshes: 1, refreshedAt: at(3) })
    expect(index.refresh.explain('nobody')).toBe(undefined)
    expect(index.refresh.priority('nobody')).toBe(undefined)
  })

  test('keeps the last six refreshes one by one, newest first', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    for (let day = 1; day <= 8; day++) await index.write({ put: [page(3)] }, { at: at((day * (day + 1)) / 2) })
    const { history, refreshes } = index.refresh.explain(url(3)) ?? {}
    expect(refreshes).toBe(8)
    expect(history?.map(({ intervalMs }) => intervalMs / DAY_MS)).toEqual([8, 7, 6, 5, 4, 3])
  })

  test('takes times as they are given, and no interval from one before the last', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    await index.write({ put: [page(0)] }, { at: at(5) })
    await index.write({ put: [page(0)] }, { at: at(1) })
    expect(index.refresh.explain(url(0), { at: at(6) })).toMatchObject({
      refreshes: 2,
      refreshedAt: at(5),
      ageMs: DAY_MS,
    })
    await index.write({ put: [page(0)] }, { at: at(5) })
    expect(index.refresh.explain(url(0), { at: at(4) })).toMatchObject({ refreshes: 3, ageMs: 0, priority: 0 })
    expect(index.refresh.explain(url(0))?.history).toHaveLength(1)
    for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY, 8.65e15])
      await expect(index.write({}, { at: wrong })).rejects.toThrow(RangeError)
    await expect(index.write({}, { at: '2025' as never })).rejects.toThrow(TypeError)
    await expect(index.write({}, { when: 1 } as never)).rejects.toThrow(TypeError)
  })

  test('records what was seen without a write', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    const { refresh } = index
    const explain = (nth: number) => refresh.explain(url(nth), { at: at(30) })
    await refresh.observe(url(0), { outcome: 'same', at: at(1) })
    expect(explain(0)).toMatchObject({
      lastOutcome: 'same',
      refreshes: 1,
      changes: 0,
      refreshedAt: at(1),
      lastDeltaQuality: 0,
    })
    await refresh.observe(url(1), { outcome: 'changed', at: at(1) })
    // Nobody knows what a change gained that was only heard of.
    expect(explain(1)).toMatchObject({ lastOutcome: 'changed', refreshes: 1, changes: 1, lastDeltaQuality: undefined })
    const { gains } = await index.write({ put: [{ ...page(2), body: 'quince' }] }, { at: at(2) })
    await refresh.observe(url(2), { outcome: 'changed', at: at(4) })
    expect(explain(2)).toMatchObject({ changes: 2, lastDeltaQuality: undefined })
    expect(explain(2)?.history.map(({ deltaQuality }) => deltaQuality)).toEqual([
      undefined,
      Math.fround(gains[0]?.deltaQuality as number),
    ])
    await refresh.observe(url(3), { outcome: 'gone', at: at(5) })
    expect(explain(3)).toMatchObject({ lastOutcome: 'gone', refreshes: 0 })
    expect(keysOf((await refresh.next({ budget: 100, at: at(30) })).pages)).not.toContain(url(3))
    // It is still found, and comes back with its history.
    expect(index.has(url(3))).toBe(true)
    await index.write({ put: [page(3)] }, { at: at(6) })
    expect(explain(3)).toMatchObject({ lastOutcome: 'same', refreshes: 1, createdAt: START })
    expect(keysOf((await refresh.next({ budget: 100, at: at(30) })).pages)).toContain(url(3))
  })

  test('lets a page wait that could not be had, twice as long each time, then asks for it first', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    const { refresh } = index
    const isNamed = async (atMs: number) =>
      keysOf((await refresh.next({ budget: 100, at: atMs })).pages).includes(url(4))
    await refresh.observe(url(4), { outcome: 'error', at: at(1) })
    expect(refresh.explain(url(4), { at: at(1) })).toMatchObject({
      errors: 1,
      lastOutcome: 'error',
      refreshes: 0,
      refreshedAt: START,
    })
    expect([await isNamed(at(1)), await isNamed(at(1) + HOUR_MS - 1), await isNamed(at(1) + HOUR_MS)]).toEqual([
      false,
      false,
      true,
    ])
    const whereWaits = (await refresh.next({ budget: 100, at: at(1), where: 'apple' })).pages
    expect(keysOf(whereWaits)).not.toContain(url(4))
    await refresh.observe(url(4), { outcome: 'error', at: at(2) })
    await refresh.observe(url(4), { outcome: 'error', at: at(2) })
    expect([await isNamed(at(2) + 4 * HOUR_MS - 1), await isNamed(at(2) + 4 * HOUR_MS)]).toEqual([false, true])
    for (let more = 0; more < 20; more++) await refresh.observe(url(4), { outcome: 'error', at: at(3) })
    // Never longer than a week.
    expect([await isNamed(at(10) - 1), await isNamed(at(10))]).toEqual([false, true])
    expect(refresh.explain(url(4))?.errors).toBe(23)
    await refresh.observe(url(4), { outcome: 'same', at: at(4) })
    expect(refresh.explain(url(4))).toMatchObject({ errors: 0, refreshes: 1 })
    expect(await isNamed(at(5))).toBe(true)
  })

  test('records many observations or, with a wrong one among them, none', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    const before = await looksOf(index)
    const same = { outcome: 'same', at: at(1) } as const
    const wrongs = [
      [
        [url(0), same],
        ['nobody', same],
        [url(1), same],
      ],
      [
        [url(0), same],
        [url(1), { outcome: 'fine' }],
      ],
      [
        [url(0), same],
        [url(1), { at: 5 }],
      ],
      [
        [url(0), same],
        [url(1), { outcome: 'same', at: -1 }],
      ],
      [
        [url(0), same],
        [url(1), { outcome: 'same', when: 1 }],
      ],
      [
        [url(0), same],
        [{}, same],
      ],
    ] as never[]
    for (const wrong of wrongs) await expect(index.refresh.observeAll(wrong)).rejects.toThrow(/^(?!.*undefined)/)
    expect(await looksOf(index)).toEqual(before)
    await index.refresh.observeAll([])
    expect(await looksOf(index)).toEqual(before)
    await index.refresh.observeAll([
      [url(0), same],
      [url(1), { outcome: 'error', at: at(1) }],
      [url(0), { outcome: 'changed', at: at(3) }],
    ])
    expect(index.refresh.explain(url(0))).toMatchObject({ refreshes: 2, changes: 1, refreshedAt: at(3) })
    expect(index.refresh.explain(url(1))).toMatchObject({ errors: 1 })
  })

  test('forgets a page that is removed, and knows nothing of the one that gets its number', async () => {
    await using index = await openOrchard(path === ':memory:' ? path : newPath())
    await index.write({ put: [{ ...page(5), body: 'quince' }] }, { at: at(1) })
    await index.write({ remove: [url(5)] }, { at: at(2) })
    expect(index.refresh.explain(url(5))).toBe(undefined)
    expect(keysOf((await index.refresh.next({ budget: 100, at: at(9) })).pages)).not.toContain(url(5))
    expect(index.stats().ledger.documents).toBe(PAGES.length - 1)
    await expect(index.refresh.observe(url(5), { outcome: 'same' })).rejects.toThrow(RangeError)
    // Two writes later no snapshot shows the old page, and its number is free.
    await index.write({}, { at: at(3) })
    await index.write({ put: [{ url: 'heir', title: 'heir', body: 'medlar' }] }, { at: at(4) })
    expect(index.refresh.explain('heir')).toMatchObject({
      ...{ lastOutcome: 'new', createdAt: at(4), refreshes: 0, changes: 0, lastDeltaQuality: 0, stake: 0 },
      ...{ history: [], queries: [] },
    })
    // The same key again is a new page too.
    await index.write({ put: [page(5)] }, { at: at(5) })
    expect(index.refresh.explain(url(5))).toMatchObject({ lastOutcome: 'new', createdAt: at(5), refreshes: 0 })
  })
})

/** A life with everything in it: changes, observations, removals, a search for every query, new fits in between. */
async function live(index: Freshdex<Page>): Promise<void> {
  await index.write({ put: [{ ...page(1), body: 'quince apple' }, page(2)] }, { at: at(1) })
  await index.refresh.observeAll([
    [url(3), { outcome: 'error', at: at(2) }],
    [url(4), { outcome: 'gone', at: at(2) }],
    [url(6), { outcome: 'changed', at: at(2) }],
  ])
  index.workload.record('plum', { count: 7, at: at(2) })
  await index.write({ put: [{ ...page(0), body: 'plum plum pear' }], remove: [url(7)] }, { at: at(3) })
  await index.refresh.fit()
  // Touched by the write that also takes along what the fit has moved.
  await index.write(
    {
      put: [
        { ...page(0), body: 'nothing any more' },
        { ...page(9), body: 'plum' },
      ],
    },
    { at: at(4) },
  )
  for (let rank = 1; rank <= 3; rank++) index.workload.click('apple', url(1), rank)
}

describe('an index in a folder', () => {
  test('shows the same after it was closed and opened again', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    await live(index)
    await settle(index)
    const before = await looksOf(index)
    await index.close()
    for (const options of [OPTIONS, { ...OPTIONS, readOnly: true }]) {
      await using again = await Freshdex.open<Page>(folder, options)
      expect(await looksOf(again)).toEqual(before)
      expect(again.stats().ledger).toMatchObject({ documents: PAGES.length - 2, damagedRows: 0 })
      expect(await again.check()).toMatchObject({ ok: true })
    }
  })

  test('goes on where it stopped: the next refresh has its interval, the next query its id', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    await live(index)
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    await again.write({ put: [{ ...page(1), body: 'quince apple' }] }, { at: at(11) })
    expect(again.refresh.explain(url(1))).toMatchObject({ refreshes: 2, changes: 1, refreshedAt: at(11) })
    expect(again.refresh.explain(url(1))?.history.map(({ intervalMs }) => intervalMs / DAY_MS)).toEqual([10, 1])
    // What the last change did is still told, though the refresh after it found nothing new.
    expect(again.refresh.explain(url(1))?.queries.map(({ query }) => query)).toContain('quince')
  })

  test('shows a follower what the writer did', async () => {
    const folder = newPath()
    await using index = await openOrchard(folder)
    await using follower = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true, pollMs: 1_000_000 })
    const first = await looksOf(index)
    await live(index)
    await settle(index)
    expect(keysOf((await follower.refresh.next({ budget: 100, at: at(100) })).pages)).toHaveLength(PAGES.length)
    expect(follower.refresh.explain(url(0), { at: at(100) })).toMatchObject({ refreshes: 0 })
    await follower.catchUp()
    const { next, explained } = await looksOf(index)
    expect(await looksOf(follower)).toMatchObject({ next, explained })
    expect(first).not.toMatchObject({ next, explained })
    await index.refresh.observe(url(8), { outcome: 'same', at: at(6) })
    await follower.catchUp()
    expect(follower.refresh.explain(url(8))).toMatchObject({ refreshedAt: at(6) })
    await expect(follower.refresh.observe(url(8), { outcome: 'same' })).rejects.toMatchObject({ code: 'READ_ONLY' })
  })

  test('is copied with its history', async () => {
    const folder = newPath()
    const copy = newPath('copy')
    await using index = await openOrchard(folder)
    await live(index)
    await settle(index)
    await index.backup(copy)
    await using other = await Freshdex.open<Page>(copy, OPTIONS)
    expect(await looksOf(other)).toEqual(await looksOf(index))
  })
})
