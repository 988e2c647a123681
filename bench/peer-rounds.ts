/** Peers that are built once and asked in rounds, taking turns; who is first changes from round to round. */
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import type { BenchRequest } from './bench.js'
import type { ClassQuery } from './class-queries.js'
import { REPOSITORY } from './machine.js'
import type { WrittenPages } from './page-records.js'
import type { AnswerReport, BuildReport, Counting } from './peer-contract.js'
import { runPeer } from './peer-process.js'
import type { Contender } from './peer-programs.js'
import { uniform } from './random-numbers.js'

/** Pages in a file, and the indexes that were made of them beside it. */
export interface PeerCollection extends WrittenPages {
  readonly folder: string
  readonly pages: string
}

export interface BuiltPeer extends Contender {
  readonly index: string
  readonly report: BuildReport
}

/** Told of a peer that failed, which is left out from then on. */
export type OnFailure = (name: string, because: string) => void

export type Round = ReadonlyMap<string, Readonly<Record<Counting, AnswerReport>>>

export interface RoundOptions {
  readonly runs: number
  readonly passes: number
  readonly budgetMs: number
}

const ORDER_SEED = 1

export function buildAll(
  request: BenchRequest,
  contenders: readonly Contender[],
  { folder, pages }: PeerCollection,
  onFailure: OnFailure,
): BuiltPeer[] {
  return contenders.flatMap((contender) => {
    const { name } = contender.peer
    const index = path.join(folder, name)
    mkdirSync(index, { recursive: true })
    request.progress(`${name} builds its index, load average ${loadavg()[0]!.toFixed(2)}`)
    try {
      return [{ ...contender, index, report: runPeer(contender.command, { step: 'build', pages, index }) }]
    } catch (error) {
      onFailure(name, `its index could not be built: ${firstLineOf(error)}`)
      return []
    }
  })
}

/** Bytes of all files below. */
export function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  const files = readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name)))
  return files.map((file) => lstatSync(file)).reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
}

/** Those of a class stand in an order of their own, so that a peer without time for all gets some of each stratum. */
export function inMixedOrder(asked: readonly ClassQuery[]): ClassQuery[] {
  const random = uniform(ORDER_SEED)
  const classes = [...new Set(asked.map((query) => query.class))]
  const drawn = asked.map((query) => ({ query, at: classes.indexOf(query.class) + random() }))
  return drawn.sort((left, right) => left.at - right.at).map(({ query }) => query)
}

/** The file that the programs of peers read. */
export function writeQuestions(file: string, asked: readonly ClassQuery[]): string {
  writeFileSync(file, asked.map((query) => `${query.class}\t${query.kind}\t${query.words}\n`).join(''))
  return file
}

/** A round has the answers of the peers that have not failed by then; a peer that fails later is taken out of it. */
export function askInRounds(
  request: BenchRequest,
  built: readonly BuiltPeer[],
  { pages }: PeerCollection,
  questions: string,
  { runs, passes, budgetMs }: RoundOptions,
  onFailure: OnFailure,
): Round[] {
  const failed = new Set<string>()
  const rounds = Array.from({ length: runs }, (_, number) => {
    request.progress(`round ${number + 1} of ${runs}, load average ${loadavg()[0]!.toFixed(2)}`)
    const round = new Map<string, Record<Counting, AnswerReport>>()
    for (const at of built.keys()) {
      const { peer, command, index } = built[(at + number) % built.length]!
      if (failed.has(peer.name)) continue
      request.progress(`asking ${peer.name}`)
      const ask = (counting: Counting) =>
        runPeer(command, { step: 'ask', pages, index, questions, counting, passes, budgetMs })
      try {
        const exact = ask('exact')
        round.set(peer.name, { exact, limited: peer.canLimit ? ask('limited') : exact })
      } catch (error) {
        failed.add(peer.name)
        onFailure(peer.name, `it could not be asked: ${firstLineOf(error)}`)
      }
    }
    return round
  })
  for (const round of rounds) for (const name of failed) round.delete(name)
  return rounds
}

function firstLineOf(error: unknown): string {
  return (error as Error).message.split('\n', 1)[0]!.replaceAll(REPOSITORY, '')
}
