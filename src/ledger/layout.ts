/**
 * The columns of one number a page, as they follow from the table: what rows and the catalog call each, and what its
 * number means.
 */
import { type ArrayKind, type Column, type ColumnName, isWhole, LEDGER, type Meaning } from './columns.js'

type PlaceOf<Name extends ColumnName> = (typeof LEDGER)[Name]['place']

/** Columns of one number a page, which a row has one by one. */
export type NumberName = {
  [Name in ColumnName]: PlaceOf<Name> extends { readonly is: Meaning } ? Name : never
}[ColumnName]

/** What the number of such a column means. */
export type MeaningOf<Name extends NumberName> = PlaceOf<Name> extends { readonly is: infer Is } ? Is : never

/** What a row of the ledger, as an object, calls the number of a column. */
export type RowName<Name extends NumberName = NumberName> = Name extends NumberName
  ? MeaningOf<Name> extends 'flag'
    ? `is${Capitalize<Name>}`
    : Name
  : never

export const COLUMN_NAMES = Object.keys(LEDGER) as readonly ColumnName[]

/** A column of one number a page. */
export interface NumberColumn {
  readonly name: NumberName
  readonly rowName: RowName
  readonly array: ArrayKind
  readonly is: Meaning
  readonly max: number
  /** In the catalog. */
  readonly sqlName: string
  readonly sqlType: 'INTEGER' | 'REAL'
}

/** In the order of the table, which is that of packed rows and of the catalog. */
export const NUMBERS: readonly NumberColumn[] = COLUMN_NAMES.flatMap((name) => {
  const { array, max, place }: Column = LEDGER[name]
  if (!('is' in place)) return []
  const rowName = place.is === 'flag' ? `is${name[0]?.toUpperCase()}${name.slice(1)}` : name
  const sqlName = place.sql ?? rowName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const sqlType = isWhole(array) ? 'INTEGER' : 'REAL'
  return [{ name, rowName, array, is: place.is, max, sqlName, sqlType } as NumberColumn]
})
