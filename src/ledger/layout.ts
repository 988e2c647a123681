/** How rows of the ledger are laid out outside of its columns, as it follows from the table: by name and by byte. */
import {
  type ArrayKind,
  BLOBS,
  type BlobName,
  type Column,
  type ColumnName,
  isWhole,
  LEDGER,
  type Meaning,
} from './table.js'

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
  return [{ name, rowName, is: place.is, max, sqlName, sqlType } as NumberColumn]
})

/** A column in a BLOB. */
export interface BlobColumn {
  readonly name: ColumnName
  readonly array: ArrayKind
  readonly width: number
  /** The offset of its first element. */
  readonly at: number
}

export interface BlobLayout {
  readonly bytes: number
  readonly columns: readonly BlobColumn[]
  /** The offset of the byte that is 0 where the BLOB is kept as no bytes; undefined where every row has it. */
  readonly emptyIfZeroAt: number | undefined
}

function layoutOf(blob: BlobName): BlobLayout {
  let bytes = 0
  const columns = COLUMN_NAMES.flatMap((name): BlobColumn[] => {
    const { array, width, place }: Column = LEDGER[name]
    if (!('blob' in place) || place.blob !== blob) return []
    const at = bytes
    bytes += array.BYTES_PER_ELEMENT * width
    return [{ name, array, width, at }]
  })
  return { bytes, columns, emptyIfZeroAt: columns.find(({ name }) => name === BLOBS[blob])?.at }
}

/** In the order of packed rows and of the catalog, behind the numbers. */
export const BLOB_LAYOUTS: Readonly<Record<BlobName, BlobLayout>> = {
  recent: layoutOf('recent'),
  profile: layoutOf('profile'),
}
export const BLOB_NAMES = Object.keys(BLOB_LAYOUTS) as readonly BlobName[]
