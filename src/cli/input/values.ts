/** Moments, lengths of time and budgets as text, in options and in input. */
import { DAY_MS, HOUR_MS, MAX_TIME_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '../../base/time.js'

export const TIME_RULE = 'ISO 8601, such as 2026-11-16T09:00Z, or how long ago, such as 2d, or milliseconds since 1970'

const DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * A moment in milliseconds since 1970; undefined if the text is none, or one before 1970. A time without a zone is UTC,
 * so that it means the same everywhere. A length of time means so long ago.
 */
export function parseTime(text: string, nowMs = Date.now()): number | undefined {
  const agoMs = parseSpan(text)
  const ms = agoMs !== undefined ? nowMs - agoMs : /^\d+$/.test(text) ? Number(text) : parseDate(text)
  return ms >= 0 && ms <= MAX_TIME_MS ? ms : undefined
}

/** NaN if the text is no date. */
function parseDate(text: string): number {
  const [, day = '', clock = '00:00', zone = 'Z'] = DATE.exec(text) ?? []
  // Date.parse takes February 31st for March 3rd.
  const midnight = new Date(`${day}T00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN
  return Date.parse(`${day}T${clock}${zone}`)
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

const UNITS_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS } as const

export const SPAN_RULE = 'a number and s, m, h, d or w, such as 7d'

/** A length of time in milliseconds; undefined if the text is none, or less than one millisecond. */
export function parseSpan(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,6})?)([smhdw])$/.exec(text) ?? []
  const ms = Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]
  return ms >= 1 ? Math.round(ms) : undefined
}

/** How many pages: a number of them, or a share of the documents of an index. */
export type Budget = { readonly pages: number } | { readonly share: number }

export const BUDGET_RULE = 'a number, or a share of the documents such as 2%'

/** Undefined if the text is no budget. */
export function parseBudget(text: string): Budget | undefined {
  const [, number, percent] = /^(\d+)$|^(\d{1,3}(?:\.\d{1,9})?)%$/.exec(text) ?? []
  if (number !== undefined) return Number.isSafeInteger(Number(number)) ? { pages: Number(number) } : undefined
  const share = Number(percent) / 100
  return share >= 0 && share <= 1 ? { share } : undefined
}

/** A share of the documents is rounded up, so that it is at least one page unless it is none. */
export function pagesOf(budget: Budget, documents: number): number {
  if ('pages' in budget) return budget.pages
  // Seven per cent of a hundred are a little more than seven in binary.
  return budget.share === 0 ? 0 : Math.max(1, Math.ceil(budget.share * documents - 1e-6))
}
