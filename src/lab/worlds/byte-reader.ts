/** Bytes that come in pieces, taken by lines and by length. */

const LINE_FEED = 0x0a

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

  /** The next line as bytes 0 to 255, without its end, LF or CR LF. Undefined at the end; RangeError for a line that is longer than allowed. */
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

  /** So many bytes; fewer at the end. */
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
