/** Plans: what a budget buys of the documents of an index, within its limits. */
import { Freshdex, type PlannedRefresh, type PlanOptions, type RefreshExplanation } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { DAY_MS, openOrchard, PAGES, type Page, page, START, url } from '../refresh/orchard.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const HOUR_MS = DAY_MS / 24

const at = (days: number) => START + days * DAY_MS

/** Pages 0 to 11, refreshed on different days; page 3 cannot be fetched. */
async function openWatched(): Promise<Freshdex<Page>> {
  const index = await openOrchard()
  for (let nth = 0; nth < 12; nth++)
    await index.write({ put: [page(nth, nth % 3 === 0 ? 'quince' : '')] }, { at: at(1 + nth / 4) })
  await index.refresh.observe(url(3), { outcome: 'error', at: at(10) - 1000 })
  return index
}

async function refreshes(index: Freshdex<Page>, options: PlanOptions): Promise<readonly PlannedRefresh[]> {
  return (await index.plan(options)).actions as readonly PlannedRefresh[]
}

const keysOf = (actions: readonly { readonly key: unknown }[]) => actions.map(({ key }) => key)

describe('a plan of so many fetches', () => {
  test('is what refresh.next says, with what it is expected to gain', async () => {
    await using index = await openWatched()
    const plan = await index.plan({ budget: 5, at: at(10) })
    const next = (await index.refresh.next({ budget: 5, at: at(10) })).pages
    expect(plan.actions).toEqual(
      next.map((named) => {
        const { refreshes, expected } = index.refresh.explain(named.key, { at: at(10) }) as RefreshExplanation
        return {
          ...{ kind: 'refresh', cost: 1, refreshes, isDue: false, ...expected, ...named },
          expectedGain: expect.closeTo(named.expectedGain, 12),
          cumulativeGain: expect.closeTo(named.cumulativeGain, 12),
        }
      }),
    )
    expect(plan.expectedGain).toBe(plan.actions.at(-1)?.cumulativeGain)
    expect(plan.sentence).toMatch(/^5 refreshes recover \d+% of what can be gained now\.$/)
    expect(plan.sentence).not.toMatch(/\de[+-]\d|NaN|undefined/)
    for (const { why } of plan.actions)
      expect(why).toMatch(/^Rank \d+ for .*, asked .* of today's answers\. Last fetched /)
    expect(plan).toMatchObject({ at: at(10), cost: 5, staleness: undefined })
    const explained = next.map(({ key }) => index.refresh.explain(key, { at: at(10) }) as RefreshExplanation)
    const sum = (value: (one: RefreshExplanation) => number) => explained.reduce((total, one) => total + value(one), 0)
    expect(plan.expected.deltaQuality).toBeCloseTo(
      sum(({ expected }) => expected.deltaQuality),
      12,
    )
    expect(plan.expected.changes).toBeCloseTo(
      sum(({ expected }) => expected.changeChance),
      12,
    )
    expect(plan.expected.quality).toBeGreaterThan(0)
    expect(plan.expected.quality).toBeLessThan(1)
    expect(plan.expected.low).toBeLessThan(plan.expected.deltaQuality)
    expect(plan.expected.high).toBeGreaterThan(plan.expected.deltaQuality)
  })

  test('leaves out what waits after a failure, what is too young, and what a host has had', async () => {
    await using index = await openWatched()
    const all = await refreshes(index, { budget: 99, at: at(10) })
    expect(all).toHaveLength(11)
    expect(keysOf(all)).not.toContain(url(3))
    const old = await refreshes(index, { budget: 99, at: at(10), minIntervalMs: 8 * DAY_MS })
    // Refreshed on day 1, 1.25, … 2.
    expect(keysOf(old).sort()).toEqual([url(0), url(1), url(2), url(4)].sort())
    const perHost = await refreshes(index, { budget: 99, at: at(10), perHost: 1 })
    const hosts = perHost.map(({ key }) => new URL(String(key)).host)
    expect(hosts.sort()).toEqual(['host0.example', 'host1.example', 'host2.example', 'host3.example'])
    expect(keysOf(perHost)[0]).toBe(keysOf(all)[0])
  })

  test('leaves out what was refreshed within the last hour, as next does, unless told otherwise', async () => {
    await using index = await openWatched()
    const url0 = url(0)
    await index.refresh.observe(url0, { outcome: 'same', at: at(10) })
    const isNamed = async (options: Partial<PlanOptions>) =>
      keysOf(await refreshes(index, { budget: 99, at: at(10) + HOUR_MS - 1, ...options })).includes(url0)
    const { pages } = await index.refresh.next({ budget: 99, at: at(10) + HOUR_MS - 1 })
    expect(pages.map(({ key }) => key)).not.toContain(url0)
    expect(await isNamed({})).toBe(false)
    expect(await isNamed({ at: at(10) + HOUR_MS })).toBe(true)
    expect(await isNamed({ minIntervalMs: 0 })).toBe(true)
    // A limit of staleness that is shorter than an hour holds.
    expect(await isNamed({ maxStalenessMs: HOUR_MS / 2, cycleMs: HOUR_MS / 4 })).toBe(true)
  })

  test('says that no page answers what people ask, and no share of nothing', async () => {
    await using index = await Freshdex.open<{ id: string; body: string }>(':memory:', {
      key: 'id',
      fields: { body: {} },
    })
    await index.write({ put: [{ id: 'a', body: 'apples' }] }, { at: at(0) })
    index.workload.record('quinces', { count: 5 })
    const { sentence } = await index.plan({ budget: 5, at: at(10) })
    expect(sentence).toBe(
      '1 refresh. No page answers what people ask, so documents are planned by age and history alone.',
    )
  })

  test('can go by another policy', async () => {
    await using index = await openWatched()
    const plan = await refreshes(index, { budget: 3, at: at(10), policy: 'oldest-first' })
    expect(keysOf(plan)).toEqual([url(0), url(1), url(2)])
  })

  test('of nothing is empty', async () => {
    await using index = await openWatched()
    expect(await index.plan({ budget: 0, at: at(10) })).toMatchObject({
      ...{ actions: [], cost: 0, expected: { deltaQuality: 0, low: 0, high: 0, quality: 0, changes: 0 } },
    })
  })

  test.each([
    [{}, /needs a budget/],
    [{ budget: -1 }, /budget must be/],
    [{ budget: 1.5 }, /budget must be/],
    [{ budget: null }, /needs a cost/],
    [{ budget: {} }, /needs a cost/],
    [{ budget: { cost: -1 } }, /cost must be/],
    [{ budget: { cost: 1, fetch: 0 } }, /fetch must be above 0/],
    [{ budget: { cost: 1, probe: 'much' } }, /probe must be a number/],
    [{ budget: { cost: 1, price: 2 } }, /unknown budget option "price"/],
    [{ budget: { cost: 1, fetch: () => Number.NaN } }, /fetch\(page\) must be above 0 .* for "https/],
    [{ budget: 1, perHost: 0 }, /perHost must be/],
    [{ budget: 1, minIntervalMs: -1 }, /minIntervalMs must be/],
    [{ budget: 1, maxStalenessMs: DAY_MS }, /needs cycleMs/],
    [{ budget: 1, maxStalenessMs: DAY_MS, cycleMs: 2 * DAY_MS }, /cycleMs must be at most/],
    [{ budget: 1, maxStalenessMs: 2, cycleMs: 1, minIntervalMs: 3 }, /minIntervalMs must be at most/],
    [{ budget: 1, newPages: 'some' }, /newPages must be/],
    [{ budget: 1, policy: 'best' }, /policy must be/],
    [{ budget: 1, limit: 3 }, /unknown plan option "limit"/],
  ])('refuses %j', async (options, message) => {
    await using index = await openWatched()
    await expect(index.plan(options as never)).rejects.toThrow(message)
  })
})

describe('a plan of a cost', () => {
  test('buys the most priority per cost', async () => {
    await using index = await openWatched()
    const priceOf = (key: unknown) => 1 + (Number(String(key).split('/').at(-1)) % 5)
    const fetch = ({ key, isNew }: { key: unknown; isNew: boolean }) => {
      expect(isNew).toBe(false)
      return priceOf(key)
    }
    const plan = await index.plan({ budget: { cost: 12, fetch }, at: at(10) })
    const all = (await index.refresh.next({ budget: 99, at: at(10) })).pages
    const order = all
      .map(({ key, priority }) => ({ key, cost: priceOf(key), rate: priority / priceOf(key) }))
      .sort((a, b) => b.rate - a.rate)
    const expected: unknown[] = []
    let left = 12
    for (const { key, cost } of order) {
      if (cost > left) continue
      expected.push(key)
      left -= cost
    }
    expect(keysOf(plan.actions)).toEqual(expected)
    expect(plan.cost).toBe(12 - left)
    for (const { key, cost } of plan.actions) expect(cost).toBe(priceOf(key))
  })

  test('asks where that is cheaper than to fetch', async () => {
    await using index = await openWatched()
    const actions = await refreshes(index, {
      ...{ budget: { cost: 110, fetch: 10, probe: 7 }, at: at(3) },
      // Some are refreshed after that.
      minIntervalMs: 0,
    })
    expect(actions).toHaveLength(11)
    for (const { kind, changeChance, cost } of actions) {
      const asking = 7 + 10 * changeChance
      expect(kind).toBe(asking < 10 ? 'probe' : 'refresh')
      expect(cost).toBeCloseTo(Math.min(10, asking), 12)
    }
    expect(new Set(actions.map(({ kind }) => kind))).toEqual(new Set(['refresh', 'probe']))
    const dear = await refreshes(index, { budget: { cost: 100, fetch: 10, probe: 10 }, at: at(3) })
    expect(new Set(dear.map(({ kind }) => kind))).toEqual(new Set(['refresh']))
  })

  test('does not ask a site whose headers cry wolf', async () => {
    await using index = await openWatched()
    const budget = { cost: 1000, fetch: 10, probe: 2 }
    const kindOf = async (nth: number) =>
      (await refreshes(index, { budget, at: at(60) })).find(({ key }) => key === url(nth))?.kind
    expect(await kindOf(1)).toBe('probe')
    for (let day = 11; day < 59; day++) {
      await index.refresh.signal(url(1), { kind: 'etag', at: at(day) })
      await index.refresh.observe(url(1), { outcome: 'same', at: at(day) + 1000 })
    }
    // Page 5 is of the same host, page 2 of another. Both are known to change.
    for (const day of [53, 55, 57, 59])
      await index.refresh.observeAll([5, 2].map((nth) => [url(nth), { outcome: 'changed', at: at(day) }]))
    expect([await kindOf(5), await kindOf(2)]).toEqual(['refresh', 'probe'])
  })
})

describe('a limit of staleness', () => {
  const limits = { maxStalenessMs: 4 * DAY_MS, cycleMs: DAY_MS }

  test('is kept day after day when the budget allows it at all', async () => {
    await withSeed('staleness', async (seed) => {
      const random = new SeededRandom(seed)
      await using index = await openOrchard()
      // All were fetched at once: 12 pages in 4 days.
      for (let day = 1; day < 20; day++) {
        const plan = await index.plan({ budget: 3, at: at(day), ...limits })
        expect(plan.actions).toHaveLength(3)
        expect(plan.staleness).toMatchObject({ late: 0, isKept: true, needed: { cost: 3, perHost: undefined } })
        const put = plan.actions.map(({ key }) => page(Number(String(key).split('/').at(-1)), `word${random.int(9)}`))
        await index.write({ put }, { at: at(day) })
        const oldest = Math.max(...PAGES.map(({ url }) => index.refresh.explain(url, { at: at(day) })?.ageMs ?? 0))
        expect(oldest, `day ${day}, seed ${seed}`).toBeLessThanOrEqual(4 * DAY_MS)
      }
    })
  })

  test('takes what it needs and leaves the rest to the best', async () => {
    await using index = await openWatched()
    const next = keysOf((await index.refresh.next({ budget: 12, at: at(4) })).pages)
    const plan = await index.plan({ budget: 6, at: at(4), ...limits, maxStalenessMs: 3 * DAY_MS })
    const due = (plan.actions as PlannedRefresh[]).filter(({ isDue }) => isDue)
    expect(keysOf(due)).toContain(url(0))
    expect(plan.staleness).toMatchObject({ due: due.length, isKept: true, late: 0 })
    const others = plan.actions.slice(due.length)
    expect(keysOf(others)).toEqual(next.filter((key) => !keysOf(due).includes(key)).slice(0, others.length))
  })

  test('says what would be needed when it cannot be kept', async () => {
    await using index = await openOrchard()
    const plan = await index.plan({ budget: 2, at: at(1), ...limits })
    expect(plan.staleness).toMatchObject({ late: 0, isKept: false, needed: { cost: 3, perHost: undefined } })
    expect(plan.actions).toHaveLength(2)
    const late = await index.plan({ budget: { cost: 8, fetch: 2 }, at: at(9), perHost: 1, ...limits })
    expect(late.staleness).toMatchObject({ late: 12, isKept: false, needed: { cost: 24, perHost: 3 } })
    expect(late.actions).toHaveLength(4)
    const enough = await index.plan({ budget: 3, at: at(1), ...limits })
    expect(enough.staleness?.isKept).toBe(true)
  })
})
