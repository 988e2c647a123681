/**
 * The files of a snapshot folder:
 *
 *   pages.ndjson.gz  one line per page version, by week: { week, url, title, text }, or { week, url, gone: true } in the first
 *                    week without a page that was there. No line: the page is as it was. Week 0 holds the whole first snapshot.
 *   weeks.tsv        a header, then a line per week; of its columns `week` and `snapshot_end_utc` are read
 *   links.ndjson.gz  { week, from, to, anchor } for links between pages, of some weeks; may be missing
 *   queries.tsv      query TAB count; may be missing
 *
 * A "week" is a step of any length: weeks.tsv says when each one ends.
 */
export const PAGES_FILE = 'pages.ndjson.gz'
export const WEEKS_FILE = 'weeks.tsv'
export const LINKS_FILE = 'links.ndjson.gz'
export const QUERIES_FILE = 'queries.tsv'

export const WEEK_COLUMN = 'week'
export const END_COLUMN = 'snapshot_end_utc'

/** A bare day ends a second before the next one, as the format has it. */
const DAY_END = 'T23:59:59Z'

/** The moment of a cell of `snapshot_end_utc`; NaN for what is none. */
export function weekEndMs(cell: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(cell)
  if (!isDay && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/.test(cell)) return Number.NaN
  const ms = Date.parse(isDay ? `${cell}${DAY_END}` : cell)
  // Date.parse takes February 31st for March 3rd.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(cell.slice(0, 10)) ? ms : Number.NaN
}

/** The other way; a day where that says it all. */
export function weekEndCell(ms: number): string {
  const iso = new Date(ms).toISOString()
  return iso.endsWith('T23:59:59.000Z') ? iso.slice(0, 10) : iso
}
