import { inspect } from 'node:util'

const MAX_UNITS = 100

/** A value as it appears in an error message: short, on one line. No getter or custom inspect function is called. */
export function describe(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_UNITS + 1)) : inspectShortly(value)
  return text.length > MAX_UNITS ? `${text.slice(0, MAX_UNITS)}…` : text
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
