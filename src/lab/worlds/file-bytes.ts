/** Files as pieces of bytes, unpacked where their name ends with .gz; read no faster than they are asked for. */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { unreadable } from './world-fault.js'

/** FreshdexError IO for a file that cannot be read, CORRUPT for a damaged or cut gzip. */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  const packed = createReadStream(file)
  // The callback hears of every failure; so does whoever reads, and one of them is enough.
  const bytes = file.endsWith('.gz') ? pipeline(packed, createGunzip(), () => {}) : packed
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    bytes.destroy()
    packed.destroy()
  }
}
