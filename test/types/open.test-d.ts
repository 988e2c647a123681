import {
  type FieldName,
  Freshdex,
  type Hit,
  type Key,
  type KeyName,
  type PropertyName,
  type WeightName,
} from 'freshdex'
import { describe, expectTypeOf, it } from 'vitest'

interface Page {
  url: string
  id: number
  title: string
  tags?: string[]
  body: string | null
  summary?: string
  links: number
  rank?: number
  published: Date
  extra: unknown
}

describe('names of properties', () => {
  it('that can be the key are always there, and strings or numbers', () => {
    expectTypeOf<KeyName<Page>>().toEqualTypeOf<'url' | 'id' | 'title' | 'links' | 'extra'>()
  })

  it('that can be fields are text or lists of text', () => {
    expectTypeOf<FieldName<Page>>().toEqualTypeOf<'url' | 'title' | 'tags' | 'body' | 'summary' | 'extra'>()
    expectTypeOf<FieldName<{ list: readonly string[]; mixed: (string | number)[] }>>().toEqualTypeOf<'list'>()
  })

  it('that can be the weight are numbers', () => {
    expectTypeOf<WeightName<Page>>().toEqualTypeOf<'id' | 'links' | 'rank' | 'extra'>()
  })

  it('that can be stored are all', () => {
    expectTypeOf<PropertyName<Page>>().toEqualTypeOf<keyof Page>()
  })

  it('are any where documents are not described', () => {
    expectTypeOf<KeyName<Record<string, unknown>>>().toEqualTypeOf<string>()
    expectTypeOf<FieldName<Record<string, unknown>>>().toEqualTypeOf<string>()
    expectTypeOf<WeightName<{ id: string; [other: string]: unknown }>>().toEqualTypeOf<string>()
    // biome-ignore lint/suspicious/noExplicitAny: the type under test
    expectTypeOf<FieldName<any>>().toEqualTypeOf<string>()
  })
})

describe('open', () => {
  it('accepts the names of the document', () => {
    expectTypeOf(Freshdex.open<Page>).toBeCallableWith(':memory:', {
      key: 'url',
      fields: { title: { boost: 2 }, body: {} },
    })
    expectTypeOf(Freshdex.open<Page>).toBeCallableWith('site.freshdex', {
      key: 'id',
      fields: { tags: {} },
      analyzer: 'english',
      scoring: { weight: 'links', alpha: 0.5 },
      store: ['title', 'published'],
      limits: { documentBytes: 1000 },
    })
    expectTypeOf(Freshdex.open<Record<string, unknown>>).toBeCallableWith(':memory:', {
      key: 'any',
      fields: { thing: {} },
    })
  })

  it('refuses other names', () => {
    // @ts-expect-error there is no such property
    Freshdex.open<Page>(':memory:', { key: 'uri', fields: { title: {} } })
    // @ts-expect-error a key is always there
    Freshdex.open<Page>(':memory:', { key: 'summary', fields: { title: {} } })
    // @ts-expect-error a date cannot be searched
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { published: {} } })
    // @ts-expect-error a title weighs nothing
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, scoring: { weight: 'title' } })
    // @ts-expect-error there is nothing of that name to store
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, store: ['tilte'] })
  })

  it('refuses other options', () => {
    // @ts-expect-error no fields
    Freshdex.open<Page>(':memory:', { key: 'url' })
    // @ts-expect-error misspelt
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, analyser: 'english' })
    // @ts-expect-error misspelt
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: { bost: 2 } } })
    // @ts-expect-error not a preset
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, analyzer: 'klingon' })
    Freshdex.open<Page>(':memory:', {
      key: 'url',
      fields: { title: { analyzer: { name: 'standard', foldAccents: false } } },
      analyzer: { name: 'english' },
    })
    // @ts-expect-error not an analyzer
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: { analyzer: 'klingon' } } })
    const accents = { name: 'english', foldAccents: 1 } as const
    // @ts-expect-error a boolean
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, analyzer: accents })
    // @ts-expect-error not a model
    Freshdex.open<Page>(':memory:', { key: 'url', fields: { title: {} }, scoring: 'bm26' })
    // @ts-expect-error there is one way to an index
    new Freshdex<Page>()
  })

  it('gives an index of the document', () => {
    expectTypeOf(Freshdex.open<Page>).returns.resolves.toEqualTypeOf<Freshdex<Page>>()
    expectTypeOf<Freshdex<Page>['get']>().returns.toEqualTypeOf<Page | undefined>()
    expectTypeOf<Freshdex<Page>['get']>().parameter(0).toEqualTypeOf<Key>()
    expectTypeOf<Freshdex<Page>['search']>().returns.toHaveProperty('hits').toEqualTypeOf<readonly Hit<Page>[]>()
    expectTypeOf<Hit<Page>['doc']>().toEqualTypeOf<Page | undefined>()
  })
})
