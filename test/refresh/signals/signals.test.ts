/**
 * Signals of changes through the public face: what is recorded, what answers them, how they move priorities, and that
 * they last.
 */
import { Freshdex, type RefreshExplanation, type SignalOptions, type SiteSignalStats } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from '../orchard.js'

const at = (days: number) => START + days * DAY_MS
/** Pages 1, 5 and 9 of the orchard. */
const SITE = 'host1.example'

function looksOf(index: Freshdex<Page>) {
  const explained = PAGES.map(({ url }) => index.refresh.explain(url, { at: at(100) }) as RefreshExplanation)
  const looks = {
    stats: index.stats().signals,
    signals: explained.map(({ signals }) => signals ?? null),
    policies: explained.map(({ policy }) => policy),
    priorities: explained.map(({ priority }) => priority),
  }
  return JSON.parse(
    JSON.stringify(looks, (_, value) => (typeof value === 'number' ? +value.toPrecision(9) : value)),
  ) as typeof looks
}

const NO_COUNTS = { signalledChanged: 0, signalledSame: 0, silentChanged: 0, silentSame: 0 }

describe.each([
  ['in memory', () => ':memory:'],
  ['in a folder', () => newPath()],
])('an index %s', (_, place) => {
  test('keeps signals until a refresh answers them, and learns from it', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    const signalsOf = (nth: number) => refresh.explain(url(nth))?.signals
    expect(signalsOf(1)).toBeUndefined()
    await refresh.signal(url(1), { kind: 'push', at: at(1) })
    await refresh.signal(url(1), { kind: 'etag', at: at(2) })
    await refresh.signal(url(5), { kind: 'push', at: at(2) })
    expect(signalsOf(1)).toEqual({ count: 2, kinds: ['etag', 'push'], firstAt: at(1) })
    expect(index.stats().signals).toEqual([
      {
        site: SITE,
        kinds: Object.fromEntries(
          ['push', 'any', 'etag'].map((kind) => [kind, { ...NO_COUNTS, precision: undefined, recall: undefined }]),
        ),
      },
    ])
    await refresh.observe(url(1), { outcome: 'error', at: at(3) })
    expect(signalsOf(1)).toMatchObject({ count: 2 })
    await index.write({ put: [{ ...page(1), body: 'quince' }, page(9)] }, { at: at(4) })
    expect(signalsOf(1)).toBeUndefined()
    await refresh.observe(url(5), { outcome: 'same', at: at(4) })
    // Now page 9 is known to belong to a site that sends signals, and its next refreshes tell of silence.
    await refresh.observe(url(9), { outcome: 'changed', at: at(5) })
    const { kinds } = index.stats().signals[0] as SiteSignalStats
    expect(kinds.push).toEqual({
      ...NO_COUNTS,
      ...{ signalledChanged: 1, signalledSame: 1, silentChanged: 1 },
      precision: 0.5,
      recall: 0.5,
    })
    expect(kinds.etag).toMatchObject({ signalledChanged: 1, signalledSame: 0, silentChanged: 1, silentSame: 1 })
    expect(kinds.any).toMatchObject({ signalledChanged: 1, signalledSame: 1, silentChanged: 1, silentSame: 0 })
  })

  test('takes a time in a signal for what it says', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    await index.write({ put: [page(1)] }, { at: at(5) })
    for (const kind of ['sitemap', 'last-modified', 'feed'] as const) {
      await refresh.signal(url(1), { kind, at: at(6), value: at(5) })
      await refresh.signal(url(1), { kind, at: at(6), value: at(4) })
    }
    await refresh.signal(url(1), { kind: 'push', at: at(4) })
    expect([refresh.explain(url(1))?.signals, index.stats().signals]).toEqual([undefined, []])
    await refresh.signal(url(1), { kind: 'sitemap', at: at(6), value: at(5) + 1 })
    expect(refresh.explain(url(1))?.signals).toEqual({ count: 1, kinds: ['sitemap'], firstAt: at(6) })
    // When nothing is said, it is heard now.
    const before = Date.now()
    await refresh.signal(url(2), { kind: 'feed' })
    expect(refresh.explain(url(2))?.signals?.firstAt).toBeGreaterThanOrEqual(before)
  })

  test('prefers signalled pages, is slower with silent ones, and leaves those of other sites alone', async () => {
    await using index = await openOrchard(place())
    const { refresh } = index
    // Host 1 is right with every signal.
    for (let day = 1; day <= 20; day++) {
      await refresh.signalAll([1, 5].map((nth) => [url(nth), { kind: 'feed', at: at(day) - 1 }]))
      await refresh.observeAll(
        [1, 5, 9].map((nth) => [url(nth), { outcome: nth === 9 ? 'same' : 'changed', at: at(day) }]),
      )
    }
    const priorities = (policy: 'user-centric-shrunk' | 'oldest-first') =>
      PAGES.map(({ url }) => refresh.priority(url, { at: at(21), policy }) as number)
    const [before, ages] = [priorities('user-centric-shrunk'), priorities('oldest-first')]
    await refresh.signal(url(5), { kind: 'feed', at: at(20) + 1 })
    const after = priorities('user-centric-shrunk')
    expect(after[5]! / before[5]!).toBeGreaterThan(2)
    expect(after.filter((_, nth) => nth !== 5)).toEqual(before.filter((_, nth) => nth !== 5))
    expect(priorities('oldest-first')).toEqual(ages)
    const { policy } = refresh.explain(url(5), { at: at(21), policy: 'user-centric-shrunk' }) as RefreshExplanation
    expect(policy.formula).toContain('* signalFactor')
    expect(policy.terms).toMatchObject({ signals: 1, likelihoodRatio: expect.any(Number) })
    expect(policy.terms.chanceAfter! / policy.terms.chanceBefore!).toBeCloseTo(policy.terms.signalFactor!, 9)
    expect(
      refresh.explain(url(9), { at: at(21), policy: 'user-centric-shrunk' })?.policy.terms.signalFactor,
    ).toBeLessThan(0.5)
    expect(refresh.explain(url(2), { at: at(21), policy: 'user-centric-shrunk' })?.policy.terms).not.toHaveProperty(
      'signalFactor',
    )
    expect(
      (await refresh.next({ budget: 12, at: at(21), policy: 'user-centric-shrunk' })).pages.map(
        ({ priority }) => priority,
      ),
    ).toEqual([...after].sort((a, b) => b - a))
  })

  test('records many signals or, with a wrong one among them, none', async () => {
    await using index = await openOrchard(place())
    const before = looksOf(index)
    const wrongs: [unknown, unknown, string | RegExp][] = [
      ['nobody', { kind: 'push' }, 'there is no document with the key "nobody"'],
      [url(1), undefined, 'signal needs a kind: sitemap, etag, last-modified, feed, push'],
      [url(1), { at: 1 }, 'signal needs a kind'],
      [url(1), { kind: 'rumour' }, /kind must be 'sitemap' or .* received "rumour"/],
      [url(1), { kind: 3 }, /kind must be .* received 3/],
      [url(1), { kind: 'push', value: 3 }, 'received one with kind push'],
      [
        url(1),
        { kind: 'etag', value: at(1) },
        'value is the time that a signal of kind sitemap, last-modified, feed has',
      ],
      [url(1), { kind: 'feed', value: -1 }, 'value must be a finite number from 0'],
      [url(1), { kind: 'feed', value: '2025' }, 'value must be a Date or a number of milliseconds'],
      [url(1), { kind: 'feed', at: Number.NaN }, 'at must be a finite number'],
      [url(1), { kind: 'feed', when: 1 }, 'unknown signal option "when" (received 1)'],
      [{}, { kind: 'feed' }, /key/],
    ]
    for (const [key, options, message] of wrongs) {
      const list = [
        [url(0), { kind: 'push', at: at(1) }],
        [key, options],
      ] as [string, SignalOptions][]
      await expect(index.refresh.signalAll(list)).rejects.toThrow(message)
      await expect(index.refresh.signal(key as string, options as SignalOptions)).rejects.toThrow(message)
    }
    await expect(index.refresh.signalAll(5 as never)).rejects.toThrow('signals must be iterable, received 5')
    await expect(index.refresh.signalAll(['x'] as never)).rejects.toThrow(
      'a signal must be [key, options], received "x"',
    )
    await index.refresh.signalAll([])
    expect(looksOf(index)).toEqual(before)
  })

  test('forgets the signals of a page that is removed, and asks its site again', async () => {
    await using index = await openOrchard(place())
    await index.refresh.signal(url(1), { kind: 'push', at: at(1) })
    await index.write({ remove: [url(1)] }, { at: at(2) })
    await index.write({}, { at: at(2) })
    await index.write({ put: [page(1)] }, { at: at(3) })
    expect(index.refresh.explain(url(1))?.signals).toBeUndefined()
    await index.refresh.observe(url(1), { outcome: 'changed', at: at(4) })
    expect(index.stats().signals[0]?.kinds.push).toMatchObject({ ...NO_COUNTS, silentChanged: 1 })
  })
})

