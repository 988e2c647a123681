/** The lines of a UTF-8 file, packed or not. */
import { fileBytes } from './file-bytes.js'
import { damagedLine } from './world-fault.js'

/** A line has to be in memory as a whole. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const LINE_FEED = 0x0a
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface FileLine {
  /** Counts from 1. */
  readonly number: number
  /** Without its end, LF or CR LF. */
  readonly text: string
}

/** Blank lines are passed over, but counted. */
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
