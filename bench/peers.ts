/**
 * How fast are searches for the ten best pages beside other engines, with the same pages and the same queries? Each
 * peer is a program of its own, in its own language (peers/); freshdex is asked through its JavaScript API. An index is
 * built once, merged as far as the peer can, and opened anew in every round. Rounds take turns.
 *
 * Peers that keep all in memory get a small collection of the first pages, and freshdex the same one for them. In every
 * round each class of queries has a time after which it is left; ratios are over the queries that the peer got to.
 *
 * Claim: in every class freshdex is ahead of the best peer, at the median and at the 99th percentile, both when all
 * matches are counted and when they need not be.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { type Bench, type BenchRequest, Misuse } from './bench.js'
import {
  type ClassQuery,
  frequentPhrases,
  phrasesByLength,
  phrasesWithHoles,
  readClassQueries,
} from './class-queries.js'
import { readTextPages } from './large-collection.js'
import { writePageRecords } from './page-records.js'
import { agreements } from './peer-agreement.js'
import { compareRounds, groupsBehind } from './peer-comparison.js'
import { type Contender, FRESHDEX, PEERS, preparedPeers } from './peer-programs.js'
import {
  askInRounds,
  type BuiltPeer,
  buildAll,
  bytesBelow,
  inMixedOrder,
  type PeerCollection,
  type Round,
  writeQuestions,
} from './peer-rounds.js'
import { openTextIndex } from './text-index.js'

const NAMES = PEERS.map(({ name }) => name)

export const peers: Bench = {
  name: 'peers',
  question: 'How fast are building and searches beside other engines, with the same pages and queries?',
  takesCollection: true,
  options: {
    peers: { kind: 'names', choices: NAMES, default: NAMES.join(','), help: 'engines beside freshdex' },
    runs: { kind: 'count', default: 5, help: 'rounds, the peers taking turns' },
    passes: { kind: 'count', default: 7, help: 'runs of each query in a round; the shortest counts' },
    budget: { kind: 'count', default: 5, help: 'seconds in which a peer must be done with a class, each time' },
    pages: { kind: 'count', default: 100_000, help: 'most pages' },
    small: { kind: 'count', default: 10_000, help: 'most pages for peers that keep all in memory' },
    queries: { kind: 'count', default: 1_000_000, help: 'most queries of a class and stratum' },
  },

  async run(request) {
    const absent: Record<string, string> = {}
    const wanted = request.names('peers')
    for (const { name } of PEERS) if (!wanted.includes(name)) absent[name] = 'not asked for'
    const contenders = preparedPeers(
      PEERS.filter(({ name }) => wanted.includes(name)),
      request,
      absent,
    )
    const loadBefore = loadavg()[0]!
    const work = mkdtempSync(path.join(tmpdir(), 'freshdex-peers-'))
    try {
      const collections: Record<string, Awaited<ReturnType<typeof measureCollection>>> = {}
      for (const size of ['large', 'small'] as const) {
        const rivals = contenders.filter(({ peer }) => peer.isSmall === (size === 'small'))
        if (rivals.length === 0) continue
        const pages = request.count(size === 'small' ? 'small' : 'pages')
        const folder = path.join(work, size)
        mkdirSync(folder)
        collections[size] = await measureCollection(request, folder, pages, rivals, absent)
      }
      const behind = Object.fromEntries(
        Object.entries(collections).flatMap(([size, { behind }]) =>
          Object.entries(behind).map(([group, row]) => [`${size}, ${group}`, row]),
        ),
      )
      return {
        result: {
          peers: Object.fromEntries(
            [...new Set([FRESHDEX, ...contenders.map(({ peer }) => peer)])].map((peer) => [
              peer.name,
              { language: peer.language, differs: peer.differs },
            ]),
          ),
          absent,
          load: { before: loadBefore, after: loadavg()[0]! },
          collections,
          behind,
        },
        isClaimKept: Object.keys(behind).length === 0,
        programs: Object.assign({}, ...Object.values(collections).map(({ versions }) => versions)) as Record<
          string,
          string
        >,
      }
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  },
}

async function measureCollection(
  request: BenchRequest,
  folder: string,
  most: number,
  rivals: readonly Contender[],
  absent: Record<string, string>,
) {
  const pages = path.join(folder, 'pages')
  const collection: PeerCollection = {
    ...{ folder, pages },
    ...(await writePageRecords(pages, readTextPages(request.folder, most))),
  }
  const own = { peer: FRESHDEX, command: FRESHDEX.prepare() }
  const onFailure = (name: string, because: string) => {
    if (name === FRESHDEX.name) throw new Error(because)
    request.progress(`${name} is absent: ${because}`)
    absent[name] = because
  }
  const all = buildAll(request, [own, ...rivals], collection, onFailure)
  const asked = inMixedOrder(await queriesFor(request, all))
  const questions = writeQuestions(path.join(folder, 'questions'), asked)
  const options = {
    runs: request.count('runs'),
    passes: request.count('passes'),
    budgetMs: request.count('budget') * 1000,
  }
  const rounds = askInRounds(request, all, collection, questions, options, onFailure)
  const built = all.filter(({ peer }) => rounds[0]!.has(peer.name))
  request.progress('comparing totals')
  const others = built.map(({ peer }) => peer).filter((peer) => peer !== FRESHDEX)
  const exact = compareRounds(rounds, asked, 'exact', others)
  const limited = compareRounds(rounds, asked, 'limited', others)
  const rowsBehind = (of: 'classes' | 'strata') =>
    Object.fromEntries(
      Object.entries({ exact, limited }).flatMap(([counting, comparison]) =>
        Object.entries(groupsBehind(comparison, of)).map(([group, row]) => [`${counting}, ${group}`, row]),
      ),
    )
  const { documents, textMB } = collection
  return {
    ...{ documents, textMB },
    versions: Object.fromEntries(built.map(({ peer, report }) => [peer.name, report.version])),
    building: Object.fromEntries(built.map((one) => [one.peer.name, buildingOf(one, collection, rounds[0]!)])),
    leads: { exact: exact.leads, limited: limited.leads },
    strataLeads: { exact: exact.strataLeads, limited: limited.strataLeads },
    behind: rowsBehind('classes'),
    strataBehind: rowsBehind('strata'),
    us: { exact: exact.latencies, limited: limited.latencies },
    totals: agreements(built, collection, asked, rounds[0]!),
  }
}

/** Peers in memory know no phrases. */
async function queriesFor(request: BenchRequest, built: readonly BuiltPeer[]): Promise<ClassQuery[]> {
  const given = await readClassQueries(request.folder)
  const own = built.find(({ peer }) => peer === FRESHDEX)!
  const hasPhrases = built.some(({ peer }) => peer !== FRESHDEX && !peer.isSmall)
  const index = await openTextIndex(path.join(own.index, 'index'))
  const all = [...phrasesByLength(given), ...frequentPhrases(index, given), ...phrasesWithHoles(given)]
  await index.close()
  const counts = new Map<string, number>()
  const asked = all.filter((query) => {
    const group = `${query.class} ${query.stratum}`
    counts.set(group, (counts.get(group) ?? 0) + 1)
    return counts.get(group)! <= request.count('queries') && (hasPhrases || query.kind !== 'phrase')
  })
  if (asked.length === 0) throw new Misuse('there are no queries')
  return asked
}

function buildingOf({ peer, index, report }: BuiltPeer, { textMB }: PeerCollection, round: Round) {
  const { exact } = round.get(peer.name)!
  return {
    cpuSeconds: report.cpuUs / 1e6,
    wallSeconds: report.wallUs / 1e6,
    megabytesPerCpuSecond: (textMB / report.cpuUs) * 1e6,
    diskMB: bytesBelow(index) / 1e6,
    peakMB: report.peakBytes / 1e6,
    askingMB: exact.residentBytes / 1e6,
    openMs: exact.openUs / 1000,
  }
}