async function live(index: Freshdex<Page>): Promise<void> {
  const { refresh } = index
  await refresh.signalAll([
    [url(1), { kind: 'sitemap', at: at(1), value: at(1) }],
    [url(2), { kind: 'etag', at: at(1) }],
    [url(5), { kind: 'push', at: at(1) }],
  ])
  await index.write({ put: [{ ...page(1), body: 'quince' }, page(2), page(9)] }, { at: at(2) })
  await refresh.observe(url(9), { outcome: 'same', at: at(3) })
  await refresh.signal(url(1), { kind: 'feed', at: at(4) })
}

describe('an index in a folder', () => {
  test('shows the same after it was closed and opened again, copied, and to a follower, and goes on', async () => {
    const [folder, copy] = [newPath(), newPath('copy')]
    const index = await openOrchard(folder)
    await using follower = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true, pollMs: 1_000_000 })
    expect(follower.stats().signals).toEqual([])
    await live(index)
    await index.refresh.fit()
    await index.refresh.signal(url(6), { kind: 'push', at: at(5) })
    await index.backup(copy)
    const looks = looksOf(index)
    expect(looks.stats).toHaveLength(2)
    expect(looks.signals.filter((signals) => signals !== null)).toHaveLength(3)
    await follower.catchUp()
    expect(looksOf(follower)).toEqual(looks)
    await expect(follower.refresh.signal(url(6), { kind: 'push' })).rejects.toMatchObject({ code: 'READ_ONLY' })
    expect(looksOf(follower)).toEqual(looks)
    await index.close()
    for (const path of [folder, copy]) {
      await using again = await Freshdex.open<Page>(path, OPTIONS)
      expect(looksOf(again)).toEqual(looks)
      expect(await again.check()).toMatchObject({ ok: true })
      await again.refresh.signal(url(3), { kind: 'push', at: at(6) })
      await again.refresh.observe(url(5), { outcome: 'changed', at: at(6) })
    }
    await using last = await Freshdex.open<Page>(folder, OPTIONS)
    await last.refresh.next({ budget: 0 })
    expect(last.stats().signals.map(({ site }) => site)).toEqual([SITE, 'host2.example', 'host3.example'])
    const { kinds } = last.stats().signals[0] as SiteSignalStats
    // Page 1 was signalled by the sitemap, page 5 by a push, page 9 was silent.
    expect(kinds.any).toMatchObject({ signalledChanged: 2, signalledSame: 0, silentChanged: 0, silentSame: 1 })
    expect(kinds.push).toMatchObject({ signalledChanged: 1, silentChanged: 1, silentSame: 1 })
    expect(kinds.feed).toMatchObject({ signalledChanged: 0, silentChanged: 1 })
  })
})
