/** Fields and columns that an index has been given later, and that its documents do not have yet. */
/** By their names. */
export interface WaitingProperties {
  readonly fields: readonly string[]
  readonly columns: readonly string[]
}

export const NOTHING_WAITS: WaitingProperties = { fields: [], columns: [] }

export function isWaiting({ fields, columns }: WaitingProperties): boolean {
  return fields.length + columns.length > 0
}
