/**
 * How fast the first snapshot of a site goes in, how much memory it takes, and how long searches take then. Nothing is
 * compared. One large collection is built beside other engines instead: see load-beside-peers.ts.
 *
 * Loading counts all of write(): encoding, both threads, publishing, and the upkeep that follows, which the empty write
 * at the end waits for. CPU time is that of the whole process, garbage collection included.
 */
import { Freshdex, type PresetName, type Stats } from 'freshdex'
import type { Bench, BenchRequest } from './bench.js'
import { isCollection } from './large-collection.js'
import { LOAD_RIVALS, loadBesidePeers } from './load-beside-peers.js'
import { medianOf } from './percentiles.js'
import { measureQueries } from './query-latency.js'
import {
  ANALYZER,
  inBatches,
  type Page,
  pageOptions,
  readFirstSnapshot,
  readQueries,
  textBytes,
} from './snapshot-data.js'
import { type Elapsed, elapsed } from './stopwatch.js'

const BATCH = 500

export const load: Bench = {
  name: 'load',
  question: 'How fast are bulk loading and queries, and how much memory does an index take?',
  takesCollection: 'too',
  options: {
    rounds: { kind: 'count', default: 3, help: 'loads after a first that warms up; medians count' },
    queries: { kind: 'count', default: 1000, help: 'how many queries of each kind' },
    analyzer: ANALYZER,
    peers: { kind: 'names', choices: LOAD_RIVALS, default: LOAD_RIVALS.join(','), help: 'engines beside a collection' },
    runs: { kind: 'count', default: 5, help: 'runs with a collection, the engines taking turns' },
    cores: { kind: 'choice', choices: ['one', 'all', 'both'], default: 'both', help: 'cores that may be used' },
    pages: { kind: 'count', default: 100_000, help: 'most pages of a collection' },
  },

  async run(request) {
    if (isCollection(request.folder)) return loadBesidePeers(request)
    const pages = await readFirstSnapshot(request.folder)
    const queries = await readQueries(request.folder)
    const megabytes = textBytes(pages) / 1e6
    const { index, rounds } = await loadRounds(request, pages)
    const afterLoad = index.stats()
    const compacting = await elapsed(() => index.compact())
    const stats = index.stats()
    request.progress('asking')
    const result = {
      documents: pages.length,
      textMB: megabytes,
      megabytesPerSecond: {
        wall: medianOf(rounds.map(({ wallUs }) => (megabytes / wallUs) * 1e6)),
        cpu: medianOf(rounds.map(({ cpuUs }) => (megabytes / cpuUs) * 1e6)),
      },
      documentsPerSecond: medianOf(rounds.map(({ wallUs }) => (pages.length / wallUs) * 1e6)),
      roundsMs: rounds.map(({ wallUs }) => wallUs / 1000),
      compactMs: compacting.wallUs / 1000,
      memory: memoryOf(stats, megabytes),
      memoryBytesBeforeCompact: afterLoad.memoryBytes,
      queryUs: measureQueries(index, queries, request.count('queries')),
      stats,
    }
    await index.close()
    return { result, isClaimKept: true }
  },
}

/** Keeps the index of the last round. */
async function loadRounds(request: BenchRequest, pages: readonly Page[]) {
  const settings = pageOptions(request.word<PresetName>('analyzer'))
  const rounds: Elapsed[] = []
  for (let round = 0; ; round++) {
    request.progress(round === 0 ? 'warming up' : `load ${round} of ${request.count('rounds')}`)
    const index = await Freshdex.open<Page>(':memory:', settings)
    const time = await elapsed(async () => {
      for (const put of inBatches(pages, BATCH)) await index.write({ put })
      await index.write({})
    })
    if (round > 0) rounds.push(time)
    if (round === request.count('rounds')) return { index, rounds }
    await index.close()
  }
}

function memoryOf(stats: Stats, megabytes: number) {
  const tokens = Object.values(stats.fields).reduce((sum, field) => sum + field.tokens, 0)
  return {
    memoryBytes: stats.memoryBytes,
    memoryBytesPerTextByte: stats.memoryBytes / (megabytes * 1e6),
    bytesPerPosting: stats.postingBytes / stats.postings,
    forwardBytesPerToken: stats.forwardBytes / tokens,
    storedBytes: stats.storedBytes,
  }
}
