/** The lines of files and of standard input, read no faster than they are asked for. */

import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { failureCode } from '../output/output.js'

/** Stands for standard input in a list of files. */
export const STDIN = '-'

export interface InputLine extends Line {
  /** The file, as it was given. */
  readonly source: string
}

/**
 * The lines of all files. Calls `onRead` with the size of each piece read. Ends with an AbortError when `signal` is
 * aborted, also while it waits for input.
 */
export async function* inputLines(
  files: readonly string[],
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<InputLine> {
  for (const file of files) {
    const source = sourceName(file)
    const splitter = new LineSplitter()
    const stream: Readable = addAbortSignal(signal, file === STDIN ? process.stdin : createReadStream(file))
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onRead(chunk.length)
      for (const line of splitter.push(chunk)) yield { ...line, source }
    }
    for (const line of splitter.end()) yield { ...line, source }
  }
}

export function sourceName(file: string): string {
  return file === STDIN ? 'standard input' : file
}

/** A line of an input that is taken as a whole or not at all. */
export interface RequiredLine extends InputLine {
  readonly text: string
  /** The failure that names the line and ends the command. */
  readonly refuse: Refuse
}

export type Refuse = (message: string, code?: string) => LineRefused

/** The lines of one file that is taken as a whole or not at all: LineRefused for one that is too long. */
export async function* requiredLines(file: string): AsyncGenerator<RequiredLine> {
  // Throws at once for what cannot be read, with a better message than a stream has for a folder.
  inputBytes([file])
  for await (const line of inputLines([file], new AbortController().signal, () => {})) {
    const { source, number, text } = line
    const refuse: Refuse = (message, code) =>
      new LineRefused({ source, line: number, message, ...(code === undefined ? {} : { code }) })
    if (text === undefined) throw refuse(TOO_LONG)
    yield { ...line, text, refuse }
  }
}

/** The lines of one file that are not blank, as `requiredLines` gives them. */
export async function* filledLines(file: string): AsyncGenerator<RequiredLine> {
  for await (const line of requiredLines(file)) if (line.text.trim() !== '') yield line
}

/** What a line says, and how to refuse the line. */
export interface ReadLine<Value> {
  readonly value: Value
  readonly refuse: Refuse
}

/** What all lines say. The first for which `read` throws is refused with the message of that error. */
export async function readAll<Line extends { readonly refuse: Refuse }, Value>(
  lines: AsyncIterable<Line>,
  read: (line: Line) => Value,
): Promise<ReadLine<Value>[]> {
  const all: ReadLine<Value>[] = []
  for await (const line of lines) {
    try {
      all.push({ value: read(line), refuse: line.refuse })
    } catch (error) {
      throw line.refuse((error as Error).message, failureCode(error))
    }
  }
  return all
}

/**
 * Hands what lines say to the index, which reads value by value and refuses each as it reads it. If it fails before it
 * has read them all, the line of the last value that it asked for is refused.
 */
export async function handOver<Value>(
  lines: readonly ReadLine<Value>[],
  take: (values: Iterable<Value>) => Promise<unknown>,
): Promise<void> {
  let reading: ReadLine<Value> | undefined
  const values = function* () {
    for (const line of lines) {
      reading = line
      yield line.value
    }
    reading = undefined
  }
  try {
    await take(values())
  } catch (error) {
    if (reading === undefined || !(error instanceof Error)) throw error
    throw reading.refuse(error.message, failureCode(error))
  }
}

/** How many bytes there are to read; undefined if that cannot be known. Throws for a file that is not there. */
export function inputBytes(files: readonly string[]): number | undefined {
  const inputs = files.map((file) => (file === STDIN ? fstatSync(process.stdin.fd) : statFile(file)))
  return inputs.every((stats) => stats.isFile()) ? inputs.reduce((sum, { size }) => sum + size, 0) : undefined
}

function statFile(file: string): Stats {
  const stats = statSync(file)
  if (stats.isDirectory()) throw new Error(`'${file}' is a folder, not a file`)
  return stats
}

/** The longest line that is taken, in bytes: a line has to be in memory as a whole, some three times over. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** The fault of a line whose text is undefined. */
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

/** A line of an input that cannot be taken, and why. */
export interface LineFault {
  readonly source: string
  readonly line: number
  readonly message: string
  /** The code of the error with which the index refused the line, if it has one. */
  readonly code?: string
}

/** The fault of a line, as the failure that ends a command. */
export class LineRefused extends Error {
  readonly code: string | undefined

  constructor({ source, line, message, code }: LineFault) {
    super(`line ${line} of ${source}: ${message}`)
    this.code = code
  }
}
