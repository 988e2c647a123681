/**
 * How do searches grow with the number of pages, by class? The same queries are asked of 10^4, 10^5 and 10^6 pages,
 * those of the data set and others that a seed draws from its pages. Pages beyond those of the data set are made of
 * them; all are cut, so that a million is built in minutes. An exponent of 1 is time in proportion to the pages.
 *
 * Latencies are those of `peers`, by the same programs. Claim: none.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import type { Bench, BenchRequest } from './bench.js'
import { type ClassQuery, phrasesByLength, phrasesWithHoles, readClassQueries } from './class-queries.js'
import { drawnQueries } from './drawn-queries.js'
import { GrowingCollection } from './growing-collection.js'
import { writePageRecords } from './page-records.js'
import type { Counting } from './peer-contract.js'
import { runPeer } from './peer-process.js'
import { FRESHDEX, PEERS, type Peer } from './peer-programs.js'
import {
  type BuiltPeer,
  buildAll,
  bytesBelow,
  inMixedOrder,
  type PeerCollection,
  writeQuestions,
} from './peer-rounds.js'
import { type Spread, spreadOf } from './percentiles.js'
import { openTextIndex } from './text-index.js'

const SIZES = [10_000, 100_000, 1_000_000]
const CHOICES = [FRESHDEX, ...PEERS.filter(({ isSmall }) => !isSmall)]
const COUNTINGS: readonly Counting[] = ['exact', 'limited']
const DRAWING_SEED = 71

interface QuerySet {
  readonly name: string
  readonly asked: readonly ClassQuery[]
}

/** By query set, counting, peer and class. */
type Measured = Record<string, Spread>

export const growth: Bench = {
  name: 'growth',
  question: 'How do searches grow from 10,000 pages to a million, by class of query?',
  takesCollection: true,
  options: {
    peers: { kind: 'names', choices: CHOICES.map(({ name }) => name), default: FRESHDEX.name, help: 'engines asked' },
    pages: { kind: 'count', default: 1_000_000, help: 'most pages' },
    characters: { kind: 'count', default: 2000, help: 'most characters of a page' },
    passes: { kind: 'count', default: 5, help: 'runs of each query; the shortest counts' },
    budget: { kind: 'count', default: 5, help: 'seconds for a class of queries' },
    drawn: { kind: 'count', default: 250, help: 'drawn queries of each class' },
  },

  async run(request) {
    const wanted = request.names('peers')
    const engines = CHOICES.filter(({ name }) => wanted.includes(name))
    const contenders = engines.map((peer) => ({ peer, command: peer.prepare() }))
    request.progress('reading')
    const source = await GrowingCollection.read(request.folder, request.count('characters'))
    const given = phrasesByLength(await readClassQueries(request.folder))
    const sets: QuerySet[] = [
      { name: 'given', asked: inMixedOrder([...given, ...phrasesWithHoles(given)]) },
      { name: 'drawn', asked: drawnQueries([...source.first(SIZES[0]!)], request.count('drawn'), DRAWING_SEED) },
    ]
    const sizes = SIZES.filter((size) => size <= request.count('pages'))
    const measured: Measured[] = []
    const collections: Record<string, object> = {}
    for (const size of sizes) {
      const work = mkdtempSync(path.join(tmpdir(), 'freshdex-growth-'))
      try {
        const pages = path.join(work, 'pages')
        request.progress(`writing ${size} pages`)
        const collection = { folder: work, pages, ...(await writePageRecords(pages, source.first(size))) }
        const built = buildAll(request, contenders, collection, (name, because) => {
          throw new Error(`${name}: ${because}`)
        })
        collections[`${size} pages`] = await describe(collection, built)
        measured.push(askAll(request, collection, built, sets))
      } finally {
        rmSync(work, { recursive: true, force: true })
      }
    }
    return {
      result: { load: loadavg()[0]!, collections, growth: growthOf(engines, sets, sizes, measured) },
      isClaimKept: true,
    }
  },
}

async function describe({ documents, textMB }: PeerCollection, built: readonly BuiltPeer[]) {
  const own = built.find(({ peer }) => peer === FRESHDEX)
  let terms = 0
  if (own !== undefined) {
    const index = await openTextIndex(path.join(own.index, 'index'))
    terms = index.stats().terms
    await index.close()
  }
  const building = built.map(({ peer, index, report }) => [
    peer.name,
    { cpuSeconds: report.cpuUs / 1e6, diskMB: bytesBelow(index) / 1e6, peakMB: report.peakBytes / 1e6 },
  ])
  return { documents, textMB, terms, building: Object.fromEntries(building) as Record<string, object> }
}

function keyOf(set: string, counting: Counting, peer: string, name: string): string {
  return [set, counting, peer, name].join('\n')
}

function classesOf({ asked }: QuerySet): string[] {
  return [...new Set(asked.map((query) => query.class))]
}

function askAll(
  request: BenchRequest,
  { folder, pages }: PeerCollection,
  built: readonly BuiltPeer[],
  sets: readonly QuerySet[],
): Measured {
  const passes = request.count('passes')
  const budgetMs = request.count('budget') * 1000
  const measured: Measured = {}
  for (const set of sets) {
    mkdirSync(path.join(folder, 'questions'), { recursive: true })
    const questions = writeQuestions(path.join(folder, 'questions', set.name), set.asked)
    for (const counting of COUNTINGS) {
      for (const { peer, command, index } of built) {
        request.progress(`asking ${peer.name}, ${set.name} queries, ${counting}`)
        const { us } = runPeer(command, { step: 'ask', pages, index, questions, counting, passes, budgetMs })
        for (const name of classesOf(set)) {
          const ofClass = us.filter((one, at): one is number => one !== null && set.asked[at]!.class === name)
          measured[keyOf(set.name, counting, peer.name, name)] = spreadOf(ofClass)
        }
      }
    }
  }
  return measured
}

/** By query set, counting and peer: for each class the microseconds at each size, and the exponents between sizes. */
function growthOf(
  engines: readonly Peer[],
  sets: readonly QuerySet[],
  sizes: readonly number[],
  measured: readonly Measured[],
) {
  const tables: Record<string, Record<string, Record<string, number>>> = {}
  for (const set of sets) {
    for (const counting of COUNTINGS) {
      for (const { name: peer } of engines) {
        const rows = classesOf(set).map((name) => {
          const spreads = measured.map((one) => one[keyOf(set.name, counting, peer, name)]!)
          return [name, { ...rowOf('p50', sizes, spreads), ...rowOf('p99', sizes, spreads) }] as const
        })
        tables[`${peer}, ${set.name} queries, ${counting}`] = Object.fromEntries(rows)
      }
    }
  }
  return tables
}

function rowOf(share: 'p50' | 'p99', sizes: readonly number[], spreads: readonly Spread[]): Record<string, number> {
  const row: Record<string, number> = {}
  for (const [at, size] of sizes.entries()) row[`${share} of ${size}`] = spreads[at]![share]
  for (let at = 1; at < sizes.length; at++) {
    const exponent = Math.log(spreads[at]![share] / spreads[at - 1]![share]) / Math.log(sizes[at]! / sizes[at - 1]!)
    row[`${share} exponent to ${sizes[at]}`] = exponent
  }
  return row
}
