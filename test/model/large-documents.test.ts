/** Documents of many tokens, many distinct words or many holes, and vocabularies that do not fit one piece. */
import { describe, expect, test } from 'vitest'
import { newPath } from '../storage/temporary-folder.js'
import { inventText, type TextShape } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { CONFIGURATIONS, type Configuration, manyDocuments } from './configurations.js'
import { generateDocument } from './document-generator.js'
import type { NaiveDocument } from './naive-index.js'
import { Pair } from './pair.js'
import { generateQuery } from './query-generator.js'

const TIMEOUT_MS = rounds(300_000, 3_000_000)

function compareMany(random: SeededRandom, pair: Pair, shape: TextShape, queries: number): void {
  for (let nth = 0; nth < queries; nth++)
    pair.compare(generateQuery({ random, twin: pair.twin, shape, fields: ['body'] }))
}

/** Each line is written anew with this probability; now and then some lines move. */
function rewriteLines(random: SeededRandom, shape: TextShape, text: string, share: number): string {
  const lines = text.split('\n').map((line) => (random.chance(share) ? inventText(random, shape, 1) : line))
  if (random.chance(0.3)) lines.splice(random.int(lines.length), 0, ...lines.splice(random.int(lines.length), 20))
  return lines.join('\n')
}

test('documents of thousands of tokens, edited a little and a lot', { timeout: TIMEOUT_MS }, async () => {
  await withSeed('long documents', async (seed) => {
    const random = new SeededRandom(seed)
    const configuration = manyDocuments(random, 'bm25')
    const { shape } = configuration
    const pair = await Pair.open(configuration)
    await pair.write(Array.from({ length: 150 }, (_, nth) => generateDocument(random, configuration, `small ${nth}`)))
    for (let step = 0; step < rounds(8, 200); step++) {
      const put = random
        .shuffle([1, 2, 3, 4, 5])
        .slice(0, 3)
        .map((id) => {
          const text = String(pair.twin.document(id)?.body ?? inventText(random, shape, random.between(300, 900)))
          return { id, body: rewriteLines(random, shape, text, random.pick([0.002, 0.1, 0.55, 0.7, 1])) }
        })
      await pair.write(put)
      compareMany(random, pair, shape, 15)
    }
    await pair.close()
  })
})

test('a text of thousands of words without a line end, edited', { timeout: TIMEOUT_MS }, async () => {
  await withSeed('one line', async (seed) => {
    const random = new SeededRandom(seed)
    const { shape, ...rest } = manyDocuments(random, 'tfidf')
    const pair = await Pair.open({ shape, ...rest })
    const words = inventText(random, shape, 1_000).split(/\s+/)
    for (let step = 0; step < rounds(8, 200); step++) {
      const at = random.int(words.length)
      if (random.chance(0.5)) words.splice(at, random.int(3), inventText(random, shape, 1))
      else words.splice(random.int(words.length), 0, ...words.splice(at, 200))
      await pair.write([
        { id: random.int(2), body: words.join(' ') },
        { id: 'small', body: inventText(random, shape, 2) },
      ])
      compareMany(random, pair, shape, 8)
    }
    await pair.close()
  })
})

/** A document numbers its own words; beyond 65,520 of them, two bytes are not enough. */
test('a document of 70,000 distinct words, edited', { timeout: TIMEOUT_MS }, async () => {
  await withSeed('distinct words', async (seed) => {
    const random = new SeededRandom(seed)
    const configuration = manyDocuments(random, 'bm25')
    const pair = await Pair.open(configuration)
    const lines = Array.from({ length: 7_000 }, (_, line) => {
      return Array.from({ length: 11 }, (_each, nth) => `q${(line * 10 + nth).toString(36)}`).join(' ')
    })
    const words: TextShape = { vocabulary: { draw: (source) => `q${source.int(70_001).toString(36)}` } }
    await pair.write(Array.from({ length: 40 }, (_, id) => ({ id, body: inventText(random, words, 3) })))
    for (let step = 0; step < rounds(2, 40); step++) {
      await pair.write([{ id: 'large', body: lines.join('\n') }])
      compareMany(random, pair, words, 6)
      for (let edit = 0; edit < 5; edit++) lines[random.int(lines.length)] = inventText(random, words, 1)
      lines.splice(random.int(lines.length), random.between(0, 100))
    }
    await pair.write([{ id: 'large', body: lines.slice(0, 50).join('\n') }])
    compareMany(random, pair, words, 6)
    await pair.close()
  })
})

describe('holes', () => {
  const isEnglish = (each: Configuration) => each.name.startsWith('english')

  test('runs of stop words of any length keep their places', { timeout: TIMEOUT_MS }, async () => {
    await withSeed('holes', async (seed) => {
      const random = new SeededRandom(seed)
      const configuration = CONFIGURATIONS.map((configure) => configure(random)).find(isEnglish) as Configuration
      const pair = await Pair.open(configuration)
      const gaps = [0, 1, 2, 14, 15, 16, 17, 29, 30, 31, 32, 100, 65_535, 65_536]
      const document = (gap: number, edited: string): NaiveDocument => ({
        id: gap,
        body: `${'the '.repeat(gap)}bak ${'of '.repeat(gap)}tok\n${'in '.repeat(gap)}dub ${edited}${' is'.repeat(gap)}`,
      })
      await pair.write(gaps.map((gap) => document(gap, '')))
      await pair.write(gaps.map((gap) => document(gap, random.pick(['lup', 'the lup', 'tok tok']))))
      for (const gap of gaps.filter((each) => each < 20_000)) {
        expect(pair.compare({ phrase: `bak ${'the '.repeat(gap)}tok` })).toBeGreaterThan(0)
        expect(pair.compare({ phrase: `tok ${'is '.repeat(gap)}dub` })).toBeGreaterThan(0)
        pair.compare({ phrase: `the bak ${'to '.repeat(gap)}tok of` })
      }
      compareMany(random, pair, configuration.shape, 30)
      await pair.close()
    })
  })
})

test('more than half a million distinct words in several partitions', { timeout: TIMEOUT_MS }, async () => {
  await withSeed('many words', async (seed) => {
    const random = new SeededRandom(seed)
    const configuration = manyDocuments(random, 'bm25')
    const pair = await Pair.open(configuration, newPath(), { partitionBytes: 2 ** 21 })
    const draw = (source: SeededRandom) => `u${source.int(600_000).toString(36)}`
    const shape: TextShape = { vocabulary: { draw } }
    const text = () =>
      Array.from({ length: 10 }, () => Array.from({ length: 40 }, () => draw(random)).join(' ')).join('\n')
    for (let from = 0; from < rounds(3_500, 5_000); from += 500) {
      await pair.write(Array.from({ length: 500 }, (_, nth) => ({ id: from + nth, body: text() })))
    }
    await pair.index.compact()
    expect(pair.index.stats().partitions).toBeGreaterThan(1)
    for (let step = 0; step < rounds(2, 30); step++) {
      const keys = random.shuffle(pair.twin.keys()).slice(0, 200) as number[]
      const edited = keys.slice(20).map((id) => {
        return { id, body: rewriteLines(random, shape, String(pair.twin.document(id)?.body), random.pick([0.1, 0.9])) }
      })
      await pair.write(edited, keys.slice(0, 20))
      for (let nth = 0; nth < 20; nth++) {
        const [one, two] = [{ word: draw(random) }, { word: draw(random) }]
        pair.compare(random.pick([one, { or: [one, two] }, { and: [one, { not: two }] }]))
      }
      pair.compare({ prefix: draw(random).slice(0, 4) })
    }
    await pair.close()
  })
})
