/** Bytes that cross to the addon: a growable buffer that writes them, and text that survives UTF-8. */
import { FreshdexError } from './errors.js'

// Buffer has had this method from the beginning, but its type declarations leave it out. It skips the argument
// guessing of write(), which is most of the cost for short strings.
interface Utf8Buffer extends Buffer {
  utf8Write(text: string, offset: number, maxBytes: number): number
}

/** Memory that reset() keeps: enough for a batch of ordinary pages. */
const KEPT_BYTES = 8 * 1024 * 1024

/**
 * The most memory that is reserved because the content before needed as much. Large batches tend to follow each other,
 * and growing into fresh memory costs more than encoding.
 */
const MAX_EXPECTED_BYTES = 256 * 1024 * 1024

/** UTF-8 needs at most three bytes for each UTF-16 unit (a pair of units takes four). */
const MAX_BYTES_PER_UNIT = 3

function allocate(bytes: number): Utf8Buffer {
  return allocated(bytes, () => Buffer.allocUnsafeSlow(bytes) as Utf8Buffer)
}

/** Memory that threads share, all zeros. */
export function sharedMemory(bytes: number): SharedArrayBuffer {
  return allocated(bytes, () => new SharedArrayBuffer(bytes))
}

function allocated<Memory>(bytes: number, allocate: () => Memory): Memory {
  try {
    return allocate()
  } catch (cause) {
    throw new FreshdexError('OUT_OF_MEMORY', `could not allocate ${bytes} bytes`, { cause, detail: { bytes } })
  }
}

/**
 * A growable buffer for batches and queries. Numbers are little endian, without padding.
 *
 * I1  length <= capacity <= limit.
 * I2  view() shares memory with the writer: it is valid until the next write or reset.
 */
export class ByteWriter {
  #buffer: Utf8Buffer
  #length = 0
  /** What the content before this one needed, with some room to spare. The first growth reserves this much. */
  #expectedBytes = 0
  readonly #initialBytes: number
  readonly #limit: number
  readonly #overflow: (limit: number) => Error

  /** `overflow` makes the error for a write that would pass `limit` bytes. */
  constructor(initialBytes: number, limit: number, overflow: (limit: number) => Error) {
    this.#initialBytes = Math.min(initialBytes, limit)
    this.#limit = limit
    this.#overflow = overflow
    this.#buffer = allocate(this.#initialBytes)
  }

  get length(): number {
    return this.#length
  }

  /** Forgets the content. The memory is kept, unless it is more than KEPT_BYTES. */
  reset(): void {
    this.#expectedBytes = Math.min(this.#length + this.#length / 8, MAX_EXPECTED_BYTES)
    this.#length = 0
    if (this.#buffer.length > KEPT_BYTES) this.#buffer = allocate(this.#initialBytes)
  }

  /** REQUIRES: length <= this.length. */
  truncate(length: number): void {
    this.#length = length
  }

  u8(value: number): void {
    this.#reserve(1)
    this.#length = this.#buffer.writeUInt8(value, this.#length)
  }

  u16(value: number): void {
    this.#reserve(2)
    this.#length = this.#buffer.writeUInt16LE(value, this.#length)
  }

  u32(value: number): void {
    this.#reserve(4)
    this.#length = this.#buffer.writeUInt32LE(value, this.#length)
  }

  f64(value: number): void {
    this.#reserve(8)
    this.#length = this.#buffer.writeDoubleLE(value, this.#length)
  }

  bytes(source: Uint8Array): void {
    this.#reserve(source.length)
    this.#buffer.set(source, this.#length)
    this.#length += source.length
  }

  /** Writes text as UTF-8, lone surrogates as U+FFFD; returns the number of bytes. */
  utf8(text: string): number {
    // The bytes are counted only where the upper bound does not fit, so that the buffer does not grow in vain.
    if (this.#length + text.length * MAX_BYTES_PER_UNIT > this.#buffer.length) this.#reserve(Buffer.byteLength(text))
    const written = this.#buffer.utf8Write(text, this.#length, this.#buffer.length - this.#length)
    this.#length += written
    return written
  }

  /** Text preceded by its u32 byte length; returns that length. */
  sizedUtf8(text: string): number {
    const sizeAt = this.#length
    this.u32(0)
    const written = this.utf8(text)
    this.patchU32(sizeAt, written)
    return written
  }

  patchU16(at: number, value: number): void {
    this.#buffer.writeUInt16LE(value, at)
  }

  patchU32(at: number, value: number): void {
    this.#buffer.writeUInt32LE(value, at)
  }

  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#buffer.length) return
    if (needed > this.#limit) throw this.#overflow(this.#limit)
    // Doubling keeps the total copying linear in the final size.
    const wanted = Math.max(needed, this.#buffer.length * 2, Math.floor(this.#expectedBytes))
    const larger = allocate(Math.min(this.#limit, wanted))
    larger.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = larger
  }
}

// Node has had these two since version 20; the ES2023 library that this package is compiled against does not list them.
interface WellFormedString {
  isWellFormed(this: string): boolean
  toWellFormed(this: string): string
}

const { isWellFormed: test, toWellFormed: repair } = String.prototype as unknown as WellFormedString

/** Whether text has no lone surrogates, that is, whether it survives UTF-8. */
export function isWellFormed(text: string): boolean {
  return test.call(text)
}

/** The text as UTF-8 would bring it back: each lone surrogate becomes U+FFFD. */
export function toWellFormed(text: string): string {
  return repair.call(text)
}
