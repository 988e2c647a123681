/**
 * The result of a search as the addon writes it. Little endian; the columns are aligned to their size:
 *
 *   u32 count | u32 flags | f64 total | f64 scores[count] | u32 document numbers[count] | u32 key ends[count]
 *   | u32 document ends[count] (flag 4) | u32 explanation ends[count] (flag 8)
 *   | key bytes | document bytes | explanation bytes | what the columns say (flag 64): columns-wire.ts
 *
 * flags: 1 partial, 2 truncated, 4 documents, 8 explanations, 16 all keys are ASCII, 32 there are more matches than
 * `total`, 64 columns. An end counts from the start of its own section of bytes; an item begins where the one before it
 * ends.
 *
 * Nothing is decoded before `hits` is read, and documents and explanations only when they are read. A hit with one of
 * these keeps the whole result buffer alive.
 */
import { inspect } from 'node:util'
import type { ColumnKind } from '../base/columns.js'
import { decodeKey, type Key, keyOfBytes } from '../base/keys.js'
import type { OpenSettings } from '../options/index-settings.js'
import { decodeStored } from '../options/stored-form.js'
import { type AnyColumnValue, shownValue } from '../search/column-values.js'
import { type FacetCounts, type FacetSettings, shownFacets } from '../search/facets.js'
import type { CursorPoint } from '../search/filter-tree.js'
import type { Explanation, Hit, RefreshState, SearchResult, TermExplanation } from '../search/search-result.js'
import type { Snippet } from '../search/snippet.js'
import { type ColumnAnswer, decodeColumns } from './columns-wire.js'
import type { StoredDocuments } from './read-state.js'
import { type HitSelection, rowsToShow, type ShownRows } from './shown-rows.js'

/** What to show of the columns. */
export interface ShownColumns {
  readonly facets: FacetSettings | undefined
  /** The kind of the column by which hits are in groups. */
  readonly groupKind: ColumnKind | undefined
  /** Makes a cursor of the point behind the last hit; undefined: results have none. */
  readonly cursorOf: CursorMaker | undefined
  /** Fewer hits than this are the last. */
  readonly limit: number
}

export type CursorMaker = (point: CursorPoint) => string

const FLAG_PARTIAL = 1
const FLAG_TRUNCATED = 2
const FLAG_DOCS = 4
const FLAG_EXPLANATIONS = 8
const FLAG_ASCII_KEYS = 16
const FLAG_MORE_THAN_TOTAL = 32
const FLAG_COLUMNS = 64

type HitSettings = Pick<OpenSettings, 'key' | 'fieldNames'>

/**
 * The result takes the buffer over, which the addon must have made. With `stored`, the documents in it are
 * hashes; the documents themselves are read now, while `stored` shows the same moment, and decoded on access. `chosen`:
 * what of the buffer `selection` shows, where that is known.
 */
export function decodeHits<D extends object>(
  buffer: ArrayBuffer,
  settings: HitSettings,
  stored?: StoredDocuments,
  selection?: HitSelection,
  shown?: ShownColumns,
  chosen?: ShownRows,
): SearchResult<D> {
  return new LazyResult<D>(new ResultColumns(buffer, settings, stored, selection, chosen), shown)
}

/** What the flags of a result say of the search. */
export function flagsOf(flags: number): Pick<SearchResult<object>, 'isTotalExact' | 'truncated' | 'partial'> {
  return {
    isTotalExact: (flags & FLAG_MORE_THAN_TOTAL) === 0,
    truncated: (flags & FLAG_TRUNCATED) !== 0,
    partial: (flags & FLAG_PARTIAL) !== 0,
  }
}

