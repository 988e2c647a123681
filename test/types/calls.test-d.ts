import {
  type Analyzer,
  type Freshdex,
  FreshdexError,
  type FreshdexErrorCode,
  type LanguageName,
  loadLanguage,
  type Query,
  type SearchOptions,
  type Snapshot,
  type WriteReport,
} from 'freshdex'
import { describe, expectTypeOf, it } from 'vitest'

interface Page {
  url: string
  title: string
  links: number
}

declare const index: Freshdex<Page>

describe('snippets', () => {
  it('take their fields by name', () => {
    expectTypeOf(index.search).toBeCallableWith('a', { snippet: { fields: ['title'], length: 80, fragments: 1 } })
    expectTypeOf(index.search).toBeCallableWith('a', { snippet: true })
    // @ts-expect-error not a field
    index.search('a', { snippet: { fields: ['links'] } })
    // @ts-expect-error misspelt
    index.search('a', { snippet: { field: 'title' } })
    expectTypeOf(index.search('a').hits[0]?.snippet?.marks).toEqualTypeOf<
      readonly (readonly [start: number, end: number])[] | undefined
    >()
  })
})

describe('as you type', () => {
  it('is an option, and a prefix of a tree has edits', () => {
    expectTypeOf(index.search).toBeCallableWith('a', { asYouType: true, session: 'ann' })
    expectTypeOf(index.search).toBeCallableWith({ prefix: 'fer', edits: 0 })
    // @ts-expect-error a boolean
    index.search('a', { asYouType: 'yes' })
    // @ts-expect-error at most 2
    index.search({ prefix: 'fer', edits: 3 })
  })
})

describe('suggest', () => {
  it('takes its options by name', () => {
    expectTypeOf(index.suggest).toBeCallableWith('a', { limit: 3, kinds: ['query', 'word'], field: 'title' })
    expectTypeOf(index.suggest('a')[0]?.kind).toEqualTypeOf<'query' | 'title' | 'word' | undefined>()
    expectTypeOf(index.search('a', { didYouMean: true }).didYouMean).toEqualTypeOf<string | undefined>()
    // @ts-expect-error not a field
    index.suggest('a', { field: 'links' })
    // @ts-expect-error not a kind
    index.suggest('a', { kinds: ['page'] })
  })
})

describe('load, patch and searchAsync', () => {
  it('take documents, properties and options by name', () => {
    expectTypeOf(index.load).toBeCallableWith([{ url: '/', title: '', links: 1 }], { batch: 5 })
    // @ts-expect-error links is missing
    index.load([{ url: '/', title: '' }])
    expectTypeOf(index.patch).toBeCallableWith([['/', { links: 1 }]])
    // @ts-expect-error not a property
    index.patch([['/', { linkz: 1 }]])
    // @ts-expect-error a number
    index.patch([['/', { links: 'many' }]])
    expectTypeOf(index.searchAsync).toBeCallableWith('a', { limit: 1, signal: AbortSignal.timeout(5) })
    // @ts-expect-error a search has no signal
    index.search('a', { signal: AbortSignal.timeout(5) })
  })
})

describe('write', () => {
  it('takes any iterable of documents and keys', () => {
    expectTypeOf(index.write).toBeCallableWith({ put: [{ url: '/', title: '', links: 1 }], remove: new Set(['/', 5]) })
    expectTypeOf(index.write).toBeCallableWith({ put: new Map<string, Page>().values() })
    expectTypeOf(index.write).toBeCallableWith({})
    expectTypeOf(index.write).returns.resolves.toEqualTypeOf<WriteReport>()
  })

  it('refuses other documents, keys and parts', () => {
    // @ts-expect-error links is missing
    index.write({ put: [{ url: '/', title: '' }] })
    // @ts-expect-error not a key
    index.write({ remove: [true] })
    // @ts-expect-error misspelt
    index.write({ puts: [] })
    // @ts-expect-error a batch is not optional
    index.write()
  })
})

describe('search', () => {
  it('takes text and trees', () => {
    expectTypeOf<string>().toExtend<Query>()
    expectTypeOf(index.search).toBeCallableWith({ and: ['a b', { not: { phrase: 'c d' } }, { fuzzy: 'e', edits: 2 }] })
    expectTypeOf(index.search).toBeCallableWith({ or: [{ word: 'a', field: 'title', boost: 2 }], boost: 0.5 })
    expectTypeOf(index.search).toBeCallableWith('a', { fields: ['title'], operator: 'or', docs: true })
  })

  it('refuses other shapes', () => {
    // @ts-expect-error three edits
    index.search({ fuzzy: 'a', edits: 3 })
    // @ts-expect-error not a list
    index.search({ and: 'a' })
    // @ts-expect-error neither text nor a kind
    index.search({ field: 'title' })
    // @ts-expect-error not a field
    index.search('a', { fields: ['links'] })
    // @ts-expect-error not an operator
    index.search('a', { operator: 'xor' })
    expectTypeOf<SearchOptions<Page>['fields']>().toEqualTypeOf<readonly ('url' | 'title')[] | undefined>()
  })
})

describe('the rest', () => {
  it('has one colour per method', () => {
    expectTypeOf(index.snapshot).returns.toEqualTypeOf<Snapshot<Page>>()
    expectTypeOf(index.close).returns.toEqualTypeOf<Promise<void>>()
    expectTypeOf(index.compact).returns.toEqualTypeOf<Promise<void>>()
    expectTypeOf<Snapshot<Page>['search']>().toEqualTypeOf<Freshdex<Page>['search']>()
    expectTypeOf<Snapshot<Page>['close']>().returns.toEqualTypeOf<void>()
  })

  it('can be disposed of', () => {
    expectTypeOf<Freshdex<Page>>().toExtend<AsyncDisposable>()
    expectTypeOf<Snapshot<Page>>().toExtend<Disposable>()
  })

  it('loads languages by name', () => {
    expectTypeOf(loadLanguage).parameter(0).toEqualTypeOf<LanguageName>()
    expectTypeOf(loadLanguage).returns.resolves.toEqualTypeOf<Analyzer>()
    // @ts-expect-error not a language of natural
    loadLanguage('klingon')
  })

  it('has codes to switch on', () => {
    expectTypeOf(new FreshdexError('CLOSED', '').code).toEqualTypeOf<FreshdexErrorCode>()
    expectTypeOf<'REENTRANT' | 'NATIVE_MISSING'>().toExtend<FreshdexErrorCode>()
    // @ts-expect-error not a code
    new FreshdexError('ENOENT', '')
  })
})
