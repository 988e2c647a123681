import type { Key } from 'freshdex'
import type { Written } from './batches.mjs'
import type { Position } from './steps.mjs'

/** As refresh.explain() has it. */
export interface Refreshed {
  readonly createdAt: number
  readonly refreshedAt: number
  /** The last refresh that the change profile knows. */
  readonly profiledAt: number
  readonly refreshes: number
  readonly changes: number
  readonly lastOutcome: 'new' | 'changed' | 'same'
}
/** The rest is for looks.mjs. */
export interface State {
  readonly position: Position
  readonly documents: ReadonlyMap<Key, Written>
  readonly refreshes: ReadonlyMap<Key, Refreshed>
}
export function firstState(): State
export function advance(seed: number, from: State, to: Position): State
export function advanceOne(seed: number, from: State): State
