export interface Written {
  id: string | number
  title: string
  body: string
  number: number
  group: readonly string[]
  filler: string
}
export interface Batch {
  readonly put: readonly Written[]
  readonly remove: readonly (string | number)[]
  readonly compacts: boolean
}
export const KEYS: number
export const OPTIONS: {
  readonly key: 'id'
  readonly fields: { readonly title: { boost: number }; readonly body: object }
  readonly columns: { readonly group: 'keyword'; readonly number: 'number' }
  readonly workload: { readonly halfLifeMs: number }
}
export const UPKEEP: Required<import('../../src/index.js').UpkeepOptions>
export function keyOf(nth: number): string | number
export function timeOf(number: number): number
export function queryOf(number: number): string
export function batchOf(seed: number, number: number): Batch
export function generator(seed: number, number: number): (bound: number) => number
