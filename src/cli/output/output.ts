/** What commands print, and their exit status: results go to standard output, everything else to standard error. */
import type { Writable } from 'node:stream'
import { escaped } from '../../base/describe.js'
import { FreshdexError, type Key } from '../../index.js'
import { UsageError } from '../options.js'
import { suspendClock } from './clock.js'
import { oneLine } from './wording.js'

export const EXIT_FAILURE = 1
export const EXIT_USAGE = 2
/** 128 and the number of SIGINT, as shells have it. */
export const EXIT_INTERRUPTED = 130

/** What a command came to. All of it may be absent: a command may have printed what it had, or been interrupted. */
export interface Outcome {
  /** The one document that --json prints. */
  readonly json?: unknown
  /** What is printed without --json; or lines, which are printed no faster than they are read. */
  readonly text?: string | Iterable<string>
  /** For standard error, behind the result. */
  readonly warnings?: readonly string[]
  /** What went wrong, for standard error; the exit status follows from it. */
  readonly failure?: unknown
  /** The exit status where nothing failed but the result is not what it should be; 0 unless told. */
  readonly status?: number
}

export async function printOutcome(outcome: Outcome, isJson: boolean): Promise<void> {
  if (isJson) {
    const { json } = outcome
    if (json !== undefined) printJson(json)
  } else if (outcome.text !== undefined) {
    if (typeof outcome.text === 'string') print(outcome.text)
    else await writeLines(process.stdout, outcome.text)
  }
  for (const each of outcome.warnings ?? []) warn(each)
  if (outcome.failure !== undefined) reportFailure(outcome.failure)
  else if (outcome.status !== undefined) process.exitCode = outcome.status
}

export function print(text: string): void {
  suspendClock()
  process.stdout.write(`${text}\n`)
}

/**
 * Keys as they are, one on each line, for another program to read. On a terminal they must not send escapes of their
 * own.
 */
export function* keyLines(keys: Iterable<Key>): Generator<string> {
  const isTerminal = process.stdout.isTTY === true
  for (const key of keys) yield isTerminal ? oneLine(String(key)) : String(key)
}

export function printJson(value: unknown): void {
  print(toJson(value, 2))
}

/** Lines are written together from this length on, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024

/** Any number of lines, no faster than they are read there; how many bytes they were. */
export async function writeLines(stream: Writable, lines: Iterable<string>): Promise<number> {
  let bytes = 0
  let chunk = ''
  if (stream === process.stdout) suspendClock()
  for (const line of lines) {
    chunk += `${line}\n`
    if (chunk.length < CHUNK_LENGTH) continue
    bytes += await writeWhole(stream, chunk)
    chunk = ''
  }
  return bytes + (await writeWhole(stream, chunk))
}

/** Waits until the chunk has left, so that a pipe that was closed is noticed before the next chunk is made. */
function writeWhole(stream: Writable, chunk: string): Promise<number> {
  const bytes = Buffer.from(chunk)
  return new Promise((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve(bytes.length)))
  })
}

/** One line on standard error, whatever the message holds. */
export function warn(message: string): void {
  process.stderr.write(`freshdex: ${oneLine(message)}\n`)
}

/** Says what failed and sets the exit status. */
export function reportFailure(error: unknown): void {
  warn(describeFailure(error))
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE
}

/** `message (CODE)` */
function describeFailure(error: unknown): string {
  return escaped(failureText(error))
}

function failureText(error: unknown): string {
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
 * Ends the process when the reader of standard output has seen enough, as head has, and closes the pipe. That is no
 * failure, and nothing is lost: commands print after they have closed their index, or only read it.
 */
export function endWithReaders(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') reportFailure(error)
    process.exit()
  })
  process.stderr.on('error', () => {})
}

/**
 * Values of the index as JSON. A stored document can hold what JSON cannot: big integers become decimal strings, bytes
 * become base64.
 */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, jsonValue, indent)
  // JSON leaves control characters above ASCII as they are, and terminals obey them.
  return text === undefined ? text : escaped(text)
}

function jsonValue(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  // The value itself has already been through Buffer's toJSON.
  const original = (this as Record<string, unknown>)[name]
  return original instanceof Uint8Array ? Buffer.from(original).toString('base64') : value
}
