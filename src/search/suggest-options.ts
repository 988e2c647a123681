/** The options of suggestions, checked. */
import { booleanOption, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { FieldName } from '../base/documents.js'
import { FreshdexError } from '../base/errors.js'

export type SuggestionKind = 'query' | 'title' | 'word'

export interface SuggestOptions<D extends object> {
  /** The most suggestions, 1 to 100. Default 8. */
  readonly limit?: number
  /** Which kinds. Default all: 'query', 'title' and 'word'. */
  readonly kinds?: readonly SuggestionKind[]
  /** The field that has the titles. Default: the first field with a boost above 1, or `title`. Must be stored. */
  readonly field?: FieldName<D>
  /** Whether typos are forgiven. Default true. */
  readonly typos?: boolean
  /** Stop after this many milliseconds with what was found. Default: no deadline. */
  readonly deadlineMs?: number
}

/** What somebody may be about to type. */
export interface Suggestion {
  readonly text: string
  /** A query of the workload, the title of a document, or the text with its last word completed. */
  readonly kind: SuggestionKind
  /** Of a query its weight, of a title the score of its document, of a word the documents that have it. */
  readonly weight: number
}

/** The options after validation. */
export interface SuggestSettings {
  readonly limit: number
  readonly kinds: ReadonlySet<SuggestionKind>
  /** Undefined: there are no titles. */
  readonly field: string | undefined
  readonly typos: boolean
  /** 0 means none. */
  readonly deadlineMs: number
}

/** What an index says of its fields. */
export interface TitleFields {
  readonly fieldNames: readonly string[]
  readonly fieldBoosts: readonly number[]
  readonly stored: readonly string[]
}

const KINDS: readonly SuggestionKind[] = ['query', 'title', 'word']

export function resolveSuggestOptions(options: unknown, fields: TitleFields): SuggestSettings {
  const given = readOptions('suggest', options, ['limit', 'kinds', 'field', 'typos', 'deadlineMs'])
  return {
    limit: numberOption('limit', given.limit, 8, { min: 1, max: 100, integer: true }),
    kinds: kindsOption(given.kinds),
    field: titleField(given.field, fields),
    typos: booleanOption('typos', given.typos, true),
    deadlineMs: numberOption('deadlineMs', given.deadlineMs, 0, { min: 0, aboveMin: true }),
  }
}

function kindsOption(value: unknown): ReadonlySet<SuggestionKind> {
  if (value === undefined) return new Set(KINDS)
  const isList = Array.isArray(value) && value.every((kind) => KINDS.includes(kind as SuggestionKind))
  if (isList && value.length > 0) return new Set(value as SuggestionKind[])
  throw new TypeError(
    `kinds must be a list of ${KINDS.map((kind) => `'${kind}'`).join(', ')}, received ${describe(value)}`,
  )
}

function titleField(value: unknown, { fieldNames, fieldBoosts, stored }: TitleFields): string | undefined {
  if (value === undefined) {
    const boosted = fieldNames.find((_, at) => (fieldBoosts[at] as number) > 1)
    const name = boosted ?? fieldNames.find((field) => field === 'title')
    return name !== undefined && stored.includes(name) ? name : undefined
  }
  if (typeof value !== 'string' || !fieldNames.includes(value))
    throw new TypeError(
      `field must be a field of the index, received ${describe(value)}; fields: ${fieldNames.join(', ')}`,
    )
  if (stored.includes(value)) return value
  const message = `titles need the stored text of "${value}", and the index does not store it; ${REMEDY}`
  throw new FreshdexError('NOT_SUPPORTED', message, { detail: { field: value } })
}

const REMEDY = 'write the documents to an index that is opened with store: true, or with the field in store'
