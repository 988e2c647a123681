import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Analyzer } from '../src/analysis/analyzer.js'
import { FreshdexError } from '../src/base/errors.js'
import { Freshdex, type OpenOptions } from '../src/freshdex.js'
import type { Query } from '../src/search/query.js'

interface Page {
  url: string | number
  title?: string
  body?: string | string[]
  links?: number
}

const OPTIONS: OpenOptions<Page> = { key: 'url', fields: { title: { boost: 2 }, body: {} } }

const PAGES: Page[] = [
  { url: '/a', title: 'Ferry timetable', body: ['The ferry leaves at dawn', 'and returns at dusk'] },
  { url: '/b', title: 'Fish market', body: 'Fresh herring from the ferry pier' },
  { url: 3, title: 'Lighthouse', body: 'The lamp turns all night' },
]

const open = (more: Partial<OpenOptions<Page>> = {}) => Freshdex.open<Page>(':memory:', { ...OPTIONS, ...more })

const code = (value: string) => expect.objectContaining({ code: value })

describe('an index', () => {
  let index: Freshdex<Page>

  beforeEach(async () => {
    index = await open()
    await index.write({ put: PAGES })
  })

  afterEach(() => index.close())

  const found = (query: Query) => index.search(query).hits.map((hit) => hit.key)

  it('finds what was put', () => {
    expect(index.search('ferry')).toMatchObject({ total: 2, partial: false, truncated: false })
    expect(found('ferry')).toEqual(['/a', '/b'])
    expect(found('ferry -herring')).toEqual(['/a'])
    expect(found('"leaves at dawn"')).toEqual(['/a'])
    expect(found('title:lighthouse')).toEqual([3])
    expect(found('lam*')).toEqual([3])
    expect(found('hering~')).toEqual(['/b'])
    expect(new Set(found({ or: [{ word: 'lamp' }, { phrase: 'herring from' }] }))).toEqual(new Set([3, '/b']))
    expect(found('')).toEqual([])
  })

  it('gives back documents', () => {
    expect(index.get('/a')).toEqual(PAGES[0])
    expect(index.get(3)).toEqual(PAGES[2])
    expect([index.get('3'), index.has('3'), index.has(3)]).toEqual([undefined, false, true])
    const [hit] = index.search('lamp', { docs: true }).hits
    expect(hit).toEqual({ key: 3, score: hit?.score, doc: PAGES[2] })
    expect(hit?.score).toBeGreaterThan(0)
  })

  it('explains scores by the names of fields', () => {
    const [hit] = index.search('lighthouse', { explain: true }).hits
    expect(hit?.explain?.terms).toEqual([expect.objectContaining({ kind: 'word', field: 'title', boost: 2 })])
    expect(hit?.explain?.score).toBeCloseTo(hit?.score ?? Number.NaN)
  })

  it('limits, skips and chooses fields', () => {
    expect(index.search('ferry', { limit: 1 })).toMatchObject({ total: 2, hits: [{ key: '/a' }] })
    expect(index.search('ferry', { limit: 1, offset: 1 })).toMatchObject({ total: 2, hits: [{ key: '/b' }] })
    expect(index.search('ferry', { limit: 0 })).toMatchObject({ total: 2, hits: [] })
    expect(index.search('ferry', { fields: ['title'] }).total).toBe(1)
    expect(index.search('dawn herring', { operator: 'or' }).total).toBe(2)
  })

  it('reports what a write did', async () => {
    const report = await index.write({
      put: [
        { url: '/a', title: 'Ferry timetable', body: ['The ferry leaves at noon', 'and returns at dusk'] },
        { url: '/b', title: 'Fish market', body: 'Fresh herring from the ferry pier', links: 5 },
        { url: '/new', body: 'something else' },
      ],
      remove: [3, 'absent'],
    })
    expect(report).toMatchObject({ added: 1, replaced: 1, unchanged: 1, removed: 1, missing: 1, truncatedTokens: 0 })
    expect(report.tokens.total).toBeGreaterThan(report.tokens.tokenized)
    expect(report.postings.written).toBeLessThan(report.postings.total)
    expect(report.newTerms).toBe(3)
    expect(found('noon')).toEqual(['/a'])
    expect(found('dawn')).toEqual([])
    expect(found('lamp')).toEqual([])
    expect(index.get('/b')).toMatchObject({ links: 5 })
  })

  it('counts', async () => {
    const { documents, fields, terms } = index.stats()
    expect(documents).toBe(3)
    expect(fields).toEqual({ title: { documents: 3, tokens: 5 }, body: { documents: 3, tokens: 20 } })
    await index.compact()
    const { postings, pendingPostings } = index.stats()
    expect(pendingPostings).toBe(0)
    expect(postings).toBeGreaterThanOrEqual(terms)
    expect(await index.check()).toEqual({ ok: true, documents: 3, terms, postings, faults: [] })
  })

  it('compacts without changing results', async () => {
    const before = found('ferry')
    await index.compact()
    expect(found('ferry')).toEqual(before)
    expect((await index.check()).ok).toBe(true)
  })

  it('keeps a snapshot as it was', async () => {
    const snapshot = index.snapshot()
    await index.write({ put: [{ url: '/b', body: 'nothing left' }], remove: ['/a'] })
    expect(snapshot.search('ferry').hits.map((hit) => hit.key)).toEqual(['/a', '/b'])
    expect([snapshot.get('/a'), snapshot.has('/a')]).toEqual([PAGES[0], true])
    expect(snapshot.stats().documents).toBe(3)
    expect([found('ferry'), index.has('/a'), index.stats().documents]).toEqual([[], false, 2])
    snapshot.close()
  })
})

