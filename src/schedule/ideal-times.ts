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
 * crawled at even distances throughout. 'unphased': at the multiples of T / (x + 1), as the formulas have it: many
 * pages at the same moments.
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
      for (let nth = 1; at < end; nth++) times[at++] = (nth * table.period) / (count + 1)
    }
  }
  return { pages, times, neverEarly }
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
  for (let page = 0; page < table.pages; page++) {
    if (!table.hasUpdateTimes(page)) phases[page] = vanDerCorput(starts[crawls[page]!]!++)
  }
  return phases
}
