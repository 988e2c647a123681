/**
 * What does a snippet cost? Pages of about the same size are invented, of words as frequent as those of a text, with
 * markup between them. Each query is asked with documents and with snippets, alternating. CPU times are divided by the
 * hits: the difference is what making a snippet adds to reading the stored text.
 *
 * Claim: a snippet of a page of 4 kB takes less than 100 microseconds of CPU time, reading the page included.
 */
import { Freshdex } from 'freshdex'
import type { Bench, BenchRequest } from './bench.js'
import { medianOf } from './percentiles.js'
import { ZipfWords } from './zipf-words.js'

const SEED = 20_261_118
const PAGES = 500
const HITS = 10
const MOST_US = 100
const CLAIMED_BYTES = 4096

interface Page {
  id: number
  body: string
}

const KINDS = ['word', 'and', 'or', 'phrase', 'prefix', 'fuzzy'] as const

export const snippets: Bench = {
  name: 'snippets',
  question: 'What does a snippet cost, by kind of query and length of the page?',
  isGenerated: true,
  options: {
    queries: { kind: 'count', default: 200, help: 'of each kind' },
    rounds: { kind: 'count', default: 5, help: 'of all queries; medians count' },
  },

  async run(request) {
    const rows: object[] = []
    let isClaimKept = true
    for (const bytes of [1024, CLAIMED_BYTES, 16_384]) {
      request.progress(`pages of ${bytes} bytes`)
      for (const row of await measured(request, bytes)) {
        rows.push(row)
        if (bytes === CLAIMED_BYTES && row.usPerSnippet >= MOST_US) isClaimKept = false
      }
    }
    return { result: { pages: PAGES, hits: HITS, rows }, isClaimKept }
  },
}

async function measured(request: BenchRequest, bytes: number) {
  const words = new ZipfWords(SEED)
  const body = () => {
    let text = ''
    while (text.length < bytes) text += `${words.word()}${text.length % 7 === 0 ? '. <b>&' : ' '}`
    return text
  }
  const index = await Freshdex.open<Page>(':memory:', {
    key: 'id',
    fields: { body: {} },
    analyzer: 'english',
    prioritizer: false,
  })
  const pages = Array.from({ length: PAGES }, (_, id) => ({ id, body: body() }))
  await index.load(pages)
  const rows = KINDS.map((kind) => {
    const queries = Array.from({ length: request.count('queries') }, (_, at) => queryOf(kind, pages[at % PAGES]!))
    const perHit = (options: object) => {
      let hits = 0
      const start = process.cpuUsage()
      for (const query of queries)
        for (const hit of index.search(query, { limit: HITS, learn: false, ...options }).hits) {
          // Documents are decoded when they are read.
          if (hit.snippet !== undefined || hit.doc !== undefined) hits++
        }
      const { user, system } = process.cpuUsage(start)
      return (user + system) / Math.max(1, hits)
    }
    const rounds = Array.from({ length: request.count('rounds') + 1 }, () => [
      perHit({ docs: true }),
      perHit({ snippet: true }),
    ]).slice(1)
    const [document, snippet] = [0, 1].map((at) => medianOf(rounds.map((round) => round[at]!)))
    return { bytes, kind, usPerDocument: document!, usPerSnippet: snippet! }
  })
  await index.close()
  return rows
}

/** Words of a page, so that there are hits. */
function queryOf(kind: (typeof KINDS)[number], { id, body }: Page) {
  const words = body.match(/[a-z0-9]+/g) ?? []
  const at = (id * 31) % Math.max(1, words.length - 3)
  const [a = 'a', b = 'b'] = [words[at], words[at + 1]]
  switch (kind) {
    case 'word':
      return a
    case 'and':
      return `${a} ${b}`
    case 'or':
      return `${a} OR ${b} OR ${words[at + 2]}`
    case 'phrase':
      return `"${a} ${b}"`
    case 'prefix':
      return `${a.slice(0, 3)}*`
    case 'fuzzy':
      return `${a}~`
  }
}
