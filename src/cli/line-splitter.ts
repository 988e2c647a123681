/** Longest line that is taken, in bytes. A line has to be in memory as a whole, some three times over. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** What is wrong with a line without text. */
export const TOO_LONG = `it is longer than ${MAX_LINE_BYTES} bytes`

const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\ufeff'

export interface Line {
  /** Counts from 1. */
  readonly number: number
  /** Without its end, LF or CR LF; bytes that are not UTF-8 become U+FFFD. Undefined when the line is too long. */
  readonly text: string | undefined
  readonly bytes: number
}

/** Cuts chunks of bytes into lines, wherever the chunks end. Of a line that is too long nothing is kept. */
export class LineSplitter {
  readonly #maxBytes: number
  /** The line that has not ended yet. */
  #parts: Uint8Array[] = []
  #bytes = 0
  #number = 0

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in this chunk. */
  *push(chunk: Uint8Array): Generator<Line> {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, end))
      yield this.#take()
      start = end + 1
    }
    this.#add(chunk.subarray(start))
  }

  /** The last line, if no line feed ended it. */
  *end(): Generator<Line> {
    if (this.#bytes > 0) yield this.#take()
  }

  #add(part: Uint8Array): void {
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #take(): Line {
    const bytes = this.#bytes
    const text = bytes > this.#maxBytes ? undefined : this.#decode()
    this.#number++
    this.#parts = []
    this.#bytes = 0
    return { number: this.#number, text, bytes }
  }

  #decode(): string {
    const text = Buffer.concat(this.#parts).toString('utf8')
    const start = this.#number === 0 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
    return text.slice(start, text.endsWith('\r') ? -1 : undefined)
  }
}