describe('a write', () => {
  it('takes the documents as they are at the call, and keeps the order of calls', async () => {
    const index = await open()
    const page: Page = { url: '/a', body: 'first' }
    const writes = [index.write({ put: [page] })]
    for (const body of ['second', 'third', 'fourth']) {
      page.body = body
      writes.push(index.write({ put: [page] }))
    }
    page.body = 'never'
    const reports = await Promise.all(writes)
    expect(reports.map(({ added, replaced }) => [added, replaced])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ])
    expect(index.get('/a')).toEqual({ url: '/a', body: 'fourth' })
    expect(index.search('never OR first OR second OR third').total).toBe(0)
    await index.close()
  })

  it('that fails to encode changes nothing and does not hold up others', async () => {
    const index = await open()
    const first = index.write({ put: [{ url: 1, body: 'one' }] })
    const bad = index.write({
      put: [
        { url: 2, body: 'two' },
        { url: 2, body: 'again' },
      ],
    })
    const last = index.write({ put: [{ url: 3, body: 'three' }] })
    await expect(bad).rejects.toMatchObject({ code: 'DUPLICATE_KEY' })
    await Promise.all([first, last])
    expect([index.has(1), index.has(2), index.has(3)]).toEqual([true, false, true])
    await index.close()
  })

  it('rejects and never throws', async () => {
    const index = await open()
    for (const batch of [undefined, null, 5, { puts: [] }, { put: [null] }]) {
      await expect(index.write(batch as never)).rejects.toThrow(TypeError)
    }
    await index.close()
  })

  it('is visible when it resolves and not before', async () => {
    const index = await open()
    const write = index.write({ put: PAGES })
    expect(index.stats().documents).toBe(0)
    await write
    expect(index.stats().documents).toBe(3)
    await index.close()
  })
})

