/** What makes a file of no use as a whole. */
import { FreshdexError } from '../../../errors.js'

/** Thrown where the line is not known, … */
export class InputFault extends Error {}

/** … and made this where it is. `line` counts from 1. */
export function malformed(message: string, line?: number, cause?: unknown): FreshdexError {
  const place = line === undefined ? '' : `line ${line}: `
  const detail = line === undefined ? {} : { line }
  return new FreshdexError('MALFORMED', `${place}${message}`, cause === undefined ? { detail } : { detail, cause })
}
