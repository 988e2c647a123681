/** Query text may name columns, `section:docs` as it may name fields. What it says of them is a filter. */
import type { ColumnSetting } from '../base/columns.js'
import { bothFilters } from './filter.js'
import type { FilterNode } from './filter-tree.js'
import { parseFilteredText } from './query-text.js'
import type { SearchSettings } from './search-options.js'

/** A query without the columns that it names, and all that documents have to pass. */
export interface AskedWords {
  readonly query: unknown
  readonly filter: FilterNode | undefined
}

/** Columns that query text names are a filter, beside that of the options. */
export function withoutClauses(
  query: unknown,
  settings: Pick<SearchSettings, 'operator' | 'filter'>,
  { fieldNames, columns }: { readonly fieldNames: readonly string[]; readonly columns: readonly ColumnSetting[] },
): AskedWords {
  if (columns.length === 0 || typeof query !== 'string' || !query.includes(':'))
    return { query, filter: settings.filter }
  const found = parseFilteredText(query, { fields: new Set(fieldNames), operator: settings.operator, columns })
  if (found.filter === undefined) return { query, filter: settings.filter }
  return { query: found.query ?? '', filter: bothFilters(settings.filter, found.filter) }
}
