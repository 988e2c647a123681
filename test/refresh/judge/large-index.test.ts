/** An index with more documents than are judged on the spot. */
import { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { THREAD_ROWS } from '../../../src/refresh/judge/index-judge.js'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const NOW = START + 40 * DAY_MS
const COUNT = THREAD_ROWS + 500

interface Page {
  readonly url: string
  readonly text: string
}

const page = (nth: number): Page => ({
  url: `https://host${nth % 40}.example/${nth % 9}/${nth}`,
  text: `word${nth % 50} term${nth % 7} common`,
})

let index: Freshdex<Page>

beforeAll(async () => {
  index = await Freshdex.open<Page>(':memory:', {
    key: 'url',
    fields: { text: {} },
    workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
  })
  await index.write({ put: Array.from({ length: COUNT }, (_, nth) => page(nth)) }, { at: START })
  await index.workload.load(Array.from({ length: 30 }, (_, nth) => [`word${nth}`, 1 + nth] as const))
  const observations = Array.from({ length: 600 }, (_, nth) => {
    const outcome = nth % 3 === 0 ? ('changed' as const) : ('same' as const)
    return [page(nth * 7).url, { outcome, at: START + (nth % 30) * DAY_MS }] as const
  })
  await index.refresh.observeAll(observations)
})

afterAll(() => index.close())

describe('a large index', () => {
  test('names what the priorities of single documents say, by whichever policy', async () => {
    for (const policy of ['quality-utility', 'oldest-first', 'greedy-poisson'] as const) {
      const { pages, learntShare } = await index.refresh.next({ budget: 50, at: NOW, policy, waitMs: 60_000 })
      expect(learntShare).toBe(1)
      const byPriority = Array.from({ length: COUNT }, (_, nth) => page(nth).url)
        .map((key) => [key, index.refresh.priority(key, { at: NOW, policy }) as number] as const)
        .sort((a, b) => b[1] - a[1])
      expect(pages.map(({ priority }) => priority)).toEqual(byPriority.slice(0, 50).map(([, priority]) => priority))
    }
  })

  test('has shares that sum up to one', async () => {
    const { pages } = await index.refresh.next({ budget: COUNT, at: NOW })
    expect(pages).toHaveLength(COUNT)
    expect(pages.reduce((sum, { expectedGain }) => sum + expectedGain, 0)).toBeCloseTo(1, 3)
    expect(pages.at(-1)?.cumulativeGain).toBeCloseTo(1, 3)
    expect(pages.reduce((sum, { stake }) => sum + stake, 0)).toBeCloseTo(1, 3)
  })

  test('keeps the limits of hosts, and to what a query finds', async () => {
    const { pages } = await index.refresh.next({ budget: 100, at: NOW, perHost: 1 })
    expect(pages).toHaveLength(40)
    expect(new Set(pages.map(({ key }) => new URL(key as string).host)).size).toBe(40)
    const found = await index.refresh.next({ budget: COUNT, at: NOW, where: 'word3' })
    const expected = index.search('word3', { limit: 10_000, sort: 'priority', at: NOW }).hits
    expect(found.pages.map(({ key }) => key)).toEqual(expected.map(({ key }) => key))
  })

  test('plans what it names, priced or not', async () => {
    const { pages } = await index.refresh.next({ budget: 20, at: NOW })
    const keys = pages.map(({ key }) => key)
    expect((await index.plan({ budget: 20, at: NOW })).actions.map(({ key }) => key)).toEqual(keys)
    const priced = await index.plan({ budget: { cost: 40, fetch: 2 }, at: NOW })
    expect(priced.actions.map(({ key }) => key)).toEqual(keys)
  })

  test('follows what is written while it is asked', async () => {
    const { pages } = await index.refresh.next({ budget: 10, at: NOW })
    const [first] = pages
    const put = pages.map(({ key }) => ({ url: key as string, text: 'common' }))
    const [advice] = await Promise.all([
      index.refresh.next({ budget: 10, at: NOW + 1 }),
      index.write({ put }, { at: NOW }),
    ])
    expect(advice.pages).toHaveLength(10)
    const after = await index.refresh.next({ budget: 10, at: NOW + 1 })
    expect(after.pages.map(({ key }) => key)).not.toContain(first?.key)
    const hit = index.search('word3', { refresh: true, at: NOW }).hits[0]
    expect(hit?.refresh?.judgedAt).toBe(NOW + 1)
  })

  test('that is closed meanwhile says so', async () => {
    const other = await Freshdex.open<Page>(':memory:', { key: 'url', fields: { text: {} } })
    await other.write({ put: Array.from({ length: COUNT }, (_, nth) => page(nth)) }, { at: START })
    const asked = [other.refresh.next({ budget: 5, at: NOW }), other.plan({ budget: 5, at: NOW })]
    const refused = asked.map((question) =>
      question.then(
        () => 'answered',
        ({ code }) => code,
      ),
    )
    await other.close()
    for (const outcome of await Promise.all(refused)) expect(outcome).toBe('CLOSED')
  })
})
