/** Filters, sorts, facets and boosts as the core takes them: checked, and columns by their numbers. */

export type FilterNode =
  /** `and` of none passes all documents, `or` of none passes none. */
  | { readonly kind: 'and' | 'or'; readonly children: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly child: FilterNode }
  /** Documents that have any, or every one, of the values. Dates are milliseconds since 1970, booleans 0 and 1. */
  | { readonly kind: 'any' | 'all'; readonly column: number; readonly values: readonly (string | number)[] }
  /** Documents of which one value lies in the range. */
  | ({ readonly kind: 'range'; readonly column: number } & Range)
  /** Documents that have a value. */
  | { readonly kind: 'exists'; readonly column: number }

export interface Range {
  /** -Infinity: no lower end. */
  readonly min: number
  /** Infinity: no upper end. */
  readonly max: number
  /** Whether `min` itself lies outside. */
  readonly isMinOpen: boolean
  readonly isMaxOpen: boolean
}

/**
 * The smallest value of a document counts for ascending order, the largest for descending. Keywords are compared by
 * their UTF-8 bytes. Documents without a value come last either way.
 */
export type SortKey =
  | { readonly by: 'score' }
  | { readonly by: 'column'; readonly column: number; readonly isDescending: boolean }

/** Of UTC. Weeks begin on Monday. */
export type DateInterval = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour'

export type FacetRequest =
  | { readonly kind: 'values'; readonly column: number; readonly limit: number }
  | { readonly kind: 'ranges'; readonly column: number; readonly ranges: readonly Range[] }
  | { readonly kind: 'interval'; readonly column: number; readonly interval: DateInterval }

/** The score of the text is multiplied by it. */
export type BoostFunction =
  /** floor + (1 - floor) · 2^(-|value - origin| / halfLife); `floor` without a value. Of many values the nearest. */
  | {
      readonly kind: 'decay'
      readonly column: number
      readonly origin: number
      readonly halfLife: number
      readonly floor: number
    }
  /** 1 + factor · ln(1 + max(0, value)); 1 without a value. Of many values the largest. */
  | { readonly kind: 'log'; readonly column: number; readonly factor: number }

/** Hits in groups by the value of a column, at most `size` of each. */
export interface Grouping {
  readonly column: number
  readonly size: number
}

/** Where a list of hits goes on: behind the hit with these sort values, which is this document. */
export interface CursorPoint {
  /** One for each sort key. Null: the document has no value. */
  readonly values: readonly (number | string | null)[]
  readonly document: number
}
