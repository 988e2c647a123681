/** Asking for documents and their priorities together: in hits, in plans, and one by one. */
import { Freshdex, type NextOptions, POLICY_NAMES, type RefreshExplanation, type SearchOptions } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

const NOW = START + 50 * DAY_MS
let index: Freshdex<Page>

beforeAll(async () => {
  index = await openOrchard()
  // Pages differ in age and in what is known of them.
  for (let nth = 0; nth < 8; nth++)
    await index.write({ put: [nth % 3 === 1 ? page(nth, 'pear plum') : page(nth)] }, { at: START + (nth + 1) * DAY_MS })
  await index.refresh.fit()
})

afterAll(() => index.close())

const keysOf = (rows: readonly { readonly key: unknown }[]) => rows.map(({ key }) => key)

/** Keys by their priorities at a moment, as asked one by one. */
function byPriority(keys: readonly string[], at: number): string[] {
  const priority = (key: string) => index.refresh.priority(key, { at }) as number
  return [...keys].sort((a, b) => priority(b) - priority(a))
}

describe('a search', () => {
  test('with refresh: true has the state of each hit', () => {
    const before = Date.now()
    const { hits } = index.search('apple', { limit: 5, refresh: true })
    const after = Date.now()
    expect(hits).toHaveLength(5)
    for (const { key, refresh } of hits) {
      const [least, most] = [before, after].map((at) => index.refresh.explain(key, { at }))
      expect(refresh?.stake).toBe(least?.stake)
      expect(refresh?.ageMs).toBeGreaterThanOrEqual(least?.ageMs as number)
      expect(refresh?.ageMs).toBeLessThanOrEqual(most?.ageMs as number)
      expect(refresh?.priority).toBeGreaterThanOrEqual(least?.priority as number)
      expect(refresh?.priority).toBeLessThanOrEqual(most?.priority as number)
      expect(refresh?.expectedGain).toBeGreaterThan(0)
    }
    // As other hits, they can be taken apart.
    expect(Object.keys(hits[0] as object)).toEqual(['key', 'score', 'refresh'])
    expect(JSON.parse(JSON.stringify(hits[0])).refresh.stake).toBe(hits[0]?.refresh?.stake)
    expect(keysOf(hits)).toEqual(keysOf(index.search('apple', { limit: 5 }).hits))
  })

  test('without it has none', () => {
    for (const options of [undefined, {}, { refresh: false }, { sort: 'priority' }] as SearchOptions<Page>[]) {
      expect(index.search('apple', options).hits[0]).not.toHaveProperty('refresh')
    }
  })

  test("with sort: 'priority' gives the hits to be refreshed first, all of them ranked", () => {
    const matching = keysOf(index.search('pear', { limit: 100 }).hits) as string[]
    expect(matching.length).toBeGreaterThan(5)
    const expected = byPriority(matching, Date.now())
    const options = { sort: 'priority', limit: 100 } as const
    expect(keysOf(index.search('pear', options).hits)).toEqual(expected)
    for (const [offset, limit] of [
      [0, 3],
      [2, 3],
      [4, 100],
      [matching.length, 5],
      [0, 0],
    ] as const) {
      const result = index.search('pear', { ...options, offset, limit, docs: true, explain: true, refresh: true })
      expect(keysOf(result.hits)).toEqual(expected.slice(offset, offset + limit))
      expect(result.total).toBe(matching.length)
      for (const { key, score, doc, explain, refresh } of result.hits) {
        expect(doc?.url).toBe(key)
        expect(explain?.score).toBe(score)
        expect(refresh?.priority).toBeGreaterThan(0)
        const plain = index.search('pear', { limit: 100 }).hits.find((hit) => hit.key === key)
        expect(score).toBe(plain?.score)
      }
    }
  })

  test('of a snapshot cannot ask for what is not of its moment', () => {
    const snapshot = index.snapshot()
    expect(() => snapshot.search('apple', { refresh: true })).toThrow(TypeError)
    expect(() => snapshot.search('apple', { sort: 'priority' })).toThrow(TypeError)
    expect(snapshot.search('apple', { refresh: false, sort: 'score' }).total).toBe(PAGES.length)
    snapshot.close()
  })

  test('refuses other values', () => {
    expect(() => index.search('apple', { refresh: 1 as never })).toThrow(TypeError)
    expect(() => index.search('apple', { sort: 'age' as never })).toThrow(RangeError)
    expect(() => index.search('apple', { sort: 5 as never })).toThrow(TypeError)
  })
})

