/**
 * Pages in a file that a program in any language reads without a parser: for each page the bytes of its key and the
 * bytes of its text, UTF-8, each after its length as a little-endian number of 4 bytes.
 */
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { TextPage } from './large-collection.js'

const LENGTH_BYTES = 4
const CHUNK_BYTES = 2 ** 22

export interface WrittenPages {
  readonly documents: number
  /** 10^6 bytes of text. */
  readonly textMB: number
}

export async function writePageRecords(
  file: string,
  pages: Iterable<TextPage> | AsyncIterable<TextPage>,
): Promise<WrittenPages> {
  const output = openSync(file, 'w')
  try {
    let [documents, textBytes, waitingBytes] = [0, 0, 0]
    let waiting: Buffer[] = []
    const flush = () => {
      writeSync(output, Buffer.concat(waiting))
      waiting = []
      waitingBytes = 0
    }
    for await (const { url, text } of pages) {
      for (const part of [url, text]) {
        const bytes = Buffer.from(part)
        const length = Buffer.alloc(LENGTH_BYTES)
        length.writeUInt32LE(bytes.length)
        waiting.push(length, bytes)
        waitingBytes += LENGTH_BYTES + bytes.length
        if (part === text) textBytes += bytes.length
      }
      documents++
      if (waitingBytes > CHUNK_BYTES) flush()
    }
    flush()
    return { documents, textMB: textBytes / 1e6 }
  } finally {
    closeSync(output)
  }
}

export function* readPageRecords(file: string): Generator<TextPage> {
  const input = openSync(file, 'r')
  try {
    let unread = Buffer.alloc(0)
    const take = (bytes: number): Buffer | undefined => {
      if (unread.length < bytes) {
        const more = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, bytes))
        unread = Buffer.concat([unread, more.subarray(0, readSync(input, more))])
        if (unread.length === 0) return undefined
        if (unread.length < bytes) throw new Error(`${file} ends within a page`)
      }
      const taken = unread.subarray(0, bytes)
      unread = unread.subarray(bytes)
      return taken
    }
    const takeText = () => {
      const length = take(LENGTH_BYTES)
      return length === undefined ? undefined : take(length.readUInt32LE())?.toString()
    }
    for (let url = takeText(); url !== undefined; url = takeText()) yield { url, text: takeText() ?? '' }
  } finally {
    closeSync(input)
  }
}
