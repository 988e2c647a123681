import { createRequire } from 'node:module'
import path from 'node:path'
import { Freshdex, type Query } from '../../../index.js'
import { BEST, type Contender, type ContenderSetup } from '../contender.js'
import type { BenchPage } from '../pages.js'
import type { Question } from '../questions.js'

type Document = Record<string, string>

const KEY = 'key'

/** With everything on, or without a prioritizer. */
export async function freshdexContender(setup: ContenderSetup, hasPrioritizer: boolean): Promise<Contender> {
  const { folder, fields, isEnglish } = setup
  // Fields of documents must not be called as their key is.
  const names = fields.map((_, at) => `field${at}`)
  const index = await Freshdex.open<Document>(path.join(folder, 'pages.freshdex'), {
    key: KEY,
    fields: Object.fromEntries(names.map((name) => [name, {}])),
    analyzer: isEnglish ? 'english' : 'standard',
    ...(hasPrioritizer ? {} : { prioritizer: false }),
  })
  const documentOf = ({ key, texts }: BenchPage): Document =>
    Object.fromEntries([[KEY, key], ...names.map((name, at) => [name, texts[at]!])])
  const { version } = createRequire(import.meta.url)('freshdex/package.json') as { readonly version: string }
  return {
    version,
    async write(pages) {
      await index.write({ put: pages.map(documentOf) })
    },
    async learn(questions) {
      if (!hasPrioritizer) return
      for (const [rank, { words }] of questions.entries()) {
        index.workload.record(words.join(' '), { count: Math.ceil(questions.length / (rank + 1)) })
      }
      await index.refresh.fit()
    },
    merge: () => index.compact(),
    prepare: queryOf,
    ask: (query) => index.search(query as Query, { limit: BEST, learn: false }).hits.map(({ key }) => key),
    close: () => index.close(),
  }
}

function queryOf({ kind, words }: Question): Query {
  if (kind === 'phrase') return { phrase: words.join(' ') }
  if (kind === 'any') return { or: [...words] }
  return kind === 'all' ? { and: [...words] } : { word: words[0]! }
}
