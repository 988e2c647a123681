/** What `next` says beside the pages: what its advice stands on, how much they recover, and what is missing. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { DAY_MS, OPTIONS, openOrchard, PAGES, type Page, page, START, url } from './orchard.js'

const HOUR_MS = DAY_MS / 24
const NOW = START + 30 * DAY_MS

describe('the basis of advice', () => {
  test('without documents is no history, and the sentence says to write some', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    index.workload.record('apple')
    const advice = await index.refresh.next({ budget: 5, at: NOW })
    expect(advice).toMatchObject({ pages: [], basis: 'no-history', expectedGain: 0 })
    expect(advice.sentence).toMatch(/no documents.*write/i)
  })

  test('without queries is none, and the sentence says how to give some', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    const advice = await index.refresh.next({ budget: 5, at: NOW })
    expect(advice).toMatchObject({ basis: 'no-queries', learntShare: 0 })
    expect(advice.pages).toHaveLength(5)
    expect(advice.sentence).toMatch(/no queries are known.*workload\.record or workload\.load/i)
  })

  test('is learnt where no page answers what people ask, and the sentence says that instead of a gain', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    await index.workload.load(['zeppelin', 'quartz mine'])
    const advice = await index.refresh.next({ budget: 100, at: NOW, waitMs: 60_000 })
    expect(advice).toMatchObject({ basis: 'learnt', learntShare: 1 })
    expect(advice.pages.map(({ stake }) => stake)).toEqual(PAGES.map(() => 0))
    expect(advice.sentence).toBe('No page answers what people ask, so pages are named by age and history alone.')
  })

  test('is learnt where queries say what is at stake, and the sentence says what the pages recover', async () => {
    await using index = await openOrchard()
    const { pages, basis, learntShare, expectedGain, sentence } = await index.refresh.next({ budget: 3, at: NOW })
    expect([basis, learntShare]).toEqual(['learnt', 1])
    expect(expectedGain).toBe(pages.at(-1)?.cumulativeGain)
    expect(expectedGain).toBeGreaterThan(0)
    expect(expectedGain).toBeLessThan(1)
    expect(sentence).toBe(`These 3 pages recover ${Math.round(100 * expectedGain)}% of what can be gained now.`)
    const one = await index.refresh.next({ budget: 1, at: NOW })
    expect(one.sentence).toMatch(/^This page recovers \d/)
    const all = await index.refresh.next({ budget: 100, at: NOW })
    expect(all.sentence).toBe(`These ${PAGES.length} pages recover 100% of what can be gained now.`)
    const none = await index.refresh.next({ budget: 0, at: NOW })
    expect(none).toMatchObject({ pages: [], expectedGain: 0 })
  })
})

describe('what was learnt since the last fit', () => {
  test.each(['in memory', 'in a folder'])('is known to next, %s, without a fit and without a write', async (place) => {
    await using index = await Freshdex.open<Page>(place === 'in memory' ? ':memory:' : newPath(), OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    await index.workload.load([...Array(50).keys()].map((nth) => [`apple pear ${nth % 7}`, 1 + nth] as const))
    await index.workload.load(['apple', 'pear plum'])
    const advice = await index.refresh.next({ budget: 100, at: NOW, waitMs: 60_000 })
    expect(advice).toMatchObject({ basis: 'learnt', learntShare: 1 })
    expect(advice.pages.reduce((sum, { stake }) => sum + stake, 0)).toBeCloseTo(1, 6)
    expect(index.refresh.explain(advice.pages[0]!.key, { at: NOW })?.sentence).not.toContain('no queries are known')
    // A query that is new since has its say, too.
    index.workload.record('plum', { count: 1e6 })
    const later = await index.refresh.next({ budget: 100, at: NOW, waitMs: 60_000 })
    expect(later.learntShare).toBe(1)
    const plums = new Set(index.search('plum', { limit: 100 }).hits.map(({ key }) => key))
    const stakeOfPlums = later.pages.filter(({ key }) => plums.has(key)).reduce((sum, { stake }) => sum + stake, 0)
    expect(stakeOfPlums).toBeGreaterThan(0.99)
  })

  test('is waited for no longer than told, and the share says how much is taken into account', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: PAGES }, { at: START })
    await index.workload.load([...Array(2000).keys()].map((nth) => `apple ${nth}`))
    const [at] = await Promise.all([index.refresh.next({ budget: 1, at: NOW, waitMs: 0 })])
    expect(at.basis).toBe('learnt')
    expect(at.learntShare).toBeGreaterThanOrEqual(0)
    // What goes on in the background is there for those who wait.
    expect((await index.refresh.next({ budget: 1, at: NOW, waitMs: 60_000 })).learntShare).toBe(1)
  })

  test('is read by a reader as the writer left it', async () => {
    const folder = newPath()
    await using writer = await openOrchard(folder)
    await writer.refresh.fit()
    await writer.refresh.observe(url(1), { outcome: 'same', at: START + DAY_MS })
    await using reader = await Freshdex.open<Page>(folder, { ...OPTIONS, readOnly: true })
    const [own, read] = [
      await writer.refresh.next({ budget: 5, at: NOW }),
      await reader.refresh.next({ budget: 5, at: NOW }),
    ]
    expect(read).toMatchObject({ basis: 'learnt', learntShare: 1 })
    expect(read.pages.map(({ key }) => key)).toEqual(own.pages.map(({ key }) => key))
  })
})

describe('a page that was refreshed just before', () => {
  test('is not named within an hour, or within what is told', async () => {
    await using index = await openOrchard()
    await index.write({ put: [page(3)] }, { at: NOW })
    const isNamed = async (at: number, minIntervalMs?: number) => {
      const options = minIntervalMs === undefined ? {} : { minIntervalMs }
      const { pages } = await index.refresh.next({ budget: 100, at, ...options })
      return pages.some(({ key }) => key === url(3))
    }
    expect(await isNamed(NOW + 5)).toBe(false)
    expect(await isNamed(NOW + HOUR_MS - 1)).toBe(false)
    expect(await isNamed(NOW + HOUR_MS)).toBe(true)
    expect(await isNamed(NOW + 5, 0)).toBe(true)
    expect(await isNamed(NOW + 7 * DAY_MS, 8 * DAY_MS)).toBe(false)
    // Nor by a query that finds it.
    const { pages } = await index.refresh.next({ budget: 100, at: NOW + 5, where: 'apple' })
    expect(pages.map(({ key }) => key)).not.toContain(url(3))
  })
})

describe('a moment', () => {
  test('is a Date or a number, wherever one is asked for', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    const date = new Date(START + 3 * DAY_MS)
    index.workload.record('apple', { at: date })
    await index.workload.load(['pear'], { at: date })
    expect(index.workload.queries({ at: date })).toEqual(index.workload.queries({ at: date.getTime() }))
    await index.write({ put: PAGES }, { at: new Date(START) })
    await index.refresh.observe(url(1), { outcome: 'same', at: new Date(START + DAY_MS) })
    expect(index.refresh.explain(url(1))?.refreshedAt).toBe(START + DAY_MS)
    await index.refresh.signal(url(2), { kind: 'sitemap', at: date, value: new Date(START + 2 * DAY_MS) })
    expect(index.refresh.explain(url(2))?.signals?.firstAt).toBe(date.getTime())
    await index.frontier.add([{ url: 'https://elsewhere.example/' }], { at: date })
    expect(await index.frontier.next({ budget: 1, at: date })).toHaveLength(1)
    const later = new Date(NOW)
    expect(await index.refresh.next({ budget: 5, at: later })).toEqual(await index.refresh.next({ budget: 5, at: NOW }))
    expect(index.refresh.explain(url(1), { at: later })).toEqual(index.refresh.explain(url(1), { at: NOW }))
    expect(index.refresh.priority(url(1), { at: later })).toBe(index.refresh.priority(url(1), { at: NOW }))
    expect(await index.plan({ budget: 2, at: later })).toEqual(await index.plan({ budget: 2, at: NOW }))
    expect(index.refresh.review({ since: date, until: later })).toEqual(index.refresh.review({ until: NOW }))
    const told = index.search('apple', { refresh: true, at: later }).hits[0]
    expect(told?.refresh?.ageMs).toBe(index.refresh.explain(told!.key, { at: NOW })?.ageMs)
    await expect(index.write({ put: [] }, { at: 'yesterday' as never })).rejects.toThrow(/a Date or a number/)
  })
})

describe('a search at a moment', () => {
  test('says of its hits what next says of its pages, as shares of the last judgement', async () => {
    await using index = await openOrchard()
    const { pages } = await index.refresh.next({ budget: 100, at: NOW })
    const { hits } = index.search('apple', { limit: 100, refresh: true, sort: 'priority', at: NOW })
    expect(hits).toHaveLength(PAGES.length)
    expect(hits.map(({ key }) => key)).toEqual(pages.map(({ key }) => key))
    hits.forEach(({ refresh }, nth) => {
      const { priority, stake, expectedGain, ageMs, currentProbability } = pages[nth]!
      expect(refresh).toMatchObject({ priority, stake, expectedGain, ageMs, currentProbability, judgedAt: NOW })
      expect(refresh?.currentProbability).toBe(1 - refresh!.expected.changeChance)
    })
    // At another moment, by the total of the last judgement.
    const later = index.search('apple', { limit: 100, refresh: true, at: NOW + DAY_MS }).hits
    expect(new Set(later.map(({ refresh }) => refresh?.judgedAt))).toEqual(new Set([NOW]))
    expect(() => index.search('apple', { refresh: true, at: 'now' as never })).toThrow(TypeError)
  })
})
