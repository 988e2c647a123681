/** Synonyms, pinned documents and similar documents, each against what it is defined by. */
import { Freshdex, type Query, type SearchResult, type Synonyms } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Page {
  id: number
  title: string
  body: string
}

const WORDS = ['car', 'auto', 'united', 'states', 'usa', 'fast', 'slow', 'road', 'red', 'wheel', 'engine', 'sea']
const RULES: Synonyms = [['car', 'Auto'], ['USA', 'united states'], { from: 'fast', to: ['red wheel', 'engine'] }]
let index: Freshdex<Page>
let plain: Freshdex<Page>

beforeAll(async () => {
  const options = { key: 'id', fields: { title: {}, body: {} } } as const
  index = await Freshdex.open<Page>(':memory:', {
    ...options,
    synonyms: RULES,
    pins: [{ query: 'Road  sea', keys: [7, 9999, 3] }],
  })
  plain = await Freshdex.open<Page>(':memory:', options)
  const random = new SeededRandom(3)
  const text = (length: number) => Array.from({ length }, () => random.pick(WORDS)).join(' ')
  const put = Array.from({ length: 300 }, (_, id) => ({ id, title: text(2), body: text(random.between(0, 9)) }))
  await index.write({ put })
  await plain.write({ put })
})

afterAll(async () => {
  await index.close()
  await plain.close()
})

const hitsOf = ({ hits, total }: SearchResult<Page>) => ({ total, hits: hits.map(({ key, score }) => [key, score]) })

describe('synonyms', () => {
  const same: [query: Query, means: Query][] = [
    ['car', { or: ['car', { word: 'auto' }] }],
    ['CAR road', { and: [{ or: ['car', 'auto'] }, 'road'] }],
    [
      'auto^2',
      {
        or: [
          { word: 'auto', boost: 2 },
          { word: 'car', boost: 2 },
        ],
      },
    ],
    [
      'title:auto',
      {
        or: [
          { word: 'auto', field: 'title' },
          { word: 'car', field: 'title' },
        ],
      },
    ],
    ['usa', { or: ['usa', { phrase: 'united states' }] }],
    ['united states', { or: ['united states', 'usa'] }],
    ['"united states"', { or: [{ phrase: 'united states' }, 'usa'] }],
    ['road united states slow', { and: ['road', { or: [{ and: ['united', 'states'] }, 'usa'] }, 'slow'] }],
    ['united OR states', { or: ['united', 'states', 'usa'] }],
    ['united road states', 'united road states'],
    ['fast', { or: ['fast', { phrase: 'red wheel' }, 'engine'] }],
    ['engine "red wheel"', 'engine "red wheel"'],
    ['road -car', 'road -car'],
    ['ca* aut~', 'ca* aut~'],
    [{ word: 'united states' }, { or: [{ word: 'united states' }, 'usa'] }],
    [
      { and: ['car', { or: ['usa', 'sea'] }] },
      { and: [{ or: ['car', 'auto'] }, { or: ['usa', { phrase: 'united states' }, 'sea'] }] },
    ],
  ]

  it.each(same)('let %j mean %j', (query, means) => {
    expect(hitsOf(index.search(query, { limit: 300 }))).toEqual(hitsOf(plain.search(means, { limit: 300 })))
  })

  it('can be those of a search, or none', () => {
    const expected = hitsOf(plain.search('sea OR slow'))
    expect(hitsOf(plain.search('sea', { synonyms: [['sea', 'slow']] }))).toEqual(expected)
    const frozen = Object.freeze([['sea', 'slow']])
    for (let round = 0; round < 2; round++)
      expect(hitsOf(index.search('sea', { synonyms: frozen as Synonyms }))).toEqual(expected)
    expect(hitsOf(index.search('car', { synonyms: false }))).toEqual(hitsOf(plain.search('car')))
    expect(hitsOf(index.search('united states', { operator: 'or' }))).toEqual(
      hitsOf(plain.search('united OR states OR usa')),
    )
  })

  it('are learnt by the words as they were typed, and marked in snippets', async () => {
    index.search('auto wheel')
    expect(index.workload.queries().map(({ query }) => query)).toContain('auto wheel')
    expect(index.workload.queries().map(({ query }) => query)).not.toContain('car wheel')
    const [hit] = index
      .search('car', { limit: 300, snippet: true })
      .hits.filter(({ snippet }) => !snippet?.text.includes('car'))
    expect(hit?.snippet?.html).toContain('<mark>auto</mark>')
  })

  it('have strict rules', () => {
    const wrong = (synonyms: unknown) => () => index.search('car', { synonyms } as never)
    for (const value of [5, {}, ['car'], [[5]], [['']], [{ from: 'a' }], [{ from: 'a', to: 'b', oneWay: true }]])
      expect(wrong(value)).toThrow(TypeError)
    expect(wrong([[]])).toThrow(RangeError)
    expect(() => index.search({ and: [{ word: 5 }, 'car'] } as never)).toThrow(TypeError)
    expect(() => index.search({ and: 'car' } as never)).toThrow('query.and must be a list')
    expect(() => index.search(undefined as never)).toThrow(TypeError)
    const endless: { and: unknown[] } = { and: ['car'] }
    endless.and.push(endless)
    expect(() => index.search(endless as never)).toThrow('32 levels')
  })
})

