/** Moments as the command line has them. */

import { InvalidArgumentError } from 'commander'
import { MAX_TIME_MS } from '../base/time.js'

export const TIME_RULE = 'ISO 8601, such as 2026-11-16T09:00Z, or milliseconds since 1970'

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/** In milliseconds since 1970, or undefined for what is no moment since then. Without a zone it is UTC: the same everywhere. */
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
