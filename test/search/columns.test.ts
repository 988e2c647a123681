/** Columns through the public API: what goes together, and what does not. */
import { afterEach, describe, expect, it } from 'vitest'
import { Freshdex, FreshdexError, type OpenOptions } from '../../src/index.js'

interface Page {
  url: string
  title: string
  section?: string
  words?: number
  published?: Date | string
  until?: string
  draft?: boolean
}

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 5, 1)
const opened: Freshdex<Page>[] = []

async function open(more: Partial<OpenOptions<Page>> = {}): Promise<Freshdex<Page>> {
  const index = await Freshdex.open<Page>(':memory:', {
    key: 'url',
    fields: { title: {} },
    columns: { section: 'keyword', words: 'number', published: 'date', until: 'date', draft: 'boolean' },
    ...more,
  })
  opened.push(index)
  return index
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((index) => index.close()))
})

const PAGES: readonly Page[] = [
  { url: '/a', title: 'ferry times', section: 'docs', words: 50, published: '2026-01-10', draft: false },
  { url: '/b', title: 'ferry prices', section: 'blog', words: 150, published: new Date('2026-01-20'), draft: true },
  { url: '/c', title: 'harbour map', section: 'docs', words: 250, published: '2026-03-05' },
  { url: '/d', title: 'ferry to the harbour', words: 90 },
]

const keysOf = ({ hits }: { readonly hits: readonly { readonly key: unknown }[] }) => hits.map(({ key }) => key)

describe('filters, facets, sorts and groups', () => {
  it('answer what was asked', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    expect(keysOf(index.search('ferry', { filter: { section: ['docs', 'blog'] } })).sort()).toEqual(['/a', '/b'])
    expect(keysOf(index.search('*', { filter: { words: { gte: 90, lt: 250 } }, sort: { words: 'desc' } }))).toEqual([
      '/b',
      '/d',
    ])
    expect(keysOf(index.search('ferry section:docs'))).toEqual(['/a'])
    expect(keysOf(index.search('published:2026-01', { sort: { published: 'asc' } }))).toEqual(['/a', '/b'])
    expect(keysOf(index.search('*', { filter: 'draft:true' }))).toEqual(['/b'])
    const counted = index.search('*', {
      limit: 0,
      facets: [
        'section',
        { column: 'words', ranges: [{ lt: 100 }, { gte: 100 }] },
        { column: 'published', interval: 'month' },
      ],
    })
    expect(counted.total).toBe(4)
    expect(counted.facets).toEqual({
      section: [
        { value: 'docs', count: 2 },
        { value: 'blog', count: 1 },
      ],
      words: [
        { value: { lt: 100 }, count: 2 },
        { value: { gte: 100 }, count: 2 },
      ],
      published: [
        { value: new Date('2026-01-01'), count: 2 },
        { value: new Date('2026-03-01'), count: 1 },
      ],
    })
    const groups = index.search('*', { group: { by: 'section', size: 1 }, sort: { words: 'asc' } })
    expect(groups.hits.map(({ key, group }) => [key, group])).toEqual([
      ['/a', 'docs'],
      ['/d', undefined],
      ['/b', 'blog'],
    ])
  })

  it('do not change scores, but boosts do', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const score = (options: object) => index.search('times', options).hits[0]?.score as number
    const plain = score({})
    expect(score({ filter: { section: 'docs' } })).toBe(plain)
    expect(score({ boosts: [{ log: 'words' }] })).toBeCloseTo(plain * (1 + Math.log(51)), 9)
    const at = Date.parse('2026-01-20')
    expect(score({ at, boosts: [{ decay: 'published', halfLife: 10 * DAY_MS, floor: 0.5 }] })).toBeCloseTo(
      plain * 0.75,
      9,
    )
  })

  it('are the same on another thread and in a snapshot', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const options = { filter: { section: { exists: true } }, sort: { published: 'desc' }, facets: ['section'] } as const
    const here = index.search('*', options)
    expect(keysOf(here)).toEqual(['/c', '/b', '/a'])
    expect(keysOf(await index.searchAsync('*', options))).toEqual(keysOf(here))
    const snapshot = index.snapshot()
    await index.write({ removeWhere: { section: 'docs' } })
    expect(keysOf(index.search('*', options))).toEqual(['/b'])
    expect(keysOf(snapshot.search('*', options))).toEqual(keysOf(here))
    expect(snapshot.search('*', options).facets).toEqual(here.facets)
    snapshot.close()
  })

  it('restrict similar documents', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    expect(keysOf(index.similar('/a')).sort()).toEqual(['/b', '/d'])
    expect(keysOf(index.similar('/a', { filter: { section: 'blog' } }))).toEqual(['/b'])
  })

  it('hold for pinned documents, too', async () => {
    const index = await open({ pins: [{ query: 'ferry', keys: ['/c', '/b'] }] })
    await index.write({ put: PAGES })
    expect(keysOf(index.search('ferry', { limit: 2 }))).toEqual(['/c', '/b'])
    expect(index.search('ferry', { limit: 2 }).cursor).toBeUndefined()
    expect(keysOf(index.search('ferry', { filter: { section: 'docs' } }))).toEqual(['/c', '/a'])
  })

  it('say how to declare columns where there are none', async () => {
    const index = await open({ columns: {} })
    expect(() => index.search('a', { filter: { section: 'docs' } })).toThrow(
      'open it with columns: { "section": \'keyword\'',
    )
    await expect(index.write({ removeWhere: { section: 'docs' } })).rejects.toThrow(TypeError)
    await expect(index.refresh.next({ budget: 1, filter: { section: 'docs' } })).rejects.toThrow(TypeError)
  })
})

