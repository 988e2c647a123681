/**
 * The same comparison where the engine's blocks have edges: posting lists over many blocks of 128 documents, edits so
 * large that a page is written whole, more expansions than a search may use, more documents than are scored in one go.
 */
import { describe, expect, test } from 'vitest'
import { inventLine } from '../support/corpus.js'
import { rounds } from '../support/rounds.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { manyDocuments } from './configurations.js'
import { editDocument, generateDocument } from './document-generator.js'
import { ModelRun } from './model-run.js'
import type { NaiveDocument } from './naive-index.js'
import { Pair } from './pair.js'
import { generateQuery } from './query-generator.js'

const TIMEOUT_MS = rounds(300_000, 3_000_000)

describe('posting lists of many blocks', () => {
  test.each(['bm25', 'tfidf'] as const)('edited at random, %s', { timeout: TIMEOUT_MS }, async (scoring) => {
    await withSeed(`large ${scoring}`, async (seed) => {
      const random = new SeededRandom(seed)
      const budget = {
        operations: rounds(1_500, 40_000),
        queries: rounds(150, 4_000),
        fewestDocuments: 1_300,
        mostDocuments: 1_700,
        largestBatch: 600,
      }
      const run = await ModelRun.open(random, manyDocuments(random, scoring), budget)
      await run.play()
      await run.close()
    })
  })

  test('more expansions than a search may use are cut by document frequency and said so', async () => {
    await withSeed('expansions', async (seed) => {
      const random = new SeededRandom(seed)
      const configuration = manyDocuments(random, 'bm25')
      const pair = await Pair.open(configuration)
      const documents = Array.from({ length: 1_500 }, (_, id) => generateDocument(random, configuration, id))
      await pair.write(documents)
      for (const prefix of ['serial', 'S', 'serial1', 'serial12']) pair.compare({ prefix })
      pair.compare({ fuzzy: 'serial123', edits: 2 })
      expect(pair.index.search({ prefix: 'serial' }).truncated).toBe(true)
      expect(pair.index.search({ prefix: 'serial12' }).truncated).toBe(false)
      // With most documents gone most expansions are too: none of them may be left out any more.
      await pair.write(
        [],
        documents.slice(300).map(({ id }) => id as number),
      )
      pair.compare({ prefix: 'serial' })
      expect(pair.index.search({ prefix: 'serial' }).truncated).toBe(false)
      await pair.close()
    })
  })
})

describe('ten thousand documents', () => {
  test('edited in small and large batches', { timeout: TIMEOUT_MS }, async () => {
    await withSeed('ten thousand', async (seed) => {
      const random = new SeededRandom(seed)
      const configuration = manyDocuments(random, 'bm25')
      const pair = await Pair.open(configuration)
      const line = (id: number): NaiveDocument => ({ id, body: inventLine(random, configuration.shape) })
      await pair.write(Array.from({ length: 10_000 }, (_, id) => line(id)))
      for (let step = 0; step < rounds(2, 40); step++) {
        const keys = random.shuffle(pair.twin.keys()).slice(0, random.pick([5, 300, 2_000]))
        const put = keys
          .slice(20)
          .map((key) => editDocument(random, configuration, pair.twin.document(key) as NaiveDocument))
        await pair.write(put, keys.slice(0, 20))
        for (let nth = 0; nth < 8; nth++) {
          pair.compare(generateQuery({ random, twin: pair.twin, shape: configuration.shape, fields: ['body'] }))
          // Frequent words, so that the documents at the edges of whatever the engine works through at a time are among
          // the hits.
          const words = Array.from({ length: 3 }, () => ({ word: configuration.shape.vocabulary.draw(random) }))
          pair.compare({ or: words })
          pair.compare({ and: [{ not: { and: words } }, { or: [{ prefix: 'b' }, ...words] }] })
        }
      }
      await pair.close()
    })
  })

  test('a budget ends a search early with true scores', async () => {
    await withSeed('budget', async (seed) => {
      const random = new SeededRandom(seed)
      const configuration = manyDocuments(random, 'bm25')
      const pair = await Pair.open(configuration)
      await pair.write(
        Array.from({ length: 10_000 }, (_, id) => ({ id, body: inventLine(random, configuration.shape) })),
      )
      const query = { or: [{ prefix: 'b' }, { prefix: 's' }, { prefix: 't' }] }
      const exact = pair.twin.search(query).scores
      const { hits, total, partial } = pair.index.search(query, { limit: 10_000, maxScored: 3_000 })
      expect(partial).toBe(true)
      expect(total).toBeLessThan(exact.size)
      expect(hits.length).toBe(total)
      for (const { key, score } of hits) expect(score).toBeCloseTo(exact.get(key) as number, 9)
      expect(pair.index.search(query, { maxScored: 10_001 }).partial).toBe(false)
      await pair.close()
    })
  })
})
