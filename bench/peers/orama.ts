/**
 * Orama among the peers: in memory, saved as JSON. It finds words by their beginnings: whole words alone (`exact`) it
 * would look for in the texts of all matches. It has no phrases, counts always and scores all.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { create, insertMultiple, load, type RawData, save, search } from '@orama/orama'
import { BEST } from '../peer-contract.js'
import { drive } from './driver.js'
import { packageVersion } from './package-version.js'
import { STOP_WORDS } from './stop-words.js'

const BATCH = 1000

const emptyIndex = () =>
  create({
    schema: { url: 'string', text: 'string' } as const,
    components: {
      tokenizer: {
        ...{ language: 'english', stemming: true, stopWords: [...STOP_WORDS] },
        ...{ tokenizeSkipProperties: ['url'], stemmerSkipProperties: ['url'] },
      },
    },
  })

const fileOf = (folder: string) => path.join(folder, 'pages.json')

await drive<{ readonly term: string; readonly threshold: number }>({
  version: packageVersion('@orama/orama'),

  async build(folder, pages) {
    const index = emptyIndex()
    let batch: { id: string; url: string; text: string }[] = []
    for (const { url, text } of pages) {
      batch.push({ id: url, url, text })
      if (batch.length < BATCH) continue
      await insertMultiple(index, batch, BATCH)
      batch = []
    }
    await insertMultiple(index, batch, BATCH)
    writeFileSync(fileOf(folder), JSON.stringify(save(index)))
  },

  open(folder) {
    const index = emptyIndex()
    load(index, JSON.parse(readFileSync(fileOf(folder), 'utf8')) as RawData)
    return {
      // Threshold 0 wants all words, 1 any of them.
      questionOf: (kind, words) => (kind === 'phrase' ? undefined : { term: words, threshold: kind === 'or' ? 1 : 0 }),
      async answer({ term, threshold }) {
        const { count, hits } = await search(index, { term, threshold, properties: ['text'], limit: BEST })
        return { total: count, keys: hits.map(({ id }) => id) }
      },
    }
  },
})
