/**
 * What a search asks of the columns, as the addon reads it, and what it says of them. Little endian, no padding:
 *
 *   request   u32 bytes, filter node, or 0 without a filter
 *             | u8 sort keys | { u8 by (0 score, 1 ascending, 2 descending) | u16 column, of the score 0 } …
 *             | u8 facets | { u8 kind | u16 column | then } …
 *                 1 values    u32 limit
 *                 2 ranges    u16 ranges | { f64 min | f64 max | u8 open ends } …
 *                 3 interval  u8 (0 year, 1 quarter, 2 month, 3 week, 4 day, 5 hour)
 *             | u8 boosts | { u8 kind | u16 column | then } …
 *                 1 decay     f64 origin | f64 half life | f64 floor
 *                 2 log       f64 factor
 *             | u8 0, or 1 and where to go on: u32 document | u8 values | values, one for each sort key
 *             | u8 0, or 1 and groups: u16 column | u32 size
 *   filter    u8 kind | then; a node, its children after it
 *                 1 AND, 2 OR u16 children | children
 *                 3 NOT       child
 *                 4 ANY, 5 ALL u16 column | u32 values | of a keyword column { u32 bytes, UTF-8 } …, of others f64 …
 *                 6 RANGE     u16 column | f64 min | f64 max | u8 open ends (1 min, 2 max)
 *                 7 EXISTS    u16 column
 *   value     u8 kind (0 none, 1 number, 2 text) | f64, or u32 bytes, UTF-8
 *   answer    u8 0, or 1 and the last hit: u32 document | u32 values | values
 *             | u32 facets | { u32 values | values | u32 counts | f64 counts } …
 *             | u32 groups | the value of each | the u32 group of each hit, where there are groups
 *
 * Example: of column 0, a keyword, one of the words a: the request is
 *   0c000000 | 04 0000 01000000 01000000 61 | 00 | 00 | 00 | 00 | 00
 */
import { ByteWriter } from '../base/bytes.js'
import type { ColumnSetting } from '../base/columns.js'
import { FreshdexError } from '../base/errors.js'
import type { CountedFacet } from '../search/facets.js'
import type {
  BoostFunction,
  CursorPoint,
  DateInterval,
  FacetRequest,
  FilterNode,
  Grouping,
  Range,
  SortKey,
} from '../search/filter-tree.js'

/** All of it as src/search gives it. */
export interface ColumnRequest {
  readonly filter?: FilterNode | undefined
  /** Absent or empty: by score. */
  readonly sort?: readonly SortKey[] | undefined
  readonly facets?: readonly FacetRequest[] | undefined
  readonly boosts?: readonly BoostFunction[] | undefined
  readonly after?: CursorPoint | undefined
  readonly group?: Grouping | undefined
}

/** A value of a document; null: it has none. */
export type ColumnValue = string | number | null

/** What a search through all matches says of the columns. */
export interface ColumnAnswer {
  /** Of the last hit, with groups of the first hit of the last group. */
  readonly last: CursorPoint | undefined
  readonly facets: readonly CountedFacet[]
  /** In order of their first hits. */
  readonly groups: readonly ColumnValue[]
  /** Of each hit, which of the groups. Empty without groups. */
  readonly groupOf: readonly number[]
}

const FILTER = { and: 1, or: 2, not: 3, any: 4, all: 5, range: 6, exists: 7 } as const
const FACET = { values: 1, ranges: 2, interval: 3 } as const
const BOOST = { decay: 1, log: 2 } as const
const VALUE = { none: 0, number: 1, text: 2 } as const
const INTERVALS: readonly DateInterval[] = ['year', 'quarter', 'month', 'week', 'day', 'hour']

const INITIAL_BYTES = 256
/** More than the largest filter has, whose values are keywords. */
const MAX_WIRE_BYTES = 1024 * 1024 * 1024

/** The request as bytes of its own; undefined where nothing is asked. */
export function encodeColumns(request: ColumnRequest, columns: readonly ColumnSetting[]): Uint8Array | undefined {
  const { filter, sort = [], facets = [], boosts = [], after, group } = request
  const asks = sort.length + facets.length + boosts.length > 0
  if (filter === undefined && after === undefined && group === undefined && !asks) return undefined
  const writer = new ByteWriter(INITIAL_BYTES, MAX_WIRE_BYTES, tooManyBytes)
  writer.u32(0)
  if (filter !== undefined) {
    writeFilter(writer, filter)
    writer.patchU32(0, writer.length - 4)
  }
  writer.u8(sort.length)
  for (const key of sort) {
    writer.u8(key.by === 'score' ? 0 : key.isDescending ? 2 : 1)
    writer.u16(key.by === 'score' ? 0 : key.column)
  }
  writer.u8(facets.length)
  for (const facet of facets) writeFacet(writer, facet)
  writer.u8(boosts.length)
  for (const boost of boosts) writeBoost(writer, boost)
  writer.u8(after === undefined ? 0 : 1)
  if (after !== undefined) writePoint(writer, after, sort.length === 0 ? [{ by: 'score' }] : sort, columns)
  writer.u8(group === undefined ? 0 : 1)
  if (group !== undefined) {
    writer.u16(group.column)
    writer.u32(group.size)
  }
  return writer.view()
}

