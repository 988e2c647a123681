/** The options of a search for similar documents, checked. */
import { numberOption, readOptions } from '../base/checks.js'
import type { ColumnOptions } from '../base/columns.js'
import { resolveSearchOptions, type SearchOptions, type SearchSchema, type SearchSettings } from './search-options.js'

export interface SimilarOptions<D extends object, C = ColumnOptions<D>>
  extends Pick<
    SearchOptions<D, C>,
    | 'filter'
    | 'limit'
    | 'offset'
    | 'fields'
    | 'docs'
    | 'explain'
    | 'snippet'
    | 'deadlineMs'
    | 'countUpTo'
    | 'refresh'
    | 'at'
  > {
  /** The most words of the document that are looked for, 1 to 1,000. Default 25. */
  readonly terms?: number
}

const NAMES = [
  ...(['filter', 'limit', 'offset', 'fields', 'docs', 'explain', 'snippet'] as const),
  ...(['deadlineMs', 'countUpTo', 'refresh', 'at', 'terms'] as const),
] as const

/** `settings.fields`: those whose words are compared. */
export function resolveSimilarOptions(
  options: unknown,
  schema: SearchSchema,
): { readonly terms: number; readonly settings: SearchSettings } {
  const { terms, ...search } = readOptions('similar', options, NAMES)
  return {
    terms: numberOption('terms', terms, 25, { min: 1, max: 1000, integer: true }),
    settings: resolveSearchOptions(search, schema),
  }
}
