/** The numbers that make a law, checked. */
import { describe } from '../describe.js'
import { type NumberRange, numberOption } from '../option-checks.js'

/** A number inside the range; there is no default. */
export function parameter(name: string, value: unknown, range: NumberRange): number {
  if (value === undefined) throw new TypeError(`${name} must be a number, received undefined`)
  return numberOption(name, value, Number.NaN, range)
}

export function positive(name: string, value: unknown): number {
  return parameter(name, value, { min: 0, aboveMin: true })
}

/** A mean is what rates and staleness are made of: laws whose mean is beyond all numbers are refused. */
export function finiteMean(mean: number, law: string): number {
  if (mean > 0 && Number.isFinite(mean)) return mean
  throw new RangeError(`the mean interval of ${law} must be a positive finite number, it is ${describe(mean)}`)
}
