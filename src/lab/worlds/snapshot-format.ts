import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { numberOption } from '../../base/checks.js'
import { damaged, unreadable } from './world.js'

/**
 * The files of a snapshot folder:
 *
 *   pages.ndjson.gz  one line per page version, by week: { week, url, title, text }, or
 *                    { week, url, gone: true } in the first week without a page that was there. No line: the page is
 *                    as it was. Week 0 holds the whole first snapshot.
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

/** The cell for a moment: a day where that says it all. */
export function weekEndCell(ms: number): string {
  const iso = new Date(ms).toISOString()
  return iso.endsWith('T23:59:59.000Z') ? iso.slice(0, 10) : iso
}

/** Which files of a folder make which snapshot, and when: one file for each, or one folder of files. */
export interface SnapshotFiles {
  /** The name of the file or folder. */
  readonly name: string
  readonly files: readonly string[]
}

export interface SnapshotTimes {
  /** Snapshots are so far apart, in the order of their names; without it their times are told by what they are. */
  readonly everyMs?: number | undefined
  /** When the first of them was taken, where everyMs is given; 0 unless told. */
  readonly startMs?: number | undefined
}

const DATE = /(?<!\d)(\d{4}-\d{2}-\d{2})(?:T(\d{2})[:-]?(\d{2})(?:[:-]?(\d{2}))?Z)?(?!\d)/

/** By name. FreshdexError CORRUPT when there is none. */
export async function listSnapshots(folder: string, ending: RegExp): Promise<SnapshotFiles[]> {
  const snapshots = await findSnapshots(folder, ending)
  if (snapshots.length === 0) throw damaged(folder, `it holds no snapshot: no name ends like ${ending.source}`)
  return snapshots.sort((a, b) => (a.name < b.name ? -1 : 1))
}

export async function hasSnapshots(folder: string, ending: RegExp): Promise<boolean> {
  return (await findSnapshots(folder, ending)).length > 0
}

async function findSnapshots(folder: string, ending: RegExp): Promise<SnapshotFiles[]> {
  const snapshots: SnapshotFiles[] = []
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        const names = (await readdir(place)).filter((name) => ending.test(name)).sort()
        if (names.length > 0) snapshots.push({ name: entry.name, files: names.map((name) => path.join(place, name)) })
      } else if (ending.test(entry.name)) {
        snapshots.push({ name: entry.name, files: [place] })
      }
    }
  } catch (error) {
    throw unreadable(folder, error)
  }
  return snapshots
}

/** The times that follow from everyMs; undefined without it. */
export function regularTimes({ everyMs, startMs }: SnapshotTimes, count: number): number[] | undefined {
  const start = numberOption('startMs', startMs, 0, { min: 0 })
  if (everyMs === undefined) return undefined
  const every = numberOption('everyMs', everyMs, 0, { min: 1 })
  return Array.from({ length: count }, (_, at) => start + at * every)
}

/**
 * The moment that a name holds, such as 2026-01-04 or 2026-01-04T12-30Z; a bare day counts to its end. NaN for no such
 * name.
 */
export function timeInName(name: string): number {
  const [, day, hour, minute, second = '00'] = DATE.exec(name) ?? []
  if (day === undefined) return Number.NaN
  return weekEndMs(hour === undefined ? day : `${day}T${hour}:${minute}:${second}Z`)
}
