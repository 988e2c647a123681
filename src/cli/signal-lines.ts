/** Signals as records, one a line: {"key": …, "kind": …}, and optionally "at" and "value", times. */
import { describe } from '../describe.js'
import type { Key } from '../documents.js'
import { requireKey } from '../keys.js'
import { readOptions } from '../option-checks.js'
import type { SignalOptions } from '../refresh/signals/signal-options.js'
import type { LineRefused } from './line-fault.js'
import { failureCode } from './output.js'
import { recordLines } from './record-lines.js'
import { parseTime, TIME_RULE } from './time-text.js'

export interface SignalLine {
  readonly key: Key
  readonly options: SignalOptions
  /** A fault of the line, naming it. */
  readonly refuse: (message: string, code?: string) => LineRefused
}

/** All lines of a file; LineRefused for the first that says something else. `at` is for lines without a time. */
export async function readSignals(file: string, at: number): Promise<SignalLine[]> {
  const signals: SignalLine[] = []
  for await (const { record, refuse } of recordLines(file, 'jsonl')) {
    try {
      const { key, kind, ...times } = readOptions('signal', record, ['key', 'kind', 'at', 'value'])
      const value = timeOf('value', times.value)
      const options = { kind, at: timeOf('at', times.at) ?? at, ...(value === undefined ? {} : { value }) }
      signals.push({ key: requireKey(key), options: options as SignalOptions, refuse })
    } catch (error) {
      throw refuse((error as Error).message, failureCode(error))
    }
  }
  return signals
}

function timeOf(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined
  const ms = typeof value === 'string' || typeof value === 'number' ? parseTime(String(value)) : undefined
  if (ms === undefined) throw new TypeError(`${name} must be ${TIME_RULE}, received ${describe(value)}`)
  return ms
}
