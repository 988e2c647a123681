/** The options of a search, checked. */
import { signalOption } from '../base/abort.js'
import { booleanOption, choiceOption, nameListOption, numberOption, readOptions } from '../base/checks.js'
import type { ColumnOptions, ColumnSetting } from '../base/columns.js'
import { describe } from '../base/describe.js'
import type { FieldName } from '../base/documents.js'
import type { Key } from '../base/keys.js'
import { type Clock, type Time, timeOption } from '../base/time.js'
import { type Boost, resolveBoosts } from './boosts.js'
import { decodeCursor } from './cursor.js'
import { type Facet, type FacetSettings, resolveFacets } from './facets.js'
import { bothFilters, type Filter, resolveFilter } from './filter.js'
import type { BoostFunction, CursorPoint, FilterNode, Grouping, SortKey } from './filter-tree.js'
import { type GroupOptions, resolveGroup } from './group.js'
import { pinnedOption } from './pins.js'
import { type SnippetOptions, type SnippetSettings, snippetOption } from './snippet.js'
import { BY_SCORE, resolveSort, type Sort } from './sort.js'
import { type Synonyms, type SynonymTable, synonymsOption } from './synonyms.js'

export interface SearchOptions<D extends object, C = ColumnOptions<D>> {
  /** The most hits to return, 0 to 10,000; with `group`, the most groups. Default 10. */
  readonly limit?: number
  /** How many hits to skip first, 0 to 1,000,000. Default 0. */
  readonly offset?: number
  /** The fields searched where the query names none. Default all. */
  readonly fields?: readonly FieldName<D>[]
  /** The operator of words that stand side by side in query text. Default 'and'. */
  readonly operator?: 'and' | 'or'
  /**
   * For a box that searches while somebody types: the last word of the text may be the beginning of a word, and longer
   * words may have typos. What matches without a typo comes first. Is not learnt without `session`. Default false.
   */
  readonly asYouType?: boolean
  /**
   * Whether the result of a text that finds less than three documents tells another text that finds more. Default
   * false.
   */
  readonly didYouMean?: boolean
  /** Only documents whose columns pass. A filter changes no score. As text: `section:docs words:>100`. */
  readonly filter?: Filter<D, C> | string
  /** Counts over all matches, by column. */
  readonly facets?: readonly Facet<D, C>[]
  /**
   * By score, highest first (the default); 'priority': the hits that should be refreshed first come first; or by the
   * values of columns, documents without a value last.
   */
  readonly sort?: Sort<D, C>
  /** The `cursor` of a result: the hits behind it, of the index as it was then. Goes without `offset`. */
  readonly after?: string
  /** The best hits of each value of a column, groups in the order of their best hits. */
  readonly group?: GroupOptions<C>
  /** What the score of the text is multiplied by. */
  readonly boosts?: readonly Boost<D, C>[]
  /** Whether hits carry the stored document. Default false. */
  readonly docs?: boolean
  /** Whether hits explain their score. Default false. */
  readonly explain?: boolean
  /**
   * Whether hits carry pieces of their text with the words that were found, and which. Needs stored text. Default
   * false.
   */
  readonly snippet?: boolean | SnippetOptions<D>
  /** Stop after this many milliseconds with what was found (`partial`). Default: no deadline. */
  readonly deadlineMs?: number
  /** Stop after scoring this many documents (`partial`). Default: all. */
  readonly maxScored?: number
  /**
   * Up to how many matches are counted; `isTotalExact` says whether there are more. Default 1,000; Infinity counts all
   * of them, for which the search has to visit all of them.
   */
  readonly countUpTo?: number
  /** Whether hits carry their refresh priority, age and expected gain. Default false. */
  readonly refresh?: boolean
  /** The moment for which documents are judged, and from which on those that expire are not found. Default now. */
  readonly at?: Time
  /** What words stand for, in place of the synonyms that the index was opened with; false: none. */
  readonly synonyms?: Synonyms | false
  /**
   * Documents that come first, in place of those that the index was opened with for this query; false: none. Those that
   * are not there are left out. At most 100.
   */
  readonly pinned?: readonly Key[] | false
  /** Whether the query counts as one that people ask. Default true. */
  readonly learn?: boolean
  /**
   * Who is asking, as a name of your choice: a query that is the beginning of the next one of the same session, within
   * two seconds, is a keystroke and not learnt.
   */
  readonly session?: string
}

