/** What the programs of peers in JavaScript share: reading the task, timing, saying what was found. */
import { readFileSync } from 'node:fs'
import type { Kind } from '../class-queries.js'
import type { TextPage } from '../large-collection.js'
import { readPageRecords } from '../page-records.js'
import type { AnswerReport, BuildReport, Counting, PeerTask, SectionCost, WriteReport } from '../peer-contract.js'
import { medianOf } from '../percentiles.js'
import { readSections, type TextWrite } from '../replacing/write-sections.js'

export interface Answer {
  /** Undefined where the peer does not count. */
  readonly total: number | undefined
  readonly keys: readonly unknown[]
}

export interface BuildOptions {
  /** See PeerTask. */
  readonly keepsHistories: boolean
}

export interface PeerDriver<Question> {
  readonly version: string
  /** The index is merged as far as it goes, and closed. */
  build(folder: string, pages: Iterable<TextPage>, options: BuildOptions): void | Promise<void>
  open(folder: string): OpenPeer<Question> | Promise<OpenPeer<Question>>
  /** None: pages are not replaced in this peer. */
  readonly writing?: PeerWriting
}

export interface PeerWriting {
  /** Makes an index that will be written to. */
  prepare(folder: string, pages: Iterable<TextPage>, queries: readonly string[]): void | Promise<void>
  open(folder: string): WritingPeer | Promise<WritingPeer>
}

export interface WritingPeer {
  /** One commit. */
  write(write: TextWrite): void | Promise<void>
  /** Waits for what goes on behind the writes. */
  settle(): void | Promise<void>
  close(): void | Promise<void>
}

export interface OpenPeer<Question> {
  /** Undefined: the peer knows no such question. What is done here is not timed. */
  questionOf(kind: Kind, words: string, counting: Counting): Question | undefined
  answer(question: Question): Answer | Promise<Answer>
}

export async function drive<Question>(driver: PeerDriver<Question>): Promise<void> {
  const task = JSON.parse(process.argv[2]!) as PeerTask
  process.stdout.write(JSON.stringify(await carryOut(driver, task)))
}

function carryOut<Question>(driver: PeerDriver<Question>, task: PeerTask): Promise<object> {
  switch (task.step) {
    case 'build':
      return build(driver, task)
    case 'ask':
      return ask(driver, task)
    case 'prepare':
      return prepare(writingOf(driver), task)
    case 'write':
      return write(driver.version, writingOf(driver), task)
  }
}

function writingOf<Question>({ writing }: PeerDriver<Question>): PeerWriting {
  if (writing === undefined) throw new Error('pages are not replaced in this peer')
  return writing
}

async function prepare(
  writing: PeerWriting,
  { index, pages, queries }: Extract<PeerTask, { step: 'prepare' }>,
): Promise<object> {
  const asked = queries === '' ? [] : readFileSync(queries, 'utf8').trimEnd().split('\n')
  await writing.prepare(index, readPageRecords(pages), asked)
  return {}
}

async function write(
  version: string,
  writing: PeerWriting,
  { index, sections }: Extract<PeerTask, { step: 'write' }>,
): Promise<WriteReport> {
  const peer = await writing.open(index)
  const costs: SectionCost[] = []
  for (const { name, writes } of readSections(sections)) {
    const us: number[] = []
    const cpu = process.cpuUsage()
    const begin = performance.now()
    for (const one of writes) {
      const start = performance.now()
      await peer.write(one)
      us.push((performance.now() - start) * 1000)
    }
    await peer.settle()
    const wallUs = (performance.now() - begin) * 1000
    costs.push({ name, writes: writes.length, wallUs, cpuUs: cpuSince(cpu), p50Us: medianOf(us) })
  }
  const cpu = process.cpuUsage()
  await peer.close()
  return { version, sections: costs, closeCpuUs: cpuSince(cpu) }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

async function build<Question>(
  driver: PeerDriver<Question>,
  { index, pages, keepsHistories = false }: Extract<PeerTask, { step: 'build' }>,
): Promise<BuildReport> {
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await driver.build(index, readPageRecords(pages), { keepsHistories })
  const wallUs = (performance.now() - begin) * 1000
  return { version: driver.version, wallUs, cpuUs: cpuSince(cpu), peakBytes: memoryOf('VmHWM') }
}

async function ask<Question>(
  driver: PeerDriver<Question>,
  { index, questions, counting, passes, budgetMs }: Extract<PeerTask, { step: 'ask' }>,
): Promise<AnswerReport> {
  const begin = performance.now()
  const peer = await driver.open(index)
  const openUs = (performance.now() - begin) * 1000
  const lines = readFileSync(questions, 'utf8').trimEnd().split('\n')
  const us: (number | null)[] = lines.map(() => null)
  const totals: (number | null)[] = lines.map(() => null)
  let keysRead = 0
  for (const places of placesByClass(lines).values()) {
    const known = places.flatMap((at) => {
      const [, kind, words] = lines[at]!.split('\t')
      const question = peer.questionOf(kind as Kind, words!, counting)
      return question === undefined ? [] : [{ at, question }]
    })
    const end = performance.now() + budgetMs
    for (let pass = 0; pass < passes && performance.now() < end; pass++) {
      for (const { at, question } of known) {
        const start = performance.now()
        let answer = peer.answer(question)
        if (answer instanceof Promise) answer = await answer
        keysRead += answer.keys.length
        const now = performance.now()
        us[at] = Math.min(us[at] ?? Number.POSITIVE_INFINITY, (now - start) * 1000)
        totals[at] = answer.total ?? null
        if (now > end) break
      }
    }
  }
  return { version: driver.version, us, totals, keysRead, openUs, residentBytes: memoryOf('VmRSS') }
}

function placesByClass(lines: readonly string[]): Map<string, number[]> {
  const classes = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const name = line.slice(0, line.indexOf('\t'))
    if (!classes.has(name)) classes.set(name, [])
    classes.get(name)!.push(at)
  }
  return classes
}

/** In bytes, as Linux tells it to every language alike. */
function memoryOf(name: 'VmHWM' | 'VmRSS'): number {
  if (process.platform !== 'linux') return name === 'VmRSS' ? process.memoryUsage.rss() : 0
  const kilobytes = new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}
