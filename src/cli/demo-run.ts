/**
 * The demonstration: a copy of an invented site is kept fresh under a budget. Each week the site changes, and the index
 * may fetch only a few pages anew: those that it names itself. A second copy fetches as many, the oldest first.
 * Everything reported is measured on this run.
 */
import { performance } from 'node:perf_hooks'
import { WEEK_MS } from '../base/time.js'
import {
  type CheckReport,
  DEFAULT_POLICY,
  Freshdex,
  type OverheadStats,
  type PolicyChoice,
  type RefreshExplanation,
  type WriteReport,
} from '../index.js'
import { type AskedQuery, GeneratedWorkload } from '../lab/worlds/generated-text.js'
import { type GeneratedWorld, generatedWorld } from '../lab/worlds/generated-world.js'
import type { WorldPage, WorldStep } from '../lab/worlds/world.js'

export interface DemoOptions {
  readonly pages: number
  readonly rounds: number
  readonly seed: number
  /** Pages fetched anew per week. */
  readonly budget: number
  /** Told what is going on, one line at a time. */
  readonly log: (line: string) => void
}

export interface DemoReport {
  readonly seed: number
  readonly budget: number
  readonly site: { readonly pages: number; readonly bytes: number; readonly census: Census }
  /** The most frequent queries, and how many there are. */
  readonly workload: {
    readonly queries: number
    readonly top: readonly { readonly query: string; readonly count: number }[]
  }
  readonly firstWrite: MeasuredWrite
  readonly rounds: readonly DemoRound[]
  /** What to refresh next, the best first, and why. */
  readonly next: readonly RefreshExplanation[]
  /** What measuring cost, all weeks together, as the core's clocks say. */
  readonly overhead: OverheadStats
  readonly check: CheckReport
}

/** How many pages have only static text, a churning block, or a scrolling list. */
export type Census = Readonly<Record<'static' | 'churning' | 'scrolling', number>>

export interface MeasuredWrite {
  readonly ms: number
  readonly report: WriteReport
}

export interface DemoRound {
  readonly week: number
  readonly events: readonly string[]
  /** What happened to the site. */
  readonly changed: number
  readonly added: number
  readonly gone: number
  readonly ours: RoundOutcome
  readonly oldestFirst: RoundOutcome
}

/** What a week brought one of the two copies. */
export interface RoundOutcome {
  /** How many of the pages fetched anew had changed or were gone. */
  readonly foundChanged: number
  /** The gain in answer quality that the week's refreshes measured. */
  readonly deltaQuality: number
  /** The share of what people see in the answers that shows a page as it is now. */
  readonly freshShare: number
  readonly write: MeasuredWrite
}

/** The clock of the demonstration starts here, whenever it runs. */
const START_MS = Date.UTC(2026, 0, 5)
const SHOWN_NEXT = 10
const SHOWN_QUERIES = 5
/** As far down an answer as people look, for the share of fresh answers. */
const SEEN_RANKS = 10

export async function runDemo({ pages, rounds, seed, budget, log }: DemoOptions): Promise<DemoReport> {
  const world = demoWorld({ pages, rounds, seed })
  const site = new LiveSite()
  const steps = world[Symbol.asyncIterator]()
  const start = site.advance((await steps.next()).value).added
  const workload = new GeneratedWorkload(seed, start)
  const ours = await openCopy(DEFAULT_POLICY)
  const other = await openCopy('oldest-first')
  try {
    for (const copy of [ours, other]) ask(copy, workload.queries)
    log(`indexing ${start.length} pages`)
    const firstWrite = await timedWrite(ours, { put: start }, START_MS)
    await other.write({ put: start }, { at: START_MS })
    const history: DemoRound[] = []
    for (let round = 1; round <= rounds; round++) {
      const events = world.events(round)
      const { changed, added, gone } = site.advance((await steps.next()).value)
      const asked = workload.add(events)
      for (const copy of [ours, other]) ask(copy, asked)
      log(`week ${round}: the site changed ${changed.length} pages, ${budget} may be fetched`)
      const visit = { live: site.pages, added, budget, workload, atMs: START_MS + round * WEEK_MS }
      history.push({
        week: round,
        events,
        changed: changed.length,
        added: added.length,
        gone: gone.length,
        ours: await refreshWeek(ours, visit),
        oldestFirst: await refreshWeek(other, visit),
      })
    }
    const nextMs = START_MS + (rounds + 1) * WEEK_MS
    const next = await ours.refresh.next({ budget: SHOWN_NEXT, at: nextMs })
    return {
      seed,
      budget,
      site: { pages: start.length, bytes: bytesOf(start), census: censusOf(world) },
      workload: { queries: workload.queries.length, top: workload.queries.slice(0, SHOWN_QUERIES) },
      firstWrite,
      rounds: history,
      next: next.pages.map(({ key }) => ours.refresh.explain(key, { at: nextMs }) as RefreshExplanation),
      overhead: ours.stats().measurement,
      check: await ours.check(),
    }
  } finally {
    await ours.close()
    await other.close()
  }
}

