import { vanDerCorput } from '../math/draws.js'
import type { StalenessTable } from './staleness-table.js'

/** Crawls and when each should be made, in columns; those of a page follow each other, in the order of their times. */
export interface IdealCrawls {
  readonly pages: Uint32Array
  readonly times: Float64Array
  /**
   * 1: the time is that of an update, and a crawl before it would be of no use. 0: a bit early is as good as a bit
   * late.
   */
  readonly neverEarly: Uint8Array
}

/**
 * 'phased': x crawls of a page are T / x apart, and the first ones of all pages are spread evenly, so that in every
 * stretch of time about as many crawls fall as slots. A page that gets the same number of crawls in the next period is
 * crawled at even distances throughout. Of pages with the same number of crawls those go first whose last crawls are
 * the longest ago. 'unphased': at the times that the formulas have, many pages at the same moments: the multiples of
 * T / (x + 1), later ones for copies that are taken over, and those of T / x from 0 on where the period is repeated.
 */
export type Phasing = 'phased' | 'unphased'

export function idealCrawls(
  table: StalenessTable,
  crawls: ArrayLike<number>,
  phasing: Phasing = 'phased',
): IdealCrawls {
  let total = 0
  for (let page = 0; page < table.pages; page++) total += crawls[page]!
  const pages = new Uint32Array(total)
  const times = new Float64Array(total)
  const neverEarly = new Uint8Array(total)
  const phases = phasing === 'phased' ? spreadPhases(table, crawls) : undefined
  for (let page = 0, at = 0; page < table.pages; page++) {
    const count = crawls[page]!
    const end = at + count
    pages.fill(page, at, end)
    if (table.hasUpdateTimes(page)) {
      times.set(table.updateTimes(page, count), at)
      neverEarly.fill(1, at, end)
      at = end
    } else if (phases !== undefined) {
      const phase = phases[page]!
      for (let nth = 0; at < end; nth++) times[at++] = ((nth + phase) * table.period) / count
    } else {
      const { first, gap } = unphased(table, page, count)
      for (let nth = 0; at < end; nth++) times[at++] = first + nth * gap
    }
  }
  return { pages, times, neverEarly }
}

/** When the first of some crawls is best made, and how far apart they are (staleness-table.ts). */
function unphased(
  table: StalenessTable,
  page: number,
  count: number,
): { readonly first: number; readonly gap: number } {
  if (table.start === 'repeated') return { first: 0, gap: table.period / count }
  const age = table.ageAtStart(page)
  const gap = (table.period + age) / (count + 1)
  return gap > age ? { first: gap - age, gap } : { first: 0, gap: table.period / count }
}

/**
 * One run of the van der Corput sequence through the pages whose times are free, by their number of crawls and then by
 * page. Pages with equally many crawls have a run of their own, whose numbers are spread evenly over the T / x between
 * two crawls, whatever the other pages do.
 */
function spreadPhases(table: StalenessTable, crawls: ArrayLike<number>): Float64Array {
  const phases = new Float64Array(table.pages)
  let most = 0
  for (let page = 0; page < table.pages; page++) most = Math.max(most, crawls[page]!)
  // By number of crawls: first how many pages have it, then where their run begins.
  const starts = new Uint32Array(most + 2)
  for (let page = 0; page < table.pages; page++) if (!table.hasUpdateTimes(page)) starts[crawls[page]! + 1]!++
  for (let count = 1; count < starts.length; count++) starts[count]! += starts[count - 1]!
  const runs = starts.slice()
  for (let page = 0; page < table.pages; page++) {
    if (!table.hasUpdateTimes(page)) phases[page] = vanDerCorput(runs[crawls[page]!]!++)
  }
  if (table.hasLastCrawls) oldestFirst(table, crawls, phases)
  return phases
}

/** Deals the phases of each run out anew, so that pages with older copies get lower ones. Equal ages stay in order. */
function oldestFirst(table: StalenessTable, crawls: ArrayLike<number>, phases: Float64Array): void {
  const runs = new Map<number, number[]>()
  for (let page = 0; page < table.pages; page++) {
    if (table.hasUpdateTimes(page)) continue
    const run = runs.get(crawls[page]!)
    if (run === undefined) runs.set(crawls[page]!, [page])
    else run.push(page)
  }
  for (const run of runs.values()) {
    const sorted = Float64Array.from(run, (page) => phases[page]!).sort()
    run.sort((a, b) => table.lastCrawl(a) - table.lastCrawl(b) || phases[a]! - phases[b]!)
    for (const [at, page] of run.entries()) phases[page] = sorted[at]!
  }
}
