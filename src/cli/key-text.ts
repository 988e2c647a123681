import { describe } from '../describe.js'
import type { Key } from '../documents.js'
import { UsageError } from './usage-error.js'

/** The flag and description of the option that says how keys are meant. */
export const NUMBER_KEY = ['--number-key', 'keys are numbers, not strings'] as const

/** A key as the command line has it: `17` and `"17"` are different keys, and only the user knows which is meant. */
export function keyOf(text: string, isNumber: boolean): Key {
  if (!isNumber) return text
  if (!/^-?\d+$/.test(text)) throw new UsageError(`a number key must be a whole number, received ${describe(text)}`)
  return Number(text)
}
