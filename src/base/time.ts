/** Units of time in milliseconds, and the moments that an index accepts. */
import { numberOption } from './checks.js'

/** The resolution of clocks: no interval between two refreshes is taken to be shorter. */
export const TICK_MS = 1
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS

/** The latest moment that a JavaScript Date can hold, in milliseconds since 1970. */
export const MAX_TIME_MS = 8.64e15

/** An option that is a moment in milliseconds since 1970. */
export function timeOption(name: string, value: unknown, fallbackMs: number): number {
  return numberOption(name, value, fallbackMs, { min: 0, max: MAX_TIME_MS })
}
