/** Searches that ask something of columns, through the reader: what the model test of columns does not go through. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reader } from '../../src/core/reader.js'
import { Freshdex } from '../../src/freshdex.js'
import type { FilterNode } from '../../src/search/filter-tree.js'
import { Snapshot } from '../../src/snapshot.js'

interface Page {
  readonly id: string
  readonly body: string
  readonly section?: string | readonly string[]
  readonly words?: number
  readonly published?: Date
}

const PAGES = 1_500
const SECTIONS = ['docs', 'blog', 'api', 'é']

/** Every third page has no section; words repeat; one page in five is about ferries. */
function page(n: number): Page {
  const section = SECTIONS[n % SECTIONS.length] as string
  return {
    id: `p${n}`,
    body: n % 5 === 0 ? 'the ferry timetable' : 'a bus, a bus',
    ...(n % 3 === 0 ? {} : { section: n % 7 === 0 ? [section, 'old'] : section }),
    words: (n * 7919) % 100,
    published: new Date(Date.UTC(2025, n % 24, 1 + (n % 28))),
  }
}

const pages = Array.from({ length: PAGES }, (_, n) => page(n))
const inSection = (name: string) => pages.filter(({ section }) => [section].flat().includes(name))
const words = (filter: Partial<Extract<FilterNode, { kind: 'range' }>>): FilterNode => ({
  kind: 'range',
  column: 1,
  min: Number.NEGATIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
  isMinOpen: false,
  isMaxOpen: false,
  ...filter,
})

describe('a search of columns', () => {
  let index: Freshdex<Page>
  let reader: Reader<Page>

  beforeAll(async () => {
    index = await Freshdex.open<Page>(':memory:', {
      key: 'id',
      fields: { body: {} },
      columns: { section: 'keyword', words: 'number', published: 'date' },
    })
    await index.write({ put: pages })
    reader = Snapshot.readerOf(index.snapshot())
  })
  afterAll(() => index.close())

  it('gives the same on another thread', async () => {
    const options = [
      { filter: { section: 'docs' } },
      { sort: [{ section: 'asc' }, { words: 'desc' }], limit: 50 },
      { facets: ['section', { column: 'published', interval: 'quarter' }], filter: { words: { lt: 50 } } },
      { group: { by: 'section', size: 2 }, boosts: [{ log: 'words' }], explain: true },
    ] as const
    for (const option of options) {
      for (const query of ['ferry', '*', 'bus OR ferry', '"ferry timetable"']) {
        expect(await index.searchAsync(query, option)).toEqual(index.search(query, option))
      }
    }
  })

  it('lists the documents that pass a filter, as numbers and as keys', async () => {
    const filter: FilterNode = { kind: 'any', column: 0, values: ['old'] }
    const keys = inSection('old').map(({ id }) => id)
    expect(reader.matches.keysOf(filter)).toEqual(keys)
    expect(Array.from(reader.matches.documentsOf(filter), (number) => reader.documents.keyOf(number))).toEqual(keys)
    expect(reader.matches.documentsOf({ kind: 'not', child: filter })).toHaveLength(PAGES - keys.length)
    expect(reader.matches.documentsOf({ kind: 'or', children: [] })).toHaveLength(0)
    const ferries = pages.filter(({ body, words }) => body.includes('ferry') && (words as number) < 10)
    const found = await reader.matches.matching('ferry', words({ max: 10, isMaxOpen: true }))
    expect(Array.from(found, (number) => reader.documents.keyOf(number)).sort()).toEqual(
      ferries.map(({ id }) => id).sort(),
    )
  })

  it('counts under a filter up to a bound', () => {
    const total = inSection('docs').length
    const filter = { section: 'docs' }
    expect(index.search('*', { filter })).toMatchObject({ total, isTotalExact: true })
    for (const query of ['bus', 'bus OR ferry', 'a bus', '"a bus"']) {
      const exact = index.search(query, { filter, countUpTo: Number.POSITIVE_INFINITY })
      const expected = inSection('docs').filter(({ body }) => query.includes('ferry') || body.includes('bus')).length
      expect(exact).toMatchObject({ total: expected, isTotalExact: true })
      expect(index.search(query, { filter, countUpTo: 20 })).toMatchObject({ total: 20, isTotalExact: false })
    }
  })

  it('scores and counts no more than maxScored documents', () => {
    const options = { maxScored: 30, sort: { words: 'asc' }, filter: { section: 'blog' }, facets: ['section'] } as const
    const { total, partial, isTotalExact, facets } = index.search('bus', options)
    expect({ total, partial, isTotalExact }).toEqual({ total: 30, partial: true, isTotalExact: false })
    expect(facets?.section?.[0]).toEqual({ value: 'blog', count: 30 })
  })

  it('puts pinned documents first, whatever the sort, if they pass', () => {
    const filter = { section: { any: ['docs', 'old'] } }
    const [first, second] = inSection('docs')
      .slice(-2)
      .map(({ id }) => id) as [string, string]
    const stranger = inSection('api').find(({ section }) => section === 'api')?.id as string
    const pinned = [second, stranger, first]
    const options = { filter, pinned, limit: 5 } as const
    for (const sort of ['score', { words: 'asc' }] as const) {
      const { hits, total } = index.search('*', { ...options, sort })
      const others = index.search('*', { ...options, sort, pinned: false, limit: 10 })
      const rest = others.hits.filter(({ key }) => key !== first && key !== second)
      expect(hits.map(({ key }) => key)).toEqual([second, first, ...rest.slice(0, 3).map(({ key }) => key)])
      expect(total).toBe(others.total)
    }
  })

  it('multiplies the score of the text by boosts, and explains them', () => {
    const options = { boosts: [{ log: 'words', factor: 2 }], explain: true, limit: 3 } as const
    const { hits } = index.search('ferry', options)
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
    for (const { key, score, explain } of hits) {
      const { words: count } = pages.find(({ id }) => id === key) as Page
      expect(explain?.factors).toEqual([1 + 2 * Math.log1p(count as number)])
      expect(score).toBeCloseTo((explain?.text as number) * (explain?.factors?.[0] as number), 12)
    }
    expect(index.search('ferry', { explain: true }).hits[0]?.explain).not.toHaveProperty('factors')
  })

  it('explains that all documents match', () => {
    const { hits } = index.search('*', { explain: true, limit: 1 })
    expect(hits[0]?.explain).toMatchObject({ text: 1, score: 1, terms: [{ kind: 'all', field: '', score: 1 }] })
  })

  it('knows the filters of earlier searches when documents have changed', async () => {
    const other = await Freshdex.open<Page>(':memory:', {
      key: 'id',
      fields: { body: {} },
      columns: { section: 'keyword', words: 'number' },
    })
    const filter = { or: [{ section: 'new' }, { not: { words: { lt: 90 } } }] }
    const expected = () => documents.filter(({ section, words }) => section === 'new' || (words as number) >= 90)
    const documents = pages.slice()
    await other.write({ put: documents })
    expect(other.search('*', { filter }).total).toBe(expected().length)
    for (let round = 0; round < 5; round++) {
      const changed = { ...(documents[round * 300] as Page), section: 'new' }
      documents[round * 300] = changed
      const added = { ...page(PAGES + round), section: 'new' }
      documents.push(added)
      const [removed] = documents.splice(700, 1) as [Page]
      await other.write({ put: [changed, added], remove: [removed.id] })
      expect(other.search('*', { filter }).total).toBe(expected().length)
    }
    await other.close()
  })
})
