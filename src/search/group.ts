/** Hits in groups by the value of a column. */
import { numberOption, readOptions } from '../base/checks.js'
import { type ColumnName, type ColumnOptions, type ColumnSetting, columnNamed } from '../base/columns.js'
import type { Grouping } from './filter-tree.js'

export interface GroupOptions<C = ColumnOptions<object>> {
  /** The column. A document with several values belongs to the group of the first, as an ascending sort has it. */
  readonly by: ColumnName<C>
  /** The most hits of each group, 1 to 100. Default 1. */
  readonly size?: number
}

export function resolveGroup(value: unknown, columns: readonly ColumnSetting[]): Grouping | undefined {
  if (value === undefined) return undefined
  const { by, size } = readOptions('group', value, ['by', 'size'])
  return {
    column: columnNamed(by, columns, 'group.by'),
    size: numberOption('group.size', size, 1, { min: 1, max: 100, integer: true }),
  }
}
