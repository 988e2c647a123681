/** Facets: how many of the matches have each value of a column. */
import { choiceOption, numberOption, readOptions } from '../base/checks.js'
import { type ColumnName, type ColumnOptions, type ColumnSetting, columnNamed } from '../base/columns.js'
import { describe } from '../base/describe.js'
import { type AnyColumnValue, type ColumnValue, shownValue } from './column-values.js'
import { requireObject, resolveRange, type ValueRange } from './filter.js'
import type { DateInterval, FacetRequest, Range } from './filter-tree.js'

/** The values that most matches have. */
export interface ValueFacet<C> {
  readonly column: ColumnName<C>
  /** The most values, 1 to 10,000. Default 100. */
  readonly limit?: number
}

/** How many matches have a value in each of some ranges, of a number or date column. */
export type RangeFacet<D, C> = {
  readonly [Name in ColumnName<C>]: {
    readonly column: Name
    readonly ranges: readonly ValueRange<ColumnValue<D, C, Name>>[]
  }
}[ColumnName<C>]

/** How many matches have a value in each year, month … of a date column. */
export interface IntervalFacet<C> {
  readonly column: ColumnName<C>
  /** Of UTC; weeks begin on Monday. */
  readonly interval: DateInterval
}

/** A column by its name, which counts its values, or what is to be counted of it. */
export type Facet<D, C = ColumnOptions<D>> = ColumnName<C> | ValueFacet<C> | RangeFacet<D, C> | IntervalFacet<C>

export interface FacetCount {
  /** Of an interval, its beginning. Of a range, the range as it was given. */
  readonly value: AnyColumnValue | ValueRange<AnyColumnValue>
  /** How many matches have it. A match with several values counts for each of them. */
  readonly count: number
}

/** The counts by column: values by count, then ascending; intervals in order of time; ranges as they were given. */
export type FacetCounts = { readonly [column: string]: readonly FacetCount[] }

/** Facets after validation. */
export interface FacetSettings {
  readonly requests: readonly FacetRequest[]
  /** Of each request: the column, … */
  readonly columns: readonly ColumnSetting[]
  /** … and the ranges as they were given. */
  readonly ranges: readonly (readonly ValueRange<AnyColumnValue>[])[]
}

/** What the core counted for one request. */
export interface CountedFacet {
  readonly values: readonly (string | number)[]
  readonly counts: ArrayLike<number>
}

const MAX_FACETS = 64
const MAX_RANGES = 1000
const DEFAULT_FACET_LIMIT = 100
const MAX_FACET_LIMIT = 10_000
const INTERVALS: readonly DateInterval[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

export function resolveFacets(value: unknown, columns: readonly ColumnSetting[]): FacetSettings | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value))
    throw new TypeError(`facets must be a list such as ['section'], received ${describe(value)}`)
  if (value.length > MAX_FACETS) throw new RangeError(`facets may be ${MAX_FACETS}, received ${value.length}`)
  if (value.length === 0) return undefined
  const read = Array.from(value, (item, at) => readFacet(item, `facets[${at}]`, columns))
  const counted = read.map(({ request }) => columns[request.column] as ColumnSetting)
  const twice = counted.find((column, at) => counted.indexOf(column) !== at)
  if (twice !== undefined) throw new TypeError(`facets names the column "${twice.name}" twice`)
  return { requests: read.map(({ request }) => request), columns: counted, ranges: read.map(({ ranges }) => ranges) }
}

interface ReadFacet {
  readonly request: FacetRequest
  readonly ranges: readonly ValueRange<AnyColumnValue>[]
}

function readFacet(value: unknown, place: string, columns: readonly ColumnSetting[]): ReadFacet {
  const given =
    typeof value === 'string'
      ? { column: value }
      : readOptions('facet', requireObject(value, place, "such as { column: 'section' }, or the name of a column"), [
          'column',
          'limit',
          'ranges',
          'interval',
        ] as const)
  const { limit, ranges, interval }: { limit?: unknown; ranges?: unknown; interval?: unknown } = given
  const column = columnNamed(given.column, columns, place)
  const said = Object.entries({ limit, ranges, interval }).filter(([, part]) => part !== undefined)
  if (said.length > 1) throw new TypeError(`${place} may have ${said.map(([name]) => name).join(' or ')}, not both`)
  const setting = columns[column] as ColumnSetting
  if (ranges !== undefined) return readRanges(ranges, `${place}.ranges`, column, setting)
  if (interval === undefined) {
    const most = numberOption(`${place}.limit`, limit, DEFAULT_FACET_LIMIT, {
      min: 1,
      max: MAX_FACET_LIMIT,
      integer: true,
    })
    return { request: { kind: 'values', column, limit: most }, ranges: [] }
  }
  if (setting.kind !== 'date')
    throw new TypeError(`${place}.interval is for a date column: "${setting.name}" is a ${setting.kind} column`)
  return {
    request: { kind: 'interval', column, interval: choiceOption(`${place}.interval`, interval, 'month', INTERVALS) },
    ranges: [],
  }
}

function readRanges(value: unknown, place: string, column: number, setting: ColumnSetting): ReadFacet {
  if (!Array.isArray(value) || value.length === 0)
    throw new TypeError(`${place} must be a list such as [{ lt: 100 }, { gte: 100 }], received ${describe(value)}`)
  if (value.length > MAX_RANGES) throw new RangeError(`${place} may be ${MAX_RANGES}, received ${value.length}`)
  const given = Array.from(value, (item, at) => {
    const range = requireObject(item, `${place}[${at}]`, 'such as { gte: 100, lt: 200 }')
    return readOptions('range', range, ['gt', 'gte', 'lt', 'lte'])
  })
  const ranges = given.map((range, at): Range => {
    const resolved = resolveRange(range, setting, `${place}[${at}]`)
    if (resolved !== undefined) return resolved
    throw new TypeError(`${place}[${at}] must have an end: gt, gte, lt or lte`)
  })
  // Of an object without a prototype, which readOptions makes, to a plain one.
  const shown = given.map((range) => ({ ...range }) as ValueRange<AnyColumnValue>)
  return { request: { kind: 'ranges', column, ranges }, ranges: shown }
}

/** The counts of the core as results show them. */
export function shownFacets(
  { requests, columns, ranges }: FacetSettings,
  counted: readonly CountedFacet[],
): FacetCounts {
  const entries = requests.map(({ kind }, at): [string, readonly FacetCount[]] => {
    const { name, kind: columnKind } = columns[at] as ColumnSetting
    const { values, counts } = counted[at] as CountedFacet
    if (kind === 'ranges')
      return [name, (ranges[at] ?? []).map((value, nth) => ({ value, count: counts[nth] as number }))]
    return [name, values.map((value, nth) => ({ value: shownValue(value, columnKind), count: counts[nth] as number }))]
  })
  return Object.fromEntries(entries)
}