describe('options', () => {
  it('store some properties, or the key only', async () => {
    const some = await open({ store: ['title'] })
    const none = await open({ store: false })
    for (const index of [some, none]) await index.write({ put: PAGES })
    expect(some.get('/b')).toEqual({ url: '/b', title: 'Fish market' })
    expect(none.get('/b')).toEqual({ url: '/b' })
    expect(none.search('lamp', { docs: true }).hits[0]?.doc).toEqual({ url: 3 })
    for (const index of [some, none]) await index.close()
  })

  it('let a weight decide', async () => {
    const index = await open({ scoring: { weight: 'links', alpha: 0, beta: 2 } })
    await index.write({ put: PAGES.map((page, nth) => ({ ...page, body: 'same', links: nth })) })
    expect(index.search('same').hits.map(({ key, score }) => [key, score])).toEqual([
      [3, 4],
      ['/b', 2],
      ['/a', 0],
    ])
    await index.close()
  })

  it('stem English', async () => {
    const index = await open({ analyzer: 'english' })
    await index.write({ put: PAGES })
    expect(index.search('leaving ferries').hits.map((hit) => hit.key)).toEqual(['/a'])
    await index.close()
  })

  it('use an analyzer of the user, whose cut tokens are counted', async () => {
    const analyzer: Analyzer = { name: 'lines', version: '1', analyze: (text) => text.split('\n') }
    const index = await open({ analyzer })
    const report = await index.write({ put: [...PAGES, { url: 'long', body: 'x'.repeat(300) }] })
    expect(report.truncatedTokens).toBe(1)
    expect(index.search({ word: 'The ferry leaves at dawn' }).hits.map((hit) => hit.key)).toEqual(['/a'])
    expect(index.search({ word: 'ferry' }).total).toBe(0)
    expect(index.search({ word: 'x'.repeat(299) }).total).toBe(1)
    await index.close()
  })

  it('are checked before anything else happens', async () => {
    await expect(Freshdex.open<Page>(5 as never, OPTIONS)).rejects.toThrow(TypeError)
    await expect(Freshdex.open<Page>(':memory:', undefined as never)).rejects.toThrow(TypeError)
    await expect(Freshdex.open<Page>(':memory:', { ...OPTIONS, keys: 'url' } as never)).rejects.toThrow('"keys"')
  })

  it('are the only way to an index', () => {
    expect(() => Reflect.construct(Freshdex, [])).toThrow(TypeError)
  })
})

describe('closing', () => {
  it('waits for writes under way, and is idempotent', async () => {
    const index = await open()
    const writes = [index.write({ put: PAGES }), index.write({ remove: ['/a'] })]
    const closing = [index.close(), index.close()]
    await Promise.all(closing)
    expect((await Promise.all(writes)).map(({ added, removed }) => [added, removed])).toEqual([
      [3, 0],
      [0, 1],
    ])
    await index.close()
  })

  it('refuses every call made afterwards', async () => {
    const index = await open()
    const snapshot = index.snapshot()
    const closing = index.close()
    for (const when of ['while closing', 'when closed']) {
      if (when === 'when closed') await closing
      for (const call of [
        () => index.search('a'),
        () => index.get('/a'),
        () => index.has('/a'),
        () => index.stats(),
        () => index.snapshot(),
        () => snapshot.search('a'),
        () => snapshot.get('/a'),
        () => snapshot.has('/a'),
        () => snapshot.stats(),
      ]) {
        expect(call, when).toThrow(code('CLOSED'))
      }
      for (const call of [() => index.write({}), () => index.check(), () => index.compact()]) {
        await expect(call(), when).rejects.toEqual(code('CLOSED'))
      }
    }
    expect(() => snapshot.close()).not.toThrow()
  })

  it('leaves results that were already given alone', async () => {
    const index = await open()
    await index.write({ put: PAGES })
    const { hits } = index.search('lamp', { docs: true, explain: true })
    await index.close()
    expect(hits[0]).toMatchObject({ key: 3, doc: PAGES[2], explain: { terms: [{ field: 'body' }] } })
  })

  it('happens at the end of a scope', async () => {
    let escaped: Freshdex<Page>
    {
      await using index = await open()
      escaped = index
      expect(index.stats().documents).toBe(0)
    }
    expect(() => escaped.stats()).toThrow(code('CLOSED'))
  })
})

