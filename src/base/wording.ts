/** Numbers in the words of sentences: rounded, without exponents, and never more exact than a reader can use. */
import { count, thousands } from './counts.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.js'

/** `1 page`, `2,000 pages`; an amount is rounded down. */
export function counted(amount: number, noun: string): string {
  return count(Math.floor(amount), noun)
}

/** Shares that sum up to 1 do so only up to rounding. */
const WHOLE = 1 - 1e-9

/** A share with two significant digits. Below a tenth of a percent nobody needs to know how little it is. */
export function percent(share: number): string {
  const hundredths = 100 * share
  if (hundredths <= 0) return '0%'
  if (hundredths < 0.1) return 'less than 0.1%'
  if (hundredths >= 99.5) return share >= WHOLE ? '100%' : 'over 99%'
  return hundredths >= 9.95 ? `${Math.round(hundredths)}%` : `${Number(hundredths.toPrecision(2))}%`
}

/** `once`, `twice`, `3 times`; a count that was forgotten in part is rounded. */
export function times(amount: number): string {
  const whole = Math.round(amount)
  if (whole < 1) return 'less than once'
  return whole === 1 ? 'once' : whole === 2 ? 'twice' : `${thousands(whole)} times`
}

/** `just now`, `30 hours ago`, `2 days ago`: in the unit of which there are at least two, rounded down. */
export function ago(ms: number): string {
  if (ms < MINUTE_MS) return 'just now'
  if (ms < 2 * HOUR_MS) return `${counted(ms / MINUTE_MS, 'minute')} ago`
  return `${ms < 2 * DAY_MS ? counted(ms / HOUR_MS, 'hour') : counted(ms / DAY_MS, 'day')} ago`
}

/** A sentence begins with a capital letter. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
