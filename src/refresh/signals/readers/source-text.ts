/** The text of a source, in pieces: unpacked if it is compressed, and decoded by the encoding that it declares. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { createGunzip } from 'node:zlib'
import { describe } from '../../../base/describe.js'
import { FreshdexError } from '../../../base/errors.js'
import { Pauses } from '../../../base/turns.js'

export type ImportSource = string | Uint8Array | AsyncIterable<Uint8Array>

/** Bytes or UTF-16 units that are read between two looks at the clock: some hundred entries of a sitemap. */
const PIECE = 16 * 1024
/** The most unpacked bytes: far above the 50 MB of a sitemap, but a small file must not unpack without end. */
const MAX_UNPACKED_BYTES = 2 ** 30
/** An XML declaration ends before this. */
const HEAD_BYTES = 256

/** `name` is what the source is called in messages. MALFORMED for bytes that are not what they say. */
export async function* textOf(name: string, source: ImportSource, { isXml }: { readonly isXml: boolean }) {
  const pauses = new Pauses()
  if (typeof source === 'string') {
    for (let from = 0; from < source.length; from += PIECE) {
      if (pauses.isDue) await pauses.pause()
      yield source.slice(from, from + PIECE)
    }
    return
  }
  const [magic, packed] = await withHead(bytesOf(name, source), 2)
  const isPacked = magic[0] === 0x1f && magic[1] === 0x8b
  const [head, bytes] = await withHead(isPacked ? unpacked(packed) : packed, HEAD_BYTES)
  const decoder = isXml ? xmlDecoder(head) : new TextDecoder()
  // A stream may give much in one piece, or many pieces without a turn of the event loop in between.
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; from += PIECE) {
      if (pauses.isDue) await pauses.pause()
      const text = decoder.decode(piece.subarray(from, from + PIECE), { stream: true })
      if (text !== '') yield text
    }
  }
  const last = decoder.decode()
  if (last !== '') yield last
}

/** What `source` must be, checked as far as it can be before it is read. */
export function requireSource(name: string, source: unknown): ImportSource {
  const isRead = typeof source === 'string' || source instanceof Uint8Array || isAsyncIterable(source)
  if (!isRead) throw new TypeError(`${name} must be text, bytes or pieces of bytes, received ${describe(source)}`)
  return source as ImportSource
}

function isAsyncIterable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* bytesOf(name: string, source: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) {
    yield source
    return
  }
  for await (const piece of source) {
    if (!(piece instanceof Uint8Array)) throw new TypeError(`${name} must come in bytes, received ${describe(piece)}`)
    yield piece
  }
}

/** The first `wanted` bytes, or all if there are fewer, and all bytes including those. */
async function withHead(
  bytes: AsyncGenerator<Uint8Array>,
  wanted: number,
): Promise<[head: Uint8Array, all: AsyncGenerator<Uint8Array>]> {
  const first: Uint8Array[] = []
  let length = 0
  while (length < wanted) {
    const next = await bytes.next()
    if (next.done) break
    first.push(next.value)
    length += next.value.length
  }
  const all = async function* () {
    try {
      yield* first
      yield* bytes
    } finally {
      await bytes.return(undefined)
    }
  }
  return [Buffer.concat(first, Math.min(length, wanted)), all()]
}

async function* unpacked(packed: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = pipeline(Readable.from(packed, { objectMode: false }), gunzip)
  // What fails there fails here as well, or nobody wants the rest.
  feeding.catch(() => {})
  let length = 0
  try {
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      length += piece.length
      if (length > MAX_UNPACKED_BYTES) throw malformed(`it unpacks to more than ${MAX_UNPACKED_BYTES} bytes`)
      yield piece
    }
  } catch (error) {
    const isZlib = String((error as NodeJS.ErrnoException | undefined)?.code).startsWith('Z_')
    throw isZlib ? malformed(`it cannot be unpacked: ${(error as Error).message}`, undefined, error) : error
  }
}

/** By a byte order mark, or what the declaration says; else UTF-8. */
function xmlDecoder(head: Uint8Array): TextDecoder {
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  const declaration = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    Buffer.from(head).toString('latin1'),
  )
  const label = declaration?.[1] ?? 'utf-8'
  // One that can be read byte by byte is not UTF-16, whatever it says.
  if (/^utf-?16/i.test(label)) return new TextDecoder()
  try {
    return new TextDecoder(label)
  } catch (error) {
    throw malformed(`its encoding is not known: ${describe(label)}`, 1, error)
  }
}

/** A fault that makes a whole file useless, thrown where the line is not known. It becomes MALFORMED where it is. */
export class InputFault extends Error {}

/** `line` counts from 1. */
export function malformed(message: string, line?: number, cause?: unknown): FreshdexError {
  const place = line === undefined ? '' : `line ${line}: `
  const detail = line === undefined ? {} : { line }
  return new FreshdexError('MALFORMED', `${place}${message}`, cause === undefined ? { detail } : { detail, cause })
}