describe('pinned documents', () => {
  it('come first, once each, and the others follow', () => {
    const all = plain.search('road sea', { limit: 300, countUpTo: Number.POSITIVE_INFINITY })
    const { hits, total } = index.search('road  SEA', { limit: 300, countUpTo: Number.POSITIVE_INFINITY })
    const scoreOf = (key: unknown) => all.hits.find((hit) => hit.key === key)?.score ?? 0
    const rest = all.hits.filter(({ key }) => key !== 7 && key !== 3).map(({ key }) => key)
    expect(hits.map(({ key }) => key)).toEqual([7, 3, ...rest])
    expect(hits.every(({ key, score }) => score === scoreOf(key))).toBe(true)
    expect(total).toBe(all.total + [7, 3].filter((key) => !all.hits.some((hit) => hit.key === key)).length)
    const page = index.search('road sea', { limit: 3, offset: 1, docs: true, explain: true, snippet: true }).hits
    expect(page.map(({ key }) => key)).toEqual(hits.slice(1, 4).map(({ key }) => key))
    expect(page[0]?.doc?.id).toBe(3)
  })

  it('can be those of a search, or none', async () => {
    expect(index.search('nowhere', { pinned: [5, 5, 4] }).hits.map(({ key, score }) => [key, score])).toEqual([
      [5, 0],
      [4, 0],
    ])
    expect(hitsOf(index.search('road sea', { pinned: false }))).toEqual(hitsOf(plain.search('road sea')))
    expect((await index.searchAsync('road sea', { limit: 2 })).hits.map(({ key }) => key)).toEqual([7, 3])
    const byPriority = index.search('road sea', { sort: 'priority', limit: 300 })
    expect(byPriority.total).toBe(plain.search('road sea').total)
  })

  it('have strict options', async () => {
    for (const pinned of [5, 'a', {}, [{}]]) expect(() => index.search('a', { pinned } as never)).toThrow(TypeError)
    expect(() => index.search('a', { pinned: Array.from({ length: 101 }, (_, at) => at) })).toThrow(RangeError)
    const opening = (pins: unknown) =>
      Freshdex.open<Page>(':memory:', { key: 'id', fields: { body: {} }, pins } as never)
    for (const pins of [5, [5], [{ query: '', keys: [] }], [{ query: 'a' }], [{ query: 'a', keys: [], to: 1 }]])
      await expect(opening(pins)).rejects.toThrow(TypeError)
    await expect(
      opening([
        { query: 'a', keys: [] },
        { query: 'A ', keys: [] },
      ]),
    ).rejects.toThrow('pinned already')
  })
})

describe('similar documents', () => {
  it('are those that a search for the best words of the document finds', async () => {
    await withSeed('similar', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) {
        const key = random.int(300)
        const terms = random.between(1, 8)
        const fields = random.pick([undefined, ['body'], ['title', 'body']] as const)
        const options = { limit: random.between(0, 20), offset: random.between(0, 3), terms, ...(fields && { fields }) }
        const found = plain.similar(key, { ...options, countUpTo: Number.POSITIVE_INFINITY })
        const words = bestWords(plain, key, fields ?? ['title', 'body']).slice(0, terms)
        const all = plain.search({ or: words.map(({ field, word }) => ({ word, field })) }, { limit: 10_000 })
        const others = all.hits.filter((hit) => hit.key !== key)
        expect(found.total).toBe(others.length)
        const { limit, offset } = options
        const expected = others.slice(offset, offset + limit)
        expect(found.hits.length).toBe(expected.length)
        for (const [at, hit] of found.hits.entries()) expect(hit.score).toBeCloseTo(expected[at]?.score as number, 9)
        expect(found.hits.map((hit) => hit.key).sort()).toEqual(expected.map((hit) => hit.key).sort())
      }
    })
  })

  it('come with what hits carry, are not learnt, and need no stored text', async () => {
    const bare = await Freshdex.open<Page>(':memory:', { key: 'id', fields: { title: {}, body: {} }, store: false })
    await bare.write({
      put: [
        { id: 1, title: 'red car', body: '' },
        { id: 2, title: 'red auto', body: '' },
        { id: 3, title: 'blue sea', body: '' },
      ],
    })
    expect(bare.similar(1).hits.map(({ key }) => key)).toEqual([2])
    expect(bare.similar(3)).toMatchObject({ total: 0, hits: [] })
    expect(bare.similar(1, { refresh: true, explain: true, docs: true }).hits[0]).toMatchObject({
      key: 2,
      doc: { id: 2 },
      explain: { terms: [{ term: 'red' }] },
      refresh: { ageMs: expect.any(Number) },
    })
    expect(() => bare.similar(9)).toThrow(RangeError)
    expect(() => bare.similar({} as never)).toThrow(TypeError)
    expect(() => bare.similar(1, { terms: 0 })).toThrow(RangeError)
    expect(() => bare.similar(1, { operator: 'or' } as never)).toThrow('operator')
    expect(bare.workload.queries()).toEqual([])
    const snapshot = bare.snapshot()
    await bare.write({ remove: [2] })
    expect(snapshot.similar(1).total).toBe(1)
    expect(bare.similar(1).total).toBe(0)
    snapshot.close()
    await bare.close()
  })
})

/** The words of a page that another page has too, by what the page scores for each; ties by field and bytes. */
function bestWords(from: Freshdex<Page>, key: number, fields: readonly ('title' | 'body')[]) {
  const page = from.get(key) as Page
  const found = fields.flatMap((field) =>
    [...new Set(page[field].split(' ').filter((word) => word !== ''))].flatMap((word) => {
      const { hits } = from.search({ word, field }, { limit: 10_000 })
      const own = hits.find((hit) => hit.key === key)
      return hits.length < 2 || own === undefined ? [] : [{ field, word, score: own.score }]
    }),
  )
  const order = ['title', 'body']
  return found.sort(
    (a, b) => b.score - a.score || order.indexOf(a.field) - order.indexOf(b.field) || (a.word < b.word ? -1 : 1),
  )
}
