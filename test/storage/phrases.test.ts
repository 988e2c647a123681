/**
 * Lists of phrases are made by a compaction and kept by every write. Whatever they are, a phrase finds what a look at
 * all texts finds, and nothing that counts words counts them.
 */
import { Freshdex } from 'freshdex'
import { expect, test } from 'vitest'
import { SeededRandom, withSeed } from '../support/seed.js'
import { newPath } from './temporary-folder.js'

const WORDS = ['north', 'ferry', 'pier', 'tide', 'gull', 'rope', 'deck']
const OPTIONS = { key: 'id', fields: { body: {} }, workload: false, upkeep: { phrasePages: 2 } } as const

interface Page {
  id: string
  body: string
}

const pageOf = (random: SeededRandom, id: string): Page => ({
  id,
  body: Array.from({ length: 1 + random.int(6) }, () =>
    Array.from({ length: 1 + random.int(7) }, () => random.pick(WORDS)).join(' '),
  ).join('\n'),
})

async function withPages(folder: string, act: (index: Freshdex<Page>) => Promise<void>): Promise<void> {
  const index = await Freshdex.open<Page>(folder, OPTIONS)
  try {
    await act(index)
  } finally {
    await index.close()
  }
}

function expectPhrases(random: SeededRandom, index: Freshdex<Page>, pages: ReadonlyMap<string, Page>): void {
  for (let i = 0; i < 60; i++) {
    const words = Array.from({ length: 2 + random.int(3) }, () => random.pick(WORDS))
    const padded = ` ${words.join(' ')} `
    const expected = [...pages.values()].filter(({ body }) => ` ${body.replaceAll('\n', ' ')} `.includes(padded))
    const { hits, total } = index.search({ phrase: words.join(' ') }, { limit: 1000 })
    expect([words, total]).toEqual([words, expected.length])
    expect(hits.map(({ key }) => key).sort()).toEqual(expected.map(({ id }) => id).sort())
  }
}

test('phrases are found before and after compactions, through edits and openings', { timeout: 120_000 }, async () => {
  await withSeed('phrases', async (seed) => {
    const random = new SeededRandom(seed)
    const folder = newPath()
    const pages = new Map<string, Page>()
    for (let life = 0; life < 4; life++) {
      await withPages(folder, async (index) => {
        expectPhrases(random, index, pages)
        for (let batch = 0; batch < 6; batch++) {
          const ids = Array.from(new Set(Array.from({ length: 12 }, () => `p${random.int(60)}`)))
          const remove = ids.filter((id) => pages.has(id) && random.int(8) === 0)
          const put = ids.filter((id) => !remove.includes(id)).map((id) => pageOf(random, id))
          await index.write({ put, remove })
          for (const page of put) pages.set(page.id, page)
          for (const id of remove) pages.delete(id)
          if (random.int(3) === 0) {
            const { terms, postings, documents } = index.stats()
            await index.compact()
            expect(index.stats()).toMatchObject({ terms, postings, documents, pendingPostings: 0 })
          }
          expectPhrases(random, index, pages)
        }
        expect(await index.check()).toMatchObject({ ok: true })
      })
    }
  })
})

test('lists of phrases are no words to anybody', async () => {
  const folder = newPath()
  const put = Array.from({ length: 40 }, (_, nth) => ({ id: `p${nth}`, body: 'north ferry pier north ferry pier' }))
  await withPages(folder, async (index) => {
    await index.write({ put })
    const looks = () => ({
      stats: { terms: index.stats().terms, postings: index.stats().postings },
      prefix: index.search({ prefix: 'n' }).total,
      fuzzy: index.search({ fuzzy: 'ferri' }).total,
      scores: index.search('ferry north').hits.map(({ score }) => score),
      phrase: index
        .search({ phrase: 'north ferry' }, { explain: true })
        .hits.map(({ score, explain }) => [score, explain]),
    })
    const before = looks()
    await index.compact()
    expect(looks()).toEqual(before)
    // The words and nothing else: one posting each of a page that changes by one word.
    const report = await index.write({ put: [{ id: 'p0', body: 'north ferry pier north ferry pier tide' }] })
    expect(report.postings.written).toBe(1)
  })
})
