/** The lines of files and of standard input, read no faster than they are asked for. */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { LineRefused } from './line-fault.js'
import { type Line, LineSplitter, TOO_LONG } from './line-splitter.js'

/** Stands for standard input in a list of files. */
export const STDIN = '-'

export interface InputLine extends Line {
  /** The file, as it was given. */
  readonly source: string
}

/** Calls `onRead` with the size of each piece read. Ends with an AbortError when `signal` says so, also while it waits. */
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

/** The lines of one file that is taken as a whole or not at all: LineRefused for one that is too long. */
export async function* requiredLines(file: string): AsyncGenerator<InputLine & { readonly text: string }> {
  // Throws at once for what cannot be read, with a better message than a stream has for a folder.
  inputBytes([file])
  for await (const line of inputLines([file], new AbortController().signal, () => {})) {
    const { source, number, text } = line
    if (text === undefined) throw new LineRefused({ source, line: number, message: TOO_LONG })
    yield { ...line, text }
  }
}

/** All bytes there are to read, or undefined when that cannot be known. Throws for a file that is not there. */
export function inputBytes(files: readonly string[]): number | undefined {
  const inputs = files.map((file) => (file === STDIN ? fstatSync(process.stdin.fd) : statFile(file)))
  return inputs.every((stats) => stats.isFile()) ? inputs.reduce((sum, { size }) => sum + size, 0) : undefined
}

function statFile(file: string): Stats {
  const stats = statSync(file)
  if (stats.isDirectory()) throw new Error(`'${file}' is a folder, not a file`)
  return stats
}
