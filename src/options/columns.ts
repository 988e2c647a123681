/** Columns: properties of documents whose values are filtered, counted and sorted by. They are in no score. */
import { describe } from '../base/describe.js'

/** What the values of a column are. */
export type ColumnKind = 'keyword' | 'number' | 'date' | 'boolean'

/** A column of an index; its number is its place in the list of all columns. */
export interface ColumnSetting {
  readonly name: string
  readonly kind: ColumnKind
}

type Present<T> = Exclude<T, null | undefined>

/** One value of a property, or one of its list. */
type Single<T> = Present<T> extends readonly (infer Item)[] ? Present<Item> : Present<T>

/** The kinds of which a property of this type can be a column. Unknown ones are checked when they are written. */
type KindOf<T> = unknown extends T
  ? ColumnKind
  : [Single<T>] extends [string]
    ? 'keyword' | 'date'
    : [Single<T>] extends [number]
      ? 'number' | 'date'
      : [Single<T>] extends [boolean]
        ? 'boolean'
        : [Single<T>] extends [Date]
          ? 'date'
          : [Single<T>] extends [string | number | Date]
            ? 'date'
            : never

/** The columns that an index of documents D can have, each with its kind. */
export type ColumnOptions<D> = string extends keyof D
  ? { readonly [name: string]: ColumnKind }
  : { readonly [K in keyof D & string as [KindOf<D[K]>] extends [never] ? never : K]?: KindOf<D[K]> }

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
