/** Claims of a paper, or of the lab itself, held against what an experiment found. */

import { decimals, NOTHING, type Table } from './table.js'

export interface Check {
  /** What is claimed. */
  readonly name: string
  /** null where there is nothing to compare. */
  readonly holds: boolean | null
  readonly value: number | null
  /** What the value is compared with. */
  readonly limit: number
}

/** A line for each check; `claims` heads the column of their names. */
export function checkTable(checks: readonly Check[], claims: string, digits = 4): Table {
  return {
    columns: [
      { name: claims },
      { name: 'holds' },
      { name: 'value', isNumber: true },
      { name: 'limit', isNumber: true },
    ],
    rows: checks.map(({ name, holds, value, limit }) => [
      name,
      holds === null ? NOTHING : holds ? 'yes' : 'no',
      decimals(value, digits),
      decimals(limit, digits),
    ]),
  }
}