export interface SearchAsyncOptions<D extends object, C = ColumnOptions<D>> extends SearchOptions<D, C> {
  /** Ends the search: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Search options after validation. */
export interface SearchSettings {
  readonly limit: number
  readonly offset: number
  /** Undefined means all. */
  readonly fields: readonly string[] | undefined
  readonly operator: 'and' | 'or'
  readonly asYouType: boolean
  readonly didYouMean: boolean
  readonly docs: boolean
  readonly explain: boolean
  readonly snippet: SnippetSettings | undefined
  /** 0 means none. */
  readonly deadlineMs: number
  /** 0 means no bound. */
  readonly maxScored: number
  readonly countUpTo: number
  readonly refresh: boolean
  readonly isByPriority: boolean
  /** Of the columns and of the moment: what expires does not pass. */
  readonly filter: FilterNode | undefined
  readonly facets: FacetSettings | undefined
  /** Empty: by score. */
  readonly sort: readonly SortKey[]
  readonly after: CursorPoint | undefined
  readonly group: Grouping | undefined
  readonly boosts: readonly BoostFunction[] | undefined
  /** Undefined means now. */
  readonly atMs: number | undefined
  /** Undefined: those of the index. */
  readonly synonyms: SynonymTable | false | undefined
  /** Undefined: those of the index. */
  readonly pinned: readonly Key[] | false | undefined
  readonly learn: boolean
  readonly session: string | undefined
}

export const MAX_LIMIT = 10_000
export const MAX_OFFSET = 1_000_000

const DEFAULT_SEARCH: SearchSettings = {
  limit: 10,
  offset: 0,
  fields: undefined,
  operator: 'and',
  asYouType: false,
  didYouMean: false,
  docs: false,
  explain: false,
  snippet: undefined,
  deadlineMs: 0,
  maxScored: 0,
  countUpTo: 1000,
  refresh: false,
  isByPriority: false,
  filter: undefined,
  facets: undefined,
  sort: BY_SCORE.keys,
  after: undefined,
  group: undefined,
  boosts: undefined,
  atMs: undefined,
  synonyms: undefined,
  pinned: undefined,
  learn: true,
  session: undefined,
}

const SEARCH_OPTION_NAMES = [
  'limit',
  'offset',
  'fields',
  'operator',
  'asYouType',
  'didYouMean',
  'docs',
  'explain',
  'snippet',
  'deadlineMs',
  'maxScored',
  'countUpTo',
  'refresh',
  'filter',
  'facets',
  'sort',
  'after',
  'group',
  'boosts',
  'at',
  'synonyms',
  'pinned',
  'learn',
  'session',
] as const

/** The signal of an asynchronous search, checked, and its other options as they were given. */
export function splitSignal(options: unknown): { readonly signal: AbortSignal | undefined; readonly others: unknown } {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return { signal: undefined, others: options }
  const { signal: given, ...others } = options as { readonly signal?: unknown }
  const signal = signalOption(given)
  signal?.throwIfAborted()
  return { signal, others }
}

/** What searches of an index can ask for. */
export interface SearchSchema {
  readonly fieldNames: readonly string[]
  /** The fields whose text is stored, of which snippets can be made. */
  readonly storedFields: readonly string[]
  readonly columns: readonly ColumnSetting[]
  /** The date column that says until when a document is found. */
  readonly expires: string | undefined
  /** By which clock it is now. */
  readonly now: Clock
}

export function resolveSearchOptions(options: unknown, schema: SearchSchema): SearchSettings {
  if (options === undefined) {
    const filter = unexpired(schema, schema.now)
    return filter === undefined ? DEFAULT_SEARCH : { ...DEFAULT_SEARCH, filter }
  }
  const { fieldNames, storedFields, columns } = schema
  const given = readOptions('search', options, SEARCH_OPTION_NAMES)
  const { isByPriority, keys } = resolveSort(given.sort, columns)
  const atMs = given.at === undefined ? undefined : timeOption('at', given.at, 0)
  const momentMs = () => atMs ?? schema.now()
  const settings: SearchSettings = {
    limit: numberOption('limit', given.limit, DEFAULT_SEARCH.limit, { min: 0, max: MAX_LIMIT, integer: true }),
    offset: numberOption('offset', given.offset, 0, { min: 0, max: MAX_OFFSET, integer: true }),
    fields: resolveSearchedFields(given.fields, fieldNames),
    operator: choiceOption('operator', given.operator, DEFAULT_SEARCH.operator, ['and', 'or']),
    asYouType: booleanOption('asYouType', given.asYouType, false),
    didYouMean: booleanOption('didYouMean', given.didYouMean, false),
    docs: booleanOption('docs', given.docs, false),
    explain: booleanOption('explain', given.explain, false),
    snippet: snippetOption(given.snippet, fieldNames, storedFields),
    deadlineMs: numberOption('deadlineMs', given.deadlineMs, 0, { min: 0, aboveMin: true }),
    maxScored: numberOption('maxScored', given.maxScored, 0, {
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      integer: true,
    }),
    countUpTo: countOption(given.countUpTo),
    refresh: booleanOption('refresh', given.refresh, false),
    isByPriority,
    filter: bothFilters(resolveFilter('filter', given.filter, columns), unexpired(schema, momentMs)),
    facets: resolveFacets(given.facets, columns),
    sort: keys,
    after: given.after === undefined ? undefined : decodeCursor(given.after).point,
    group: resolveGroup(given.group, columns),
    boosts: resolveBoosts(given.boosts, columns, momentMs),
    atMs,
    synonyms: searchSynonyms(given.synonyms),
    pinned: pinnedOption(given.pinned),
    learn: booleanOption('learn', given.learn, true),
    session: sessionOption(given.session),
  }
  refuseContradictions(settings)
  return settings
}

/** Documents that have not expired: without a value, or with one behind the moment. */
function unexpired({ columns, expires }: SearchSchema, momentMs: () => number): FilterNode | undefined {
  if (expires === undefined) return undefined
  return foundAt(columns, expires, momentMs())
}

/** The documents that are found at a moment. */
export function foundAt(columns: readonly ColumnSetting[], expires: string, atMs: number): FilterNode {
  const column = columns.findIndex(({ name }) => name === expires)
  const hasValue: FilterNode = { kind: 'exists', column }
  const isLater: FilterNode = {
    kind: 'range',
    column,
    min: atMs,
    max: Number.POSITIVE_INFINITY,
    isMinOpen: true,
    isMaxOpen: false,
  }
  return { kind: 'or', children: [{ kind: 'not', child: hasValue }, isLater] }
}

function refuseContradictions({ after, offset, isByPriority, group, sort }: SearchSettings): void {
  const refused = (one: string, other: string) => new TypeError(`${one} does not go with ${other}`)
  if (after !== undefined) {
    if (offset > 0) throw refused('after', 'offset: it says itself where to go on')
    if (isByPriority) throw refused('after', "sort: 'priority'; say offset")
    if (group !== undefined) throw refused('after', 'group; say offset')
    if (after.values.length !== Math.max(1, sort.length))
      throw new TypeError('after is the cursor of a search with another sort')
  }
  if (group !== undefined && isByPriority) throw refused('group', "sort: 'priority'")
}

/** The tables of frozen lists, which are passed again and again: making one takes longer than a search. */
const TABLES = new WeakMap<object, SynonymTable | false>()

function searchSynonyms(value: unknown): SynonymTable | false | undefined {
  if (value === undefined || value === false) return value
  const known = Object.isFrozen(value) ? TABLES.get(value as object) : undefined
  if (known !== undefined) return known
  const table = synonymsOption('synonyms', value) ?? false
  if (Object.isFrozen(value)) TABLES.set(value as object, table)
  return table
}

function countOption(value: unknown): number {
  if (value === Number.POSITIVE_INFINITY) return value
  return numberOption('countUpTo', value, DEFAULT_SEARCH.countUpTo, { min: 0, integer: true })
}

function sessionOption(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new TypeError(`session must be a string that is not empty, received ${describe(value)}`)
}

function resolveSearchedFields(value: unknown, fieldNames: readonly string[]): readonly string[] | undefined {
  if (value === undefined) return undefined
  const names = nameListOption('fields', value)
  if (names.length === 0) throw new RangeError('fields must name at least one field, received none')
  const unknown = names.find((name) => !fieldNames.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(
      `fields names "${unknown}", which is not a field of the index; fields: ${fieldNames.join(', ')}`,
    )
  }
  return names
}
