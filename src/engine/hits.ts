/**
 * The result of a search as the addon writes it. Little endian; the columns are aligned to their size:
 *
 *   u32 count | u32 flags | f64 total | f64 scores[count] | u32 document numbers[count] | u32 key ends[count]
 *   | u32 document ends[count] (flag 4) | u32 explanation ends[count] (flag 8)
 *   | key bytes | document bytes | explanation bytes
 *
 * flags: 1 partial, 2 truncated, 4 documents, 8 explanations. An end counts from the start of its own section of bytes;
 * an item begins where the one before it ends.
 *
 * A search for ten thousand hits usually looks at few of them, so keys, documents and explanations stay bytes until
 * somebody reads them. Each hit keeps the whole result buffer alive.
 */
import { inspect } from 'node:util'
import type { Key } from '../documents.js'
import { decodeKey } from '../keys.js'
import type { OpenSettings } from '../options.js'
import { decodeStored } from '../stored-form.js'

export interface SearchResult<D extends object> {
  readonly hits: readonly Hit<D>[]
  /** All matches, not only those returned. */
  readonly total: number
  /** A prefix or fuzzy word had more expansions than were searched. */
  readonly truncated: boolean
  /** The deadline or maxScored ended the search early: total and order cover only what was scored. */
  readonly partial: boolean
}

export interface Hit<D extends object> {
  readonly key: Key
  readonly score: number
  /** As far as it was stored. Only with the option `docs`. */
  readonly doc?: D
  /** Only with the option `explain`. */
  readonly explain?: Explanation
}

/** Why a hit has its score. */
export interface Explanation {
  /** Sum of the terms. */
  readonly text: number
  readonly weight: number
  readonly score: number
  readonly terms: readonly TermExplanation[]
}

export interface TermExplanation {
  readonly kind: 'word' | 'phrase' | 'prefix' | 'fuzzy'
  readonly field: string
  readonly term: string
  readonly tf: number
  readonly df: number
  readonly idf: number
  /** Tokens of the field, as rounded for scoring. */
  readonly length: number
  readonly averageLength: number
  readonly boost: number
  readonly score: number
}

const FLAG_PARTIAL = 1
const FLAG_TRUNCATED = 2
const FLAG_DOCS = 4
const FLAG_EXPLANATIONS = 8

type HitSettings = Pick<OpenSettings, 'key' | 'fieldNames'>

/** REQUIRES: a buffer that the addon made. It belongs to the result from now on. */
export function decodeHits<D extends object>(buffer: ArrayBuffer, settings: HitSettings): SearchResult<D> {
  const columns = new ResultColumns(buffer, settings)
  const hits = Array.from({ length: columns.count }, (_, row) => new LazyHit<D>(columns, row))
  return {
    hits,
    total: columns.total,
    truncated: (columns.flags & FLAG_TRUNCATED) !== 0,
    partial: (columns.flags & FLAG_PARTIAL) !== 0,
  }
}

/** Variable-length items of one kind, back to back. */
interface Section {
  readonly start: number
  readonly ends: Uint32Array
}

class ResultColumns {
  readonly count: number
  readonly flags: number
  readonly total: number
  readonly scores: Float64Array
  readonly settings: HitSettings
  readonly #bytes: Buffer
  readonly #keys: Section
  readonly #docs: Section | undefined
  readonly #explanations: Section | undefined

  constructor(buffer: ArrayBuffer, settings: HitSettings) {
    const head = new DataView(buffer)
    this.count = head.getUint32(0, true)
    this.flags = head.getUint32(4, true)
    this.total = head.getFloat64(8, true)
    this.settings = settings
    this.#bytes = Buffer.from(buffer)
    this.scores = new Float64Array(buffer, 16, this.count)
    // The document numbers are for debugging of the core; they mean nothing outside.
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
  }

  get hasDocs(): boolean {
    return this.#docs !== undefined
  }

  get hasExplanations(): boolean {
    return this.#explanations !== undefined
  }

  key(row: number): Key {
    const { start, end } = place(this.#keys, row)
    return decodeKey(this.#bytes, start, end)
  }

  doc(row: number): object | undefined {
    if (this.#docs === undefined) return undefined
    const { start, end } = place(this.#docs, row)
    return decodeStored(this.#bytes.subarray(start, end), this.settings.key, this.key(row))
  }

  explanation(row: number): Explanation | undefined {
    if (this.#explanations === undefined) return undefined
    const { start, end } = place(this.#explanations, row)
    const raw = JSON.parse(this.#bytes.toString('utf8', start, end)) as RawExplanation
    const terms = raw.terms.map((term) => ({ ...term, field: this.settings.fieldNames[term.field] ?? '' }))
    return { ...raw, terms }
  }
}

/** As the core says it: fields by number. */
interface RawExplanation extends Omit<Explanation, 'terms'> {
  readonly terms: readonly (Omit<TermExplanation, 'field'> & { readonly field: number })[]
}

function place({ start, ends }: Section, row: number): { readonly start: number; readonly end: number } {
  return { start: start + (row === 0 ? 0 : (ends[row - 1] ?? 0)), end: start + (ends[row] ?? 0) }
}

/**
 * Own enumerable accessors, and not the usual ones on the prototype, so that a hit behaves as the plain object that its
 * interface promises: JSON, spread, structuredClone and deep comparison all see the values.
 */
class LazyHit<D extends object> implements Hit<D> {
  declare readonly key: Key
  declare readonly score: number
  declare readonly doc?: D
  declare readonly explain?: Explanation
  readonly #columns: ResultColumns
  readonly #row: number
  #key: Key | undefined
  #doc: D | undefined
  #explanation: Explanation | undefined

  constructor(columns: ResultColumns, row: number) {
    this.#columns = columns
    this.#row = row
    Object.defineProperty(this, 'key', LazyHit.#keyAccessor)
    Object.defineProperty(this, 'score', { value: columns.scores[row], enumerable: true })
    if (columns.hasDocs) Object.defineProperty(this, 'doc', LazyHit.#docAccessor)
    if (columns.hasExplanations) Object.defineProperty(this, 'explain', LazyHit.#explainAccessor)
  }

  /** console.log would print [Getter]. */
  [inspect.custom](): object {
    return { ...this }
  }

  static readonly #keyAccessor = {
    enumerable: true,
    get(this: LazyHit<object>): Key {
      this.#key ??= this.#columns.key(this.#row)
      return this.#key
    },
  }

  static readonly #docAccessor = {
    enumerable: true,
    get(this: LazyHit<object>): object | undefined {
      this.#doc ??= this.#columns.doc(this.#row)
      return this.#doc
    },
  }

  static readonly #explainAccessor = {
    enumerable: true,
    get(this: LazyHit<object>): Explanation | undefined {
      this.#explanation ??= this.#columns.explanation(this.#row)
      return this.#explanation
    },
  }
}
