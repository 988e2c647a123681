/** The calls of `holds`, one after another. */
import path from 'node:path'
import { Freshdex } from 'freshdex'
import type { BenchRequest } from './bench.js'
import { measured, type Times } from './held-work.js'
import { DAY_MS, MILLION_OPTIONS, type MillionPage, START_MS } from './million-options.js'

const NOW_MS = START_MS + 300 * DAY_MS
/** The most documents that are told of in one call. */
const MOST_TOLD = 100_000

type Colour = 'async' | 'sync'

export interface HeldCall extends Times {
  readonly colour: Colour
  /** How large the arguments are, where that matters. */
  readonly argumentBytes?: number
}

const later = (hours: number) => NOW_MS + hours * 3_600_000

export class HeldCalls {
  readonly #request: BenchRequest
  readonly #folder: string
  readonly #root: string
  readonly #calls: Record<string, HeldCall> = {}

  constructor(request: BenchRequest, folder: string, root: string) {
    this.#request = request
    this.#folder = folder
    this.#root = root
  }

  async measure(): Promise<Readonly<Record<string, HeldCall>>> {
    await this.#firstQuestions()
    const index = await this.#async('open', () => Freshdex.open<MillionPage>(this.#folder, MILLION_OPTIONS))
    await this.#ask(index)
    await this.#search(index)
    await this.#tell(index)
    await this.#write(index)
    await this.#maintain(index)
    await this.#async('close', () => index.close())
    return this.#calls
  }

  /** Questions that come right after an opening, before anything is loaded. Each has an opening of its own. */
  async #firstQuestions(): Promise<void> {
    const asks: readonly [string, Colour, (index: Freshdex<MillionPage>) => unknown][] = [
      ['search, refresh: true', 'sync', (index) => index.search('w1', { refresh: true })],
      ['stats', 'sync', (index) => index.stats()],
      ['refresh.next', 'async', (index) => index.refresh.next({ budget: 10, at: NOW_MS })],
      ['refresh.observe', 'async', (index) => index.refresh.observe(anyKey(index), { outcome: 'same', at: NOW_MS })],
      ['write', 'async', (index) => index.write({ put: [{ url: anyKey(index), body: 'w1 w2' }] }, { at: NOW_MS })],
      ['clusters.list', 'sync', (index) => index.clusters.list()],
      ['frontier.next', 'async', (index) => index.frontier.next({ budget: 10, at: NOW_MS })],
    ]
    for (const [name, colour, ask] of asks) {
      for (const readOnly of [false, true]) {
        if (readOnly && (name === 'write' || name === 'refresh.observe')) continue
        const index = await Freshdex.open<MillionPage>(this.#folder, { ...MILLION_OPTIONS, readOnly })
        await this.#note(`first, ${readOnly ? "a reader's" : "a writer's"} ${name}`, colour, async () => ask(index))
        await index.close()
      }
    }
  }

