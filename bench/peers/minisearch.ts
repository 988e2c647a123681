/** MiniSearch among the peers: in memory, saved as JSON. It has no stems of its own and no phrases, and scores all. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import MiniSearch, { type Query } from 'minisearch'
import type { TextPage } from '../large-collection.js'
import { BEST } from '../peer-contract.js'
import { drive } from './driver.js'
import { packageVersion } from './package-version.js'
import { isStopWord } from './stop-words.js'

const OPTIONS = {
  idField: 'url',
  fields: ['text'],
  processTerm: (word: string) => {
    const lowered = word.toLowerCase()
    return isStopWord(lowered) ? null : lowered
  },
}

const fileOf = (folder: string) => path.join(folder, 'pages.json')

await drive<Query>({
  version: packageVersion('minisearch'),

  build(folder, pages) {
    const index = new MiniSearch<TextPage>(OPTIONS)
    for (const page of pages) index.add(page)
    writeFileSync(fileOf(folder), JSON.stringify(index))
  },

  open(folder) {
    const index = MiniSearch.loadJSON<TextPage>(readFileSync(fileOf(folder), 'utf8'), OPTIONS)
    return {
      questionOf: (kind, words) => {
        if (kind === 'phrase') return undefined
        return { queries: words.split(' '), combineWith: kind === 'and' ? 'AND' : 'OR' }
      },
      answer(question) {
        const found = index.search(question)
        return { total: found.length, keys: found.slice(0, BEST).map(({ id }) => id as unknown) }
      },
    }
  },
})
