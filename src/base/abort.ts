/** Ending long work early, by an AbortSignal. */
import { describe } from './describe.js'

/** Throws the reason for which the work must not go on; returns when it may. */
export type Stop = () => void

export const NEVER_STOPS: Stop = () => {}

/** The option `signal`, or undefined when it was not given. */
export function signalOption(value: unknown): AbortSignal | undefined {
  if (value === undefined || value instanceof AbortSignal) return value
  throw new TypeError(`signal must be an AbortSignal, received ${describe(value)}`)
}

/** What work with this signal calls between two steps. Throws at once where the signal has been given already. */
export function stopOf(signal: AbortSignal | undefined): Stop {
  if (signal === undefined) return NEVER_STOPS
  signal.throwIfAborted()
  return () => signal.throwIfAborted()
}