describe('a cursor', () => {
  it('goes on in the state that it is of', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const options = { limit: 2, sort: { words: 'asc' } } as const
    const first = index.search('*', options)
    const after = first.cursor as string
    await index.write({ put: [{ url: '/e', title: 'new', words: 100 }], remove: ['/c'] })
    const second = index.search('*', { ...options, after })
    expect([...keysOf(first), ...keysOf(second)]).toEqual(['/a', '/d', '/b', '/c'])
    const last = index.search('*', { ...options, after: second.cursor as string })
    expect([last.hits, last.cursor]).toEqual([[], undefined])
    expect(index.search('*', { limit: 10 }).cursor).toBeUndefined()
  })

  it('is of a state that was, where a search on another thread took long', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const searching = index.searchAsync('*', { limit: 2 })
    await index.write({ remove: ['/c'] })
    const { cursor, hits } = await searching
    const rest = await index.searchAsync('*', { limit: 2, after: cursor as string })
    expect([...keysOf({ hits }), ...keysOf(rest)]).toEqual(['/a', '/b', '/c', '/d'])
  })

  it('expires by the clock of the index, and when others were kept since', async () => {
    let nowMs = NOW
    const index = await open({ now: () => nowMs })
    await index.write({ put: PAGES })
    const cursorOf = () => index.search('*', { limit: 1 }).cursor as string
    const first = cursorOf()
    nowMs += 4 * 60_000
    expect(keysOf(index.search('*', { limit: 1, after: first }))).toEqual(['/b'])
    nowMs += 4 * 60_000
    expect(keysOf(index.search('*', { limit: 1, after: first }))).toEqual(['/b'])
    nowMs += 5 * 60_000
    expectExpired(() => index.search('*', { limit: 1, after: first }))
    const second = cursorOf()
    for (let nth = 0; nth < 8; nth++) {
      await index.write({ put: [{ url: `/x${nth}`, title: 'x' }] })
      cursorOf()
    }
    expectExpired(() => index.search('*', { limit: 1, after: second }))
  })

  it('belongs to its index, its snapshot and its search', async () => {
    const [index, other] = [await open(), await open()]
    await index.write({ put: PAGES })
    await other.write({ put: PAGES })
    const { cursor: after = '' } = index.search('*', { limit: 1, sort: { words: 'asc' } })
    expectExpired(() => other.search('*', { limit: 1, sort: { words: 'asc' }, after }))
    expect(() => index.search('ferry', { limit: 1, sort: { words: 'asc' }, after })).toThrow('cursor of another search')
    expect(() => index.search('*', { limit: 1, sort: { words: 'desc' }, after })).toThrow(TypeError)
    expect(() => index.search('*', { limit: 1, after: 'x' })).toThrow('after must be the cursor of an earlier result')
    const sorted = { sort: { words: 'asc' } } as const
    expect(() => index.search('*', { ...sorted, after, offset: 1 })).toThrow('after does not go with offset')
    expect(() => index.search('*', { ...sorted, after, group: { by: 'section' } })).toThrow(
      'after does not go with group',
    )
    const snapshot = index.snapshot()
    expectExpired(() => snapshot.search('*', { limit: 1, ...sorted, after }))
    const own = snapshot.search('*', { limit: 1, ...sorted })
    expect(keysOf(snapshot.search('*', { limit: 1, ...sorted, after: own.cursor as string }))).toEqual(['/d'])
    snapshot.close()
  })
})

function expectExpired(search: () => unknown): void {
  expect(search).toThrow(FreshdexError)
  expect(search).toThrow(expect.objectContaining({ code: 'CURSOR_EXPIRED' }))
}

