/** Values of columns in the options of a search, as the core has them; and as results show them. */
import { toWellFormed } from '../base/bytes.js'
import type { ColumnKind, ColumnOptions, ColumnSetting, Present, Single } from '../base/columns.js'
import { describe } from '../base/describe.js'
import { isoTimeMs } from '../base/iso-dates.js'
import { MAX_TIME_MS } from '../base/time.js'

/** A moment in a filter: a Date, a text such as '2026-01-31' or '2026-01-31T10:00Z', or milliseconds since 1970. */
export type DateValue = Date | string | number

/** A value of any kind of column. */
export type AnyColumnValue = string | number | boolean | Date

/** Which values a filter of a column may have, by the type of the property and the kind of the column. */
type ValueOfKind<P, Kind> = Kind extends 'keyword'
  ? unknown extends P
    ? string
    : Extract<Single<P>, string>
  : Kind extends 'number'
    ? number
    : Kind extends 'boolean'
      ? boolean
      : // Where only the property is known, a date that is text is one in filters, too.
        Single<P> extends string
        ? Single<P> | Date
        : Single<P> extends number
          ? number | Date
          : DateValue

/** Which values a filter of the column `Name` may have. */
export type ColumnValue<D, C, Name> = Name extends keyof D & keyof C
  ? [Present<C[Name]>] extends ['date']
    ? DateValue
    : ValueOfKind<D[Name], Present<C[Name]>>
  : AnyColumnValue

/** The columns of an index of which the document is described, and the options are not. */
export type AnyColumns<D> = ColumnOptions<D>

/** As the core has it: keywords as text, dates in milliseconds, booleans as 0 and 1. `place` begins the message. */
export function coreValue(value: unknown, { name, kind }: ColumnSetting, place: string): string | number {
  switch (kind) {
    case 'keyword':
      if (typeof value === 'string') return toWellFormed(value)
      break
    case 'number':
      if (typeof value === 'number') return finite(value, place)
      break
    case 'boolean':
      if (typeof value === 'boolean') return value ? 1 : 0
      break
    case 'date': {
      const timeMs = timeOf(value)
      if (timeMs !== undefined) return dateValue(timeMs, value, place)
    }
  }
  throw new TypeError(`${place} must be ${WANTED[kind]}: "${name}" is a ${kind} column; received ${describe(value)}`)
}

const WANTED: Readonly<Record<ColumnKind, string>> = {
  keyword: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: "a Date, milliseconds since 1970, or text such as '2026-01-31'",
}

/** Undefined for what is no way to write a moment; NaN for one that does not exist. */
function timeOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'number') return value
  return typeof value === 'string' ? (isoTimeMs(value) ?? Number.NaN) : undefined
}

function dateValue(timeMs: number, value: unknown, place: string): number {
  if (Math.abs(timeMs) <= MAX_TIME_MS) return timeMs
  throw new RangeError(`${place} must be a moment that exists, such as '2026-01-31', received ${describe(value)}`)
}

function finite(value: number, place: string): number {
  // -0 and 0 are one value.
  if (Number.isFinite(value)) return value + 0
  throw new RangeError(`${place} must be a finite number, received ${describe(value)}`)
}

/** As results show it. */
export function shownValue(value: string | number, kind: ColumnKind): AnyColumnValue {
  if (kind === 'boolean') return value === 1
  return kind === 'date' ? new Date(value) : value
}
