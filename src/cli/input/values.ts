/** Moments as the command line has them. */
import { InvalidArgumentError } from 'commander'
import { describe } from '../../base/describe.js'
import { MAX_TIME_MS } from '../../base/time.js'
import type { Key } from '../../index.js'
import { UsageError } from '../command.js'

export const TIME_RULE = 'ISO 8601, such as 2026-11-16T09:00Z, or milliseconds since 1970'

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * In milliseconds since 1970, or undefined for what is no moment since then. Without a zone it is UTC: the same
 * everywhere.
 */
export function parseTime(text: string): number | undefined {
  const ms = /^\d+$/.test(text) ? Number(text) : parseDate(text)
  return ms >= 0 && ms <= MAX_TIME_MS ? ms : undefined
}

/** NaN for what is no date. */
function parseDate(text: string): number {
  const [, day = '', clock = '00:00', zone = 'Z'] = DATE.exec(text) ?? []
  // Date.parse takes February 31st for March 3rd.
  const midnight = new Date(`${day}T00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN
  return Date.parse(`${day}T${clock}${zone}`)
}

/** As commander calls it. */
export function time(text: string): number {
  const ms = parseTime(text)
  if (ms === undefined) throw new InvalidArgumentError(`It must be a time: ${TIME_RULE}.`)
  return ms
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Lengths of time as the command line has them. */

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

export const SPAN_RULE = 'a number and s, m, h, d or w, such as 7d'

/** In milliseconds, or undefined for what is no length of time of at least one. */
export function parseSpan(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,6})?)([smhdw])$/.exec(text) ?? []
  const ms = Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]
  return ms >= 1 ? Math.round(ms) : undefined
}

/** As commander calls it. */
export function span(text: string): number {
  const ms = parseSpan(text)
  if (ms === undefined) throw new InvalidArgumentError(`It must be a length of time: ${SPAN_RULE}.`)
  return ms
}

/** The flag and description of the option that says how keys are meant. */
export const NUMBER_KEY = ['--number-key', 'keys are numbers, not strings'] as const

/** A key as the command line has it: `17` and `"17"` are different keys, and only the user knows which is meant. */
export function keyOf(text: string, isNumber: boolean): Key {
  if (!isNumber) return text
  if (!/^-?\d+$/.test(text)) throw new UsageError(`a number key must be a whole number, received ${describe(text)}`)
  return Number(text)
}
