import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { BEST, type Contender, ContenderAbsent, type ContenderSetup } from '../contender.js'
import type { Question } from '../questions.js'

/** In memory, all fields as one text, nothing stored. It knows no phrases. */
export async function flexsearchContender({ isEnglish }: ContenderSetup): Promise<Contender> {
  const { Charset, Encoder, Index } = await load()
  const require = createRequire(import.meta.url)
  const words = () => require('flexsearch/lang/en') as { filter: Set<string>; stemmer: Map<string, string> }
  const english = isEnglish ? words() : {}
  // With `fastupdate` it remembers where the words of a page stand. Without, replacing takes a hundred times longer.
  const index = new Index({
    tokenize: 'strict',
    fastupdate: true,
    encoder: new Encoder({ ...Charset.Default, ...english }),
  })
  // Its manifest is not among its exports.
  const manifest = path.join(path.dirname(require.resolve('flexsearch')), '..', 'package.json')
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }
  return {
    version,
    async write(pages) {
      for (const { key, texts } of pages) index.update(key, texts.join('\n'))
    },
    learn: async () => {},
    merge: async () => {},
    prepare: ({ kind, words }: Question) =>
      kind === 'phrase' ? undefined : { query: words.join(' '), suggest: kind === 'any', limit: BEST },
    ask: (options) => index.search(options as { query: string; suggest: boolean; limit: number }),
    close: async () => {},
  }
}

async function load() {
  try {
    return await import('flexsearch')
  } catch {
    throw new ContenderAbsent('flexsearch is not installed; `npm install flexsearch` adds it to the comparison')
  }
}
