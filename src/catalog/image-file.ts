/**
 * An image: columns of numbers in one file, with a header that describes them. It is a cache, so that whatever is wrong
 * with a file makes it none. docs/file-format.md has the layout.
 */
import { closeSync, fstatSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openAnew, openPlain } from '../base/plain-files.js'

const PREFIX_BYTES = 16
const ALIGNMENT = 8
/** The names of 65,536 sections take some megabytes. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024
/** Bytes that are read, written and summed at a time. */
const CHUNK_BYTES = 8 * 1024 * 1024

export interface Piece {
  readonly name: string
  readonly offset: number
  readonly bytes: number
  readonly crc: number
}

/** A piece of a file with its bytes. */
export type Content = readonly [name: string, bytes: Uint8Array]

/** An image that is being read. Its header is what the file says: whatever that is. */
export interface OpenImage {
  readonly header: Readonly<Record<string, unknown>>
  /** In the order of the file. */
  readonly pieces: readonly Piece[]
  /** Fills the bytes, as many as the piece has, from the file. False where they are not those that were written. */
  fill(piece: Piece, bytes: Uint8Array): boolean
}

/** Writes a new file and gives it its name last. `magic`: eight characters. */
export function writeImage(file: string, magic: string, header: object, contents: readonly Content[]): void {
  const partial = `${file}.partial`
  const descriptor = openAnew(partial)
  try {
    // The header holds the offsets, and they depend on its length: sums and offsets have a fixed number of digits.
    const draft = encodedHeader(header, contents, 0)
    const headerBytes = aligned(PREFIX_BYTES + draft.length) - PREFIX_BYTES
    const text = Buffer.alloc(headerBytes, ' ')
    encodedHeader(header, contents, PREFIX_BYTES + headerBytes).copy(text)
    const prefix = Buffer.alloc(PREFIX_BYTES)
    prefix.write(magic, 'latin1')
    prefix.writeUInt32LE(headerBytes, 8)
    prefix.writeUInt32LE(crc32(text), 12)
    writeAll(descriptor, prefix, 0)
    writeAll(descriptor, text, PREFIX_BYTES)
    let offset = PREFIX_BYTES + headerBytes
    for (const [, bytes] of contents) {
      writeAll(descriptor, bytes, offset)
      offset = aligned(offset + bytes.length)
    }
  } catch (error) {
    closeSync(descriptor)
    rmSync(partial, { force: true })
    throw error
  }
  closeSync(descriptor)
  renameSync(partial, file)
}

/** What `read` makes of an image; undefined where there is none, or anything is wrong with it. */
export function readImage<T>(file: string, magic: string, read: (image: OpenImage) => T | undefined): T | undefined {
  let descriptor: number
  try {
    descriptor = openPlain(file)
  } catch {
    return undefined
  }
  try {
    const image = opened(descriptor, magic)
    return image === undefined ? undefined : read(image)
  } catch {
    // Whatever is wrong with it: what it is a cache of is there.
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

function opened(descriptor: number, magic: string): OpenImage | undefined {
  const { size } = fstatSync(descriptor)
  const prefix = Buffer.alloc(PREFIX_BYTES)
  if (size < PREFIX_BYTES || readSync(descriptor, prefix, 0, PREFIX_BYTES, 0) !== PREFIX_BYTES) return undefined
  const headerBytes = prefix.readUInt32LE(8)
  if (prefix.toString('latin1', 0, 8) !== magic) return undefined
  if (headerBytes > MAX_HEADER_BYTES || PREFIX_BYTES + headerBytes > size) return undefined
  const text = Buffer.alloc(headerBytes)
  if (readInto(descriptor, text, PREFIX_BYTES) !== prefix.readUInt32LE(12)) return undefined
  const header = JSON.parse(text.toString('utf8')) as Record<string, unknown> & { readonly pieces: readonly Piece[] }
  return {
    header,
    pieces: header.pieces,
    fill: ({ offset, bytes: length, crc }, bytes) =>
      bytes.length === length && offset + length <= size && readInto(descriptor, bytes, offset) === crc,
  }
}

/** Padded to one length, whatever the offsets are. */
function encodedHeader(header: object, contents: readonly Content[], begin: number): Buffer {
  let offset = begin
  const pieces = contents.map(([name, bytes]): Piece => {
    const piece = { name, offset, bytes: bytes.length, crc: begin === 0 ? 0 : sumOf(bytes) }
    offset = aligned(offset + bytes.length)
    return piece
  })
  // Offsets have at most 16 digits and sums at most 10: the padding that JSON ignores makes up for shorter ones.
  const text = JSON.stringify({ ...header, pieces })
  const digits = pieces.reduce((sum, piece) => sum + String(piece.offset).length + String(piece.crc).length, 0)
  return Buffer.from(text + ' '.repeat(26 * pieces.length - digits))
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT
}

/** CRC-32. */
export function sumOf(bytes: Uint8Array): number {
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
