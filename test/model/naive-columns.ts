/** Columns by brute force, written from docs/search-model.md: filters, sorts, facets, groups and boosts. */
import type { NaiveDocument } from './naive-index.js'

export type NaiveKind = 'keyword' | 'number' | 'date' | 'boolean'
export type NaiveColumns = Readonly<Record<string, NaiveKind>>
/** Dates are milliseconds, booleans 0 and 1. */
export type NaiveValue = string | number

interface Ends {
  readonly gt?: unknown
  readonly gte?: unknown
  readonly lt?: unknown
  readonly lte?: unknown
}

export type NaiveFilter = Readonly<Record<string, unknown>>
export type NaiveSortBy = 'score' | Readonly<Record<string, 'asc' | 'desc'>>
export type NaiveFacet =
  | string
  | { readonly column: string; readonly limit: number }
  | { readonly column: string; readonly ranges: readonly Ends[] }
  | { readonly column: string; readonly interval: string }
export type NaiveBoost =
  | { readonly log: string; readonly factor?: number }
  | { readonly decay: string; readonly halfLife: number; readonly origin: unknown; readonly floor?: number }

export class NaiveColumnReader {
  readonly #columns: NaiveColumns

  constructor(columns: NaiveColumns) {
    this.#columns = columns
  }

  /** Ascending, each once. */
  values(document: NaiveDocument, column: string): readonly NaiveValue[] {
    const given = document[column]
    const list = (Array.isArray(given) ? given : [given]).filter((value) => value !== undefined && value !== null)
    return [...new Set(list.map((value) => this.#value(value, column)))].sort(compareValues)
  }

  passes(document: NaiveDocument, filter: NaiveFilter): boolean {
    return Object.entries(filter).every(([name, part]) => {
      if (part === undefined) return true
      if (name === 'and') return (part as NaiveFilter[]).every((each) => this.passes(document, each))
      if (name === 'or') return (part as NaiveFilter[]).some((each) => this.passes(document, each))
      if (name === 'not') return !this.passes(document, part as NaiveFilter)
      return this.#columnPasses(document, name, part)
    })
  }

  /** Negative when `a` comes before `b`; 0 where the orders leave it open. */
  compare(a: Ranked, b: Ranked, sort: readonly NaiveSortBy[]): number {
    for (const by of sort) {
      const order = by === 'score' ? b.score - a.score : this.#compareBy(a.document, b.document, by)
      if (order !== 0) return order
    }
    return 0
  }

  /** What the group of a document is. */
  group(document: NaiveDocument, column: string): unknown {
    const [first] = this.values(document, column)
    return first === undefined ? undefined : this.shown(first, column)
  }

  shown(value: NaiveValue, column: string): unknown {
    const kind = this.#columns[column]
    if (kind === 'boolean') return value === 1
    return kind === 'date' ? new Date(value) : value
  }

  facet(matches: readonly NaiveDocument[], facet: NaiveFacet): readonly { value: unknown; count: number }[] {
    const column = typeof facet === 'string' ? facet : facet.column
    if (typeof facet !== 'string' && 'ranges' in facet) {
      return facet.ranges.map((range) => {
        const count = matches.filter((document) => this.#hasInRange(document, column, range)).length
        return { value: range, count }
      })
    }
    const interval = typeof facet !== 'string' && 'interval' in facet ? facet.interval : undefined
    const counts = new Map<NaiveValue, number>()
    for (const document of matches) {
      const values = this.values(document, column)
      const counted = interval === undefined ? values : values.map((value) => intervalOf(value as number, interval))
      for (const value of new Set(counted)) counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const all = [...counts].sort(([a], [b]) => compareValues(a, b))
    // Array.sort is stable: equally frequent values stay ascending.
    if (interval === undefined) all.sort(([, a], [, b]) => b - a)
    const limit =
      typeof facet !== 'string' && 'limit' in facet ? facet.limit : interval === undefined ? 100 : all.length
    return all.slice(0, limit).map(([value, count]) => ({ value: this.shown(value, column), count }))
  }

  /** By how much the score of the text is multiplied. */
  factor(document: NaiveDocument, boost: NaiveBoost): number {
    if ('log' in boost) {
      const values = this.values(document, boost.log) as readonly number[]
      const largest = values.at(-1)
      return largest === undefined ? 1 : 1 + (boost.factor ?? 1) * Math.log(1 + Math.max(0, largest))
    }
    const { decay, halfLife, floor = 0 } = boost
    const origin = this.#value(boost.origin, decay) as number
    const distances = (this.values(document, decay) as readonly number[]).map((value) => Math.abs(value - origin))
    if (distances.length === 0) return floor
    return floor + (1 - floor) * 2 ** (-Math.min(...distances) / halfLife)
  }

  #columnPasses(document: NaiveDocument, column: string, filter: unknown): boolean {
    const values = this.values(document, column)
    const has = (value: unknown) => values.includes(this.#value(value, column))
    if (Array.isArray(filter)) return filter.some(has)
    if (typeof filter !== 'object' || filter instanceof Date) return has(filter)
    const { any, all, exists, ...ends } = filter as Ends & { any?: unknown[]; all?: unknown[]; exists?: boolean }
    if (any !== undefined && !any.some(has)) return false
    if (all?.every(has) === false) return false
    if (exists !== undefined && exists !== values.length > 0) return false
    return Object.keys(ends).length === 0 || this.#hasInRange(document, column, ends)
  }

  #hasInRange(document: NaiveDocument, column: string, { gt, gte, lt, lte }: Ends): boolean {
    const end = (value: unknown) => this.#value(value, column)
    return this.values(document, column).some(
      (value) =>
        (gt === undefined || value > end(gt)) &&
        (gte === undefined || value >= end(gte)) &&
        (lt === undefined || value < end(lt)) &&
        (lte === undefined || value <= end(lte)),
    )
  }

  #compareBy(a: NaiveDocument, b: NaiveDocument, by: Readonly<Record<string, 'asc' | 'desc'>>): number {
    const [column, direction] = Object.entries(by)[0] as [string, 'asc' | 'desc']
    const at = direction === 'asc' ? 0 : -1
    const [first, second] = [this.values(a, column).at(at), this.values(b, column).at(at)]
    if (first === undefined || second === undefined) return Number(first === undefined) - Number(second === undefined)
    return direction === 'asc' ? compareValues(first, second) : compareValues(second, first)
  }

  #value(value: unknown, column: string): NaiveValue {
    if (typeof value === 'boolean') return Number(value)
    if (this.#columns[column] !== 'date') return Object.is(value, -0) ? 0 : (value as NaiveValue)
    // The texts of the tests are ISO days, which JavaScript takes for UTC.
    return value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : (value as number)
  }
}

export interface Ranked {
  readonly document: NaiveDocument
  readonly score: number
}

/** Words by their UTF-8 bytes. */
export function compareValues(a: NaiveValue, b: NaiveValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
}

function intervalOf(timeMs: number, interval: string): number {
  const date = new Date(timeMs)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (interval === 'year') return Date.UTC(year, 0)
  if (interval === 'quarter') return Date.UTC(year, month - (month % 3))
  if (interval === 'month') return Date.UTC(year, month)
  if (interval === 'day') return Date.UTC(year, month, day)
  if (interval === 'hour') return Date.UTC(year, month, day, date.getUTCHours())
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return Date.UTC(year, month, day - sinceMonday)
}
