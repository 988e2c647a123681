/**
 * The demonstration: an invented site is indexed and then refreshed week by week. Everything reported is measured on
 * this run; the searches are for events that the site itself made up.
 */
import { performance } from 'node:perf_hooks'
import type { CheckReport } from '../engine/check-report.js'
import type { Explanation } from '../engine/hits.js'
import type { WriteReport } from '../engine/write-report.js'
import { Freshdex } from '../freshdex.js'
import { GeneratedSite, type SitePage, type SiteWeek, type Temperament } from '../lab/generated-site.js'

export interface DemoOptions {
  readonly pages: number
  readonly rounds: number
  readonly seed: number
  /** Told what is going on, one line at a time. */
  readonly log: (line: string) => void
}

export interface DemoReport {
  readonly seed: number
  readonly site: { readonly pages: number; readonly bytes: number; readonly census: Record<Temperament, number> }
  readonly firstWrite: MeasuredWrite
  readonly terms: number
  readonly rounds: readonly DemoRound[]
  /** All pages put again as they are: what a refresh costs where nothing changed. */
  readonly secondWrite: MeasuredWrite
  /** The state before the first refresh, asked after the last one. */
  readonly snapshot: { readonly documents: number; readonly searches: readonly SearchOutcome[] }
  /** Why the best hit of the last search is the best; undefined when that found nothing. */
  readonly explained: { readonly query: string; readonly key: string; readonly explanation: Explanation } | undefined
  readonly check: CheckReport
}

export interface MeasuredWrite {
  readonly ms: number
  readonly report: WriteReport
}

export interface DemoRound {
  readonly week: number
  readonly events: readonly string[]
  readonly changed: number
  readonly added: number
  readonly gone: number
  readonly write: MeasuredWrite
  readonly searches: readonly { readonly before: SearchOutcome; readonly after: SearchOutcome }[]
}

export interface SearchOutcome {
  readonly query: string
  readonly total: number
  /** The best hits, best first. */
  readonly top: readonly string[]
}

/** Searches per round: the events of the week and the latest ones before, to watch them come and go. */
const WATCHED_EVENTS = 5
const TOP = 3

export async function runDemo({ pages, rounds, seed, log }: DemoOptions): Promise<DemoReport> {
  const site = new GeneratedSite(seed, pages)
  const start = site.pages()
  const census = site.census()
  const index = await Freshdex.open<SitePage>(':memory:', {
    key: 'url',
    fields: { title: { boost: 2 }, body: {} },
    analyzer: 'english',
  })
  try {
    log(`indexing ${start.length} pages`)
    const firstWrite = await measuredWrite(index, { put: start })
    const { terms } = index.stats()
    const before = index.snapshot()
    const history: DemoRound[] = []
    const events: string[] = []
    for (let round = 0; round < rounds; round++) {
      const week = site.advance()
      events.unshift(...week.events)
      log(`week ${week.week}: refreshing ${week.changed.length + week.added.length + week.gone.length} pages`)
      history.push(await refresh(index, week, events.slice(0, WATCHED_EVENTS)))
    }
    log('putting all pages once more')
    const secondWrite = await measuredWrite(index, { put: site.pages() })
    const queries = events.slice(0, WATCHED_EVENTS).map(asPhrase)
    const snapshot = { documents: before.stats().documents, searches: queries.map((query) => outcome(before, query)) }
    before.close()
    const bytes = start.reduce((sum, page) => sum + Buffer.byteLength(page.title) + Buffer.byteLength(page.body), 0)
    return {
      seed,
      site: { pages: start.length, bytes, census },
      firstWrite,
      terms,
      rounds: history,
      secondWrite,
      snapshot,
      explained: explainBest(index, queries),
      check: await index.check(),
    }
  } finally {
    await index.close()
  }
}

async function refresh(index: Freshdex<SitePage>, week: SiteWeek, events: readonly string[]): Promise<DemoRound> {
  const queries = events.map(asPhrase)
  const before = queries.map((query) => outcome(index, query))
  const write = await measuredWrite(index, { put: [...week.changed, ...week.added], remove: week.gone })
  return {
    week: week.week,
    events: week.events,
    changed: week.changed.length,
    added: week.added.length,
    gone: week.gone.length,
    write,
    searches: queries.map((query, nth) => ({
      before: before[nth] ?? { query, total: 0, top: [] },
      after: outcome(index, query),
    })),
  }
}

async function measuredWrite(
  index: Freshdex<SitePage>,
  batch: Parameters<Freshdex<SitePage>['write']>[0],
): Promise<MeasuredWrite> {
  const start = performance.now()
  const report = await index.write(batch)
  return { ms: performance.now() - start, report }
}

function outcome(reader: Pick<Freshdex<SitePage>, 'search'>, query: string): SearchOutcome {
  const { hits, total } = reader.search(query, { limit: TOP })
  return { query, total, top: hits.map((hit) => String(hit.key)) }
}

function explainBest(index: Freshdex<SitePage>, queries: readonly string[]): DemoReport['explained'] {
  for (const query of queries) {
    const [hit] = index.search(query, { limit: 1, explain: true }).hits
    if (hit?.explain !== undefined) return { query, key: String(hit.key), explanation: hit.explain }
  }
  return undefined
}

function asPhrase(event: string): string {
  return `"${event}"`
}
