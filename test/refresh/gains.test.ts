/** What a write is worth: its gains are those of a brute force over all pages and queries. */
import { Freshdex } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { paperView } from '../quality/exact-quality.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { type BruteQuery, FrozenScores, gainByCurves, gainExactly } from './brute-force.js'
import { OPTIONS, type Options, openOrchard, PAGES, type Page, page, QUERIES, url } from './orchard.js'

const WORDS = ['apple', 'pear', 'plum', 'quince', 'fig', 'medlar', 'filler', 'other']

function randomPage(random: SeededRandom, nth: number): Page {
  const words = (most: number) => Array.from({ length: random.int(most + 1) }, () => random.pick(WORDS)).join(' ')
  return { url: `page ${nth}`, title: words(3), body: words(60), links: random.int(5) }
}

/** Queries of the workload as the measurement takes them. */
function measuredQueries(terms: 'full' | 'single', queries: readonly (readonly [string, number])[]): BruteQuery[] {
  const whole = queries.map(([text, weight]) => ({ words: text.split(' '), weight }))
  if (terms === 'full') return whole
  const weights = new Map<string, number>()
  for (const { words, weight } of whole) for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight)
  return Array.from(weights, ([word, weight]) => ({ words: [word], weight }))
}

describe('gains', () => {
  const bm25 = { model: 'bm25', k1: 1.2, b: 0.75 } as const
  const tfidf = { model: 'tfidf', k1: 0, b: 0 } as const
  test.each([
    ['bm25', 'full', bm25, 0],
    ['bm25', 'single', bm25, 0],
    ['tfidf', 'full', tfidf, 0],
    ['tfidf', 'single', tfidf, 0],
    ['bm25 with weights', 'full', bm25, 0.25],
  ] as const)('of %s, terms %s, are those of a brute force', (name, terms, model, beta) =>
    withSeed(`gains ${name} ${terms}`, async (seed) => {
      const random = new SeededRandom(seed)
      const scoring: Options['scoring'] = beta === 0 ? model.model : { model: model.model, weight: 'links', beta }
      const options = { ...OPTIONS, scoring, workload: { ...OPTIONS.workload, terms } } as typeof OPTIONS
      await using index = await Freshdex.open<Page>(':memory:', options)
      let pages = Array.from({ length: 40 }, (_, nth) => randomPage(random, nth))
      await index.write({ put: pages })
      const queries = [
        ['apple', 3],
        ['pear plum', 2],
        ['quince fig apple', 5],
        ['medlar', 0.5],
        ['unknown', 1],
      ] as const
      await index.workload.load(queries)
      let compared = 0
      for (let round = 0; round < 12; round++) {
        await index.refresh.fit()
        const scores = new FrozenScores(pages, model, beta)
        const nth = random.int(45)
        const before = pages.find((known) => known.url === `page ${nth}`)
        const after = random.chance(0.2) ? undefined : randomPage(random, nth)
        const { gains } = await index.write(after === undefined ? { remove: [`page ${nth}`] } : { put: [after] })
        const expected = gainByCurves(pages, scores, measuredQueries(terms, queries), before, after)
        expect(gains.map(({ key }) => key)).toEqual(expected > 0 ? [`page ${nth}`] : [])
        const gain = gains[0]?.deltaQuality ?? 0
        expect(Math.abs(gain - expected)).toBeLessThanOrEqual(1e-5 * Math.max(1, expected))
        pages = pages.filter((known) => known !== before)
        if (after !== undefined) pages.push(after)
        if (expected > 0) compared++
      }
      expect(compared).toBeGreaterThan(5)
    }),
  )

  test('of lists of fewer than four pages are exact', () =>
    withSeed('exact gains', async (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 10; round++) {
        await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
        const pages = Array.from({ length: random.between(1, 3) }, (_, nth) => randomPage(random, nth))
        await index.write({ put: pages })
        const queries = [
          ['apple', 3],
          ['pear plum', 2],
        ] as const
        await index.workload.load(queries)
        const [before] = pages
        const after = randomPage(random, 0)
        const { gains } = await index.write({ put: [after] })
        const scores = new FrozenScores(pages, bm25)
        const expected = gainExactly(pages, scores, measuredQueries('full', queries), before, after)
        expect(gains[0]?.deltaQuality ?? 0).toBeCloseTo(Math.max(0, expected), 5)
      }
    }))

  test('name every page that changed an answer, the largest first', async () => {
    await using index = await openOrchard()
    const { gains } = await index.write({
      put: [
        { ...page(1), body: 'quince' },
        { ...page(2), body: 'nothing' },
        page(3),
        { ...page(5), title: 'apple apple' },
      ],
      remove: [url(4)],
    })
    expect(gains.length).toBeGreaterThan(2)
    expect(gains.map(({ key }) => key)).not.toContain(url(3))
    expect(gains.map(({ deltaQuality }) => deltaQuality)).toEqual(
      gains.map(({ deltaQuality }) => deltaQuality).sort((a, b) => b - a),
    )
    for (const { key, deltaQuality } of gains.filter(({ key }) => key !== url(4))) {
      expect(index.refresh.explain(key)?.lastDeltaQuality).toBe(Math.fround(deltaQuality))
    }
  })

  test('are explained query by query', async () => {
    await using index = await openOrchard()
    const scores = new FrozenScores(PAGES, bm25)
    const after = { ...page(11), title: 'apple apple', body: 'quince' }
    const { gains } = await index.write({ put: [after] })
    const { queries } = index.refresh.explain(url(11)) ?? { queries: [] }
    expect(queries.map(({ query, weight }) => [query, weight])).toEqual([
      ['apple', 4],
      ['quince', 1],
    ])
    for (const { query, weight, scoreBefore, scoreAfter, deltaQuality } of queries) {
      const words = [query as string]
      expect(scoreBefore).toBeCloseTo(scores.score(page(11), words), 5)
      expect(scoreAfter).toBeCloseTo(scores.score(after, words), 5)
      const expected = gainByCurves(PAGES, scores, [{ words, weight: weight as number }], page(11), after, paperView)
      expect(deltaQuality).toBeCloseTo(expected, 4)
    }
    expect(queries[1]).toMatchObject({ rankBefore: undefined, rankAfter: 1, scoreBefore: 0 })
    expect(queries.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6)
    expect(queries.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0)).toBeCloseTo(gains[0]?.deltaQuality ?? 0, 4)
  })

  test('are none without a workload', async () => {
    await using index = await Freshdex.open<Page>(':memory:', OPTIONS)
    await index.write({ put: [...PAGES] })
    const { gains, overhead } = await index.write({ put: [page(0, 'other')] })
    expect(gains).toEqual([])
    expect(overhead.indexUs).toBeGreaterThan(0)
    expect(index.stats().measurement).toMatchObject({ epoch: 0, queries: 0, fits: 0, shifts: 0, curveBytes: 0 })
  })

  test('curves take 20 bytes', async () => {
    await using index = await openOrchard()
    expect(index.stats().measurement).toMatchObject({
      curveBytes: 20,
      queries: QUERIES.length,
      fits: 1,
      failure: undefined,
    })
  })
})
