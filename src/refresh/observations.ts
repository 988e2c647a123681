import type { Key } from '../base/keys.js'
import type { SignalKind } from '../ledger/signals.js'

/** What looking for a document found, where nothing was written. */
export type ObservedOutcome = 'same' | 'changed' | 'gone' | 'error'

/** Somebody looked for a document and did not write it. */
export interface Observation {
  readonly doc: number
  readonly key: Key
  readonly outcome: ObservedOutcome
  readonly atMs: number
}

/** A site says that a document may have changed. */
export interface Signal {
  readonly doc: number
  readonly key: Key
  readonly kind: SignalKind
  /** When the signal was heard. */
  readonly atMs: number
  /** When the page changed, as the signal says. */
  readonly valueMs: number | undefined
  /** True: the signal says that the page has not changed since its last refresh. */
  readonly isSame?: boolean
}