describe('next', () => {
  test('names the best pages, best first, with their state', async () => {
    const all = (await index.refresh.next({ budget: 100, at: NOW })).pages
    expect(keysOf(all)).toEqual(
      byPriority(
        PAGES.map(({ url }) => url),
        NOW,
      ),
    )
    let cumulative = 0
    for (const { key, priority, ageMs, stake, expectedGain, cumulativeGain, currentProbability, why } of all) {
      const explained = index.refresh.explain(key, { at: NOW }) as RefreshExplanation
      expect(explained).toMatchObject({ priority, ageMs, stake, expectedGain, currentProbability, sentence: why })
      expect(ageMs).toBe(NOW - explained.refreshedAt)
      expect(currentProbability).toBe(1 - explained.expected.changeChance)
      cumulative += expectedGain
      expect(cumulativeGain).toBeCloseTo(cumulative, 12)
    }
    // Both are shares of the whole.
    expect(cumulative).toBeCloseTo(1, 12)
    expect(all.reduce((sum, { stake }) => sum + stake, 0)).toBeCloseTo(1, 6)
    for (const budget of [0, 1, 5])
      expect((await index.refresh.next({ budget, at: NOW })).pages).toEqual(all.slice(0, budget))
  })

  test('takes the moment into account', async () => {
    // At the moment of its refresh a page has nothing to gain.
    const last = START + 8 * DAY_MS
    expect((await index.refresh.next({ budget: 100, at: last, minIntervalMs: 0 })).pages.at(-1)).toMatchObject({
      key: url(7),
      ageMs: 0,
      priority: 0,
    })
    expect((await index.refresh.next({ budget: 100, at: 0 })).pages).toEqual([])
  })

  test('where names only pages that match', async () => {
    const matching = keysOf(index.search('plum', { limit: 100 }).hits) as string[]
    expect(keysOf((await index.refresh.next({ budget: 100, where: 'plum', at: NOW })).pages)).toEqual(
      byPriority(matching, NOW),
    )
    expect(keysOf((await index.refresh.next({ budget: 2, where: 'plum', at: NOW })).pages)).toEqual(
      byPriority(matching, NOW).slice(0, 2),
    )
    expect((await index.refresh.next({ budget: 5, where: 'nowhere' })).pages).toEqual([])
    const query = { and: ['apple', { not: 'pear' }] }
    const others = keysOf(index.search(query, { limit: 100 }).hits) as string[]
    expect(keysOf((await index.refresh.next({ budget: 100, where: query, at: NOW })).pages)).toEqual(
      byPriority(others, NOW),
    )
    // It is no search: nothing is learnt from it.
    expect(index.stats().workload.skipped).toBe(0)
  })

  test('perHost takes no more of one host', async () => {
    const hostOf = (key: unknown) => new URL(key as string).host
    for (const perHost of [1, 2, 3]) {
      const plan = (await index.refresh.next({ budget: 100, perHost, at: NOW })).pages
      const counts = new Map<string, number>()
      const expected = byPriority(
        PAGES.map(({ url }) => url),
        NOW,
      ).filter((key) => {
        counts.set(hostOf(key), (counts.get(hostOf(key)) ?? 0) + 1)
        return (counts.get(hostOf(key)) as number) <= perHost
      })
      expect(keysOf(plan)).toEqual(expected)
    }
    expect((await index.refresh.next({ budget: 3, perHost: 1, where: 'apple' })).pages).toHaveLength(3)
  })

  test('judges by any policy', async () => {
    const byAge = [...PAGES.map(({ url }) => url)].sort((a, b) => ageOf(b) - ageOf(a))
    const ages = (await index.refresh.next({ budget: 100, policy: 'oldest-first', at: NOW })).pages.map(
      ({ ageMs }) => ageMs,
    )
    expect(ages).toEqual(byAge.map(ageOf))
    for (const policy of POLICY_NAMES) {
      const plan = (await index.refresh.next({ budget: 100, policy, at: NOW })).pages
      expect(plan).toHaveLength(PAGES.length)
      for (const { key, priority } of plan) expect(index.refresh.priority(key, { policy, at: NOW })).toBe(priority)
      expect(plan.map(({ priority }) => priority)).toEqual(plan.map(({ priority }) => priority).sort((a, b) => b - a))
    }
    const shrunk = { name: 'user-centric-shrunk', prior: 'mean' } as const
    expect((await index.refresh.next({ budget: 1, policy: shrunk, at: NOW })).pages).toHaveLength(1)
  })

  test('goes by the policy that the index was opened with', async () => {
    await using other = await openOrchard(':memory:', { refresh: { policy: 'oldest-first' } })
    await other.write({ put: [page(4)] }, { at: START + DAY_MS })
    expect((await other.refresh.next({ budget: 100, at: NOW })).pages.at(-1)?.key).toBe(url(4))
    expect(other.refresh.explain(url(4), { at: NOW })?.policy.name).toBe('oldest-first')
    expect(other.refresh.explain(url(4), { at: NOW, policy: 'user-centric' })?.policy.name).toBe('user-centric')
  })

  function ageOf(key: string): number {
    return index.refresh.explain(key, { at: NOW })?.ageMs as number
  }
})

