import type { Freshdex } from 'freshdex'

export interface Written {
  id: string | number
  title: string
  body: string
  number: number
  filler: string
}
export interface Batch {
  readonly put: readonly Written[]
  readonly remove: readonly (string | number)[]
  readonly compacts: boolean
}
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
export interface State {
  readonly number: number
  readonly documents: ReadonlyMap<string | number, Written>
  readonly refreshes: ReadonlyMap<string | number, Refreshed>
}
export function historyOf(index: Pick<Freshdex<Written>, 'refresh'>, key: string | number): Refreshed | undefined
export const KEYS: number
export const OPTIONS: {
  readonly key: 'id'
  readonly fields: { readonly title: { boost: number }; readonly body: object }
  readonly workload: { readonly halfLifeMs: number }
}
export const UPKEEP: { readonly logBytes: number; readonly foldPostings: number; readonly partitionBytes: number }
export function keyOf(nth: number): string | number
export function timeOf(number: number): number
export function queryOf(number: number): string
export function batchOf(seed: number, number: number): Batch
export function stateAfter(seed: number, number: number, from?: State): State
