/** The options that say which columns an index has. */
import type { ColumnKind, ColumnSetting } from '../base/columns.js'
import { describe } from '../base/describe.js'

export type { ColumnKind, ColumnOptions, ColumnSetting } from '../base/columns.js'

/** In the order of the numbers that the core and its files know them by. */
export const COLUMN_KINDS: readonly ColumnKind[] = ['keyword', 'number', 'date', 'boolean']

/** Far more than anybody filters by, and few enough to keep a list of their values with every document. */
export const MAX_COLUMNS = 64

/**
 * The option `columns`, in the order in which it names them. A property may be a column and a field: a field is its
 * text, a column its value.
 */
export function resolveColumns(value: unknown): readonly ColumnSetting[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`columns must be an object such as { section: 'keyword' }, received ${describe(value)}`)
  }
  const names = Object.keys(value)
  if (names.length > MAX_COLUMNS) {
    throw new RangeError(`columns must name at most ${MAX_COLUMNS} properties, received ${names.length}`)
  }
  return names.map((name) => {
    if (name === '') throw new TypeError('columns must not name the empty property')
    const kind = (value as Readonly<Record<string, unknown>>)[name]
    if ((COLUMN_KINDS as readonly unknown[]).includes(kind)) return { name, kind: kind as ColumnKind }
    const message = `columns.${name} must be 'keyword', 'number', 'date' or 'boolean', received ${describe(kind)}`
    throw typeof kind === 'string' ? new RangeError(message) : new TypeError(message)
  })
}

/** The option `expires`: the date column that says until when a document is found. */
export function resolveExpires(value: unknown, columns: readonly ColumnSetting[]): string | undefined {
  // False: the index has one no longer.
  if (value === undefined || value === false) return undefined
  const column = columns.find(({ name }) => name === value)
  if (column?.kind === 'date') return column.name
  const dates = columns.filter(({ kind }) => kind === 'date').map(({ name }) => name)
  const known = dates.length === 0 ? `there is none: columns: { validUntil: 'date' }` : `there are ${dates.join(', ')}`
  throw new TypeError(`expires must be the name of a date column, received ${describe(value)}; ${known}`)
}
