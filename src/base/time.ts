/** Units of time in milliseconds, and the moments that an index accepts. */
import { numberOption, parameter } from './checks.js'
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

/**
 * How far the clocks of several machines may be apart: what somebody tells may have happened so much later than now.
 */
export const MAX_SKEW_MS = 5 * MINUTE_MS

/**
 * When something happened, as somebody tells it, in milliseconds since 1970; now when it was not said. One moment in
 * the future would stay: the page would look freshly fetched until that moment, and the rates of its site would be
 * wrong.
 */
export function toldTimeOption(name: string, value: unknown, nowMs: number): number {
  const toldMs = timeOption(name, value, nowMs)
  if (toldMs <= nowMs + MAX_SKEW_MS) return toldMs
  throw new RangeError(
    `${name} must not be in the future: received ${dateText(toldMs)}, and it is ${dateText(nowMs)}; ` +
      `times are milliseconds since 1970${REPLAY_HINT}`,
  )
}

/** What only the API offers. */
export const REPLAY_HINT = '; to replay a history, open the index with `now`, a clock of its time'

function dateText(ms: number): string {
  return `${ms} (${new Date(ms).toISOString()})`
}

/** Gives milliseconds since 1970. */
export type Clock = () => number

/** The clock that an index goes by: that of the machine, or one that its opener brings along. */
export function clockOption(name: string, value: unknown): Clock {
  if (value === undefined) return Date.now
  if (typeof value !== 'function') {
    throw new TypeError(`${name} must be a function that gives milliseconds since 1970, received ${describe(value)}`)
  }
  return () => parameter(`what ${name}() gives`, value(), { min: 0, max: MAX_TIME_MS })
}

/** A given moment in milliseconds since 1970, which may be any number; undefined when none was given. */
export function timeValue(name: string, value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value
  if (value instanceof Date) return value.getTime()
  throw new TypeError(`${name} must be a Date or a number of milliseconds since 1970, received ${describe(value)}`)
}
