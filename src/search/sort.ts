/** In which order hits come. */
import { type ColumnName, type ColumnOptions, type ColumnSetting, columnNamed } from '../base/columns.js'
import { describe } from '../base/describe.js'
import { requireObject } from './filter.js'
import type { SortKey } from './filter-tree.js'

/** By score, highest first; by refresh priority, highest first; or by the values of one column. */
export type SortBy<C> = 'score' | 'priority' | { readonly [Name in ColumnName<C>]?: 'asc' | 'desc' }

/** One order, or several, of which each counts where those before it tie. 'priority' can only be the first. */
export type Sort<D, C = ColumnOptions<D>> = SortBy<C> | readonly SortBy<C>[]

/** A sort after validation. */
export interface SortSettings {
  readonly isByPriority: boolean
  /** Empty: by score. */
  readonly keys: readonly SortKey[]
}

export const BY_SCORE: SortSettings = { isByPriority: false, keys: [] }

const MAX_SORT_KEYS = 8

export function resolveSort(value: unknown, columns: readonly ColumnSetting[]): SortSettings {
  if (value === undefined || value === 'score') return BY_SCORE
  const list: readonly unknown[] = Array.isArray(value) ? Array.from(value) : [value]
  if (list.length > MAX_SORT_KEYS)
    throw new RangeError(`sort may have ${MAX_SORT_KEYS} orders, received ${list.length}`)
  const place = (at: number) => (Array.isArray(value) ? `sort[${at}]` : 'sort')
  const later = list.lastIndexOf('priority')
  if (later > 0) throw new TypeError(`${place(later)}: 'priority' can only be the first order`)
  const isByPriority = later === 0
  const keys = (isByPriority ? list.slice(1) : list).map((item, at) =>
    sortKey(item, place(isByPriority ? at + 1 : at), columns),
  )
  const names = keys.map((key) => (key.by === 'score' ? -1 : key.column))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    const what = twice < 0 ? "'score'" : `the column "${columns[twice]?.name}"`
    throw new TypeError(`sort names ${what} twice`)
  }
  // Score alone is the order without any.
  const isPlain = keys.length === 1 && keys[0]?.by === 'score'
  return { isByPriority, keys: isPlain ? [] : keys }
}

function sortKey(value: unknown, place: string, columns: readonly ColumnSetting[]): SortKey {
  if (value === 'score') return { by: 'score' }
  const wanted = "'score', 'priority' or { column: 'asc' | 'desc' }"
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = `${place} must be ${wanted}, received ${describe(value)}`
    throw typeof value === 'string' ? new RangeError(message) : new TypeError(message)
  }
  const said = Object.entries(requireObject(value, place, "such as { published: 'desc' }")).filter(
    ([, direction]) => direction !== undefined,
  )
  const [first, ...others] = said
  if (first === undefined || others.length > 0) {
    throw new TypeError(`${place} must name one column, received ${describe(value)}; several are a list of such`)
  }
  const [name, direction] = first
  const column = columnNamed(name, columns, place)
  if (direction === 'asc' || direction === 'desc') return { by: 'column', column, isDescending: direction === 'desc' }
  const message = `${place}.${name} must be 'asc' or 'desc', received ${describe(direction)}`
  throw typeof direction === 'string' ? new RangeError(message) : new TypeError(message)
}
