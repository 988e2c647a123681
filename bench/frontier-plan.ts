/** Frontiers of one size: what they take to add, to load and to plan. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type FoundPage, Freshdex } from 'freshdex'
import type { BenchRequest } from './bench.js'
import { heldBytes } from './memory.js'
import { inBatches, ZipfWords } from './zipf-words.js'

const SEED = 20_260_101
const NEW_SHARE = 0.01
/** All queries and plans are of one moment: weights do not move. */
const AT = Date.UTC(2026, 0, 1)

interface Page {
  url: string
  body: string
}

export interface FrontierCost {
  readonly addUsPerPage: number
  readonly addPauseMs: number
  readonly storeUsPerPage: number
  readonly loadUsPerPage: number
  readonly firstPlanMs: number
  readonly againMs: number
  readonly afterNewMs: number
  readonly afterWriteMs: number
  readonly planMs: number
  readonly explainMs: number
  readonly planPauseMs: number
  readonly heldBytesPerPage: number
  readonly countedBytesPerPage: number
  readonly bytesPerQuery: number
  readonly withImpact: number
  readonly asked: number
  readonly named: number
}

export async function measureFrontier(request: BenchRequest, pages: number): Promise<FrontierCost> {
  const { storeUsPerPage, loadUsPerPage } = await measureFolder(request, pages)
  const words = new ZipfWords(SEED)
  const [queries, budget] = [request.count('queries'), request.count('budget')]
  await using index = await Freshdex.open<Page>(':memory:', {
    key: 'url',
    fields: { body: {} },
    workload: { learn: false, maxQueries: 2 * queries },
  })
  await inBatches(
    request.count('documents'),
    (nth) => ({ url: `/document/${nth}`, body: words.text(60) }),
    (put) => index.write({ put }),
  )
  await index.workload.load(
    Array.from({ length: queries }, () => [words.text(1 + words.int(3)), 1 + words.int(10)]),
    { at: AT },
  )
  const beforeBytes = await heldBytes()
  const added = await addPages(index, words, 0, pages)
  const pageBytes = await heldBytes()
  const note = (name: string, { cpuMs, pauseMs }: Spent) =>
    request.progress(
      `${pages} pages: ${name} ${Math.round(cpuMs)} ms of CPU, event loop held ${Math.round(pauseMs)} ms`,
    )
  const planned = async (name: string) => {
    const plan = await spent(() => index.frontier.next({ budget, at: AT }))
    note(name, plan)
    return plan
  }
  note('adding', added)
  const first = await planned('first plan')
  const queryBytes = await heldBytes()
  const again = await planned('plan again')
  await addPages(index, words, pages, Math.ceil(pages * NEW_SHARE))
  const afterNew = await planned('plan after new pages')
  await index.write({ put: first.value.map(({ url }) => ({ url, body: words.text(60) })) })
  const afterWrite = await planned('plan after a write')
  const plan = await spent(() => index.plan({ budget, at: AT }))
  const explained = await spent(() => index.frontier.explain(afterWrite.value[0]!.url))
  const pauses = [first, again, afterNew, afterWrite, plan].map(({ pauseMs }) => pauseMs)
  return {
    addUsPerPage: (1000 * added.cpuMs) / pages,
    addPauseMs: added.pauseMs,
    ...{ storeUsPerPage, loadUsPerPage },
    firstPlanMs: first.cpuMs,
    againMs: again.cpuMs,
    afterNewMs: afterNew.cpuMs,
    afterWriteMs: afterWrite.cpuMs,
    planMs: plan.cpuMs,
    explainMs: explained.cpuMs,
    planPauseMs: Math.max(...pauses),
    heldBytesPerPage: (pageBytes - beforeBytes) / pages,
    countedBytesPerPage: index.stats().frontier.memoryBytes / index.frontier.size,
    bytesPerQuery: (queryBytes - pageBytes) / queries,
    withImpact: first.value.filter(({ impact }) => impact > 0).length,
    asked: Math.min(budget, pages),
    named: first.value.length,
  }
}

/** To a folder, and from it at the first use after an opening. */
async function measureFolder(request: BenchRequest, pages: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'freshdex-frontier-'))
  try {
    const place = path.join(folder, 'index')
    const words = new ZipfWords(SEED)
    const index = await Freshdex.open<Page>(place, { key: 'url', fields: { body: {} } })
    const stored = await addPages(index, words, 0, pages)
    await index.close()
    await using again = await Freshdex.open<Page>(place)
    const loaded = await spent(() => again.frontier.add([{ url: '/one/more' }]))
    const [storeUsPerPage, loadUsPerPage] = [stored, loaded].map(({ cpuMs }) => (1000 * cpuMs) / pages)
    request.progress(`${pages} pages: stored and loaded`)
    return { storeUsPerPage: storeUsPerPage!, loadUsPerPage: loadUsPerPage! }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function addPages(index: Freshdex<Page>, words: ZipfWords, first: number, count: number): Promise<Spent> {
  const sum = { cpuMs: 0, pauseMs: 0 }
  await inBatches(
    count,
    (nth) => foundPage(words, first + nth),
    async (portion) => {
      const { cpuMs, pauseMs } = await spent(() => index.frontier.add(portion))
      sum.cpuMs += cpuMs
      sum.pauseMs = Math.max(sum.pauseMs, pauseMs)
    },
  )
  return sum
}

function foundPage(words: ZipfWords, nth: number): FoundPage {
  return {
    url: `https://host${nth % 1000}.example/${words.word()}/${words.word()}-${nth}`,
    anchors: Array.from({ length: words.int(3) }, () => words.text(3)),
    inlinks: Math.floor(1000 ** words.random()),
  }
}

interface Spent {
  /** Of all threads of the process, garbage collection included. */
  readonly cpuMs: number
  /** How long the event loop had to wait at most, in time that passed. */
  readonly pauseMs: number
}

async function spent<T>(work: () => Promise<T>): Promise<Spent & { readonly value: T }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  // It counts from its second tick on.
  await new Promise((resolve) => setTimeout(resolve, 10))
  const start = process.cpuUsage()
  const value = await work()
  const { user, system } = process.cpuUsage(start)
  await new Promise((resolve) => setTimeout(resolve, 10))
  delay.disable()
  return { value, cpuMs: (user + system) / 1000, pauseMs: delay.max / 1e6 }
}