/** The keys by row. Their bytes begin at `start`, and `ends`, from `endsFrom` on, says where each of them ends. */
export function keysOf(
  bytes: Buffer,
  flags: number,
  start: number,
  ends: Uint32Array,
  endsFrom: number,
  count: number,
): (row: number) => Key {
  const beginOf = (row: number) => (row === 0 ? 0 : (ends[endsFrom + row - 1] as number))
  const endOf = (row: number) => ends[endsFrom + row] as number
  if ((flags & FLAG_ASCII_KEYS) === 0)
    return (row) => decodeKey(bytes.toString('utf8', start + beginOf(row), start + endOf(row)))
  // All keys are decoded at once: for short keys the call costs more than the bytes.
  const text = bytes.toString('latin1', start, start + (count === 0 ? 0 : endOf(count - 1)))
  return (row) => decodeKey(text, beginOf(row), endOf(row))
}

/** A hit without anything but key and score. */
export function bareHit<D extends object>(key: Key, score: number): Hit<D> {
  return Object.freeze({ key, score })
}

/** The numbers of the documents of a result. */
export function numbersOf(buffer: ArrayBuffer): Uint32Array {
  const count = new DataView(buffer).getUint32(0, true)
  return new Uint32Array(buffer, 16 + count * 8, count)
}

/** The matches that a result tells of. */
export function totalOf(buffer: ArrayBuffer): number {
  return new DataView(buffer).getFloat64(8, true)
}

/** The keys of the documents of a result without documents and explanations. */
export function keysIn(buffer: ArrayBuffer): readonly Key[] {
  const head = new DataView(buffer)
  const count = head.getUint32(0, true)
  const ends = new Uint32Array(buffer, 16 + count * 12, count)
  const keyOf = keysOf(Buffer.from(buffer), head.getUint32(4, true), 16 + count * 16, ends, 0, count)
  return Array.from(ends, (_, row) => keyOf(row))
}

/**
 * The key of the first document of a result, if it has this number. Where many documents are asked for one by one, the
 * objects of a result would cost far more than the key.
 */
export function firstKeyOf(buffer: ArrayBuffer, number: number): Key | undefined {
  const head = new DataView(buffer)
  const count = head.getUint32(0, true)
  if (count === 0 || head.getUint32(16 + count * 8, true) !== number) return undefined
  const flags = head.getUint32(4, true)
  const ends = 1 + Number((flags & FLAG_DOCS) !== 0) + Number((flags & FLAG_EXPLANATIONS) !== 0)
  const length = head.getUint32(16 + count * 12, true)
  const bytes = Buffer.from(buffer, 16 + count * (12 + 4 * ends), length)
  return keyOfBytes(bytes, (flags & FLAG_ASCII_KEYS) === 0 ? 'utf8' : 'latin1')
}

/** The scores of the documents of a result. */
export function scoresOf(buffer: ArrayBuffer): Float64Array {
  return new Float64Array(buffer, 16, new DataView(buffer).getUint32(0, true))
}

/** The number of the last document of a result that is not empty. */
export function lastNumberOf(buffer: ArrayBuffer): number {
  return numbersOf(buffer).at(-1) as number
}

/** Variable-length items of one kind, back to back. */
interface Section {
  readonly start: number
  readonly ends: Uint32Array
}

class ResultColumns {
  readonly count: number
  /** Those of the addon, and FLAG_PARTIAL where the time was over only later. */
  flags: number
  readonly total: number
  readonly scores: Float64Array
  readonly settings: HitSettings
  /** The hits to show, in order. */
  readonly rows: readonly number[]
  readonly #states: ReadonlyMap<number, RefreshState | undefined> | undefined
  readonly #bytes: Buffer
  #keyOf: ((row: number) => Key) | undefined
  readonly #keys: Section
  readonly #docs: Section | undefined
  readonly #explanations: Section | undefined
  readonly #storedForms: ReadonlyMap<number, Uint8Array> | undefined
  readonly #snippets: ReadonlyMap<number, Snippet | undefined> | undefined
  readonly #numbers: Uint32Array
  readonly hasDocs: boolean
  /** What the columns say of the search. */
  readonly answer: ColumnAnswer | undefined

