/**
 * The ledger image: a copy of the ledger's columns in one file of the folder, so that a large ledger is there at once
 * instead of row by row. It is a cache. It counts only if it was made of exactly the rows that the catalog has, and may
 * be deleted at any time. docs/file-format.md has the layout.
 */
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import { type LedgerColumnArrays, newColumns } from '../ledger/column-arrays.js'
import { LEDGER } from '../ledger/columns.js'
import { COLUMN_NAMES } from '../ledger/layout.js'
import type { LedgerParts } from '../ledger/ledger.js'
import { inSqlite } from './connection.js'

const MAGIC = Buffer.from('FDXLEDG1', 'latin1')
const PREFIX_BYTES = 16
const ALIGNMENT = 8
/** The names of 65,536 sections take some megabytes. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024
/** Room for documents to come, so that the first of them does not copy everything. */
const SPARE_ROWS = 1024
/** Bytes that are read, written and summed at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024

interface Piece {
  readonly name: string
  readonly offset: number
  readonly bytes: number
  readonly crc: number
}

interface Header extends Omit<LedgerParts, 'columns' | 'sections'> {
  readonly key: string
  readonly layout: string
  readonly sections: Omit<LedgerParts['sections'], 'byDocument'>
  /** In the order of the file, the section of each document last. */
  readonly pieces: readonly Piece[]
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
  const partial = `${file}.partial`
  const descriptor = openSync(partial, 'w')
  try {
    const contents = contentsOf(parts)
    const sizes = contents.map(([, bytes]) => bytes.length)
    // The header holds the offsets, and they depend on its length: sums and offsets have a fixed number of digits.
    const draft = encodedHeader(key, parts, contents, 0)
    const headerBytes = aligned(PREFIX_BYTES + draft.length) - PREFIX_BYTES
    const header = Buffer.alloc(headerBytes, ' ')
    encodedHeader(key, parts, contents, PREFIX_BYTES + headerBytes).copy(header)
    const prefix = Buffer.alloc(PREFIX_BYTES)
    MAGIC.copy(prefix)
    prefix.writeUInt32LE(headerBytes, 8)
    prefix.writeUInt32LE(crc32(header), 12)
    writeAll(descriptor, prefix, 0)
    writeAll(descriptor, header, PREFIX_BYTES)
    let offset = PREFIX_BYTES + headerBytes
    contents.forEach(([, bytes], at) => {
      writeAll(descriptor, bytes, offset)
      offset = aligned(offset + sizes[at]!)
    })
  } catch (error) {
    closeSync(descriptor)
    rmSync(partial, { force: true })
    throw error
  }
  closeSync(descriptor)
  renameSync(partial, file)
}

/** Undefined unless there is an image of this key, whole and undamaged. */
export function readLedgerImage(file: string, key: string): LedgerParts | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return undefined
  }
  try {
    return partsIn(descriptor, key)
  } catch {
    // Whatever is wrong with it: the rows are there.
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

function partsIn(descriptor: number, key: string): LedgerParts | undefined {
  const { size } = fstatSync(descriptor)
  const header = headerIn(descriptor, size)
  if (header === undefined || header.key !== key || header.layout !== LAYOUT) return undefined
  const { rows, totals, pieces } = header
  if (pieces.length !== COLUMN_NAMES.length + 1) return undefined
  const columns: LedgerColumnArrays = newColumns(rows + SPARE_ROWS)
  const byDocument = new Uint16Array(new SharedArrayBuffer(2 * (rows + SPARE_ROWS)))
  for (const [at, { name, offset, bytes, crc }] of pieces.entries()) {
    const array = at === COLUMN_NAMES.length ? byDocument : columns[COLUMN_NAMES[at]!]
    if (name !== (COLUMN_NAMES[at] ?? SECTIONS) || bytes > array.byteLength || offset + bytes > size) return undefined
    if (readInto(descriptor, new Uint8Array(array.buffer, 0, bytes), offset) !== crc) return undefined
  }
  return { rows, totals, columns, sections: { ...header.sections, byDocument } }
}

function headerIn(descriptor: number, size: number): Header | undefined {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  if (size < PREFIX_BYTES || readSync(descriptor, prefix, 0, PREFIX_BYTES, 0) !== PREFIX_BYTES) return undefined
  const bytes = prefix.readUInt32LE(8)
  if (!prefix.subarray(0, 8).equals(MAGIC) || bytes > MAX_HEADER_BYTES || PREFIX_BYTES + bytes > size) return undefined
  const text = Buffer.alloc(bytes)
  if (readInto(descriptor, text, PREFIX_BYTES) !== prefix.readUInt32LE(12)) return undefined
  return JSON.parse(text.toString('utf8')) as Header
}

function contentsOf({ rows, columns, sections }: LedgerParts): (readonly [name: string, bytes: Uint8Array])[] {
  const bytesOf = (array: Uint16Array | LedgerColumnArrays[keyof LedgerColumnArrays], width: number) =>
    new Uint8Array(array.buffer, 0, Math.min(array.byteLength, rows * width * array.BYTES_PER_ELEMENT))
  return [
    ...COLUMN_NAMES.map((name) => [name, bytesOf(columns[name], LEDGER[name].width)] as const),
    [SECTIONS, bytesOf(sections.byDocument, 1)] as const,
  ]
}

/** Padded to one length, whatever the offsets are. */
function encodedHeader(
  key: string,
  { rows, totals, sections: { parents, names } }: LedgerParts,
  contents: ReturnType<typeof contentsOf>,
  begin: number,
): Buffer {
  let offset = begin
  const pieces = contents.map(([name, bytes]): Piece => {
    const piece = { name, offset, bytes: bytes.length, crc: begin === 0 ? 0 : sumOf(bytes) }
    offset = aligned(offset + bytes.length)
    return piece
  })
  const header: Header = { key, layout: LAYOUT, rows, totals, sections: { parents, names }, pieces }
  // Offsets have at most 16 digits and sums at most 10: the padding that JSON ignores makes up for shorter ones.
  const text = JSON.stringify(header)
  const digits = pieces.reduce((sum, piece) => sum + String(piece.offset).length + String(piece.crc).length, 0)
  return Buffer.from(text + ' '.repeat(26 * pieces.length - digits))
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT
}

function sumOf(bytes: Uint8Array): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) sum = crc32(bytes.subarray(at, at + CHUNK_BYTES), sum)
  return sum
}

function writeAll(descriptor: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(descriptor, bytes, at, Math.min(CHUNK_BYTES, bytes.length - at), offset + at)
}

/** Fills the bytes from the file and gives their CRC-32. */
function readInto(descriptor: number, bytes: Uint8Array, offset: number): number {
  let sum = 0
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(descriptor, bytes, at, Math.min(CHUNK_BYTES, bytes.length - at), offset + at)
    if (read === 0) throw new RangeError('the image ends too early')
    sum = crc32(bytes.subarray(at, at + read), sum)
    at += read
  }
  return sum
}