/** More than half of the pages never change; of the others, some change several times a week and some twice a year. */
export function demoWorld({ pages, rounds, seed }: Pick<DemoOptions, 'pages' | 'rounds' | 'seed'>): GeneratedWorld {
  return generatedWorld({
    ...{ seed, pages, steps: rounds + 1, startMs: START_MS, stepMs: WEEK_MS },
    regions: { static: 11, churn: 5, scroll: 4 },
    lossPerStep: 0.01,
    growthPerStep: 0.015,
  })
}

function censusOf(world: GeneratedWorld): Census {
  const regions = [...world.motions().values()].map((motion) => motion?.region ?? 'static')
  const count = (region: string) => regions.filter((one) => one === region).length
  return { static: count('static'), churning: count('churn'), scrolling: count('scroll') }
}

/** The site as it is at a step of its world. */
class LiveSite {
  readonly pages = new Map<string, WorldPage>()

  /** Goes on to a step; what it changes, adds and takes away. */
  advance({ versions, gone }: WorldStep) {
    const changed = versions.filter(({ url }) => this.pages.has(url))
    const added = versions.filter(({ url }) => !this.pages.has(url))
    for (const page of versions) this.pages.set(page.url, page)
    for (const url of gone) this.pages.delete(url)
    return { changed, added, gone }
  }
}

function openCopy(policy: PolicyChoice): Promise<Freshdex<WorldPage>> {
  return Freshdex.open<WorldPage>(':memory:', {
    key: 'url',
    fields: { title: { boost: 2 }, text: {} },
    analyzer: 'english',
    // The searches of the demonstration look how fresh the answers are; nobody asks for them.
    workload: { learn: false, halfLifeMs: Number.POSITIVE_INFINITY },
    refresh: { policy },
  })
}

function ask(index: Freshdex<WorldPage>, queries: readonly AskedQuery[]): void {
  for (const { query, count } of queries) index.workload.record(query, { count, at: START_MS })
}

interface Visit {
  /** The site as it is now. */
  readonly live: ReadonlyMap<string, WorldPage>
  /** Pages that the site has announced; they are fetched outside the budget. */
  readonly added: readonly WorldPage[]
  readonly budget: number
  readonly workload: GeneratedWorkload
  readonly atMs: number
}

async function refreshWeek(index: Freshdex<WorldPage>, visit: Visit): Promise<RoundOutcome> {
  const { live, added, budget, workload, atMs } = visit
  await index.refresh.fit()
  const { pages } = await index.refresh.next({ budget, at: atMs })
  const urls = pages.map(({ key }) => String(key))
  const fetched = urls.map((url) => live.get(url)).filter((page) => page !== undefined)
  const remove = urls.filter((url) => !live.has(url))
  const write = await timedWrite(index, { put: [...fetched, ...added], remove }, atMs)
  const { replaced, removed, gains } = write.report
  const isNew = new Set(added.map(({ url }) => url))
  const refreshed = gains.filter(({ key }) => !isNew.has(String(key)))
  return {
    foundChanged: replaced + removed,
    deltaQuality: refreshed.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0),
    freshShare: freshShareOf(index, workload, live),
    write,
  }
}

async function timedWrite(
  index: Freshdex<WorldPage>,
  batch: Parameters<Freshdex<WorldPage>['write']>[0],
  at: number,
): Promise<MeasuredWrite> {
  const start = performance.now()
  const report = await index.write(batch, { at })
  return { ms: performance.now() - start, report }
}

/** Answers weigh as often as they are asked for, and ranks by how likely they are viewed: rank^-3/2. */
function freshShareOf(
  index: Freshdex<WorldPage>,
  { queries }: GeneratedWorkload,
  live: ReadonlyMap<string, WorldPage>,
): number {
  let seen = 0
  let fresh = 0
  for (const { query, count } of queries) {
    index.search(query, { limit: SEEN_RANKS, docs: true }).hits.forEach(({ doc }, at) => {
      const weight = count * (at + 1) ** -1.5
      seen += weight
      if (doc !== undefined && live.get(doc.url)?.text === doc.text) fresh += weight
    })
  }
  return seen === 0 ? 1 : fresh / seen
}

function bytesOf(pages: readonly WorldPage[]): number {
  return pages.reduce((sum, { title, text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text), 0)
}
