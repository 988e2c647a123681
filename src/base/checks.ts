/** Checks of options, arguments and stored values. Misuse is a TypeError (wrong type) or a RangeError (wrong value). */
import { MAX_AMOUNT } from './amounts.js'
import { describe } from './describe.js'
import { readProperty } from './documents.js'

/**
 * The values of the known options, each read exactly once. `what` names the kind of options in messages, for example
 * "search". A misspelt option is refused by name: a silent default is the hardest bug to see.
 */
export function readOptions<Name extends string>(
  what: string,
  value: unknown,
  known: readonly Name[],
): { readonly [N in Name]?: unknown } {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${what} options must be an object, received ${describe(value)}`)
  }
  for (const name of Object.keys(value)) {
    if ((known as readonly string[]).includes(name)) continue
    const received = describe(readProperty(value, name))
    throw new TypeError(`unknown ${what} option "${name}" (received ${received}); known: ${known.join(', ')}`)
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  // Of an object without a class all options are its own: a copy of them reads each once.
  if (prototype === Object.prototype || prototype === null) return Object.assign(Object.create(null), value)
  const options: { [N in Name]?: unknown } = {}
  for (const name of known) options[name] = readProperty(value, name)
  return options
}

export interface NumberRange {
  readonly min: number
  readonly max?: number
  readonly integer?: boolean
  /** Values must be above `min`; `min` itself is refused. */
  readonly aboveMin?: boolean
}

/** A number inside the range, or `fallback` when the option was not given. */
export function numberOption(name: string, value: unknown, fallback: number, range: NumberRange): number {
  if (value === undefined) return fallback
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, received ${describe(value)}`)
  const { min, max = Number.MAX_VALUE, integer = false, aboveMin = false } = range
  // NaN fails every comparison, so it is refused with the rest.
  const isInside = (aboveMin ? value > min : value >= min) && value <= max
  if (isInside && (!integer || Number.isInteger(value))) return value
  const kind = integer ? 'an integer' : 'a finite number'
  const bounded = `from ${min} to ${max}${aboveMin ? `, above ${min}` : ''}`
  const bounds = max === Number.MAX_VALUE ? (aboveMin ? `above ${min}` : `of at least ${min}`) : bounded
  throw new RangeError(`${name} must be ${kind} ${bounds}, received ${describe(value)}`)
}

/** An amount from 0 to the largest that is taken, or `fallback` when the option was not given. */
export function amountOption(
  name: string,
  value: unknown,
  fallback: number,
  { max = MAX_AMOUNT, aboveMin = false }: { readonly max?: number; readonly aboveMin?: boolean } = {},
): number {
  return numberOption(name, value, fallback, { min: 0, max, aboveMin })
}

/** Options of a function that says itself what each of them may be. */
export function requireObject<T>(name: string, value: T): NonNullable<T> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError(`${name} must be an object, received ${describe(value)}`)
}

/** An array, or one of a type of numbers. */
export function requireList<T>(name: string, value: T): T {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return value
  throw new TypeError(`${name} must be a list, received ${describe(value)}`)
}

/** The same of numbers. */
export function requireNumbers<T extends ArrayLike<number>>(name: string, value: T): T {
  requireList(name, value)
  for (let at = 0; at < value.length; at++) {
    if (typeof value[at] !== 'number')
      throw new TypeError(`${name}[${at}] must be a number, received ${describe(value[at])}`)
  }
  return value
}

export function booleanOption(name: string, value: unknown, fallback: boolean): boolean {
  if (value === undefined) return fallback
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false, received ${describe(value)}`)
  return value
}

/** One of a few words, or `fallback` when the option was not given. */
export function choiceOption<Choice extends string>(
  name: string,
  value: unknown,
  fallback: Choice,
  choices: readonly Choice[],
): Choice {
  if (value === undefined) return fallback
  const wanted = choices.map((choice) => `'${choice}'`).join(' or ')
  if (typeof value !== 'string') throw new TypeError(`${name} must be ${wanted}, received ${describe(value)}`)
  if (!(choices as readonly string[]).includes(value)) {
    throw new RangeError(`${name} must be ${wanted}, received ${describe(value)}`)
  }
  return value as Choice
}

/** The name of a property: any string but the empty one. */
export function nameOption(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`${name} must be the name of a property, received ${describe(value)}`)
  }
  return value
}

/** A list of property names, each named once. */
export function nameListOption(name: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError(`${name} must be a list of names, received ${describe(value)}`)
  const names = Array.from(value, (item, at) => nameOption(`${name}[${at}]`, item))
  const repeated = names.find((item, at) => names.indexOf(item) !== at)
  if (repeated !== undefined) throw new TypeError(`${name} names "${repeated}" twice`)
  return names
}

/** A required number inside the range. */
export function parameter(name: string, value: unknown, range: NumberRange): number {
  if (value === undefined) throw new TypeError(`${name} must be a number, received undefined`)
  return numberOption(name, value, Number.NaN, range)
}

export function positive(name: string, value: unknown): number {
  return parameter(name, value, { min: 0, aboveMin: true })
}

/** The mean interval of a law. Rates and staleness are computed from it, so a law whose mean overflows is refused. */
export function finiteMean(mean: number, law: string): number {
  if (mean > 0 && Number.isFinite(mean)) return mean
  throw new RangeError(`the mean interval of ${law} must be a positive finite number, it is ${describe(mean)}`)
}

/** Whether a stored value is a whole number from 0 to `max`. */
export function isCount(value: unknown, max = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
}

/** Whether a stored value is a finite number from 0 to `max`. */
export function isAmount(value: unknown, max = Number.MAX_VALUE): value is number {
  return typeof value === 'number' && value >= 0 && value <= max
}
