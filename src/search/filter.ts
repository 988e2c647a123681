/** Filters as users write them, and as the core takes them. */
import { booleanOption } from '../base/checks.js'
import { type ColumnName, type ColumnOptions, type ColumnSetting, columnNamed } from '../base/columns.js'
import { describe } from '../base/describe.js'
import { type AnyColumnValue, type ColumnValue, coreValue } from './column-values.js'
import type { FilterNode, Range } from './filter-tree.js'
import { MAX_QUERY_CLAUSES, MAX_QUERY_DEPTH, tooDeep, tooManyClauses } from './query.js'
import { parseFilteredText } from './query-text.js'

/** The values from `gt` or `gte` to `lt` or `lte`. */
export interface ValueRange<V> {
  readonly gt?: V
  readonly gte?: V
  readonly lt?: V
  readonly lte?: V
}

/** What values of a column pass. All that is said must hold. */
export interface ValueConditions<V> extends ValueRange<V> {
  /** One of the document's values is in the list. */
  readonly any?: readonly V[]
  /** The document has all values of the list. */
  readonly all?: readonly V[]
  /** Whether the document has a value. */
  readonly exists?: boolean
}

/** One value, any of a list, or conditions. */
export type ColumnFilter<V> = V | readonly V[] | ValueConditions<V>

/** How filters are joined. Where a column has one of these names, filters cannot name it. */
interface Joined<F> {
  readonly and?: readonly F[]
  readonly or?: readonly F[]
  readonly not?: F
}

/** A filter of any columns. */
export interface AnyFilter {
  readonly [column: string]: ColumnFilter<AnyColumnValue> | readonly AnyFilter[] | AnyFilter | undefined
}

/**
 * Which documents to search: those that pass all that is said. `D` is the document, `C` the columns; where only the
 * document is known, all properties that can be columns may be named.
 */
export type Filter<D, C = ColumnOptions<D>> = string extends keyof C
  ? AnyFilter
  : Joined<Filter<D, C>> & { readonly [Name in ColumnName<C>]?: ColumnFilter<ColumnValue<D, C, Name>> }

/** The most values in all lists of one filter. */
const MAX_FILTER_VALUES = 10_000

/** `name` says where the filter stands, for messages. Text has clauses such as `section:docs words:>100`. */
export function resolveFilter(name: string, value: unknown, columns: readonly ColumnSetting[]): FilterNode | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return filterOfText(name, value, columns)
  return new FilterReader(columns).read(value, name, 1)
}

/** Clauses as query text has them, and nothing else. */
function filterOfText(name: string, text: string, columns: readonly ColumnSetting[]): FilterNode {
  // Without fields: what is no clause is left over as words.
  const { query, filter } = parseFilteredText(text, { fields: new Set(), operator: 'and', columns })
  if (filter !== undefined && query !== undefined && 'all' in query) return filter
  const known = columns.map((column) => `${column.name} (${column.kind})`).join(', ') || 'none'
  throw new TypeError(
    `${name} must be clauses such as section:docs or words:>100, received ${describe(text)}; columns: ${known}`,
  )
}

/** Both must hold, where both are there. */
export function bothFilters(a: FilterNode | undefined, b: FilterNode | undefined): FilterNode | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return { kind: 'and', children: [a, b] }
}

const JOINING: readonly string[] = ['and', 'or', 'not']
const ENDS = ['gt', 'gte', 'lt', 'lte'] as const
const CONDITIONS: readonly string[] = ['any', 'all', 'exists', ...ENDS]

class FilterReader {
  readonly #columns: readonly ColumnSetting[]
  #clauses = 0
  #values = 0

  constructor(columns: readonly ColumnSetting[]) {
    this.#columns = columns
  }

  read(value: unknown, place: string, depth: number): FilterNode {
    if (depth > MAX_QUERY_DEPTH) throw tooDeep()
    const parts = Object.entries(requireObject(value, place, "such as { section: 'docs' }"))
      // What is undefined was not said.
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => {
        if (++this.#clauses > MAX_QUERY_CLAUSES) throw tooManyClauses()
        return JOINING.includes(name) ? this.#joined(name, part, place, depth) : this.#column(name, part, place)
      })
    return joined(parts)
  }

