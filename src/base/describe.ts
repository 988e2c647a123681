import { inspect } from 'node:util'

const MAX_UNITS = 100

/** A value as it appears in an error message: short, on one line. No getter or custom inspect function is called. */
export function describe(value: unknown): string {
  const raw = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_UNITS + 1)) : inspectShortly(value)
  const text = escaped(raw)
  return text.length > MAX_UNITS ? `${text.slice(0, MAX_UNITS)}…` : text
}

/**
 * What a terminal would take for a command, or would show in another order than it is: control characters above ASCII
 * and marks of direction.
 */
const MISLEADING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** The same text with escapes, as JSON has them, in the place of characters that mislead. */
export function escaped(text: string): string {
  return text.replace(MISLEADING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function inspectShortly(value: unknown): string {
  return inspect(value, {
    depth: 0,
    breakLength: Number.POSITIVE_INFINITY,
    customInspect: false,
    maxStringLength: MAX_UNITS,
    maxArrayLength: 3,
  })
}