describe('code of the user inside a call', () => {
  /** Every method of an index and of its snapshot, called with sensible arguments; the codes of what they throw. */
  async function callEverything(index: Freshdex<Page>, snapshot: ReturnType<Freshdex<Page>['snapshot']>) {
    const calls: (() => unknown)[] = [
      () => index.search('a'),
      () => index.get('/a'),
      () => index.has('/a'),
      () => index.stats(),
      () => index.snapshot(),
      () => index.write({}),
      () => index.check(),
      () => index.compact(),
      () => index.close(),
      () => snapshot.search('a'),
      () => snapshot.get('/a'),
      () => snapshot.has('/a'),
      () => snapshot.stats(),
    ]
    const attempts = calls.map(async (call) => call())
    const outcomes = await Promise.allSettled(attempts)
    return outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as FreshdexError).code)
  }

  it.each([
    'iterator',
    'getter',
    'analyzer of documents',
    'analyzer of queries',
    'getter of a query',
    'getter of options',
  ])('is refused every call: %s', async (place) => {
    let outcomes: Promise<unknown> | undefined
    let isNosy = false
    const pry = () => {
      if (isNosy) outcomes ??= callEverything(index, snapshot)
    }
    const analyzer: Analyzer = {
      name: 'nosy',
      version: '1',
      analyze(text) {
        if (place.startsWith('analyzer')) pry()
        return text.split(' ')
      },
    }
    const index = await open({ analyzer })
    const snapshot = index.snapshot()
    await index.write({ put: PAGES })
    isNosy = true
    const calls: Record<string, () => unknown> = {
      iterator: () =>
        index.write({
          put: (function* () {
            pry()
            yield { url: 'new' }
          })(),
        }),
      getter: () =>
        index.write({
          put: [
            {
              url: 'new',
              get body() {
                pry()
                return 'text'
              },
            },
          ],
        }),
      'analyzer of documents': () => index.write({ put: [{ url: 'new', body: 'text' }] }),
      'analyzer of queries': () => index.search('text'),
      'getter of a query': () =>
        index.search({
          get word() {
            pry()
            return 'text'
          },
        }),
      'getter of options': () =>
        index.search('text', {
          get limit() {
            pry()
            return 5
          },
        }),
    }
    await calls[place]?.()
    expect(new Set((await outcomes) as unknown[])).toEqual(new Set(['REENTRANT']))
    isNosy = false
    expect(index.stats().documents).toBeGreaterThan(0)
    await index.close()
  })

  it('that passes the refusal on makes the whole call fail with it', async () => {
    const analyzer: Analyzer = {
      name: 'nosy',
      version: '1',
      analyze(text) {
        index.has('/a')
        return [text]
      },
    }
    const index = await open({ analyzer })
    expect(() => index.search('a')).toThrow(code('REENTRANT'))
    await expect(index.write({ put: PAGES })).rejects.toEqual(code('REENTRANT'))
    expect(index.stats().documents).toBe(0)
    await index.close()
  })

  it('may use another index', async () => {
    const other = await open()
    await other.write({ put: PAGES })
    const analyzer: Analyzer = { name: 'asking', version: '1', analyze: (text) => [String(other.search(text).total)] }
    const index = await open({ analyzer })
    await index.write({ put: [{ url: 'new', body: 'ferry' }] })
    expect(index.search('herring OR 1').total).toBe(0)
    expect(index.search('ferry').total).toBe(1)
    await index.close()
    await other.close()
  })
})

it('two indexes know nothing of each other', async () => {
  const [one, two] = [await open(), await open()]
  await one.write({ put: PAGES })
  expect([one.search('ferry').total, two.search('ferry').total]).toEqual([2, 0])
  await one.close()
  expect(two.search('ferry').total).toBe(0)
  await two.close()
})

it('errors of the index are instances of the exported class', async () => {
  const index = await open()
  await index.close()
  expect(() => index.stats()).toThrow(FreshdexError)
})
