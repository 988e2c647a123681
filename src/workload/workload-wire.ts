/**
 * A workload as the addon reads it: see native/quality/workload.h.
 *
 *   u32 queries | per query: u32 id | f64 weight | u16 words | per word: u8 bytes, UTF-8
 *
 * Example: query 7 of weight 1 with the word "ab" is  01000000 | 07000000 | 000000000000F03F | 0100 | 02 6162.
 */

/** Words are tokens of the index, each once. */
export interface MeasuredQuery {
  readonly id: number
  readonly weight: number
  readonly words: readonly string[]
}

/** A query of more words is a document, and no page would be found by all of them. */
export const MAX_QUERY_WORDS = 64

/** REQUIRES: weights above 0; per query 1 to 64 distinct words of 1 to 255 bytes. */
export function encodeWorkload(queries: readonly MeasuredQuery[]): Uint8Array {
  const parts: Buffer[] = []
  const count = Buffer.alloc(4)
  count.writeUInt32LE(queries.length)
  parts.push(count)
  for (const { id, weight, words } of queries) {
    const head = Buffer.alloc(14)
    head.writeUInt32LE(id, 0)
    head.writeDoubleLE(weight, 4)
    head.writeUInt16LE(words.length, 12)
    parts.push(head)
    for (const word of words) {
      const text = Buffer.from(word, 'utf8')
      parts.push(Buffer.of(text.length), text)
    }
  }
  return Buffer.concat(parts)
}
