/** A timetable as lines. Moments are ISO 8601 for people and spreadsheets, milliseconds since 1970 for programs. */
import type { Key } from '../../index.js'
import type { Schedule } from '../../schedule/index.js'
import { csvLine } from '../input/records.js'
import { isoTime } from '../input/values.js'
import { toJson } from './output.js'
import { oneLine, percent, table, thousands } from './wording.js'

export const TIMETABLE_FORMATS = ['table', 'jsonl', 'csv'] as const
export type TimetableFormat = (typeof TIMETABLE_FORMATS)[number]

export interface CrawlRow {
  readonly at: number
  /** Counts from 1. */
  readonly crawler: number
  readonly key: Key
  /** When the crawl would best be made if no other took its place. */
  readonly ideal: number
}

const COLUMNS = ['at', 'crawler', 'key', 'ideal'] as const

/** The crawls that are made, in the order of time. */
export function* crawlRows(
  { made, slots, ideal }: Schedule,
  keys: readonly Key[],
  startMs: number,
): Generator<CrawlRow> {
  for (const [slot, crawl] of made.entries()) {
    yield {
      at: Math.round(startMs + slots.times[slot]!),
      crawler: slots.crawlers[slot]! + 1,
      key: keys[ideal.pages[crawl]!]!,
      ideal: Math.round(startMs + ideal.times[crawl]!),
    }
  }
}

export function* timetableLines(
  rows: Iterable<CrawlRow>,
  format: Exclude<TimetableFormat, 'table'>,
): Generator<string> {
  if (format === 'csv') yield csvLine(COLUMNS)
  for (const row of rows) {
    const { at, crawler, key, ideal } = row
    yield format === 'jsonl' ? toJson(row) : csvLine([isoTime(at), crawler, key, isoTime(ideal)])
  }
}

export function timetableTable(rows: Iterable<CrawlRow>): string {
  const cells = Array.from(rows, ({ at, crawler, key, ideal }) => [
    isoTime(at),
    thousands(crawler),
    isoTime(ideal),
    oneLine(String(key)),
  ])
  return table([['at', 'crawler', 'ideal', 'key'], ...cells])
}

export interface PageRow {
  readonly key: Key
  readonly crawls: number
  /** The share of the period for which the copy is stale. */
  readonly staleness: number
}

export function pageRows({ crawls, staleness }: Schedule, keys: readonly Key[]): PageRow[] {
  return keys.map((key, page) => ({ key, crawls: crawls[page]!, staleness: staleness[page]! }))
}

export function pageTable(rows: readonly PageRow[]): string {
  const cells = rows.map(({ key, crawls, staleness }) => [thousands(crawls), percent(staleness), oneLine(String(key))])
  return table([['crawls', 'stale', 'key'], ...cells])
}
