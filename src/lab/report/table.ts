/** Results as people read them, on a terminal and in a report alike. */
import { count } from '../../base/counts.js'
import type { ConsideredPages } from '../quality/counted-world.js'

export interface Table {
  readonly columns: readonly { readonly name: string; readonly isNumber?: boolean }[]
  /** A cell for each column. */
  readonly rows: readonly (readonly string[])[]
  /** Rows to be seen first, by their number from 0. */
  readonly strong?: readonly number[]
}

/** Stands for a value that cannot be told. */
export const NOTHING = '–'

/** Digits behind the point that tell qualities near 1 apart. */
export function decimals(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NOTHING : value.toFixed(digits)
}

/** `0.25%`; three digits that matter. */
export function shareText(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NOTHING
  return `${Number((100 * share).toPrecision(3))}%`
}

/** Each value once, ascending: the columns of a table by shares of the pages. */
export function distinctValues(values: Iterable<number>): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

/** For a terminal: numbers to the right, the rest to the left. */
export function tableText({ columns, rows }: Table): string {
  const lines = [columns.map(({ name }) => name), ...rows]
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => (columns[at]!.isNumber === true ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** What was replayed, as the reports of all replays of answers say it. */
export interface ReplayedWorld<Spec = { readonly scoring: string }> {
  readonly spec: Spec
  /** The name of the data set. */
  readonly data: string
  readonly pages: number
  readonly steps: number
  readonly queries: number
}

export interface ReplayedSpec {
  readonly scoring: string
  readonly pages: ConsideredPages
  readonly seed: number
}

const CONSIDERED: Readonly<Record<ConsideredPages, string>> = {
  always: 'there at every step',
  changed: 'there at every step, changed at least once',
  all: 'all',
}

export function worldSummary({ spec, data, pages, steps, queries }: ReplayedWorld): string {
  const counts = [count(pages, 'page'), count(steps, 'step'), count(queries, 'query', 'queries')]
  return `${data}: ${[...counts, spec.scoring].join(', ')}`
}

export function worldSettings({
  spec,
  data,
  pages,
  steps,
  queries,
}: ReplayedWorld<ReplayedSpec>): (readonly [string, string])[] {
  return [
    ['data', data],
    ['scoring', spec.scoring],
    ['pages', `${pages} (${CONSIDERED[spec.pages]})`],
    ['steps', String(steps)],
    ['queries', String(queries)],
    ['seed', String(spec.seed)],
  ]
}
