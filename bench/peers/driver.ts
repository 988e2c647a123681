/** What the programs of peers in JavaScript share: reading the task, timing, saying what was found. */
import { readFileSync } from 'node:fs'
import type { Kind } from '../class-queries.js'
import type { TextPage } from '../large-collection.js'
import { readPageRecords } from '../page-records.js'
import type { AnswerReport, BuildReport, Counting, PeerTask } from '../peer-contract.js'

export interface Answer {
  /** Undefined where the peer does not count. */
  readonly total: number | undefined
  readonly keys: readonly unknown[]
}

export interface PeerDriver<Question> {
  readonly version: string
  /** The index is merged as far as it goes, and closed. */
  build(folder: string, pages: Iterable<TextPage>): void | Promise<void>
  open(folder: string): OpenPeer<Question> | Promise<OpenPeer<Question>>
}

export interface OpenPeer<Question> {
  /** Undefined: the peer knows no such question. What is done here is not timed. */
  questionOf(kind: Kind, words: string, counting: Counting): Question | undefined
  answer(question: Question): Answer | Promise<Answer>
}

export async function drive<Question>(driver: PeerDriver<Question>): Promise<void> {
  const task = JSON.parse(process.argv[2]!) as PeerTask
  const report = task.step === 'build' ? await build(driver, task) : await ask(driver, task)
  process.stdout.write(JSON.stringify(report))
}

async function build<Question>(
  driver: PeerDriver<Question>,
  { index, pages }: Extract<PeerTask, { step: 'build' }>,
): Promise<BuildReport> {
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await driver.build(index, readPageRecords(pages))
  const wallUs = (performance.now() - begin) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return { version: driver.version, wallUs, cpuUs: user + system, peakBytes: memoryOf('VmHWM') }
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
