/** What people search for: how it is learnt, kept, forgotten and turned into gains. */
import { Freshdex, type Query, type WorkloadOptions } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { FrozenScores, gainByCurves } from './brute-force.js'
import { openLearning, textsOf } from './learning.js'
import { DAY_MS, OPTIONS, type Options, openOrchard, PAGES, type Page, page, QUERIES, START, url } from './orchard.js'

const BM25 = { model: 'bm25', k1: 1.2, b: 0.75 } as const

describe('learning from searches', () => {
  test('takes conjunctions of words, in whatever form', async () => {
    await using index = await openLearning()
    const learnt: Query[] = [
      'apple',
      'apple  pear',
      '"apple pear"',
      { and: ['plum', { phrase: 'pear apple' }] },
      { word: 'apple' },
    ]
    for (const query of learnt) index.search(query)
    expect(index.stats().workload).toMatchObject({ queries: 3, skipped: 0 })
    const weights = index.workload.queries({ limit: 2 })
    expect(weights.map(({ query }) => query)).toEqual(['apple', 'apple pear'])
    for (const { weight } of weights) expect(weight).toBeCloseTo(2, 3)
    expect(textsOf(index)).toContain('plum pear apple')
  })

  test.each<[Query, readonly string[]]>([
    ['title:apple', ['apple']],
    [{ word: 'apple', field: 'title' }, ['apple']],
    ['apple^2 pear', ['apple pear']],
    ['apple -pear', ['apple']],
    ['apple NOT (pear OR plum)', ['apple']],
    ['apple pea*', ['apple']],
    ['aple~1 pear', ['pear']],
    ['title:(apple pear) -body:plum', ['apple pear']],
    ['apple OR pear', ['apple', 'pear']],
    [{ or: ['apple', { prefix: 'pe' }] }, ['apple']],
    ['(apple OR pear) plum', ['apple plum', 'pear plum']],
    // An escaped word is no operator.
    [{ and: ['apple', { word: 'OR' }, 'pear'] }, ['apple OR pear']],
  ])('takes the words of %j that must occur, whatever the rest says', async (query, texts) => {
    await using index = await openLearning({ halfLifeMs: Number.POSITIVE_INFINITY })
    index.search(query)
    const queries = index.workload.queries()
    expect(queries.map(({ query }) => query)).toEqual(texts)
    // However many alternatives it has, it was asked once.
    expect(queries.reduce((sum, { weight }) => sum + weight, 0)).toBe(1)
    expect(index.stats().workload.skipped).toBe(0)
    expect(index.workload.record(query)).toBe(true)
    expect(index.workload.queries().map(({ query }) => query)).toEqual(texts)
  })

  test('counts the searches that have no word which must occur', async () => {
    await using index = await openLearning()
    const skipped: Query[] = [
      ...['-apple', 'app*', 'aple~1', '', '   ', '!?'],
      ...([{ not: 'apple' }, { prefix: 'app' }, { fuzzy: 'aple', edits: 1 }] as Query[]),
    ]
    for (const query of skipped) index.search(query)
    expect(index.stats().workload).toMatchObject({ queries: 0, skipped: skipped.length })
    for (const query of skipped) expect(index.workload.record(query)).toBe(false)
  })

  test('takes searches of some fields, and of any of the words, by their words', async () => {
    await using index = await openLearning({ halfLifeMs: Number.POSITIVE_INFINITY })
    index.search('apple', { fields: ['title'] })
    expect(index.workload.queries()).toEqual([{ query: 'apple', weight: 1 }])
    index.search('pear plum', { operator: 'or' })
    expect(index.workload.queries()).toEqual([
      { query: 'apple', weight: 1 },
      { query: 'pear', weight: 0.5 },
      { query: 'plum', weight: 0.5 },
    ])
    index.search('apple pear', { operator: 'and', limit: 1, docs: true, refresh: true })
    expect(textsOf(index)).toContain('apple pear')
  })

  test('bounds the alternatives of one query', async () => {
    await using index = await openLearning()
    const group = (letter: string) => `(${Array.from({ length: 9 }, (_, nth) => `${letter}${nth}`).join(' OR ')})`
    index.search(`${group('a')} ${group('b')} ${group('c')}`)
    expect(textsOf(index)).toHaveLength(16)
  })

  test('leaves out a search with learn: false', async () => {
    await using index = await openLearning()
    index.search('apple', { learn: false })
    expect(index.stats().workload).toMatchObject({ queries: 0, skipped: 0, learning: 'on' })
    expect(() => index.search('apple', { learn: 'no' as never })).toThrow(TypeError)
    index.search('apple', { learn: true })
    expect(textsOf(index)).toEqual(['apple'])
  })

  test('takes no keystrokes of a session', async () => {
    await using index = await openLearning()
    for (const typed of ['a', 'ap', 'app', 'appl', 'apple']) index.search(typed, { session: 'one' })
    for (const typed of ['p', 'pe', 'pear']) index.search(typed, { session: 'two' })
    // Another query of the session ends the first, and one without a session counts at once.
    index.search('plum', { session: 'one' })
    index.search('ap')
    // What may still become a longer query is shown as it stands, and is gone when it has become one.
    expect(new Set(textsOf(index))).toEqual(new Set(['apple', 'ap', 'pear', 'plum']))
    index.search('plums', { session: 'one' })
    expect(new Set(textsOf(index))).toEqual(new Set(['apple', 'ap', 'pear', 'plums']))
    await index.workload.flush()
    expect(new Set(textsOf(index))).toEqual(new Set(['apple', 'ap', 'pear', 'plums']))
    for (const { weight } of index.workload.queries()) expect(weight).toBeCloseTo(1, 3)
    expect(() => index.search('apple', { session: 7 as never })).toThrow(TypeError)
  })

  test('does not take a search that failed, nor one of a snapshot', async () => {
    await using index = await openLearning()
    expect(() => index.search(5 as never)).toThrow(TypeError)
    expect(() => index.search('apple', { limit: -1 })).toThrow(RangeError)
    const snapshot = index.snapshot()
    snapshot.search('pear')
    snapshot.close()
    expect(textsOf(index)).toEqual([])
  })

  test('can be left', async () => {
    await using index = await openLearning({ learn: false })
    index.search('apple')
    expect(index.stats().workload).toMatchObject({ queries: 0, skipped: 0 })
    expect(index.workload.record('apple')).toBe(true)
    expect(textsOf(index)).toEqual(['apple'])
  })

  test('is enough for a write to be measured', async () => {
    await using index = await openLearning()
    index.search('quince')
    const { gains } = await index.write({ put: [{ ...page(1), body: 'quince' }] })
    expect(gains).toEqual([{ key: url(1), deltaQuality: expect.any(Number) }])
  })

  test('holds no more queries than it may', async () => {
    await using index = await openLearning({ maxQueries: 20 })
    for (let nth = 0; nth < 500; nth++) index.search(`word${nth}`)
    for (let again = 0; again < 30; again++) index.search('apple')
    expect(index.stats().workload.queries).toBeLessThanOrEqual(25)
    expect(textsOf(index)[0]).toBe('apple')
    expect(textsOf(index)).toHaveLength(20)
  })
})

