import {
  type ColumnKind,
  type ColumnOptions,
  type FacetCounts,
  type Filter,
  Freshdex,
  type SearchOptions,
  type SearchResult,
} from 'freshdex'
import { describe, expectTypeOf, it } from 'vitest'

interface Page {
  url: string
  title: string
  section: 'docs' | 'blog'
  tags?: string | string[]
  words: number
  published: Date
  validUntil: string | null
  draft: boolean
  place: { x: number }
  extra: unknown
}

interface Columns {
  readonly section: 'keyword'
  readonly tags: 'keyword'
  readonly words: 'number'
  readonly published: 'date'
  readonly validUntil: 'date'
  readonly draft: 'boolean'
}

declare const index: Freshdex<Page>
declare const exact: Freshdex<Page, Columns>
declare const anything: Freshdex<Record<string, unknown>>

describe('the columns of an index', () => {
  it('have a kind that fits the property', () => {
    expectTypeOf<ColumnOptions<Page>['section']>().toEqualTypeOf<'keyword' | 'date' | undefined>()
    expectTypeOf<ColumnOptions<Page>['tags']>().toEqualTypeOf<'keyword' | 'date' | undefined>()
    expectTypeOf<ColumnOptions<Page>['words']>().toEqualTypeOf<'number' | 'date' | undefined>()
    expectTypeOf<ColumnOptions<Page>['published']>().toEqualTypeOf<'date' | undefined>()
    expectTypeOf<ColumnOptions<Page>['draft']>().toEqualTypeOf<'boolean' | undefined>()
    expectTypeOf<ColumnOptions<Page>['extra']>().toEqualTypeOf<ColumnKind | undefined>()
    expectTypeOf<ColumnOptions<Page>>().not.toHaveProperty('place')
    expectTypeOf(Freshdex.open<Page>).toBeCallableWith(':memory:', {
      key: 'url',
      fields: { title: {}, section: {} },
      columns: { section: 'keyword', published: 'date', words: 'number' },
      expires: 'validUntil',
    })
    expectTypeOf(Freshdex.open<Page, Columns>).returns.resolves.toEqualTypeOf<Freshdex<Page, Columns>>()
  })

  it('are refused where they do not fit', () => {
    const rest = { key: 'url', fields: { title: {} } } as const
    // @ts-expect-error there is no such property
    Freshdex.open<Page>(':memory:', { ...rest, columns: { sektion: 'keyword' } })
    // @ts-expect-error a number is no keyword
    Freshdex.open<Page>(':memory:', { ...rest, columns: { words: 'keyword' } })
    // @ts-expect-error an object is no value
    Freshdex.open<Page>(':memory:', { ...rest, columns: { place: 'keyword' } })
    // @ts-expect-error not a kind
    Freshdex.open<Page>(':memory:', { ...rest, columns: { section: 'text' } })
    // @ts-expect-error not a property
    Freshdex.open<Page>(':memory:', { ...rest, expires: 'never' })
  })
})

describe('filters', () => {
  it('name columns and values that there are', () => {
    expectTypeOf(index.search).toBeCallableWith('a', {
      filter: {
        section: ['docs', 'blog'],
        tags: { any: ['a'], all: ['b', 'c'] },
        words: { gte: 100, lt: 500 },
        published: { gte: '2026-01-01', lt: new Date() },
        draft: false,
        and: [{ or: [{ section: 'docs' }] }],
        not: { validUntil: { exists: true } },
      },
    })
    expectTypeOf(exact.search).toBeCallableWith('a', { filter: { section: 'docs', validUntil: { lt: '2026' } } })
    expectTypeOf(anything.search).toBeCallableWith('a', { filter: { whatever: 5, or: [{ other: ['x'] }] } })
    expectTypeOf<Filter<Page, Columns>>().toExtend<SearchOptions<Page, Columns>['filter']>()
  })

  it('refuse others', () => {
    // @ts-expect-error not a property
    index.search('a', { filter: { sektion: 'docs' } })
    // @ts-expect-error never this value
    index.search('a', { filter: { section: 'news' } })
    // @ts-expect-error a number
    index.search('a', { filter: { words: 'many' } })
    // @ts-expect-error a boolean
    index.search('a', { filter: { draft: 'false' } })
    // @ts-expect-error misspelt
    index.search('a', { filter: { words: { above: 5 } } })
    // @ts-expect-error not a list
    index.search('a', { filter: { and: { draft: true } } })
    // @ts-expect-error wrong inside
    index.search('a', { filter: { or: [{ draft: 1 }] } })
    // @ts-expect-error a property, but no column
    exact.search('a', { filter: { title: 'x' } })
    // @ts-expect-error a column of dates
    exact.search('a', { filter: { published: true } })
  })
})

describe('facets, sorts, groups and boosts', () => {
  it('name columns', () => {
    expectTypeOf(exact.search).toBeCallableWith('*', {
      facets: ['section', { column: 'words', ranges: [{ lt: 100 }] }, { column: 'published', interval: 'month' }],
      sort: [{ published: 'desc' }, 'score'],
      group: { by: 'section', size: 3 },
      boosts: [{ decay: 'published', halfLife: 1 }, { log: 'words' }],
    })
    expectTypeOf(index.search).toBeCallableWith('*', { sort: { words: 'asc' }, facets: ['tags'] })
    expectTypeOf<SearchResult<Page>['facets']>().toEqualTypeOf<FacetCounts | undefined>()
    expectTypeOf<SearchResult<Page>['cursor']>().toEqualTypeOf<string | undefined>()
  })

  it('refuse other names', () => {
    // @ts-expect-error not a column
    exact.search('*', { facets: ['title'] })
    // @ts-expect-error not a column
    exact.search('*', { sort: { title: 'asc' } })
    // @ts-expect-error not a direction
    exact.search('*', { sort: { words: 'up' } })
    // @ts-expect-error not a column
    exact.search('*', { group: { by: 'title' } })
    // @ts-expect-error not an interval
    exact.search('*', { facets: [{ column: 'published', interval: 'decade' }] })
    // @ts-expect-error not a column
    exact.search('*', { boosts: [{ log: 'title' }] })
  })
})

describe('the rest', () => {
  it('takes filters, too', () => {
    expectTypeOf(exact.write).toBeCallableWith({ removeWhere: { draft: true } })
    expectTypeOf(exact.similar).toBeCallableWith('/', { filter: { section: 'docs' } })
    expectTypeOf(exact.searchAsync).toBeCallableWith('a', { filter: { section: 'docs' } })
    expectTypeOf(exact.snapshot().search).toBeCallableWith('a', { filter: { section: 'docs' } })
    // @ts-expect-error not a column
    exact.write({ removeWhere: { title: 'x' } })
    // @ts-expect-error not a column
    exact.snapshot().search('a', { filter: { title: 'x' } })
  })
})
