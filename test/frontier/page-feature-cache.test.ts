/** What a cycle keeps of pages and of queries, against what is read of each one anew. */
import { expect, test } from 'vitest'
import { Pauses } from '../../src/base/turns.js'
import { AskedQueries } from '../../src/frontier/asked-queries.js'
import { bestPages } from '../../src/frontier/cycle.js'
import { KEPT_ANSWERS } from '../../src/frontier/cycle-rules.js'
import { cluesOf, type FrontierPage, inlinksOf } from '../../src/frontier/frontier-page.js'
import { FrontierPages } from '../../src/frontier/frontier-pages.js'
import { PAIR_FEATURES, writePairFeatures, writeQueryFeatures } from '../../src/frontier/impact/expected-score.js'
import { queryNgrams } from '../../src/frontier/impact/ngrams.js'
import { Lessons } from '../../src/frontier/lessons.js'
import { PageFeatureCache } from '../../src/frontier/page-feature-cache.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { foundPages, queries, WORDS, wordsFrom } from './meadow.js'

const pauses = () => new Pauses(() => {})

function pageOf(random: SeededRandom, id: number): FrontierPage {
  const { url, anchors = [], inlinks = 0 } = foundPages(random, 1)[0]!
  const fetchedMs = random.chance(0.1) ? 1 : undefined
  return { id, url: `${url}/${id}`, anchors: anchors.join('\n'), inlinks, addedMs: 0, fetchedMs }
}

test('the features of pages are those that are written of each pair by itself', () => {
  withSeed('kept clues', (seed) => {
    const random = new SeededRandom(seed)
    const [pages, lessons] = [new FrontierPages(), new Lessons()]
    for (let id = 0; id < 200; id++) pages.set(pageOf(random, id))
    for (let nth = 0; nth < 9; nth++) lessons.addPage(`new${random.int(3)}.example`, [random.next()], 1, 1)
    const kept = new PageFeatureCache(pages, lessons)
    for (let round = 0; round < 2000; round++) {
      // A page may come while a cycle runs.
      if (round === 1000) pages.set(pageOf(random, 200))
      const words = wordsFrom(random, 4)
      const query = {
        ngrams: queryNgrams(words.join(' ')),
        words: words.length,
        bestScore: random.next(),
        meanTopScore: random.next(),
      }
      const number = random.int(pages.end)
      const [expected, row] = [new Float64Array(PAIR_FEATURES.length), new Float64Array(PAIR_FEATURES.length)]
      writePairFeatures(expected, 0, cluesOf(pages.page(number)!, lessons), query)
      writeQueryFeatures(row, 0, query)
      kept.writeFeatures(row, number, query)
      expect(row).toEqual(expected)
    }
  })
})

test('the best pages are those of a full sort', async () => {
  await withSeed('best pages', async (seed) => {
    const random = new SeededRandom(seed)
    for (let round = 0; round < 30; round++) {
      const pages = new FrontierPages()
      const count = random.between(0, 300)
      for (let id = 0; id < count; id++) pages.set({ ...pageOf(random, id), inlinks: random.int(5) })
      for (let id = 0; id < count; id += random.between(1, 40)) pages.delete(pages.page(id)?.url ?? '')
      const values = Float64Array.from({ length: count }, () => random.int(random.pick([1, 3, 50])))
      const waiting = Array.from(values.keys()).filter((number) => pages.waiting(number) !== undefined)
      const inlinks = (number: number) => inlinksOf(pages.page(number)!)
      waiting.sort((a, b) => values[b]! - values[a]! || inlinks(b) - inlinks(a) || a - b)
      const wanted = random.pick([0, 1, 17, count, 1000])
      const best = await bestPages(pages, values, wanted, pauses())
      expect(best.map(({ id }) => id)).toEqual(waiting.slice(0, wanted))
    }
  })
})

test('queries keep their answers while others come, go and change their weights', async () => {
  await withSeed('query book', async (seed) => {
    const random = new SeededRandom(seed)
    const book = new AskedQueries()
    const answers = new Map<string, { sequence: number; numbers: number[]; scores: number[] }>()
    for (let sequence = 0; sequence < 60; sequence++) {
      const given = random.chance(0.2)
        ? Array.from({ length: book.size }, (_, row) => ({ name: book.name(row), weight: book.frequencies[row]! }))
        : [...queries(random, random.between(0, 80)), ['...', 5] as const].map(([name, weight]) => ({ name, weight }))
      given.sort((a, b) => b.weight - a.weight)
      await book.update(given, pauses())
      const expected = given.filter(({ name }) => name !== '...')
      for (const name of answers.keys()) if (!expected.some((query) => query.name === name)) answers.delete(name)
      expect(Array.from({ length: book.size }, (_, row) => book.name(row))).toEqual(expected.map(({ name }) => name))
      expect([...book.frequencies]).toEqual(expected.map(({ weight }) => weight))
      for (const [row, { name }] of expected.entries()) {
        expect(book.ngrams(row)).toEqual(queryNgrams(name))
        expect(book.words(row)).toBe(name.split(' ').length)
        const known = answers.get(name)
        expect(book.isCurrent(row, known?.sequence ?? 0)).toBe(known !== undefined)
        expect([...book.numbers(row)]).toEqual(known?.numbers ?? [])
        expect([...book.scores(row)]).toEqual(known?.scores ?? [])
        if (random.chance(0.5)) continue
        const numbers = Array.from({ length: random.int(KEPT_ANSWERS + 5) }, () => random.int(WORDS.length))
        const scores = numbers.map((_, at) => 100 - at)
        book.setAnswers(row, sequence, Uint32Array.from(numbers), Float64Array.from(scores))
        const [keptNumbers, keptScores] = [numbers.slice(0, KEPT_ANSWERS), scores.slice(0, KEPT_ANSWERS)]
        answers.set(name, { sequence, numbers: keptNumbers, scores: keptScores })
      }
    }
    expect(answers.size).toBeGreaterThan(10)
  })
})
