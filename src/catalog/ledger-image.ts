/**
 * The ledger image: a copy of the ledger's columns in one file of the folder, so that a large ledger is there at once
 * instead of row by row. It is a cache. It counts only if it was made of exactly the rows that the catalog has, and may
 * be deleted at any time. docs/file-format.md has the layout.
 */
import type { Database } from 'better-sqlite3'
import { type LedgerColumnArrays, newColumns } from '../ledger/column-arrays.js'
import { LEDGER } from '../ledger/columns.js'
import { COLUMN_NAMES } from '../ledger/layout.js'
import type { LedgerParts } from '../ledger/ledger.js'
import { inSqlite } from './connection.js'
import { type Content, type OpenImage, readImage, writeImage } from './image-file.js'

const MAGIC = 'FDXLEDG1'
/** Room for documents to come, so that the first of them does not copy everything. */
const SPARE_ROWS = 1024

/** The pieces are in the order of the columns, the section of each document last. */
interface Header extends Omit<LedgerParts, 'columns' | 'sections'> {
  readonly key: string
  readonly layout: string
  readonly sections: Omit<LedgerParts['sections'], 'byDocument'>
}

const SECTIONS = 'sections'

/** The columns with their types and widths: an image of other columns is of no use. */
const LAYOUT = COLUMN_NAMES.map((name) => `${name}:${LEDGER[name].array.name}:${LEDGER[name].width}`).join(' ')

/** Which state of which index the rows are of. A flush changes neither the version nor the sequence. */
export function ledgerKey(db: Database): string {
  return inSqlite(db.name, () => {
    const version = db.prepare('SELECT version FROM refresh_state').pluck().get()
    const sequence = db.prepare('SELECT sequence FROM state').pluck().get()
    const schema = db.prepare("SELECT value FROM meta WHERE name = 'schema'").pluck().get()
    return JSON.stringify([version, sequence, schema])
  })
}

/** Writes a new file and gives it its name last. */
export function writeLedgerImage(file: string, key: string, parts: LedgerParts): void {
  const { rows, totals, sections } = parts
  const { parents, names } = sections
  const header: Header = { key, layout: LAYOUT, rows, totals, sections: { parents, names } }
  writeImage(file, MAGIC, header, contentsOf(parts))
}

/** Undefined unless there is an image of this key, whole and undamaged. */
export function readLedgerImage(file: string, key: string): LedgerParts | undefined {
  return readImage(file, MAGIC, (image) => partsIn(image, key))
}

function partsIn({ header, pieces, fill }: OpenImage, key: string): LedgerParts | undefined {
  const { key: ownKey, layout, rows, totals, sections } = header as unknown as Header
  if (ownKey !== key || layout !== LAYOUT || pieces.length !== COLUMN_NAMES.length + 1) return undefined
  const hasVersions = pieces.some(({ name, bytes }) => name === 'versions' && bytes > 0)
  const columns: LedgerColumnArrays = newColumns(rows + SPARE_ROWS, { hasVersions })
  const byDocument = new Uint16Array(new SharedArrayBuffer(2 * (rows + SPARE_ROWS)))
  for (const [at, piece] of pieces.entries()) {
    const array = at === COLUMN_NAMES.length ? byDocument : columns[COLUMN_NAMES[at]!]
    if (piece.name !== (COLUMN_NAMES[at] ?? SECTIONS) || piece.bytes > array.byteLength) return undefined
    if (!fill(piece, new Uint8Array(array.buffer, 0, piece.bytes))) return undefined
  }
  return { rows, totals, columns, sections: { ...sections, byDocument } }
}

function contentsOf({ rows, columns, sections }: LedgerParts): Content[] {
  const bytesOf = (array: Uint16Array | LedgerColumnArrays[keyof LedgerColumnArrays], width: number) =>
    new Uint8Array(array.buffer, 0, Math.min(array.byteLength, rows * width * array.BYTES_PER_ELEMENT))
  return [
    ...COLUMN_NAMES.map((name) => [name, bytesOf(columns[name], LEDGER[name].width)] as const),
    [SECTIONS, bytesOf(sections.byDocument, 1)] as const,
  ]
}