describe('documents that expire', () => {
  it('are found until then, and leave at upkeep', async () => {
    let nowMs = NOW
    const index = await open({ expires: 'until', now: () => nowMs })
    await index.write({ put: [...PAGES, { url: '/e', title: 'ferry today', until: '2026-06-02' }] })
    const found = (options = {}) => keysOf(index.search('today', options))
    expect(found()).toEqual(['/e'])
    expect(found({ at: Date.UTC(2026, 5, 2) - 1 })).toEqual(['/e'])
    expect(found({ at: Date.UTC(2026, 5, 2) })).toEqual([])
    nowMs += DAY_MS
    expect(found()).toEqual([])
    expect(found({ at: NOW })).toEqual(['/e'])
    expect(keysOf(index.similar('/a'))).not.toContain('/e')
    expect(index.stats().documents).toBe(5)
    await index.compact()
    expect(index.stats().documents).toBe(4)
    expect(index.has('/e')).toBe(false)
  })

  it('are found longer when their date was patched', async () => {
    const index = await open({ expires: 'until', now: () => NOW })
    await index.write({ put: [{ url: '/e', title: 'ferry today', until: '2026-05-01' }] })
    expect(keysOf(index.search('today'))).toEqual([])
    await index.patch([['/e', { until: '2026-07-01' }]])
    expect(keysOf(index.search('today'))).toEqual(['/e'])
  })
})

describe('writing by columns', () => {
  it('removes what passes a filter, but not what is put', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const put = [{ url: '/a', title: 'ferry times', section: 'docs', words: 60 }]
    const report = await index.write({ put, remove: ['/c', '/none'], removeWhere: { section: { exists: true } } })
    expect(report).toMatchObject({ removed: 2, missing: 1, unchanged: 1 })
    expect([...index.keys()].sort()).toEqual(['/a', '/d'])
    await expect(index.write({ removeWhere: { sektion: 'x' } as never })).rejects.toThrow('removeWhere names "sektion"')
    expect([...index.keys()]).toHaveLength(2)
  })

  it('decides in the turn of the write what passes', async () => {
    const index = await open()
    await Promise.all([index.write({ put: PAGES }), index.write({ removeWhere: { draft: true } })])
    expect(index.has('/b')).toBe(false)
  })

  it('patches columns without text', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    await index.patch([['/a', { section: 'news', words: undefined } as never]])
    expect(keysOf(index.search('*', { filter: { section: 'news' } }))).toEqual(['/a'])
    expect(keysOf(index.search('*', { filter: { words: { exists: false } } }))).toEqual(['/a'])
    expect(keysOf(index.search('*', { filter: { draft: false } }))).toEqual(['/a'])
  })
})

describe('refreshing by columns', () => {
  it('names documents that pass', async () => {
    let nowMs = NOW
    const index = await open({ now: () => nowMs })
    await index.write({ put: PAGES })
    nowMs += DAY_MS
    const named = async (options: object) => {
      const { pages } = await index.refresh.next({ budget: 10, ...options })
      return keysOf({ hits: pages }).sort()
    }
    expect(await named({ filter: { section: 'docs' } })).toEqual(['/a', '/c'])
    expect(await named({ where: 'ferry', filter: { section: 'docs' } })).toEqual(['/a'])
    expect(await named({ where: 'ferry section:blog' })).toEqual(['/b'])
    expect(await named({ filter: 'words:<100' })).toEqual(['/a', '/d'])
    const planned = async (options: object) => {
      const { actions } = await index.plan({ budget: 10, ...options })
      return keysOf({ hits: actions }).sort()
    }
    expect(await planned({ filter: { section: 'docs' } })).toEqual(['/a', '/c'])
    expect(await planned({ budget: { cost: 5, fetch: 2 }, filter: { section: 'docs' } })).toHaveLength(2)
    await expect(planned({ filter: { section: 'docs' }, newPages: true })).rejects.toThrow('new pages have no columns')
    await expect(planned({ budget: undefined, target: 0.5, filter: {} })).rejects.toThrow('goes with a budget')
  })

  it('learns filtered searches by their words', async () => {
    const index = await open({ now: () => NOW })
    await index.write({ put: PAGES })
    index.search('ferry times', { filter: { section: 'blog' } })
    index.search('harbour section:blog words:>5')
    index.search('*', { filter: { draft: true } })
    index.search('section:docs')
    expect(
      index.workload
        .queries()
        .map(({ query }) => query)
        .sort(),
    ).toEqual(['ferry times', 'harbour'])
    // That no document of a section has the words does not mean that none has.
    expect(index.workload.unanswered()).toEqual([])
  })
})