  async #ask(index: Freshdex<MillionPage>): Promise<void> {
    const { refresh, frontier, clusters } = index
    await this.#async('refresh.next, the first', () => refresh.next({ budget: 100, at: NOW_MS }))
    await this.#async('refresh.next, again', () => refresh.next({ budget: 100, at: NOW_MS }))
    await this.#async('refresh.next, an hour later', () => refresh.next({ budget: 100, at: later(1) }))
    await this.#async('refresh.next, where: words', () => refresh.next({ budget: 100, at: later(1), where: 'w1' }))
    await this.#async('refresh.next, where: -word', () => refresh.next({ budget: 100, at: later(1), where: '-w1' }))
    await this.#async('refresh.next, 1 per host', () => refresh.next({ budget: 1000, at: later(1), perHost: 1 }))
    await this.#async('refresh.next, 10,000', () => refresh.next({ budget: 10_000, at: later(1) }))
    await this.#async('plan, the first', () => index.plan({ budget: 100, at: later(2) }))
    await this.#async('plan, again', () => index.plan({ budget: 100, at: later(2) }))
    await this.#async('plan, priced', () => index.plan({ budget: { cost: 100, fetch: 1.5 }, at: later(2) }))
    await this.#async('plan, a target', () => index.plan({ target: 0.9, at: later(2) }))
    const daily = { maxStalenessMs: 365 * DAY_MS, cycleMs: DAY_MS }
    await this.#async('plan, daily cycles of a year', () => index.plan({ budget: 100, at: later(2), ...daily }))
    await this.#async('frontier.next, the first', () => frontier.next({ budget: 100, at: NOW_MS }))
    await this.#async('frontier.next, again', () => frontier.next({ budget: 100, at: later(1) }))
    const [page] = await frontier.next({ budget: 1, at: later(1) })
    await this.#async('frontier.explain', () => frontier.explain(page?.url ?? '', { at: later(1) }))
    await this.#async('clusters.build', () => clusters.build({ at: later(3) }))
    const [advised] = (await refresh.next({ budget: 1, at: later(4) })).pages
    const key = advised?.key ?? ''
    await this.#sync('clusters.list', () => clusters.list())
    await this.#sync('clusters.explain', () => clusters.explain(key))
    await this.#async('refresh.schedule', () => refresh.schedule({ crawls: 1_000_000, at: later(4) }))
    await this.#async('refresh.changes', () => refresh.changes())
    await this.#async('refresh.fit', () => refresh.fit())
    await this.#sync('refresh.explain', () => refresh.explain(key, { at: later(4) }))
    await this.#sync('refresh.priority', () => refresh.priority(key, { at: later(4) }))
    await this.#sync('refresh.curve', () => refresh.curve(index.workload.queries({ limit: 1 })[0]?.query ?? ''))
    await this.#sync('refresh.review', () => refresh.review())
    await this.#sync('refresh.writes', () => refresh.writes())
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
    await this.#async('searchAsync, by priority', () => index.searchAsync(query, { sort: 'priority' }))
    await this.#sync('suggest', () => index.suggest('w12'))
    await this.#sync('suggest, a letter', () => index.suggest('w'))
    await this.#sync('similar', () => index.similar(anyKey(index)))
    await this.#sync('analyze', () => index.analyze('w1 w2 w3'))
    await this.#sync('get', () => index.get(anyKey(index)))
    await this.#sync('snapshot', () => index.snapshot().close())
    await this.#sync('keys, the first 1,000', () => take(index.keys(), 1000))
  }

  async #tell(index: Freshdex<MillionPage>): Promise<void> {
    const { refresh, frontier, workload } = index
    const at = NOW_MS
    const keys = take(index.keys(), Math.min(this.#request.count('documents'), MOST_TOLD)) as string[]
    const count = keys.length.toLocaleString('en')
    const bytes = lengthOf(keys)
    await this.#async('refresh.observe', () => refresh.observe(keys[0] ?? '', { outcome: 'same', at }))
    const told = keys.map((key) => [key, { outcome: 'same', at }] as const)
    await this.#async(`refresh.observeAll, ${count}`, () => refresh.observeAll(told), bytes)
    const signals = keys.map((key) => [key, { kind: 'sitemap', at }] as const)
    await this.#async(`refresh.signalAll, ${count}`, () => refresh.signalAll(signals), bytes)
    const sitemap = sitemapOf(keys.slice(0, 50_000))
    await this.#async('refresh.importSignals, a sitemap of 50,000', () => refresh.importSignals({ sitemap }, { at }))
    const found = Array.from({ length: 20_000 }, (_, nth) => ({ url: `https://host${nth % 50}.example/found/${nth}` }))
    await this.#async('frontier.add, 20,000', () => frontier.add(found, { at }), lengthOf(found.map(({ url }) => url)))
    const urls = found.map(({ url }) => url)
    await this.#async('frontier.remove, 20,000', () => frontier.remove(urls), lengthOf(urls))
    await this.#sync('workload.record', () => workload.record('w5 w6', { count: 3 }))
    const queries = Array.from({ length: 10_000 }, (_, nth) => [`w${nth} w${nth * 7}`, 1 + nth] as const)
    await this.#async('workload.load, 10,000', () => workload.load(queries))
    await this.#sync('workload.queries', () => workload.queries())
    await this.#sync('workload.unanswered', () => workload.unanswered())
    await this.#async('workload.forget', () => workload.forget('w5 w6'))
    await this.#async('workload.flush', () => workload.flush())
    await this.#async('refresh.next, with new queries', () => refresh.next({ budget: 100, at: later(5) }))
  }

  async #write(index: Freshdex<MillionPage>): Promise<void> {
    const put = Array.from({ length: 2000 }, (_, nth) => ({
      url: `https://host${nth % 50}.example/new-${nth}`,
      body: `w${nth} w${nth * 3} w${nth * 7} new`,
    }))
    const bytes = lengthOf(put.flatMap(({ url, body }) => [url, body]))
    await this.#async('write, 2,000 new', () => index.write({ put }, { at: NOW_MS }), bytes)
    const changed = put.map((page) => ({ ...page, body: `${page.body} again` }))
    await this.#async('write, 2,000 changed', () => index.write({ put: changed }, { at: NOW_MS }), bytes)
    await this.#async('write, 2,000 removed', () => index.write({ remove: put.map(({ url }) => url) }), bytes)
    await this.#async('load, 20,000', () => index.load(pagesOf(20_000), { batch: 1000 }))
    await this.#async('refresh.next, after writes', () => index.refresh.next({ budget: 100, at: NOW_MS + DAY_MS }))
    await this.#sync('workload.clear', () => index.workload.clear())
  }

  async #maintain(index: Freshdex<MillionPage>): Promise<void> {
    for (const level of [1, 2, 3] as const) await this.#async(`check, level ${level}`, () => index.check({ level }))
    await this.#async('compact', () => index.compact())
    await this.#async('backup', () => index.backup(path.join(this.#root, 'copy')))
    await this.#async('catchUp', () => index.catchUp())
  }

  /** `argumentBytes`: of arguments that take noticeable time to be read. */
  async #async<T>(name: string, work: () => Promise<T>, argumentBytes?: number): Promise<T> {
    return this.#note(name, 'async', work, argumentBytes)
  }

  async #sync<T>(name: string, work: () => T): Promise<T> {
    return this.#note(name, 'sync', async () => work())
  }

  async #note<T>(name: string, colour: Colour, work: () => Promise<T>, argumentBytes?: number): Promise<T> {
    this.#request.progress(name)
    const { value, ...times } = await measured(work)
    this.#calls[name] = {
      colour,
      ...times,
      ...(colour === 'sync' ? { holdMs: times.wallMs } : {}),
      ...(argumentBytes === undefined ? {} : { argumentBytes }),
    }
    return value
  }
}

function* pagesOf(count: number): Generator<MillionPage> {
  for (let nth = 0; nth < count; nth++)
    yield { url: `https://host${nth % 50}.example/loaded-${nth}`, body: `w${nth % 20_000} w${nth % 997} loaded` }
}

function sitemapOf(urls: readonly string[]): string {
  const lastmod = new Date(NOW_MS).toISOString()
  const entries = urls.map((url) => `<url><loc>${url}</loc><lastmod>${lastmod}</lastmod></url>`)
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
}

function take<T>(items: Iterable<T>, count: number): T[] {
  const taken: T[] = []
  for (const item of items) {
    if (taken.push(item) === count) break
  }
  return taken
}

function anyKey(index: Freshdex<MillionPage>): string {
  return take(index.keys(), 1)[0] as string
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}
