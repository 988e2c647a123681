/**
 * How long does each public call hold the event loop? Generated pages in a folder, with a workload and histories. Of
 * each call: wall time, CPU time of all threads, and the longest that it held the loop in one go. A synchronous call
 * holds the loop for as long as it takes.
 *
 * Claim: no asynchronous call holds the event loop for more than 20 ms, beyond reading its arguments.
 *
 * As a Markdown table:
 *
 *   npm run bench -- holds --documents 1000000 --json > holds.json
 *   node .build/bench/holds-markdown.js holds.json
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Freshdex } from 'freshdex'
import type { Bench, BenchRequest } from './bench.js'
import { runProgram } from './child-process.js'
import { measured, type Times } from './held-work.js'
import { DAY_MS, MILLION_OPTIONS, type MillionPage, START_MS } from './million-options.js'

const NOW_MS = START_MS + 300 * DAY_MS
const HOLD_MS = 20

type Colour = 'async' | 'sync'

export interface HeldCall extends Times {
  readonly colour: Colour
}

export const holds: Bench = {
  name: 'holds',
  question: 'How long does each public call hold the event loop?',
  isGenerated: true,
  options: {
    documents: { kind: 'count', default: 5000, help: 'pages of the index' },
  },

  async run(request) {
    const root = mkdtempSync(path.join(tmpdir(), 'freshdex-holds-'))
    try {
      request.progress('the index is made')
      const folder = path.join(root, 'index')
      runProgram('million-index', { folder, pages: request.count('documents') })
      const calls = await new HeldCalls(request, folder, root).measure()
      const isClaimKept = Object.values(calls).every(({ colour, holdMs }) => colour === 'sync' || holdMs <= HOLD_MS)
      return { result: { calls }, isClaimKept }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

class HeldCalls {
  readonly #request: BenchRequest
  readonly #folder: string
  readonly #root: string
  readonly #calls: Record<string, HeldCall> = {}
  readonly #pages: number

  constructor(request: BenchRequest, folder: string, root: string) {
    this.#request = request
    this.#folder = folder
    this.#root = root
    this.#pages = request.count('documents')
  }

  async measure(): Promise<Readonly<Record<string, HeldCall>>> {
    const index = await this.#async('open', () => Freshdex.open<MillionPage>(this.#folder, MILLION_OPTIONS))
    await this.#ask(index)
    await this.#search(index)
    await this.#tell(index)
    await this.#write(index)
    await this.#maintain(index)
    await this.#async('close', () => index.close())
    return this.#calls
  }

  async #ask(index: Freshdex<MillionPage>): Promise<void> {
    const { refresh, frontier, clusters } = index
    const later = (hours: number) => NOW_MS + hours * 3_600_000
    await this.#async('refresh.next, the first', () => refresh.next({ budget: 100, at: NOW_MS }))
    await this.#async('refresh.next, again', () => refresh.next({ budget: 100, at: NOW_MS }))
    await this.#async('refresh.next, an hour later', () => refresh.next({ budget: 100, at: later(1) }))
    await this.#async('refresh.next, where: words', () => refresh.next({ budget: 100, at: later(1), where: 'w1' }))
    await this.#async('refresh.next, where: -word', () => refresh.next({ budget: 100, at: later(1), where: '-w1' }))
    await this.#async('refresh.next, 1 per host', () => refresh.next({ budget: 1000, at: later(1), perHost: 1 }))
    await this.#async('plan, the first', () => index.plan({ budget: 100, at: later(2) }))
    await this.#async('plan, priced', () => index.plan({ budget: { cost: 100, fetch: 1.5 }, at: later(2) }))
    const daily = { maxStalenessMs: 365 * DAY_MS, cycleMs: DAY_MS }
    await this.#async('plan, daily cycles of a year', () => index.plan({ budget: 100, at: later(2), ...daily }))
    await this.#async('frontier.next, the first', () => frontier.next({ budget: 100, at: NOW_MS }))
    await this.#async('frontier.next, again', () => frontier.next({ budget: 100, at: later(1) }))
    await this.#async('clusters.build', () => clusters.build({ at: later(3) }))
    await this.#async('refresh.changes', () => refresh.changes())
    await this.#async('refresh.fit', () => refresh.fit())
    const [page] = (await refresh.next({ budget: 1, at: later(4) })).pages
    await this.#sync('refresh.explain', () => refresh.explain(page?.key ?? '', { at: later(4) }))
    await this.#sync('refresh.priority', () => refresh.priority(page?.key ?? '', { at: later(4) }))
    await this.#sync('refresh.review', () => refresh.review())
    await this.#sync('stats', () => index.stats())
  }

  async #search(index: Freshdex<MillionPage>): Promise<void> {
    const query = 'w1 OR w2 OR w3'
    const many = Array(1000).fill('w*').join(' OR ')
    await this.#sync('search', () => index.search(query))
    await this.#sync('search, all counted', () => index.search(query, { countUpTo: Number.POSITIVE_INFINITY }))
    await this.#sync('search, refresh: true', () => index.search(query, { refresh: true }))
    await this.#sync('search, by priority', () => index.search(query, { sort: 'priority' }))
    await this.#sync('search, by priority, deadline 50', () =>
      index.search('-w19999', { sort: 'priority', deadlineMs: 50 }),
    )
    await this.#sync('search, 1,000 prefixes, deadline 50', () => index.search(many, { deadlineMs: 50 }))
    await this.#sync('search, only a negation', () => index.search('-w1'))
    await this.#async('searchAsync', () => index.searchAsync(query))
    await this.#async('searchAsync, 1,000 prefixes', () => index.searchAsync(many))
    await this.#sync('similar', () => index.similar(firstOf(index.keys())))
    await this.#sync('get', () => index.get(firstOf(index.keys())))
    await this.#sync('snapshot', () => index.snapshot().close())
    await this.#sync('keys, the first 1,000', () => take(index.keys(), 1000))
  }

  async #tell(index: Freshdex<MillionPage>): Promise<void> {
    const at = NOW_MS
    const keys = take(index.keys(), Math.min(this.#pages, 100_000))
    const told = keys.map((key) => [key, { outcome: 'same', at }] as const)
    await this.#async('refresh.observe', () => index.refresh.observe(keys[0] ?? '', { outcome: 'same', at }))
    await this.#async(`refresh.observeAll, ${keys.length}`, () => index.refresh.observeAll(told))
    const signals = keys.map((key) => [key, { kind: 'sitemap', at }] as const)
    await this.#async(`refresh.signalAll, ${keys.length}`, () => index.refresh.signalAll(signals))
    await this.#sync('workload.record', () => index.workload.record('w5 w6', { count: 3 }))
    const queries = Array.from({ length: 10_000 }, (_, nth) => [`w${nth} w${nth * 7}`, 1 + nth] as const)
    await this.#async('workload.load, 10,000', () => index.workload.load(queries))
    await this.#sync('workload.queries', () => index.workload.queries())
    await this.#async('workload.flush', () => index.workload.flush())
  }

  async #write(index: Freshdex<MillionPage>): Promise<void> {
    const put = Array.from({ length: 2000 }, (_, nth) => ({
      url: `https://host${nth % 50}.example/new-${nth}`,
      body: `w${nth} w${nth * 3} w${nth * 7} new`,
    }))
    await this.#async('write, 2,000 new', () => index.write({ put }, { at: NOW_MS }))
    const changed = put.map((page) => ({ ...page, body: `${page.body} again` }))
    await this.#async('write, 2,000 changed', () => index.write({ put: changed }, { at: NOW_MS }))
    await this.#async('write, 2,000 removed', () => index.write({ remove: put.map(({ url }) => url) }))
    await this.#async('load, 20,000', () => index.load(pagesOf(20_000), { batch: 1000 }))
    await this.#async('refresh.next, after writes', () => index.refresh.next({ budget: 100, at: NOW_MS + DAY_MS }))
  }

  async #maintain(index: Freshdex<MillionPage>): Promise<void> {
    for (const level of [1, 2, 3] as const) await this.#async(`check, level ${level}`, () => index.check({ level }))
    await this.#async('compact', () => index.compact())
    await this.#async('backup', () => index.backup(path.join(this.#root, 'copy')))
    await this.#async('catchUp', () => index.catchUp())
  }

  async #async<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#note(name, 'async', work)
  }

  async #sync<T>(name: string, work: () => T): Promise<T> {
    return this.#note(name, 'sync', async () => work())
  }

  async #note<T>(name: string, colour: Colour, work: () => Promise<T>): Promise<T> {
    this.#request.progress(name)
    const { value, ...times } = await measured(work)
    this.#calls[name] = { colour, ...times, ...(colour === 'sync' ? { holdMs: times.wallMs } : {}) }
    return value
  }
}

function* pagesOf(count: number): Generator<MillionPage> {
  for (let nth = 0; nth < count; nth++)
    yield { url: `https://host${nth % 50}.example/loaded-${nth}`, body: `w${nth % 20_000} w${nth % 997} loaded` }
}

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = []
  for (const item of items) {
    if (taken.push(item) === count) break
  }
  return taken
}

function firstOf<T>(items: Iterable<T>): T {
  return take(items, 1)[0] as T
}
