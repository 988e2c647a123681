/** Words that begin like another one, as the core gives them. */

export interface WordCompletion {
  readonly text: string
  /** The documents that have it. */
  readonly weight: number
  readonly edits: number
}

const HEAD_BYTES = 6

/** { u32 documents, u8 edits, u8 bytes, UTF-8 } … */
export function decodeCompletions(bytes: Uint8Array): WordCompletion[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words: WordCompletion[] = []
  for (let at = 0; at < buffer.length; ) {
    const begin = at + HEAD_BYTES
    const end = begin + buffer.readUInt8(at + 5)
    words.push({
      text: buffer.toString('utf8', begin, end),
      weight: buffer.readUInt32LE(at),
      edits: buffer.readUInt8(at + 4),
    })
    at = end
  }
  return words
}
