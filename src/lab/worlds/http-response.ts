/** An HTTP answer as it went over the wire, as WARC files keep it. */

import { TextDecoder } from 'node:util'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** How many bytes a packed body may become. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  /** In lower case, without parameters; empty where none is told. */
  readonly mediaType: string
  /** In lower case; empty where none is told. */
  readonly charset: string
  /** The body, unpacked. */
  readonly body: Buffer
}

/** Undefined for bytes that are no answer, and for a body that cannot be unpacked. */
export function parseHttpResponse(block: Buffer): HttpResponse | undefined {
  const { head, body: sent } = splitHead(block)
  const [first = '', ...lines] = head.split(/\r?\n/)
  const status = /^HTTP\/\d(?:\.\d)?\s+(\d{3})(?:\s|$)/.exec(first)?.[1]
  if (status === undefined) return undefined
  const fields = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const isChunked = /\bchunked\b/i.test(fields.get('transfer-encoding') ?? '')
  // Some recorders undo the chunks and leave the field: what is no chunk is taken as it is.
  const body = unpacked((isChunked ? joinChunks(sent) : undefined) ?? sent, fields.get('content-encoding') ?? '')
  if (body === undefined) return undefined
  const [mediaType = '', ...parameters] = (fields.get('content-type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((text) => /^\s*charset\s*=\s*["']?([^"'\s]+)/.exec(text)?.[1]).find(Boolean) ?? ''
  return { status: Number(status), mediaType: mediaType.trim(), charset, body }
}

function splitHead(block: Buffer): { head: string; body: Buffer } {
  const ends = ['\r\n\r\n', '\n\n'].map((mark) => ({ at: block.indexOf(mark), length: mark.length }))
  const [end] = ends.filter(({ at }) => at !== -1).sort((a, b) => a.at - b.at)
  if (end === undefined) return { head: block.toString('latin1'), body: Buffer.alloc(0) }
  return { head: block.toString('latin1', 0, end.at), body: block.subarray(end.at + end.length) }
}

/** Undefined where a chunk is longer than what is left or its length is none. */
function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const length = /^([0-9a-f]{1,8})\s*(?:;|$)/i.exec(body.toString('latin1', at, Math.min(lineEnd, at + 1024)))?.[1]
    if (length === undefined) return undefined
    const bytes = Number.parseInt(length, 16)
    if (bytes === 0) return Buffer.concat(chunks)
    const start = lineEnd + 2
    if (start + bytes > body.length) return undefined
    chunks.push(body.subarray(start, start + bytes))
    at = start + bytes + 2
  }
}

function unpacked(body: Buffer, encodings: string): Buffer | undefined {
  const limit = { maxOutputLength: MAX_BODY_BYTES }
  let bytes = body
  try {
    for (const encoding of encodings.toLowerCase().split(',').reverse()) {
      const name = encoding.trim()
      if (name === 'gzip' || name === 'x-gzip') bytes = gunzipSync(bytes, limit)
      else if (name === 'br') bytes = brotliDecompressSync(bytes, limit)
      else if (name === 'deflate') bytes = inflated(bytes, limit)
      else if (name !== '' && name !== 'identity') return undefined
    }
    return bytes
  } catch {
    return undefined
  }
}

/** Some servers leave out the wrapper that the standard asks for. */
function inflated(bytes: Buffer, limit: { maxOutputLength: number }): Buffer {
  const isWrapped = bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
  return isWrapped ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit)
}

/** How much of a page is searched for what it says of its encoding. */
const SEARCHED_BYTES = 1024

/**
 * Bytes of a page into text, in the encoding that the server told, or else the page, or else the one it looks like.
 * `charset` may be empty or unknown.
 */
export function decodeText(bytes: Uint8Array, charset: string): string {
  const told = decoder(charset) ?? decoder(charsetOfPage(bytes))
  if (told !== undefined) return told.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function decoder(charset: string): TextDecoder | undefined {
  if (charset === '') return undefined
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}

/** `<meta charset=…>`, also within the older form with `content`. */
function charsetOfPage(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, SEARCHED_BYTES)).toString('latin1')
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([a-zA-Z0-9_:.-]+)/i.exec(start)?.[1] ?? ''
}
