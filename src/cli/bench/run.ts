/**
 * Freshdex beside other engines, with the same pages, revisions and questions. Each contender is a process of its own,
 * and they take turns: what the machine does to one of them it does to all.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTENDERS, type ContenderName, type Latency, type Measured } from './contender.js'
import type { ContenderAnswer, ContenderTask } from './contender-process.js'
import { type BenchPage, type PageSet, textBytes } from './pages.js'
import { drawQuestions, KINDS, type Kind } from './questions.js'
import { revisionsOf } from './revisions.js'

export interface BenchOptions {
  readonly set: PageSet
  readonly isEnglish: boolean
  readonly rounds: number
  readonly seed: number
  readonly only: readonly ContenderName[]
  /** Called when a contender has done its part of a round, with how many parts are done of how many. */
  readonly onPart?: (done: number, of: number) => void
}

export interface BenchReport {
  readonly pages: {
    readonly name: string
    readonly count: number
    readonly fields: readonly string[]
    readonly textBytes: number
    readonly revisions: number
    readonly questionsOfAKind: number
  }
  readonly rounds: number
  readonly seed: number
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly node: string
    /** Threads that wanted to run, over the last minute, before the first round and after the last one. */
    readonly loadAverage: readonly [before: number, after: number]
  }
  /** Medians over the rounds. */
  readonly contenders: { readonly [Name in ContenderName]?: ContenderSummary }
  /** Why a contender did not take part. */
  readonly absent: { readonly [Name in ContenderName]?: string }
}

/** Times are microseconds, of CPU time unless they say `Wall`. */
export interface ContenderSummary {
  readonly version: string
  readonly indexCpuUsPerPage: number
  readonly indexMegabytesPerCpuSecond: number
  readonly indexWallUsPerPage: number
  readonly replaceCpuUsPerPage: number
  /** The lowest and the highest of the rounds. */
  readonly replaceCpuUsRange: readonly [number, number]
  readonly replaceWallUsPerPage: number
  readonly singleWriteP50WallUs: number
  readonly mergeCpuUsPerPage: number
  readonly search: { readonly [Of in Kind]?: Latency }
  readonly diskBytes: number | null
  readonly loadedBytes: number
  readonly askedBytes: number
}

const REVISED_SHARE = 0.25
const SINGLES = 100
const QUESTIONS = 300

export async function runBench(options: BenchOptions): Promise<BenchReport> {
  const { set, isEnglish, rounds, seed, only, onPart } = options
  const loadBefore = loadOfMachine()
  const { pages, fields, name } = set
  const revisionCount = Math.max(1, Math.round(REVISED_SHARE * pages.length))
  const revisions = revisionsOf(pages, revisionCount, seed)
  const revised = new Map(revisions.map((page) => [page.key, page]))
  const current = pages.map((page) => revised.get(page.key) ?? page)
  const singles = revisionsOf(current, Math.min(SINGLES, pages.length), seed + 1)
  const questions = drawQuestions(pages, QUESTIONS, seed)
  const taken = new Map<ContenderName, Measured[]>()
  const absent: { [Name in ContenderName]?: string } = {}
  const names = CONTENDERS.filter((contender) => only.includes(contender))
  const work = mkdtempSync(path.join(tmpdir(), 'freshdex-bench-'))
  try {
    let done = 0
    for (let round = 0; round < rounds; round++) {
      for (const contender of names) {
        if (absent[contender] === undefined) {
          const folder = path.join(work, `${round}-${contender}`)
          mkdirSync(folder)
          const given = { name: contender, folder, fields, isEnglish }
          const answer = await runContender(work, { ...given, pages, revisions, singles, questions })
          rmSync(folder, { recursive: true, force: true })
          if ('absent' in answer) absent[contender] = answer.absent
          else taken.set(contender, [...(taken.get(contender) ?? []), answer])
        }
        onPart?.(++done, rounds * names.length)
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  const bytes = textBytes(pages)
  const summaries = [...taken].map(([contender, all]) => [contender, summaryOf(all, pages, revisions, bytes)])
  return {
    pages: {
      ...{ name, count: pages.length, fields, textBytes: bytes, revisions: revisions.length },
      questionsOfAKind: QUESTIONS,
    },
    rounds,
    seed,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      node: process.versions.node,
      loadAverage: [loadBefore, loadOfMachine()],
    },
    contenders: Object.fromEntries(summaries) as BenchReport['contenders'],
    absent,
  }
}

async function runContender(work: string, task: ContenderTask): Promise<ContenderAnswer> {
  const file = path.join(work, 'task.json')
  writeFileSync(file, JSON.stringify(task))
  const program = fileURLToPath(new URL('./contender-process.js', import.meta.url))
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (status === 0) return JSON.parse(stdout) as ContenderAnswer
  throw new Error(`${task.name} ended with ${signal ?? `status ${status}`}: ${stderr.trim()}`)
}

function summaryOf(
  all: readonly Measured[],
  pages: readonly BenchPage[],
  revisions: readonly BenchPage[],
  bytes: number,
): ContenderSummary {
  const median = (of: (round: Measured) => number) => medianOf(all.map(of))
  const indexCpuUs = median((round) => round.indexCpuUs)
  const replaceUs = all.map((round) => round.replaceCpuUs / revisions.length)
  const search = KINDS.flatMap((kind) => {
    const rounds = all.flatMap((round) => round.search[kind] ?? [])
    if (rounds.length === 0) return []
    const of = (name: 'p50Us' | 'p99Us') => medianOf(rounds.map((round) => round[name]))
    return [[kind, { questions: rounds[0]!.questions, p50Us: of('p50Us'), p99Us: of('p99Us') }]]
  })
  return {
    version: all[0]!.version,
    indexCpuUsPerPage: indexCpuUs / pages.length,
    indexMegabytesPerCpuSecond: bytes / indexCpuUs,
    indexWallUsPerPage: median((round) => round.indexWallUs) / pages.length,
    replaceCpuUsPerPage: medianOf(replaceUs),
    replaceCpuUsRange: [Math.min(...replaceUs), Math.max(...replaceUs)],
    replaceWallUsPerPage: median((round) => round.replaceWallUs) / revisions.length,
    singleWriteP50WallUs: median((round) => round.singleWriteP50Us),
    mergeCpuUsPerPage: median((round) => round.mergeCpuUs) / pages.length,
    search: Object.fromEntries(search) as ContenderSummary['search'],
    diskBytes: all[0]!.diskBytes === undefined ? null : median((round) => round.diskBytes ?? 0),
    loadedBytes: median((round) => round.loadedBytes),
    askedBytes: median((round) => round.askedBytes),
  }
}

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

function loadOfMachine(): number {
  return Math.round(100 * loadavg()[0]!) / 100
}
