/**
 * FlexSearch among the peers: in memory, exported as JSON. It has English endings, no phrases, and no scores like BM25:
 * pages stand in the order of where a word first occurs in them. It does not count unless it gives all matches.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Charset, Encoder, Index } from 'flexsearch'
import { BEST } from '../peer-contract.js'
import { drive } from './driver.js'
import { packageVersion } from './package-version.js'
import { STOP_WORDS } from './stop-words.js'

const { stemmer } = createRequire(import.meta.url)('flexsearch/lang/en') as { stemmer: Map<string, string> }

/** What it is said to count up to when all are wanted. */
const ALL = 2 ** 31 - 1

const emptyIndex = () =>
  new Index({
    tokenize: 'strict',
    encoder: new Encoder({ ...Charset.Default, filter: new Set(STOP_WORDS), stemmer }),
  })

await drive<{ readonly query: string; readonly suggest: boolean; readonly limit: number }>({
  version: packageVersion('flexsearch'),

  build(folder, pages) {
    const index = emptyIndex()
    for (const { url, text } of pages) index.add(url, text)
    mkdirSync(path.join(folder, 'export'))
    index.export((key, data) => {
      if (data !== undefined) writeFileSync(path.join(folder, 'export', encodeURIComponent(key)), data)
    })
  },

  open(folder) {
    const index = emptyIndex()
    for (const name of readdirSync(path.join(folder, 'export'))) {
      index.import(decodeURIComponent(name), readFileSync(path.join(folder, 'export', name), 'utf8'))
    }
    return {
      questionOf: (kind, words, counting) => {
        if (kind === 'phrase') return undefined
        return { query: words, suggest: kind === 'or', limit: counting === 'exact' ? ALL : BEST }
      },
      answer({ query, suggest, limit }) {
        const found = index.search(query, { suggest, limit })
        return { total: limit === ALL ? found.length : undefined, keys: found.slice(0, BEST) }
      },
    }
  },
})
