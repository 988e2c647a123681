/** A timetable as lines. Moments are ISO 8601 for people and spreadsheets, milliseconds since 1970 for programs. */
import { DAY_MS } from '../../base/time.js'
import type { Key } from '../../index.js'
import {
  type PageToCrawl,
  ParetoLaw,
  PoissonLaw,
  QuasiDeterministicLaw,
  type Schedule,
  type TimetableRow,
  type UpdateLaw,
  WeibullLaw,
} from '../../schedule/index.js'
import { csvLine } from '../input/records.js'
import { isoTime } from '../input/values.js'
import { toJson } from './output.js'
import { oneLine, percent, table, thousands } from './wording.js'

export const TIMETABLE_FORMATS = ['table', 'jsonl', 'csv', 'tsv'] as const
export type TimetableFormat = (typeof TIMETABLE_FORMATS)[number]

const COLUMNS = ['at', 'crawler', 'key', 'ideal'] as const

export function* timetableLines(
  rows: Iterable<TimetableRow>,
  format: Exclude<TimetableFormat, 'table'>,
): Generator<string> {
  if (format === 'csv') yield csvLine(COLUMNS)
  for (const row of rows) {
    const { at, crawler, key, ideal } = row
    // A line and a column each: such characters are not in addresses, where they would be escaped like this.
    if (format === 'tsv') yield `${isoTime(at)}\t${String(key).replaceAll(/[\t\r\n]/g, encodeURIComponent)}`
    else yield format === 'jsonl' ? toJson(row) : csvLine([isoTime(at), crawler, key, isoTime(ideal)])
  }
}

export function timetableTable(rows: Iterable<TimetableRow>): string {
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
  /** What was fitted to the history of a document of an index, and what it weighs. */
  readonly law?: LawRow
  readonly weight?: number
}

/** A law in the words in which the command reads one. Lengths of time are milliseconds. */
export type LawRow = { readonly law: UpdateLaw['kind'] } & Readonly<Record<string, unknown>>

export function pageRows(
  { crawls, staleness }: Schedule,
  keys: readonly Key[],
  fitted?: readonly PageToCrawl[],
): PageRow[] {
  return keys.map((key, page) => ({
    ...{ key, crawls: crawls[page]!, staleness: staleness[page]! },
    ...(fitted === undefined ? {} : { law: lawRow(fitted[page]!.law), weight: fitted[page]!.weight ?? 1 }),
  }))
}

function lawRow(law: UpdateLaw): LawRow {
  if (law instanceof PoissonLaw) return { law: law.kind, perDay: law.rate * DAY_MS }
  if (law instanceof WeibullLaw || law instanceof ParetoLaw)
    return { law: law.kind, shape: law.shape, scale: law.scale }
  if (law instanceof QuasiDeterministicLaw) {
    return { law: law.kind, times: [...law.times], probabilities: [...law.probabilities] }
  }
  return { law: law.kind }
}

export function pageTable(rows: readonly PageRow[]): string {
  const hasLaws = rows.some(({ law }) => law !== undefined)
  const cells = rows.map(({ key, crawls, staleness, law }) => [
    ...[thousands(crawls), percent(staleness)],
    ...(hasLaws ? [law?.law ?? ''] : []),
    oneLine(String(key)),
  ])
  return table([['crawls', 'stale', ...(hasLaws ? ['law'] : []), 'key'], ...cells])
}
