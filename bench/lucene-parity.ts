/**
 * Claim: over the same tokens, the ten best pages, their scores and the number of matches are those of Lucene 8.8.1,
 * for both scoring models, one and two fields, AND and OR.
 *
 * Lucene scores in 32-bit floats, we in 64 bits, so that two pages whose scores differ only beyond the float may stand
 * in the other order. Such a swap is accepted, and counted, when our own scores of the two pages are that close.
 */
import { Freshdex, type OpenOptions, type ScoringModel } from 'freshdex'
import { type Bench, type BenchRequest, Misuse } from './bench.js'
import { askLucene, findLuceneJars, javaVersion, type LuceneAnswer, type TokenPage } from './lucene-peer.js'
import { inBatches, readFirstSnapshot, readQueries } from './snapshot-data.js'

const BEST = 10
/** Relative. Lucene's floats, the idf and the length factor among them, leave about 1e-6. */
const SCORE_TOLERANCE = 1e-5
const SWAP_TOLERANCE = 1e-6
/** How far down our own list a page is looked for that Lucene has among its ten and we have not. */
const SWAP_DEPTH = 1000
const BATCH = 500
const EXAMPLES = 5
const MAX_TOKEN_BYTES = 255

interface NumberedPage extends TokenPage {
  readonly number: number
  readonly all: string
}

interface Tally {
  searches: number
  mismatches: number
  /** Searches that agree but for the order of pages with the same score in 32 bits. */
  swaps: number
  /** Largest relative difference of two scores. */
  largestDifference: number
  matches: number
}

interface Mismatch {
  readonly configuration: string
  readonly query: string
  readonly reason: string
}

export const luceneParity: Bench = {
  name: 'lucene-parity',
  question: 'Are ranking, scores and totals those of Lucene 8.8.1?',
  options: {
    queries: { kind: 'count', default: 2000, help: 'how many queries, the most frequent first' },
    jars: { kind: 'folder', default: '/usr/share/java', help: 'where the jars of Lucene are' },
  },

  async run(request) {
    const jars = findLuceneJars(request.word('jars'))
    const pages = (await readFirstSnapshot(request.folder)).map(({ title, text }, number): NumberedPage => {
      const tokens = { title: toTokens(title), text: toTokens(text) }
      return { number, ...tokens, all: toTokens(`${title}\n${text}`) }
    })
    const queries = (await readQueries(request.folder)).slice(0, request.count('queries')).map(toTokens)
    request.progress(`Lucene answers ${queries.length} queries over ${pages.length} pages`)
    const lucene = askLucene(jars, pages, queries)
    if (lucene.version !== '8.8.1') throw new Misuse(`the jars are Lucene ${lucene.version}, 8.8.1 is wanted`)

    const configurations: Record<string, Tally> = {}
    const examples: Mismatch[] = []
    for (const fields of ['one', 'two'] as const) {
      for (const model of ['bm25', 'tfidf'] as const) {
        await compareModel(
          request,
          { fields, model, pages, queries, answers: lucene.answers },
          configurations,
          examples,
        )
      }
    }
    const tallies = Object.values(configurations)
    const mismatches = tallies.reduce((sum, tally) => sum + tally.mismatches, 0)
    return {
      result: {
        queries: queries.length,
        pages: pages.length,
        searches: tallies.reduce((sum, tally) => sum + tally.searches, 0),
        mismatches,
        configurations,
        ...(examples.length > 0 ? { examples } : {}),
      },
      isClaimKept: mismatches === 0,
      programs: { lucene: lucene.version, java: javaVersion() },
    }
  },
}

interface Comparison {
  readonly fields: 'one' | 'two'
  readonly model: ScoringModel
  readonly pages: readonly NumberedPage[]
  readonly queries: readonly string[]
  readonly answers: ReadonlyMap<string, readonly LuceneAnswer[]>
}

async function compareModel(
  request: BenchRequest,
  { fields, model, pages, queries, answers }: Comparison,
  tallies: Record<string, Tally>,
  examples: Mismatch[],
): Promise<void> {
  const index = await Freshdex.open<NumberedPage>(':memory:', options(fields, model))
  for (const put of inBatches(pages, BATCH)) await index.write({ put })
  for (const operator of ['and', 'or'] as const) {
    const configuration = `${fields}-${model}-${operator}`
    request.progress(configuration)
    const tally: Tally = { searches: 0, mismatches: 0, swaps: 0, largestDifference: 0, matches: 0 }
    for (const [at, query] of queries.entries()) {
      const search = (limit: number) => index.search(query, { operator, limit, countUpTo: Number.POSITIVE_INFINITY })
      const reason = compare(search, answers.get(configuration)![at]!, tally)
      if (reason === undefined) continue
      tally.mismatches++
      if (examples.length < EXAMPLES) examples.push({ configuration, query, reason })
    }
    tallies[configuration] = tally
  }
  await index.close()
}

function options(fields: 'one' | 'two', scoring: ScoringModel): OpenOptions<NumberedPage> {
  return {
    key: 'number',
    fields: fields === 'one' ? { all: {} } : { title: { boost: 2 }, text: {} },
    analyzer: { name: 'spaces', version: '1', analyze: (text) => text.split(' ') },
    scoring,
    store: false,
  }
}

type Search = (limit: number) => ReturnType<Freshdex<NumberedPage>['search']>

/** Why the two differ, or undefined when they agree. */
function compare(search: Search, theirs: LuceneAnswer, tally: Tally): string | undefined {
  const ours = search(BEST)
  tally.searches++
  tally.matches += ours.total
  if (ours.total !== theirs.total) return `total ${ours.total}, Lucene ${theirs.total}`
  if (ours.hits.length !== theirs.hits.length) return `${ours.hits.length} hits, Lucene ${theirs.hits.length}`
  let isSwapped = false
  for (const [rank, hit] of ours.hits.entries()) {
    const { document, score } = theirs.hits[rank]!
    const difference = relativeDifference(hit.score, score)
    tally.largestDifference = Math.max(tally.largestDifference, difference)
    if (difference > SCORE_TOLERANCE) return `score ${hit.score} at rank ${rank}, Lucene ${score}`
    if (hit.key === document) continue
    const swapped = search(SWAP_DEPTH).hits.find(({ key }) => key === document)
    if (swapped === undefined || relativeDifference(swapped.score, hit.score) > SWAP_TOLERANCE) {
      return `page ${hit.key} at rank ${rank}, Lucene has ${document}`
    }
    isSwapped = true
  }
  if (isSwapped) tally.swaps++
  return undefined
}

function relativeDifference(a: number, b: number): number {
  return a === b ? 0 : Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b))
}

/** Runs of letters and digits, lower-cased, one space between them: what both sides split at. */
function toTokens(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => Buffer.byteLength(word) <= MAX_TOKEN_BYTES).join(' ')
}
