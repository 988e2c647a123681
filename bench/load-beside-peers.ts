/**
 * Building an index of one large collection beside other engines, on one core and on all. Each peer is a program of its
 * own (peers/) that writes all pages, merges as far as it can and closes. Nothing of a page is stored but its key.
 * Rounds take turns, and ratios are those of one round.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchRequest, Outcome } from './bench.js'
import { quartilesOf } from './experiment-parts.js'
import { readTextPages } from './large-collection.js'
import { writePageRecords } from './page-records.js'
import type { BuildReport } from './peer-contract.js'
import { runPeer } from './peer-process.js'
import { type Command, FRESHDEX, PEERS, preparedPeers } from './peer-programs.js'
import { bytesBelow } from './peer-rounds.js'

export const LOAD_RIVALS = ['fts5', 'lucene', 'tantivy']

/** With the histories that a prioritizer keeps of pages; nothing is asked, so that nothing is measured. */
const WITH_HISTORIES = 'freshdex, histories'

interface Built extends BuildReport {
  readonly diskBytes: number
}

/** By contender. */
type Round = ReadonlyMap<string, Built>

export async function loadBesidePeers(request: BenchRequest): Promise<Outcome> {
  const absent: Record<string, string> = {}
  const wanted = request.names('peers')
  const rivals = preparedPeers(
    PEERS.filter(({ name }) => wanted.includes(name)),
    request,
    absent,
  )
  const commands = new Map<string, Command>([
    [FRESHDEX.name, FRESHDEX.prepare()],
    [WITH_HISTORIES, FRESHDEX.prepare()],
    ...rivals.map(({ peer, command }) => [peer.name, command] as const),
  ])
  const loadBefore = loadavg()[0]!
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-load-'))
  try {
    const pages = path.join(work, 'pages')
    const { documents, textMB } = await writePageRecords(pages, readTextPages(request.folder, request.count('pages')))
    const runs = request.count('runs')
    const cores = cpus().length
    const onCores: Record<string, object> = {}
    let versions: Record<string, string> = {}
    for (const count of request.word<'one' | 'all' | 'both'>('cores') === 'both'
      ? ['one', 'all']
      : [request.word('cores')]) {
      const rounds = Array.from({ length: runs }, (_, run) => {
        request.progress(`${count === 'one' ? 'one core' : `${cores} cores`}, run ${run + 1} of ${runs}`)
        return buildAll(request, { run, work, pages, commands, isOnOneCore: count === 'one' })
      })
      versions = Object.fromEntries([...rounds[0]!].map(([name, { version }]) => [name, version]))
      onCores[count === 'one' ? 'oneCore' : 'allCores'] = summaryOf(rounds, textMB)
    }
    const load = { before: loadBefore, after: loadavg()[0]! }
    return { result: { documents, textMB, cores, absent, load, ...onCores }, isClaimKept: true, programs: versions }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

interface RoundSetup {
  readonly run: number
  readonly work: string
  readonly pages: string
  readonly commands: ReadonlyMap<string, Command>
  readonly isOnOneCore: boolean
}

function buildAll(request: BenchRequest, { run, work, pages, commands, isOnOneCore }: RoundSetup): Round {
  const built = new Map<string, Built>()
  const names = [...commands.keys()]
  for (const at of names.keys()) {
    const name = names[(at + run) % names.length]!
    request.progress(`${name}, load average ${loadavg()[0]!.toFixed(2)}`)
    const index = path.join(work, 'index')
    mkdirSync(index)
    const command = commands.get(name)!
    const own: Command = isOnOneCore ? ['taskset', '-c', '0', ...command] : command
    const report = runPeer(own, {
      ...{ step: 'build', pages, index },
      ...(name === WITH_HISTORIES ? { keepsHistories: true } : {}),
    })
    built.set(name, { ...report, diskBytes: bytesBelow(index) })
    rmSync(index, { recursive: true })
  }
  return built
}

function summaryOf(rounds: readonly Round[], textMB: number) {
  return Object.fromEntries(
    [...rounds[0]!.keys()].map((name) => {
      const of = (value: (built: Built) => number) => quartilesOf(rounds.map((round) => value(round.get(name)!)))
      const ratio = (value: (built: Built) => number) =>
        quartilesOf(rounds.map((round) => value(round.get(name)!) / value(round.get(FRESHDEX.name)!)))
      const cpuSeconds = of(({ cpuUs }) => cpuUs / 1e6)
      return [
        name,
        {
          cpuSeconds,
          wallSeconds: of(({ wallUs }) => wallUs / 1e6),
          megabytesPerCpuSecond: textMB / cpuSeconds.median,
          ...(name === FRESHDEX.name
            ? {}
            : { cpuRatio: ratio(({ cpuUs }) => cpuUs), wallRatio: ratio(({ wallUs }) => wallUs) }),
          peakMB: of(({ peakBytes }) => peakBytes / 1e6).median,
          diskMB: of(({ diskBytes }) => diskBytes / 1e6).median,
        },
      ]
    }),
  )
}
