/**
 * Columns that rows and the catalog keep as bytes: a BLOB is its columns one after another in the order of the table,
 * little endian.
 */
import type { LedgerColumnArrays, LedgerColumns } from './column-arrays.js'
import { type ArrayKind, BLOBS, type BlobName, type Column, type ColumnName, LEDGER } from './columns.js'
import { COLUMN_NAMES } from './layout.js'
import { gatherRows, rowLayout } from './row-copies.js'

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
  versions: layoutOf('versions'),
}
export const BLOB_NAMES = Object.keys(BLOB_LAYOUTS) as readonly BlobName[]

/** One BLOB of a document; what a document without one has is not said. */
export function packBlob(columns: LedgerColumns, doc: number, blob: BlobName): Uint8Array {
  const bytes = new Uint8Array(BLOB_LAYOUTS[blob].bytes)
  gatherRows(columns, ROW_LAYOUTS[blob], Uint32Array.of(0, bytes.length), Uint32Array.of(doc), bytes)
  return bytes
}

const ROW_LAYOUTS = {
  recent: rowLayoutOf('recent'),
  profile: rowLayoutOf('profile'),
  versions: rowLayoutOf('versions'),
}

function rowLayoutOf(blob: BlobName) {
  return rowLayout(BLOB_LAYOUTS[blob].columns.map(({ name, at }) => ({ name, section: 0, at, isWidened: false })))
}

/** The BLOB of one row among those of many, one after another; of no bytes where no row has any. */
export function packedBlob(bytes: Uint8Array, blob: BlobName, row: number): Uint8Array {
  if (bytes.length === 0) return NO_BYTES
  const { bytes: length, emptyIfZeroAt } = BLOB_LAYOUTS[blob]
  const isEmpty = emptyIfZeroAt !== undefined && bytes[row * length + emptyIfZeroAt] === 0
  return isEmpty ? NO_BYTES : bytes.subarray(row * length, (row + 1) * length)
}

const NO_BYTES = new Uint8Array()

/** REQUIRES: the bytes are as many as the BLOB has, or none and the row is cleared. */
export function unpackBlob(columns: LedgerColumnArrays, doc: number, blob: BlobName, bytes: Uint8Array): void {
  if (bytes.length === 0) return
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { name, array, width, at } of BLOB_LAYOUTS[blob].columns)
    getNumbers(view, array, at, columns[name], doc * width, width)
}

/** Reads `count` elements of a column, to the place `from` on. */
function getNumbers(
  view: DataView,
  array: ArrayKind,
  at: number,
  values: { [at: number]: number },
  from: number,
  count: number,
): void {
  for (let nth = 0; nth < count; nth++) {
    if (array === Uint8Array) values[from + nth] = view.getUint8(at + nth)
    else if (array === Uint16Array) values[from + nth] = view.getUint16(at + 2 * nth, true)
    else if (array === Uint32Array) values[from + nth] = view.getUint32(at + 4 * nth, true)
    else if (array === Float32Array) values[from + nth] = view.getFloat32(at + 4 * nth, true)
    else values[from + nth] = view.getFloat64(at + 8 * nth, true)
  }
}
