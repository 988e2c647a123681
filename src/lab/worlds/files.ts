/** Files as lines of UTF-8, as JSON and as bytes, packed or not. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { damagedLine, unreadable } from './world.js'

/** The longest line that is read: a line has to be in memory as a whole. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const LINE_FEED = 0x0a
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface FileLine {
  /** Counts from 1. */
  readonly number: number
  /** Without its end, LF or CR LF. */
  readonly text: string
}

/** The lines of a file. Blank lines are passed over, but counted. */
export async function* fileLines(file: string, maxLineBytes = MAX_LINE_BYTES): AsyncGenerator<FileLine> {
  let parts: Buffer[] = []
  let bytes = 0
  let number = 0
  const take = (): FileLine => {
    const text = decode(Buffer.concat(parts), file, ++number)
    parts = []
    bytes = 0
    return { number, text }
  }
  const add = (part: Buffer) => {
    bytes += part.length
    if (bytes > maxLineBytes) throw damagedLine(file, number + 1, `it is longer than ${maxLineBytes} bytes`)
    parts.push(part)
  }
  for await (const chunk of fileBytes(file)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end))
      const line = take()
      if (line.text.trim() !== '') yield line
      start = end + 1
    }
    add(chunk.subarray(start))
  }
  const last = take()
  if (last.text.trim() !== '') yield last
}

/** The lines as JSON objects. */
export async function* jsonLines(
  file: string,
): AsyncGenerator<{ readonly number: number; readonly value: Readonly<Record<string, unknown>> }> {
  for await (const { number, text } of fileLines(file)) yield { number, value: parsed(file, number, text) }
}

function decode(bytes: Buffer, file: string, number: number): string {
  try {
    return UTF8.decode(bytes).replace(/\r$/, '')
  } catch (error) {
    throw damagedLine(file, number, 'it is not UTF-8', error)
  }
}

function parsed(file: string, number: number, text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw damagedLine(file, number, `it is not JSON: ${(error as Error).message}`, error)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw damagedLine(file, number, 'it must be a JSON object')
}

/**
 * A file as pieces of bytes, unpacked where its name ends with .gz, and read no faster than it is asked for.
 * FreshdexError IO for a file that cannot be read, CORRUPT for a damaged or cut gzip.
 */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file)
  // The callback hears of every failure; so does whoever reads, and one of them is enough.
  const bytes = file.endsWith('.gz') ? pipeline(packed, createGunzip(), () => {}) : packed
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    bytes.destroy()
    packed.destroy()
  }
}

/** Bytes that come in pieces, taken by lines and by length. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #offset = 0

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Bytes taken so far. */
  get offset(): number {
    return this.#offset
  }

  /**
   * The next line as bytes 0 to 255, without its end, LF or CR LF. Undefined at the end; RangeError for a line that is
   * longer than allowed.
   */
  async line(maxBytes: number): Promise<string | undefined> {
    const parts: Buffer[] = []
    for (let bytes = 0; ; ) {
      const end = this.#rest.indexOf(LINE_FEED)
      const part = this.#cut(end === -1 ? this.#rest.length : end + 1)
      parts.push(part)
      bytes += part.length
      if (bytes > maxBytes) throw new RangeError(`a line is longer than ${maxBytes} bytes`)
      if (end !== -1 || !(await this.#refill())) break
    }
    const line = Buffer.concat(parts).toString('latin1')
    return line === '' ? undefined : line.replace(/\r?\n$/, '')
  }

  /** Takes so many bytes, or fewer at the end. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.#parts(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Passes over so many bytes; tells how many there were. */
  async skip(length: number): Promise<number> {
    let skipped = 0
    for await (const part of this.#parts(length)) skipped += part.length
    return skipped
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async *#parts(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#refill())) return
      const part = this.#cut(Math.min(left, this.#rest.length))
      left -= part.length
      yield part
    }
  }

  #cut(length: number): Buffer {
    const part = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    this.#offset += length
    return part
  }

  /** REQUIRES: nothing is left. False at the end. */
  async #refill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done !== true) this.#rest = value
    return done !== true
  }
}
