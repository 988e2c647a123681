/** Columns: properties of documents whose values are filtered, counted and sorted by. They are in no score. */
import { describe } from './describe.js'

/** What the values of a column are. */
export type ColumnKind = 'keyword' | 'number' | 'date' | 'boolean'

/** A column of an index; its number is its place in the list of all columns. */
export interface ColumnSetting {
  readonly name: string
  readonly kind: ColumnKind
}

export type Present<T> = Exclude<T, null | undefined>

/** One value of a property: itself, or an item of its list. */
export type Single<T> = T extends readonly (infer Item)[] ? Present<Item> : Present<T>

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

/** The names of columns that options may name. */
export type ColumnName<C> = string extends keyof C ? string : keyof C & string

/** A column by its name. `what` says where the name comes from. */
export function columnNamed(name: unknown, columns: readonly ColumnSetting[], what: string): number {
  const number = columns.findIndex((column) => column.name === name)
  if (number >= 0) return number
  if (typeof name !== 'string') throw new TypeError(`${what} must be the name of a column, received ${describe(name)}`)
  const known =
    columns.length === 0
      ? `the index has none: open it with columns: { ${JSON.stringify(name)}: 'keyword' }, or another kind`
      : `columns: ${columns.map((column) => `${column.name} (${column.kind})`).join(', ')}`
  throw new TypeError(`${what} names ${describe(name)}, which is not a column of the index; ${known}`)
}
