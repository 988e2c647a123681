/**
 * How long are searches for the ten best pages, by class of query? The data set is a large collection with queries by
 * class and stratum (docs/benchmarks.md). Its pages go into an index in a folder, title and text as one field, nothing
 * stored; the index is compacted, closed and opened again. Matches are counted up to 1,000 and, in a second round, all.
 *
 * To the phrases of the data set come two strata that are made of them: those whose words are all frequent, and phrases
 * of three words with a stop word in place of the second, which leaves a hole where any word may stand.
 *
 * A query counts with the shortest of its runs, the keys of its hits read: what the search takes, not what the machine
 * adds. The passes go through all queries of a class in turn, so that none finds its own postings in the nearest cache.
 */
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { Freshdex, type Query } from 'freshdex'
import { type Bench, Misuse } from './bench.js'
import { type Spread, spreadOf } from './percentiles.js'

const BATCH = 1000
const BEST = 10
const PAGES_FILE = 'pages.ndjson.br'
const QUERIES_FILE = 'queries-by-class.tsv'
const COUNTS = [1000, Number.POSITIVE_INFINITY] as const
const STOP_WORD = 'the'
/** A word is frequent when this part of the pages has it. */
const FREQUENT_SHARE = 0.05

interface Page {
  readonly url: string
  readonly text: string
}

interface ClassQuery {
  readonly kind: string
  readonly stratum: string
  readonly words: string
  readonly query: Query
}

const QUERY_OF: Readonly<Record<string, (words: string) => Query>> = {
  term: (word) => ({ word }),
  and: (words) => ({ and: words.split(' ') }),
  or: (words) => ({ or: words.split(' ') }),
  phrase: (phrase) => ({ phrase }),
}

export const queries: Bench = {
  name: 'queries',
  question: 'How long do searches take, by class of query?',
  options: {
    passes: { kind: 'count', default: 7, help: 'runs of each query after a first that warms up; the shortest counts' },
    index: { kind: 'folder', default: '', help: 'where the index is made, and used again if it is there' },
  },

  async run(request) {
    const asked = await readQueries(request.folder)
    const given = request.word('index')
    const folder = given === '' ? path.join(mkdtempSync(path.join(tmpdir(), 'freshdex-queries-')), 'index') : given
    try {
      if (!existsSync(folder)) await build(request.folder, folder, (pages) => request.progress(`${pages} pages`))
      const index = await Freshdex.open<Page>(folder, { workload: false })
      const all = [...asked, ...frequentPhrases(index, asked), ...phrasesWithHoles(asked)]
      const result = Object.fromEntries(
        COUNTS.map((countUpTo) => [
          countUpTo === Number.POSITIVE_INFINITY ? 'allCounted' : `countedUpTo${countUpTo}`,
          latencies(index, all, request.count('passes'), countUpTo),
        ]),
      )
      const { documents, postings } = index.stats()
      await index.close()
      return { result: { documents, postings, ...result }, isClaimKept: true }
    } finally {
      if (given === '') rmSync(path.dirname(folder), { recursive: true, force: true })
    }
  },
}

async function readQueries(folder: string): Promise<ClassQuery[]> {
  const file = path.join(folder, QUERIES_FILE)
  if (!existsSync(file)) throw new Misuse(`--data must name a folder with ${QUERIES_FILE}: there is none in ${folder}`)
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [kind = '', stratum = '', words = ''] = line.split('\t')
    const make = QUERY_OF[kind]
    if (make === undefined) throw new Misuse(`${file} has queries of an unknown class: ${kind}`)
    return { kind, stratum, words, query: make(words) }
  })
}

/** Classes of their own, so that those of the data set stay what they are. */
function frequentPhrases(index: Freshdex<Page>, asked: readonly ClassQuery[]): ClassQuery[] {
  const least = index.stats().documents * FREQUENT_SHARE
  const isFrequent = (word: string) => index.search({ word }, { limit: 1, countUpTo: least }).total >= least
  return asked
    .filter(({ kind, words }) => kind === 'phrase' && words.split(' ').every(isFrequent))
    .map((phrase) => ({ ...phrase, kind: 'frequent phrase' }))
}

function phrasesWithHoles(asked: readonly ClassQuery[]): ClassQuery[] {
  return asked.flatMap(({ kind, stratum, words }) => {
    const [first, , third] = words.split(' ')
    if (kind !== 'phrase' || third === undefined) return []
    const phrase = `${first} ${STOP_WORD} ${third}`
    return [{ kind: 'phrase with a hole', stratum, words: phrase, query: { phrase } }]
  })
}

async function build(data: string, folder: string, onProgress: (pages: number) => void): Promise<void> {
  const index = await Freshdex.open<Page>(folder, {
    key: 'url',
    fields: { text: {} },
    analyzer: 'english',
    store: false,
    workload: false,
  })
  const input = createReadStream(path.join(data, PAGES_FILE)).pipe(createBrotliDecompress())
  let put: Page[] = []
  let pages = 0
  for await (const line of createInterface({ input })) {
    const { url, title, text } = JSON.parse(line) as Page & { readonly title: string }
    put.push({ url, text: `${title}\n${text}` })
    if (put.length < BATCH) continue
    await index.write({ put })
    pages += put.length
    put = []
    if (pages % 20_000 === 0) onProgress(pages)
  }
  await index.write({ put })
  await index.compact()
  await index.close()
}

/** By class, and by class and stratum, in microseconds. */
function latencies(index: Freshdex<Page>, asked: readonly ClassQuery[], passes: number, countUpTo: number) {
  const result: Record<string, Spread> = {}
  for (const kind of new Set(asked.map((query) => query.kind))) {
    const ofKind = asked.filter((query) => query.kind === kind)
    const shortest = shortestRuns(
      index,
      ofKind.map(({ query }) => query),
      passes,
      countUpTo,
    )
    result[kind] = spreadOf(shortest)
    for (const stratum of new Set(ofKind.map((query) => query.stratum)))
      result[`${kind} ${stratum}`] = spreadOf(shortest.filter((_, at) => ofKind[at]?.stratum === stratum))
  }
  return result
}

function shortestRuns(index: Freshdex<Page>, asked: readonly Query[], passes: number, countUpTo: number): number[] {
  const options = { limit: BEST, countUpTo }
  const shortest = asked.map(() => Number.POSITIVE_INFINITY)
  let keysRead = 0
  for (let pass = 0; pass <= passes; pass++) {
    for (const [at, query] of asked.entries()) {
      const start = performance.now()
      keysRead += index.search(query, options).hits.map(({ key }) => key).length
      const us = (performance.now() - start) * 1000
      if (pass > 0) shortest[at] = Math.min(shortest[at]!, us)
    }
  }
  if (keysRead === 0) throw new Misuse('no query has an answer: the queries are not those of these pages')
  return shortest
}