function writeFilter(writer: ByteWriter, node: FilterNode): void {
  writer.u8(FILTER[node.kind])
  switch (node.kind) {
    case 'and':
    case 'or':
      writer.u16(node.children.length)
      for (const child of node.children) writeFilter(writer, child)
      return
    case 'not':
      writeFilter(writer, node.child)
      return
    case 'any':
    case 'all':
      writer.u16(node.column)
      writer.u32(node.values.length)
      for (const value of node.values) {
        if (typeof value === 'string') writer.sizedUtf8(value)
        else writer.f64(value)
      }
      return
    case 'range':
      writer.u16(node.column)
      writeRange(writer, node)
      return
    case 'exists':
      writer.u16(node.column)
  }
}

function writeRange(writer: ByteWriter, { min, max, isMinOpen, isMaxOpen }: Range): void {
  writer.f64(min)
  writer.f64(max)
  writer.u8((isMinOpen ? 1 : 0) | (isMaxOpen ? 2 : 0))
}

function writeFacet(writer: ByteWriter, facet: FacetRequest): void {
  writer.u8(FACET[facet.kind])
  writer.u16(facet.column)
  if (facet.kind === 'values') writer.u32(facet.limit)
  else if (facet.kind === 'interval') writer.u8(INTERVALS.indexOf(facet.interval))
  else {
    writer.u16(facet.ranges.length)
    for (const range of facet.ranges) writeRange(writer, range)
  }
}

function writeBoost(writer: ByteWriter, boost: BoostFunction): void {
  writer.u8(BOOST[boost.kind])
  writer.u16(boost.column)
  if (boost.kind === 'log') {
    writer.f64(boost.factor)
    return
  }
  writer.f64(boost.origin)
  writer.f64(boost.halfLife)
  writer.f64(boost.floor)
}

/** TypeError unless the values are of these keys: cursors come from outside. */
function writePoint(
  writer: ByteWriter,
  { document, values }: CursorPoint,
  sort: readonly SortKey[],
  columns: readonly ColumnSetting[],
): void {
  const isOfKeys = values.length === sort.length && sort.every((key, at) => isOf(values[at], key, columns))
  if (!isOfKeys) throw new TypeError('after is the cursor of a search with another sort')
  writer.u32(document)
  writer.u8(values.length)
  for (const value of values) {
    if (value === null) writer.u8(VALUE.none)
    else if (typeof value === 'number') {
      writer.u8(VALUE.number)
      writer.f64(value)
    } else {
      writer.u8(VALUE.text)
      writer.sizedUtf8(value)
    }
  }
}

function isOf(value: ColumnValue | undefined, key: SortKey, columns: readonly ColumnSetting[]): boolean {
  if (key.by === 'score') return typeof value === 'number'
  return value === null || typeof value === (columns[key.column]?.kind === 'keyword' ? 'string' : 'number')
}

/** The answer that begins at `start` and goes to the end of the buffer; `hits` of them are in the result. */
export function decodeColumns(buffer: ArrayBuffer, start: number, hits: number): ColumnAnswer {
  const reader = new AnswerReader(buffer, start)
  const hasLast = reader.u8() === 1
  const last = hasLast ? { document: reader.u32(), values: reader.values() } : undefined
  const facets = times(reader.u32(), () => ({
    // Facets count values that are there.
    values: reader.values() as (string | number)[],
    counts: times(reader.u32(), () => reader.f64()),
  }))
  const groups = reader.values()
  const groupOf = groups.length === 0 ? [] : times(hits, () => reader.u32())
  return { last, facets, groups, groupOf }
}

class AnswerReader {
  readonly #bytes: Buffer
  #at: number

  constructor(buffer: ArrayBuffer, start: number) {
    this.#bytes = Buffer.from(buffer)
    this.#at = start
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#step(1))
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#step(4))
  }

  f64(): number {
    return this.#bytes.readDoubleLE(this.#step(8))
  }

  values(): ColumnValue[] {
    return times(this.u32(), () => this.#value())
  }

  #value(): ColumnValue {
    const kind = this.u8()
    if (kind === VALUE.none) return null
    if (kind === VALUE.number) return this.f64()
    const bytes = this.u32()
    const start = this.#step(bytes)
    return this.#bytes.toString('utf8', start, start + bytes)
  }

  /** Where the next bytes begin, which are taken then. */
  #step(bytes: number): number {
    const start = this.#at
    this.#at += bytes
    return start
  }
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make)
}

function tooManyBytes(limit: number): FreshdexError {
  return new FreshdexError('QUERY_TOO_COMPLEX', `the filter is too large: more than ${limit} bytes`, {
    detail: { what: 'bytes of filter', limit },
  })
}
