import { inspect } from 'node:util'

const MAX_UNITS = 100

/** A value as it appears in a message: short, on one line, without running any code of its owner. */
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