describe('workload: false', () => {
  test('learns, measures and keeps nothing', async () => {
    await using index = await openLearning(false)
    index.search('quince')
    expect(index.workload.record('quince')).toBe(false)
    expect(await index.workload.load(['quince', 'apple'])).toEqual({ recorded: 0, skipped: 2, dropped: 0 })
    index.workload.click('quince', url(1), 1)
    expect(index.stats().workload).toMatchObject({ queries: 0, clicks: 0, skipped: 0, learning: 'off' })
    await index.refresh.fit()
    const { gains, overhead } = await index.write({ put: [{ ...page(1), body: 'quince' }] }, { at: START + DAY_MS })
    expect(gains).toEqual([])
    expect(overhead.measureUs).toBe(0)
    expect(index.stats().measurement).toMatchObject({ epoch: 0, fits: 0, shifts: 0 })
    // The history of refreshes goes on.
    expect(index.refresh.explain(url(1))).toMatchObject({ lastOutcome: 'changed', refreshes: 1 })
    expect((await index.refresh.next({ budget: 2 })).pages).toHaveLength(2)
  })
})

describe('recording', () => {
  test('counts queries, heaviest first, as of a time', async () => {
    await using index = await openLearning({ halfLifeMs: DAY_MS })
    const { workload } = index
    expect(workload.record('apple', { count: 8, at: START })).toBe(true)
    expect(workload.record(' apple\t', { at: START + DAY_MS })).toBe(true)
    expect(workload.record('pear', { count: 3, at: START + DAY_MS })).toBe(true)
    expect(workload.record('appl*', { count: 100 })).toBe(false)
    expect(workload.record({ not: 'pear' })).toBe(false)
    expect(workload.queries({ at: START + DAY_MS })).toEqual([
      { query: 'apple', weight: 5 },
      { query: 'pear', weight: 3 },
    ])
    // All weigh half a day later; and none more before the last record.
    expect(workload.queries({ at: START + 2 * DAY_MS, limit: 1 })).toEqual([{ query: 'apple', weight: 2.5 }])
    expect(workload.queries({ at: START })).toEqual(workload.queries({ at: START + DAY_MS }))
  })

  test('loads many, from anything that can be walked', async () => {
    await using index = await openLearning({ halfLifeMs: Number.POSITIVE_INFINITY })
    async function* lines() {
      yield 'apple'
      yield ['pear', 4] as const
      yield 'app*'
    }
    expect(await index.workload.load(lines(), { at: START })).toEqual({ recorded: 2, skipped: 1, dropped: 0 })
    expect(await index.workload.load(['apple', ['plum', 0.5]])).toEqual({ recorded: 2, skipped: 0, dropped: 0 })
    expect(index.workload.queries().map(({ query, weight }) => [query, weight])).toEqual([
      ['pear', 4],
      ['apple', 2],
      ['plum', 0.5],
    ])
    // Nothing of a list with a faulty one is taken.
    await expect(index.workload.load(['fig', ['medlar', -1]])).rejects.toThrow(RangeError)
    expect(textsOf(index)).not.toContain('fig')
  })

  test('clear forgets queries and clicks, and nothing is measured any more', async () => {
    const folder = newPath()
    const index = await openOrchard(folder)
    for (let click = 0; click < 60; click++) index.workload.click('apple', url(1), 1 + (click % 4))
    index.workload.clear()
    expect(index.workload.queries()).toEqual([])
    expect(index.stats().workload).toMatchObject({ queries: 0, clicks: 0, fittedExponent: undefined })
    await index.write({ put: [page(1, 'apple')] }, { at: START + DAY_MS })
    const { gains } = await index.write({ put: [page(1, 'apple apple')] }, { at: START + 2 * DAY_MS })
    expect(gains).toEqual([])
    await index.close()
    await using again = await Freshdex.open<Page>(folder, OPTIONS)
    expect(again.workload.queries()).toEqual([])
    // A query of the same text is another one: its number was not used again.
    again.workload.record('apple')
    const { gains: anew } = await again.write({ put: [page(1, 'pear')] })
    expect(anew.length + again.stats().measurement.shifts).toBeGreaterThan(0)
  })

  test('is kept by a close without any write', async () => {
    const folder = newPath()
    const index = await openLearning({ learn: true, halfLifeMs: Number.POSITIVE_INFINITY }, folder)
    await index.close()
    const second = await Freshdex.open<Page>(folder, { ...OPTIONS, workload: { halfLifeMs: Number.POSITIVE_INFINITY } })
    second.search('pear')
    second.workload.record('apple', { count: 3 })
    second.workload.click('apple', url(1), 2)
    await second.close()
    await using third = await Freshdex.open<Page>(folder, OPTIONS)
    expect(third.workload.queries()).toEqual([
      { query: 'apple', weight: 3 },
      { query: 'pear', weight: 1 },
    ])
    expect(third.stats().workload.clicks).toBe(1)
  })

  test('goes on after reopening: weights add up', async () => {
    const folder = newPath()
    for (let round = 1; round <= 3; round++) {
      await using index = await Freshdex.open<Page>(folder, OPTIONS)
      index.workload.record('apple', { at: START })
      expect(index.workload.queries({ at: START })).toEqual([{ query: 'apple', weight: round }])
    }
  })
})

