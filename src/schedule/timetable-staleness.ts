/** How stale pages are under a timetable that was made, whatever was ideal. */
import type { StalenessTable } from './staleness-table.js'

export interface MadeCrawls {
  /** The times of the slots, ascending. */
  readonly times: Float64Array
  /** The crawl of each slot. */
  readonly made: Uint32Array
  /** The page of each crawl. */
  readonly pages: Uint32Array
}

/**
 * The share of the period for which each copy is stale, by Eq. 3 and 17 for the times at which crawls are made: exact,
 * in one pass over the slots. In a period that is repeated, the last crawl of a page counts until its first one of the
 * next period.
 */
export function timetableStaleness(table: StalenessTable, { times, made, pages }: MadeCrawls): Float64Array {
  const { period, start } = table
  const first = new Float64Array(table.pages).fill(-1)
  const last = new Float64Array(table.pages)
  const stale = new Float64Array(table.pages)
  for (let slot = 0; slot < made.length; slot++) {
    const crawl = made[slot]!
    const page = pages[crawl]!
    const time = times[slot]!
    if (first[page]! < 0) first[page] = time
    else stale[page]! += table.staleTime(page, last[page]!, time)
    last[page] = time
  }
  for (let page = 0; page < table.pages; page++) {
    if (start === 'fresh') {
      stale[page]! += table.staleTimeAtStart(page, first[page]! < 0 ? period : first[page]!)
      if (first[page]! >= 0) stale[page]! += table.staleTime(page, last[page]!, period)
    } else if (first[page]! < 0) stale[page] = period * table.staleUncrawled(page)
    else stale[page]! += table.staleTime(page, last[page]!, first[page]! + period)
    stale[page] = Math.min(1, stale[page]! / period)
  }
  return stale
}
