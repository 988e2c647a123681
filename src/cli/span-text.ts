/** Lengths of time as the command line has them. */
import { InvalidArgumentError } from 'commander'

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const

export const SPAN_RULE = 'a number and s, m, h, d or w, such as 7d'

/** In milliseconds, as commander calls it. */
export function span(text: string): number {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,6})?)([smhdw])$/.exec(text) ?? []
  const ms = Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS]
  if (ms >= 1) return Math.round(ms)
  throw new InvalidArgumentError(`It must be a length of time: ${SPAN_RULE}.`)
}
