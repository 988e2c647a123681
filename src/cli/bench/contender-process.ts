/** The program that is one contender in one round: a process of its own, so that CPU time and memory are its own. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, ContenderAbsent, type ContenderName, type Latency, type Measured } from './contender.js'
import { flexsearchContender } from './contenders/flexsearch.js'
import { freshdexContender } from './contenders/freshdex.js'
import { fts5Contender } from './contenders/fts5.js'
import type { BenchPage } from './pages.js'
import { KINDS, type Question } from './questions.js'

/** What a contender is given. The task is a file of JSON, because it may be long. */
export interface ContenderTask {
  readonly name: ContenderName
  readonly folder: string
  readonly fields: readonly string[]
  readonly isEnglish: boolean
  readonly pages: readonly BenchPage[]
  /** Written in batches, and then the last of them one by one. */
  readonly revisions: readonly BenchPage[]
  readonly singles: readonly BenchPage[]
  readonly questions: readonly Question[]
}

export type ContenderAnswer = Measured | { readonly absent: string }

const LOAD_BATCH = 500
const REVISION_BATCH = 100
/** A question counts with its shortest time: what it takes, and not what a busy machine adds. */
const PASSES = 5

async function measured(task: ContenderTask): Promise<Measured> {
  const { pages, revisions, singles, questions } = task
  const before = process.memoryUsage.rss()
  const contender = await openContender(task)
  const index = await spent(() => inBatches(pages, LOAD_BATCH, contender))
  const loadedBytes = process.memoryUsage.rss() - before
  await contender.learn(questions)
  await untilIdle()
  const replace = await spent(() => inBatches(revisions, REVISION_BATCH, contender))
  const singleUs: number[] = []
  for (const page of singles) {
    const start = performance.now()
    await contender.write([page])
    singleUs.push(1000 * (performance.now() - start))
  }
  await untilIdle()
  const merge = await spent(() => contender.merge())
  const search = Object.fromEntries(KINDS.flatMap((kind) => latencyOf(contender, kind, questions)))
  const askedBytes = process.memoryUsage.rss() - before
  await contender.close()
  const diskBytes = bytesBelow(task.folder)
  return {
    version: contender.version,
    indexCpuUs: index.cpuUs,
    indexWallUs: index.wallUs,
    replaceCpuUs: replace.cpuUs,
    replaceWallUs: replace.wallUs,
    singleWriteP50Us: percentile(singleUs, 50),
    mergeCpuUs: merge.cpuUs,
    search,
    ...(diskBytes === 0 ? {} : { diskBytes }),
    loadedBytes,
    askedBytes,
  }
}

function openContender(task: ContenderTask): Promise<Contender> | Contender {
  if (task.name === 'fts5') return fts5Contender(task)
  if (task.name === 'flexsearch') return flexsearchContender(task)
  return freshdexContender(task, task.name === 'freshdex')
}

async function inBatches(pages: readonly BenchPage[], size: number, contender: Contender): Promise<void> {
  for (let from = 0; from < pages.length; from += size) await contender.write(pages.slice(from, from + size))
}

/** Work that goes on behind a write counts, and so the end of it is waited for. */
async function spent(work: () => Promise<void>): Promise<{ readonly cpuUs: number; readonly wallUs: number }> {
  const cpu = cpuUs()
  const start = performance.now()
  await work()
  const wallUs = 1000 * (performance.now() - start)
  await untilIdle()
  return { cpuUs: cpuUs() - cpu, wallUs }
}

function latencyOf(contender: Contender, kind: Question['kind'], questions: readonly Question[]): [string, Latency][] {
  const asked = questions.filter((question) => question.kind === kind).map((question) => contender.prepare(question))
  if (asked.length === 0 || asked.includes(undefined)) return []
  const shortestUs = asked.map(() => Number.POSITIVE_INFINITY)
  // The first pass warms up.
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const [at, question] of asked.entries()) {
      const start = performance.now()
      contender.ask(question)
      const us = 1000 * (performance.now() - start)
      if (pass > 0 && us < shortestUs[at]!) shortestUs[at] = us
    }
  }
  return [[kind, { questions: asked.length, p50Us: percentile(shortestUs, 50), p99Us: percentile(shortestUs, 99) }]]
}

/** Nearest rank. */
function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * share) / 100) - 1)] ?? 0
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

const IDLE_INTERVAL_MS = 5
const IDLE_US = 500
const IDLE_INTERVALS = 3

/** Resolves when the process does nothing any more. */
async function untilIdle(): Promise<void> {
  for (let idle = 0; idle < IDLE_INTERVALS; ) {
    const before = cpuUs()
    await sleep(IDLE_INTERVAL_MS)
    idle = cpuUs() - before < IDLE_US ? idle + 1 : 0
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

async function answer(task: ContenderTask): Promise<ContenderAnswer> {
  try {
    return await measured(task)
  } catch (error) {
    if (error instanceof ContenderAbsent) return { absent: error.message }
    throw error
  }
}

process.stdout.write(JSON.stringify(await answer(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ContenderTask)))
