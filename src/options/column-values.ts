/** What a document has in a column: one value, a list of values, or nothing. */
import { describe } from '../base/describe.js'
import { readProperty } from '../base/documents.js'
import { isoTimeMs } from '../base/iso-dates.js'
import type { Key } from '../base/keys.js'
import type { ColumnKind, ColumnSetting } from './columns.js'

/** A keyword as text; a number, a date in ms since 1970, or a boolean as 0 or 1. */
export type ColumnValue = string | number

/** The core gives the length of a keyword in 16 bits. */
const MAX_KEYWORD_BYTES = 65_535

/** The core counts the values of a document in 16 bits. */
const MAX_VALUES = 65_535

/** The moments that a Date can show. */
const MAX_TIME_MS = 8.64e15

const EXPECTED: Readonly<Record<ColumnKind, string>> = {
  keyword: 'a string',
  number: 'a finite number',
  date: "a Date, a text such as '2026-11-19' or '2026-11-19T08:30:00Z', or milliseconds since 1970",
  boolean: 'true or false',
}

/** The values of a document in a column, maybe none. TypeError or RangeError for what the column cannot hold. */
export function readColumn(document: object, column: ColumnSetting, key: Key): readonly ColumnValue[] {
  return columnValues(readProperty(document, column.name), column, key)
}

/** The same of the value of the property. */
export function columnValues(given: unknown, column: ColumnSetting, key: Key): readonly ColumnValue[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) return [columnValue(given, column, key)]
  if (given.length > MAX_VALUES) {
    throw new RangeError(`${placeOf(column, key)} has ${given.length} values; ${MAX_VALUES} are possible`)
  }
  // Array.from visits holes too.
  const items = Array.from(given as readonly unknown[]).filter((item) => item !== undefined && item !== null)
  return items.map((item) => columnValue(item, column, key))
}

function columnValue(given: unknown, column: ColumnSetting, key: Key): ColumnValue {
  const value = VALUE_OF[column.kind](given)
  if (value !== undefined) {
    if (typeof value === 'string') requireShort(value, column, key)
    return value
  }
  const message =
    `${placeOf(column, key)} must be ${EXPECTED[column.kind]}, or a list of these; ` + `received ${describe(given)}`
  throw isOfType(given, column.kind) ? new RangeError(message) : new TypeError(message)
}

/** Undefined where a column of the kind cannot hold the value. */
const VALUE_OF: Readonly<Record<ColumnKind, (value: unknown) => ColumnValue | undefined>> = {
  keyword: (value) => (typeof value === 'string' ? value : undefined),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  date: (value) => timeOf(value),
  boolean: (value) => (typeof value === 'boolean' ? Number(value) : undefined),
}

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return isoTimeMs(value)
  const timeMs = value instanceof Date ? value.getTime() : value
  return typeof timeMs === 'number' && Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : undefined
}

/** Whether only the value is wrong, and not its type. */
function isOfType(value: unknown, kind: ColumnKind): boolean {
  if (kind === 'number') return typeof value === 'number'
  return kind === 'date' && (typeof value === 'number' || typeof value === 'string' || value instanceof Date)
}

function requireShort(word: string, column: ColumnSetting, key: Key): void {
  // A UTF-16 unit takes one to three bytes, so that most words need no counting.
  if (word.length * 3 <= MAX_KEYWORD_BYTES) return
  const bytes = Buffer.byteLength(word)
  if (bytes <= MAX_KEYWORD_BYTES) return
  throw new RangeError(
    `${placeOf(column, key)} has a keyword of ${bytes} bytes; ${MAX_KEYWORD_BYTES} are possible: ${describe(word)}`,
  )
}

function placeOf({ name }: ColumnSetting, key: Key): string {
  return `column "${name}" of document ${describe(key)}`
}
