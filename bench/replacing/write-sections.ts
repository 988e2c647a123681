/**
 * Writes in a file that a program in any language reads without a parser: sections, each of which is timed by itself.
 * Numbers are little-endian and have 4 bytes; a text is its number of bytes and then its bytes, UTF-8.
 *
 *   section   text: its name | number of writes | each write
 *   write     number of pages put, and of each its key and its text | number of removals, and the key of each
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { TextPage } from '../large-collection.js'

export interface TextWrite {
  readonly put: readonly TextPage[]
  readonly remove: readonly string[]
}

export interface WriteSection {
  readonly name: string
  readonly writes: readonly TextWrite[]
}

export function writeSections(file: string, sections: Iterable<WriteSection>): void {
  const output = openSync(file, 'w')
  try {
    for (const { name, writes } of sections) {
      const parts: Buffer[] = [...sized(name), number(writes.length)]
      for (const { put, remove } of writes) {
        parts.push(number(put.length))
        for (const { url, text } of put) parts.push(...sized(url), ...sized(text))
        parts.push(number(remove.length))
        for (const url of remove) parts.push(...sized(url))
      }
      writeSync(output, Buffer.concat(parts))
    }
  } finally {
    closeSync(output)
  }
}

/** A section at a time: what is to come is read from bytes in memory when it is asked for. */
export function* readSections(file: string): Generator<WriteSection> {
  const bytes = readFileSync(file)
  let at = 0
  const take = (length: number) => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const takeNumber = () => take(4).readUInt32LE()
  const takeText = () => take(takeNumber()).toString()
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make)
  while (at < bytes.length) {
    const name = takeText()
    const writes = times(takeNumber(), () => ({
      put: times(takeNumber(), () => ({ url: takeText(), text: takeText() })),
      remove: times(takeNumber(), takeText),
    }))
    yield { name, writes }
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function sized(text: string): [Buffer, Buffer] {
  const bytes = Buffer.from(text)
  return [number(bytes.length), bytes]
}
