/** Units of time in milliseconds, and the moments that an index accepts. */
import { numberOption } from './checks.js'
import { describe } from './describe.js'

/** The resolution of all clocks. Two moments of the same millisecond cannot be told apart. */
export const TICK_MS = 1
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS

/** The latest moment that a JavaScript Date can hold, in milliseconds since 1970. */
export const MAX_TIME_MS = 8.64e15

/** A moment as users give it: a Date, or milliseconds since 1970. */
export type Time = number | Date

/** An option that is a moment, in milliseconds since 1970. */
export function timeOption(name: string, value: unknown, fallbackMs: number): number {
  return numberOption(name, timeValue(name, value), fallbackMs, { min: 0, max: MAX_TIME_MS })
}

/** A given moment in milliseconds since 1970, which may be any number; undefined when none was given. */
export function timeValue(name: string, value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value
  if (value instanceof Date) return value.getTime()
  throw new TypeError(`${name} must be a Date or a number of milliseconds since 1970, received ${describe(value)}`)
}