  constructor(
    buffer: ArrayBuffer,
    settings: HitSettings,
    stored?: StoredDocuments,
    selection?: HitSelection,
    chosen?: ShownRows,
  ) {
    const head = new DataView(buffer)
    this.count = head.getUint32(0, true)
    this.flags = head.getUint32(4, true)
    // The document that is left out matches, unless the search broke off before it.
    const isLess = selection?.without !== undefined && (this.flags & FLAG_PARTIAL) === 0
    this.total = Math.max(0, head.getFloat64(8, true) - (isLess ? 1 : 0))
    this.settings = settings
    this.#bytes = Buffer.from(buffer)
    this.scores = new Float64Array(buffer, 16, this.count)
    const numbers = new Uint32Array(buffer, 16 + this.count * 8, this.count)
    let at = 16 + this.count * 12
    const ends = () => {
      const column = new Uint32Array(buffer, at, this.count)
      at += this.count * 4
      return column
    }
    const section = (column: Uint32Array): Section => {
      const start = at
      at += column.at(-1) ?? 0
      return { start, ends: column }
    }
    const keyEnds = ends()
    const docEnds = this.flags & FLAG_DOCS ? ends() : undefined
    const explanationEnds = this.flags & FLAG_EXPLANATIONS ? ends() : undefined
    this.#keys = section(keyEnds)
    this.#docs = docEnds && section(docEnds)
    this.#explanations = explanationEnds && section(explanationEnds)
    this.answer = this.flags & FLAG_COLUMNS ? decodeColumns(buffer, at, this.count) : undefined
    this.#numbers = numbers
    const { rows, isPartial } = chosen ?? rowsToShow(numbers, selection)
    this.rows = rows
    if (isPartial) this.flags |= FLAG_PARTIAL
    if (selection?.showsState) {
      const stateOf = (row: number) => selection.judge?.stateOf(numbers[row] as number)
      this.#states = new Map(this.rows.map((row) => [row, stateOf(row)]))
    }
    const docs = this.#docs
    this.hasDocs = docs !== undefined && selection?.showsDocs !== false
    const forms = stored === undefined ? undefined : new Map<number, Uint8Array>()
    this.#storedForms = forms
    const read = (row: number) => {
      if (docs !== undefined) forms?.set(row, stored!.read(numbers[row] as number, this.#slice(docs, row)))
    }
    if (this.hasDocs) for (const row of this.rows) read(row)
    if (docs !== undefined && selection?.snippetsOf !== undefined) {
      // Where they are read for snippets only, these have a time.
      const documentOf = (row: number) => {
        if (!this.hasDocs) read(row)
        return this.doc(row) as object
      }
      const keyed = this.rows.map((row) => ({ key: this.key(row), document: () => documentOf(row) }))
      const snippets = selection.snippetsOf(keyed)
      if (snippets.length < keyed.length) this.flags |= FLAG_PARTIAL
      this.#snippets = new Map(this.rows.map((row, at) => [row, snippets[at]]))
    }
  }

  /** Where the hits behind these begin; undefined without hits. */
  get last(): CursorPoint | undefined {
    if (this.answer !== undefined || this.count === 0) return this.answer?.last
    return { values: [this.scores[this.count - 1] as number], document: this.#numbers[this.count - 1] as number }
  }

  /** The value of the group of a hit; undefined: none. */
  group(row: number, kind: ColumnKind): AnyColumnValue | undefined {
    const value = this.answer?.groups[this.answer.groupOf[row] as number] ?? null
    return value === null ? undefined : shownValue(value, kind)
  }

  state(row: number): RefreshState | undefined {
    return this.#states?.get(row)
  }

  get hasExplanations(): boolean {
    return this.#explanations !== undefined
  }

  key(row: number): Key {
    const { start, ends } = this.#keys
    this.#keyOf ??= keysOf(this.#bytes, this.flags, start, ends, 0, this.count)
    return this.#keyOf(row)
  }

  doc(row: number): object | undefined {
    if (this.#docs === undefined) return undefined
    const stored = this.#storedForms?.get(row) ?? this.#slice(this.#docs, row)
    return decodeStored(stored, this.settings.key, this.key(row))
  }

  explanation(row: number): Explanation | undefined {
    if (this.#explanations === undefined) return undefined
    const { start, end } = place(this.#explanations, row)
    if (start === end) return undefined // the time was over before
    const raw = JSON.parse(this.#bytes.toString('utf8', start, end)) as RawExplanation
    const terms = raw.terms.map((term) => ({ ...term, field: this.settings.fieldNames[term.field] ?? '' }))
    return { ...raw, terms }
  }

  snippet(row: number): Snippet | undefined {
    return this.#snippets?.get(row)
  }

  #slice(section: Section, row: number): Uint8Array {
    const { start, end } = place(section, row)
    return this.#bytes.subarray(start, end)
  }
}

/** An explanation as the core writes it, with fields by number. */
interface RawExplanation extends Omit<Explanation, 'terms'> {
  readonly terms: readonly (Omit<TermExplanation, 'field'> & { readonly field: number })[]
}

function place({ start, ends }: Section, row: number): { readonly start: number; readonly end: number } {
  return { start: start + (row === 0 ? 0 : (ends[row - 1] ?? 0)), end: start + (ends[row] ?? 0) }
}

/**
 * Own enumerable accessors, and not the usual ones on a prototype, so that results and hits behave as the plain objects
 * that their interfaces promise: JSON, spread, structuredClone and deep comparison all see the values.
 */
function decodeOnce(target: object, name: string, decode: () => unknown): void {
  let value: unknown
  Object.defineProperty(target, name, { enumerable: true, get: () => (value ??= decode()) })
}

/** console.log would print [Getter]. */
class Printable {
  [inspect.custom](): object {
    return { ...this }
  }
}

class LazyResult<D extends object> extends Printable implements SearchResult<D> {
  declare readonly hits: readonly Hit<D>[]
  readonly total: number
  readonly isTotalExact: boolean
  readonly truncated: boolean
  readonly partial: boolean
  declare readonly facets?: FacetCounts
  declare readonly cursor?: string

  constructor(columns: ResultColumns, shown: ShownColumns | undefined) {
    super()
    const { isTotalExact, truncated, partial } = flagsOf(columns.flags)
    this.total = columns.total
    this.isTotalExact = isTotalExact
    this.truncated = truncated
    this.partial = partial
    decodeOnce(this, 'hits', () => columns.rows.map((row) => new LazyHit<D>(columns, row, shown?.groupKind)))
    if (shown?.facets !== undefined) this.facets = shownFacets(shown.facets, columns.answer?.facets ?? [])
    const last = columns.count === shown?.limit && shown.cursorOf ? columns.last : undefined
    if (last !== undefined) decodeOnce(this, 'cursor', () => shown?.cursorOf?.(last))
  }
}

class LazyHit<D extends object> extends Printable implements Hit<D> {
  readonly key: Key
  readonly score: number
  declare readonly doc?: D
  declare readonly explain?: Explanation
  declare readonly snippet?: Snippet
  declare readonly refresh?: RefreshState
  declare readonly group?: AnyColumnValue

  constructor(columns: ResultColumns, row: number, groupKind: ColumnKind | undefined) {
    super()
    this.key = columns.key(row)
    this.score = columns.scores[row] as number
    if (columns.hasDocs) decodeOnce(this, 'doc', () => columns.doc(row))
    if (columns.hasExplanations) decodeOnce(this, 'explain', () => columns.explanation(row))
    const snippet = columns.snippet(row)
    if (snippet !== undefined) this.snippet = snippet
    const state = columns.state(row)
    if (state !== undefined) this.refresh = state
    const group = groupKind && columns.group(row, groupKind)
    if (group !== undefined) this.group = group
    Object.freeze(this)
  }
}