describe('the view likelihood', () => {
  const after: Page = { ...page(11), title: 'apple', body: 'apple pear quince' }

  async function gainWith(view: WorkloadOptions['view'], more: (index: Freshdex<Page>) => void = () => {}) {
    const workload = { ...OPTIONS.workload, ...(view === undefined ? {} : { view }) }
    await using index = await openOrchard(':memory:', { workload } as Options)
    more(index)
    await index.refresh.fit()
    const { gains } = await index.write({ put: [after] })
    return gains[0]?.deltaQuality as number
  }

  const queries = QUERIES.map(([text, weight]) => ({ words: text.split(' '), weight }))
  const expected = (view: (rank: number) => number) =>
    gainByCurves(PAGES, new FrozenScores(PAGES, BM25), queries, page(11), after, view)

  test('is r^-1.5 unless told', async () => {
    expect(await gainWith(undefined)).toBeCloseTo(
      expected((rank) => rank ** -1.5),
      4,
    )
  })

  test('can be an exponent or a function', async () => {
    expect(await gainWith(0.5)).toBeCloseTo(
      expected((rank) => rank ** -0.5),
      4,
    )
    expect(await gainWith((rank) => rank ** -0.5)).toBeCloseTo(
      expected((rank) => rank ** -0.5),
      4,
    )
    // Nobody looks beyond the third answer.
    const top3 = (rank: number) => (rank <= 3 ? 1 / rank : 0)
    expect(await gainWith(top3)).toBeCloseTo(expected(top3), 4)
    expect(expected(top3)).not.toBeCloseTo(
      expected((rank) => rank ** -0.5),
      1,
    )
  })

  test('is fitted to clicks, unless another was set', async () => {
    // Clicks that fall as 1 / r.
    const clickAll = (index: Freshdex<Page>) => {
      for (const [rank, count] of [
        [1, 120],
        [2, 60],
        [3, 40],
        [4, 30],
        [5, 24],
        [6, 20],
      ] as const)
        for (let click = 0; click < count; click++) index.workload.click('apple', url(rank), rank)
      expect(index.stats().workload.clicks).toBe(294)
    }
    let exponent = 0
    const fitted = await gainWith(undefined, (index) => {
      clickAll(index)
      exponent = index.stats().workload.fittedExponent as number
    })
    expect(Math.abs(exponent - 1)).toBeLessThan(0.15)
    expect(fitted).toBeCloseTo(
      expected((rank) => rank ** -exponent),
      4,
    )
    const set = await gainWith(0.5, (index) => {
      clickAll(index)
      expect(index.stats().workload.fittedExponent).toBe(undefined)
    })
    expect(set).toBeCloseTo(
      expected((rank) => rank ** -0.5),
      4,
    )
  })
})