  #joined(name: string, value: unknown, place: string, depth: number): FilterNode {
    const where = `${place}.${name}`
    if (name === 'not') return { kind: 'not', child: this.read(value, where, depth + 1) }
    if (!Array.isArray(value)) throw new TypeError(`${where} must be a list of filters, received ${describe(value)}`)
    if (value.length > MAX_QUERY_CLAUSES) throw tooManyClauses()
    const children = Array.from(value, (item, at) => this.read(item, `${where}[${at}]`, depth + 1))
    return { kind: name === 'and' ? 'and' : 'or', children }
  }

  #column(name: string, value: unknown, place: string): FilterNode {
    const column = columnNamed(name, this.#columns, place)
    const where = `${place}.${name}`
    const isConditions =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    if (isConditions) return this.#conditions(column, value, where)
    return this.#anyOf(column, Array.isArray(value) ? value : [value], where, Array.isArray(value))
  }

  #conditions(column: number, given: object, where: string): FilterNode {
    const conditions = { ...given } as Readonly<Record<string, unknown>>
    const said = Object.keys(conditions).filter((name) => conditions[name] !== undefined)
    const stranger = said.find((name) => !CONDITIONS.includes(name))
    if (stranger !== undefined || said.length === 0) {
      const found = stranger === undefined ? 'none' : `"${stranger}"`
      throw new TypeError(`${where} must have conditions of ${CONDITIONS.join(', ')}, received ${found}`)
    }
    const parts: FilterNode[] = []
    const { any, all, exists } = conditions
    if (any !== undefined) parts.push(this.#anyOf(column, requireList(any, `${where}.any`), `${where}.any`, true))
    if (all !== undefined) {
      const values = this.#listed(column, requireList(all, `${where}.all`), `${where}.all`)
      parts.push(values.length === 0 ? { kind: 'and', children: [] } : { kind: 'all', column, values })
    }
    const range = resolveRange(conditions, this.#columns[column] as ColumnSetting, where)
    if (range !== undefined) parts.push({ kind: 'range', column, ...range })
    if (exists !== undefined) {
      const node: FilterNode = { kind: 'exists', column }
      parts.push(booleanOption(`${where}.exists`, exists, true) ? node : { kind: 'not', child: node })
    }
    return joined(parts)
  }

  #anyOf(column: number, list: readonly unknown[], where: string, isList: boolean): FilterNode {
    const values = this.#listed(column, list, where, isList)
    return values.length === 0 ? { kind: 'or', children: [] } : { kind: 'any', column, values }
  }

  #listed(column: number, list: readonly unknown[], where: string, isList = true): readonly (string | number)[] {
    this.#values += list.length
    if (this.#values > MAX_FILTER_VALUES)
      throw new RangeError(`a filter may have ${MAX_FILTER_VALUES} values, received more, in ${where}`)
    const setting = this.#columns[column] as ColumnSetting
    return [...new Set(Array.from(list, (item, at) => coreValue(item, setting, isList ? `${where}[${at}]` : where)))]
  }
}

/** Undefined where no end is given. */
export function resolveRange(
  given: Readonly<Record<string, unknown>>,
  column: ColumnSetting,
  where: string,
): Range | undefined {
  const said = ENDS.filter((end) => given[end] !== undefined)
  if (said.length === 0) return undefined
  if (column.kind === 'keyword' || column.kind === 'boolean')
    throw new TypeError(`${where}.${said[0]}: "${column.name}" is a ${column.kind} column, which has no ranges`)
  for (const [open, closed] of [
    ['gt', 'gte'],
    ['lt', 'lte'],
  ] as const) {
    if (said.includes(open) && said.includes(closed))
      throw new TypeError(`${where} may have ${open} or ${closed}, received both`)
  }
  const end = (name: (typeof ENDS)[number], none: number) =>
    given[name] === undefined ? none : (coreValue(given[name], column, `${where}.${name}`) as number)
  const isMinOpen = said.includes('gt')
  const isMaxOpen = said.includes('lt')
  const min = end(isMinOpen ? 'gt' : 'gte', Number.NEGATIVE_INFINITY)
  return { min, max: end(isMaxOpen ? 'lt' : 'lte', Number.POSITIVE_INFINITY), isMinOpen, isMaxOpen }
}

function joined(parts: readonly FilterNode[]): FilterNode {
  const [only, ...others] = parts
  return only !== undefined && others.length === 0 ? only : { kind: 'and', children: parts }
}

export function requireObject(value: unknown, place: string, example: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)) {
    // Copied, so that a getter cannot return different values.
    return { ...value }
  }
  throw new TypeError(`${place} must be an object ${example}, received ${describe(value)}`)
}

function requireList(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new TypeError(`${place} must be a list of values, received ${describe(value)}`)
}
