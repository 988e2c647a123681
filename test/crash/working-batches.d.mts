export interface WorkingDocument {
  readonly id: string
  readonly body: string
}
export const OPTIONS: {
  readonly key: 'id'
  readonly fields: { readonly body: object }
  readonly workload: { readonly halfLifeMs: number }
}
export const UPKEEP: Required<import('../../src/index.js').UpkeepOptions>
export function batchAt(number: number): {
  readonly put: readonly WorkingDocument[]
  readonly remove: readonly string[]
}
export function bodiesAfter(count: number): Map<string, string>