describe('misuse', () => {
  test('of the methods is refused, and changes nothing', async () => {
    await using index = await openLearning({ learn: false })
    const { workload } = index
    const wrong: [() => unknown, typeof TypeError | typeof RangeError][] = [
      [() => workload.record(5 as never), TypeError],
      [() => workload.record(null as never), TypeError],
      [() => workload.record('apple', { count: 0 }), RangeError],
      [() => workload.record('apple', { count: Number.NaN }), RangeError],
      [() => workload.record('apple', { count: '3' as never }), TypeError],
      [() => workload.record('apple', { at: -1 }), RangeError],
      [() => workload.record('apple', { times: 1 } as never), TypeError],
      [() => workload.record('apple', 3 as never), TypeError],
      [() => workload.click(5 as never, 'key', 1), TypeError],
      [() => workload.click('apple', {} as never, 1), TypeError],
      [() => workload.click('apple', 'key', 0), RangeError],
      [() => workload.click('apple', 'key', 1.5), RangeError],
      [() => workload.click('apple', 'key', '1' as never), TypeError],
      [() => workload.click('apple', 'key', undefined as never), TypeError],
      [() => workload.queries({ limit: -1 }), RangeError],
      [() => workload.queries({ at: Number.NaN }), RangeError],
      [() => workload.queries({ most: 1 } as never), TypeError],
    ]
    for (const [act, kind] of wrong) expect(act).toThrow(kind)
    for (const queries of [undefined, 5, null]) await expect(workload.load(queries as never)).rejects.toThrow(TypeError)
    for (const item of [5, undefined, [5, 1], ['apple', '1']])
      await expect(workload.load([item] as never)).rejects.toThrow(TypeError)
    expect(index.stats().workload).toMatchObject({ queries: 0, clicks: 0 })
  })

  test('of the options is refused', async () => {
    const wrong: [unknown, typeof TypeError | typeof RangeError][] = [
      [true, TypeError],
      ['text', TypeError],
      [{ terms: 'double' }, RangeError],
      [{ terms: 1 }, TypeError],
      [{ learn: 'yes' }, TypeError],
      [{ privacy: 'none' }, RangeError],
      [{ maxQueries: 0 }, RangeError],
      [{ maxQueries: 1.5 }, RangeError],
      [{ halfLifeMs: 0 }, RangeError],
      [{ halfLifeMs: Number.NaN }, RangeError],
      [{ pieces: 0 }, RangeError],
      [{ learnFlushMs: 0 }, RangeError],
      [{ learnFlushMs: 'soon' }, TypeError],
      [{ pieces: 9 }, RangeError],
      [{ maxOverhead: 0 }, RangeError],
      [{ maxOverhead: -0.1 }, RangeError],
      [{ maxOverhead: Number.NaN }, RangeError],
      [{ maxOverhead: Number.POSITIVE_INFINITY }, RangeError],
      [{ maxOverhead: '5%' }, TypeError],
      [{ view: -1 }, RangeError],
      [{ view: 'steep' }, TypeError],
      [{ view: (rank: number) => rank }, RangeError],
      [{ view: () => Number.NaN }, RangeError],
      [{ queries: [] }, TypeError],
    ]
    for (const [workload, kind] of wrong)
      await expect(Freshdex.open<Page>(':memory:', { ...OPTIONS, workload } as never)).rejects.toThrow(kind)
  })

  test('after the close is CLOSED', async () => {
    const index = await openLearning()
    await index.close()
    const closed = expect.objectContaining({ code: 'CLOSED' })
    expect(() => index.workload.record('apple')).toThrow(closed)
    expect(() => index.workload.click('apple', 'key', 1)).toThrow(closed)
    expect(() => index.workload.queries()).toThrow(closed)
    expect(() => index.workload.clear()).toThrow(closed)
    await expect(index.workload.load(['apple'])).rejects.toThrow(closed)
  })
})
