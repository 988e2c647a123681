export interface Page {
  id: string | number
  body: string
  generation: number
}
export const DOCUMENTS: number
export const OPTIONS: { readonly key: 'id'; readonly fields: { readonly body: object } }
export const UPKEEP: Required<import('../../src/index.js').UpkeepOptions>
export function frequencyOf(generation: number): number
export function batchOf(generation: number): { put: Page[]; remove: string[] }
