/**
 * What refreshes found, as text: `key<TAB>outcome`, and optionally a tab and the time. Blank lines are passed over. A key with a
 * tab in it cannot be said this way.
 */
import { describe } from '../describe.js'
import type { Key } from '../documents.js'
import type { ObservedOutcome } from '../refresh/history-entry.js'
import { type InputLine, requiredLines } from './input-lines.js'
import { keyOf } from './key-text.js'
import { LineRefused } from './line-fault.js'
import { parseTime, TIME_RULE } from './time-text.js'

export const OBSERVED_OUTCOMES: readonly ObservedOutcome[] = ['same', 'changed', 'gone', 'error']

export interface ObservationLine {
  readonly source: string
  /** Counts from 1. */
  readonly line: number
  readonly key: Key
  readonly outcome: ObservedOutcome
  readonly at: number
}

/** All lines of a file; LineRefused for the first that says something else. `at` is for lines without a time. */
export async function readObservations(
  file: string,
  { numberKey, at }: { readonly numberKey: boolean; readonly at: number },
): Promise<ObservationLine[]> {
  const observations: ObservationLine[] = []
  for await (const line of requiredLines(file)) {
    if (line.text.trim() !== '') observations.push({ at, ...parseLine(line, numberKey) })
  }
  return observations
}

function parseLine({ source, number: line, text }: InputLine & { readonly text: string }, isNumberKey: boolean) {
  const refuse = (message: string) => new LineRefused({ source, line, message })
  const [key = '', outcome, time, ...rest] = text.split('\t')
  if (outcome === undefined || rest.length > 0)
    throw refuse(`it must be a key, a tab, an outcome, and optionally a tab and a time, received ${describe(text)}`)
  if (!isOutcome(outcome))
    throw refuse(`the outcome must be one of ${OBSERVED_OUTCOMES.join(', ')}, received ${describe(outcome)}`)
  const at = time === undefined ? undefined : parseTime(time)
  if (time !== undefined && at === undefined) throw refuse(`the time must be ${TIME_RULE}, received ${describe(time)}`)
  try {
    return { source, line, key: keyOf(key, isNumberKey), outcome, ...(at === undefined ? {} : { at }) }
  } catch (error) {
    throw refuse((error as Error).message)
  }
}

function isOutcome(text: string): text is ObservedOutcome {
  return (OBSERVED_OUTCOMES as readonly string[]).includes(text)
}
