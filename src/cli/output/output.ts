/** Results go to standard output, everything else to standard error. */
import type { Writable } from 'node:stream'
import { FreshdexError } from '../../index.js'
import { UsageError } from '../command.js'
import { oneLine } from './wording.js'

export const EXIT_FAILURE = 1
export const EXIT_USAGE = 2
/** 128 and the number of SIGINT, as shells have it. */
export const EXIT_INTERRUPTED = 130

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(toJson(value, 2))
}

/** Lines are written together from this length on, in UTF-16 units. */
export const CHUNK_LENGTH = 64 * 1024

/** Any number of lines to standard output, no faster than they are read there. */
export async function printLines(lines: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    await writeWhole(process.stdout, chunk)
    chunk = ''
  }
  await writeWhole(process.stdout, chunk)
}

/**
 * Waits until the chunk has left: a pipe is written at once, and only so a closed one is noticed before the next chunk.
 */
export function writeWhole(stream: Writable, chunk: string): Promise<number> {
  const bytes = Buffer.from(chunk)
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)))
  })
}

/** One line, whatever the message holds. */
export function complain(message: string): void {
  process.stderr.write(`freshdex: ${oneLine(message)}\n`)
}

/** Says what failed and sets the exit status. */
export function complainOf(error: unknown): void {
  complain(describeFailure(error))
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE
}

/** `message (CODE)` */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = failureCode(error)
  if (code === undefined) return error.message
  // Node puts the code of the operating system before its messages.
  return `${error.message.replace(`${code}: `, '')} (${code})`
}

/** The code of a failure of the index or of the operating system. */
export function failureCode(error: unknown): string | undefined {
  if (error instanceof FreshdexError) return error.code
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * A reader that has seen enough, such as head, closes the pipe: no failure, and nothing is left to do. Commands print
 * when their index is closed, or only read it.
 */
export function endWithReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') complainOf(error)
    process.exit()
  })
  process.stderr.on('error', () => {})
}

/**
 * Values of the index as JSON. What a stored document can hold and JSON cannot: big integers become decimal strings,
 * bytes base64.
 */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, sayable, indent)
}

function sayable(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  // The value itself has already been through Buffer's toJSON.
  const original = (this as Record<string, unknown>)[name]
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value
}