describe('explain', () => {
  test('says how the policy came to its judgement', () => {
    const byDefault = index.refresh.explain(url(1), { at: NOW })
    const { gainIfChanged, utilityDays } = (byDefault as RefreshExplanation).policy.terms
    expect(gainIfChanged! * utilityDays!).toBeCloseTo(byDefault?.priority as number, 9)
    const explained = index.refresh.explain(url(1), { at: NOW, policy: 'user-centric-shrunk' })
    const term = (name: string) => explained?.policy.terms[name] as number
    const gain = term('sumDeltaQuality') + term('priorRatePerMs') * term('tau0Ms')
    const rate = gain / (term('sumIntervalMs') + term('tau0Ms'))
    expect(rate * term('ageMs')).toBeCloseTo(explained?.priority as number, 9)
    expect(explained).toMatchObject({ key: url(1), lastOutcome: 'changed', changes: 1, refreshes: 1 })
    expect(explained?.queries.length).toBeGreaterThan(0)
  })
})

describe('misuse', () => {
  test.each<[string, unknown, typeof TypeError | typeof RangeError]>([
    ['no options', undefined, TypeError],
    ['no budget', {}, TypeError],
    ['a budget below 0', { budget: -1 }, RangeError],
    ['part of a budget', { budget: 1.5 }, RangeError],
    ['a budget that is no number', { budget: '5' }, TypeError],
    ['a time that is none', { budget: 1, at: Number.NaN }, RangeError],
    ['a time before 1970', { budget: 1, at: -1 }, RangeError],
    ['a time in words', { budget: 1, at: 'now' }, TypeError],
    ['a Date that is none', { budget: 1, at: new Date(Number.NaN) }, RangeError],
    ['a wait below 0', { budget: 1, waitMs: -1 }, RangeError],
    ['an interval that is no number', { budget: 1, minIntervalMs: '1h' }, TypeError],
    ['no page of a host', { budget: 1, perHost: 0 }, RangeError],
    ['hosts that are no number', { budget: 1, perHost: 'one' }, TypeError],
    ['a policy that is none', { budget: 1, policy: 'newest' }, RangeError],
    ['a policy without a name', { budget: 1, policy: {} }, TypeError],
    ['an option of another policy', { budget: 1, policy: { name: 'oldest-first', prior: 'mean' } }, TypeError],
    ['a query that is none', { budget: 1, where: 5 }, TypeError],
    ['an option that is none', { budget: 1, hosts: 2 }, TypeError],
  ])('next refuses %s', async (_, options, kind) => {
    await expect(index.refresh.next(options as NextOptions)).rejects.toThrow(kind)
  })

  test('priority, explain and observe refuse what is no key, and options that they do not know', async () => {
    for (const key of [undefined, null, {}, true]) {
      expect(() => index.refresh.priority(key as never)).toThrow(TypeError)
      expect(() => index.refresh.explain(key as never)).toThrow(TypeError)
      await expect(index.refresh.observe(key as never, { outcome: 'same' })).rejects.toThrow(TypeError)
    }
    for (const options of [{ when: 1 }, 5, []]) {
      expect(() => index.refresh.priority(url(1), options as never)).toThrow(TypeError)
      expect(() => index.refresh.explain(url(1), options as never)).toThrow(TypeError)
      await expect(index.refresh.observe(url(1), options as never)).rejects.toThrow(TypeError)
    }
    expect(() => index.refresh.priority(url(1), { at: -1 })).toThrow(RangeError)
    expect(() => index.refresh.explain(url(1), { policy: 'newest' as never })).toThrow(RangeError)
    await expect(index.refresh.observe(url(1), undefined as never)).rejects.toThrow(TypeError)
    await expect(index.refresh.observeAll(5 as never)).rejects.toThrow(TypeError)
    await expect(index.refresh.observeAll([5] as never)).rejects.toThrow(TypeError)
  })

  test.each([{ refresh: 5 }, { refresh: { policy: 'newest' } }, { refresh: { policies: [] } }])(
    'open refuses %j',
    async (options) => {
      const opening = Freshdex.open<Page>(':memory:', { ...OPTIONS, ...options } as never)
      await expect(opening).rejects.toThrow(/refresh|policy/)
    },
  )

  test('everything is CLOSED after the close', async () => {
    const other = await openOrchard()
    await other.close()
    const closed = expect.objectContaining({ code: 'CLOSED' })
    await expect(other.refresh.next({ budget: 1 })).rejects.toThrow(closed)
    expect(() => other.refresh.explain(url(1))).toThrow(closed)
    expect(() => other.refresh.priority(url(1))).toThrow(closed)
    expect(() => other.onShifts(() => {})).toThrow(closed)
    await expect(other.refresh.observe(url(1), { outcome: 'same' })).rejects.toThrow(closed)
    await expect(other.refresh.fit()).rejects.toThrow(closed)
  })
})
