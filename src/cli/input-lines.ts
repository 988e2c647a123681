/** The lines of files and of standard input, read no faster than they are asked for. */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs'
import { addAbortSignal, type Readable } from 'node:stream'
import { type Line, LineSplitter } from './line-splitter.js'

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
    const source = file === STDIN ? 'standard input' : file
    const splitter = new LineSplitter()
    const stream: Readable = addAbortSignal(signal, file === STDIN ? process.stdin : createReadStream(file))
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      onRead(chunk.length)
      for (const line of splitter.push(chunk)) yield { ...line, source }
    }
    for (const line of splitter.end()) yield { ...line, source }
  }
}

/** All bytes there are to read, or undefined when that cannot be known. Throws for a file that is not there. */
export function inputBytes(files: readonly string[]): number | undefined {
  const inputs = files.map((file) => (file === STDIN ? fstatSync(process.stdin.fd) : statFile(file)))
  return inputs.every((stats) => stats.isFile()) ? inputs.reduce((sum, { size }) => sum + size, 0) : undefined
}

function statFile(file: string): Stats {
  const stats = statSync(file)
  if (stats.isDirectory()) throw new Error(`'${file}' is a folder, not a file of JSON lines`)
  return stats
}
