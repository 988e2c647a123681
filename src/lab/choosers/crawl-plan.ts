/**
 * A schedule made beforehand: how often each page is crawled in the whole period, and at which steps ("Optimal crawling
 * strategies", sections 2 and 3). User-centric crawling, section 6, schedules SBR and EBR so.
 */
import { PoissonLaw } from '../../change/laws/poisson.js'
import { idealCrawls, type Phasing } from '../../schedule/ideal-times.js'
import type { Slots } from '../../schedule/slots.js'
import { StalenessTable } from '../../schedule/staleness-table.js'
import { makeTimetable } from '../../schedule/timetable.js'
import type { Chooser } from '../quality/replay.js'

export interface PlanRequest {
  /** By page: changes per step. Pages that never change are not crawled. */
  readonly ratesPerStep: Float64Array
  /** By page: what it counts when it is stale; 1 for all unless told. Pages of weight 0 are not crawled. */
  readonly weights?: Float64Array
  /** Crawls of each step but the first. */
  readonly allowances: readonly number[]
  /** How many crawls each page of the table gets; `most` for one page, `crawls` for all together. */
  readonly allocate: (table: StalenessTable, bounds: { crawls: number; most: number }) => Uint32Array
  /** Default 'phased'. */
  readonly phasing?: Phasing
}

/** Which pages are crawled at each step but the first. A crawl of a page that has one at the same step already is left out. */
export function planCrawls({ ratesPerStep, weights, allowances, allocate, phasing }: PlanRequest): number[][] {
  const weightOf = (page: number) => weights?.[page] ?? 1
  const pages = Uint32Array.from(ratesPerStep.keys()).filter((page) => ratesPerStep[page]! > 0 && weightOf(page) > 0)
  // No step needs more crawls than there are pages to crawl.
  const wanted = allowances.map((allowance) => Math.min(allowance, pages.length))
  const crawls = wanted.reduce((sum, count) => sum + count, 0)
  if (crawls === 0) return wanted.map(() => [])
  const laws = Array.from(pages, (page) => new PoissonLaw({ rate: ratesPerStep[page]! }))
  const table = new StalenessTable(laws, { period: wanted.length, weights: Array.from(pages, weightOf) })
  const ideal = idealCrawls(table, allocate(table, { crawls, most: wanted.length }), phasing)
  const made = makeTimetable(ideal, slotsOf(wanted))
  let slot = 0
  return wanted.map((count) => {
    const begin = slot
    slot += count
    return [...new Set(Array.from(made.subarray(begin, slot), (crawl) => pages[ideal.pages[crawl]!]!))]
  })
}

/** Those of a step lie evenly within the step before it; times are counted in steps. */
function slotsOf(counts: readonly number[]): Slots {
  const times = counts.flatMap((count, step) => Array.from({ length: count }, (_, at) => step + at / count))
  return { times: Float64Array.from(times), crawlers: new Uint32Array(times.length) }
}

/** `plan`: see planCrawls(). */
export function plannedChooser(plan: readonly (readonly number[])[]): Chooser {
  return { next: (step) => plan[step - 1]!, observe: () => {} }
}
