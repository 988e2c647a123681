import { Freshdex, type PageLink } from 'freshdex'
import { describe, expect, it } from 'vitest'

interface Page {
  readonly url: string
  readonly title?: string
  readonly body?: string
  readonly anchors?: string
  readonly links?: readonly PageLink[]
}

const DAY = 86_400_000

function open(path = ':memory:'): Promise<Freshdex<Page>> {
  return Freshdex.open<Page>(path, {
    key: 'url',
    fields: { title: {}, body: {}, anchors: { from: 'links' } },
    scoring: { model: 'bm25', weight: { from: 'links' } },
    now: () => 100 * DAY,
  })
}

function keysOf(index: Freshdex<Page>, query: string): string[] {
  return index.search(query, { learn: false }).hits.map(({ key }) => key as string)
}

const PAGES: readonly Page[] = [
  {
    url: '/a',
    body: 'about ferries',
    links: [
      { to: '/b', text: 'timetable of winter' },
      { to: '/c', text: 'fares' },
    ],
  },
  { url: '/b', body: 'departures and arrivals' },
  { url: '/c', body: 'what a crossing is' },
]

describe('a field that links fill', () => {
  it('is searched, and moves as links come, change and go', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    expect(keysOf(index, 'winter')).toEqual(['/b'])
    expect(keysOf(index, 'anchors:fares')).toEqual(['/c'])
    await index.write({ put: [{ ...PAGES[0], url: '/a', links: [{ to: '/b', text: 'summer' }] }] })
    expect(keysOf(index, 'winter')).toEqual([])
    expect(keysOf(index, 'fares')).toEqual([])
    expect(keysOf(index, 'summer')).toEqual(['/b'])
    await index.write({ remove: ['/a'] })
    expect(keysOf(index, 'summer')).toEqual([])
    expect((await index.check()).ok).toBe(true)
    await index.close()
  })

  it('is no part of the own text of its document', async () => {
    const index = await open()
    await index.write({ put: PAGES }, { at: 90 * DAY })
    const report = await index.write({ put: [PAGES[1] as Page] }, { at: 91 * DAY })
    expect(report).toMatchObject({ unchanged: 1, replaced: 0 })
    expect(keysOf(index, 'winter')).toEqual(['/b'])
    await index.close()
  })

  it('leaves the history of the target alone, and measures its shifts', async () => {
    const index = await open()
    const others = Array.from({ length: 6 }, (_, nth) => ({
      url: `/s${nth}`,
      body: `summer and ${'rain '.repeat(nth)}`,
    }))
    await index.write({ put: [...PAGES, ...others] }, { at: 90 * DAY })
    index.workload.record('summer', { count: 10 })
    await index.refresh.fit()
    const before = index.refresh.explain('/b')
    const report = await index.write(
      {
        put: [
          {
            url: '/a',
            body: 'about ferries',
            links: [
              { to: '/b', text: 'summer' },
              { to: '/b', text: 'more' },
            ],
          },
        ],
      },
      { at: 95 * DAY },
    )
    const after = index.refresh.explain('/b')
    expect(report.linked.map(({ key }) => key)).toEqual(['/b'])
    expect(report.linked[0]?.deltaQuality).toBeGreaterThan(0)
    expect(report.gains).toEqual([])
    expect(report).toMatchObject({ unchanged: 1, replaced: 0, added: 0 })
    const { refreshes, changes, refreshedAt } = before!
    expect(after).toMatchObject({ refreshes, changes, refreshedAt })
    expect(index.refresh.explain('/a')?.refreshes).toBe(1)
    await index.close()
  })

  it('counts links that were there before their target', async () => {
    const index = await open()
    await index.write({ put: [PAGES[0] as Page] })
    expect(index.frontier.size).toBe(2)
    expect((await index.frontier.explain('/b'))?.anchors).toEqual(['timetable of winter'])
    await index.write({ put: [PAGES[1] as Page] })
    expect(index.frontier.size).toBe(1)
    expect(keysOf(index, 'winter')).toEqual(['/b'])
    // The weight is 1: the text score and one link.
    expect(index.search('winter', { explain: true, learn: false }).hits[0]?.score).toBeGreaterThan(1)
    await index.close()
  })

  it('refuses a text of its own', async () => {
    const index = await open()
    await expect(index.write({ put: [{ url: '/a', anchors: 'x' }] })).rejects.toThrow(TypeError)
    await expect(index.write({ put: [{ url: '/a', links: [{ to: 7.5 }] }] })).rejects.toThrow('safe integer')
    await expect(index.patch([['/a', { links: [] }]])).rejects.toThrow('holds its links')
    await expect(index.reweigh([['/a', 1]])).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
    await index.close()
  })
})
