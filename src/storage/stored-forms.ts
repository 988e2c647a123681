/** The stored forms of a batch, on their way to the catalog. */
import type { EncodedBatch } from '../engine/slab.js'

export interface StoredForms {
  /** One after another, in memory of their own. */
  readonly bytes: Uint8Array
  /** Where each of them ends. */
  readonly ends: Uint32Array
}

export function joinStored(parts: readonly Uint8Array[]): StoredForms {
  const ends = new Uint32Array(parts.length)
  const total = parts.reduce((sum, { length }) => sum + length, 0)
  const bytes = new Uint8Array(total)
  let at = 0
  for (const [row, part] of parts.entries()) {
    bytes.set(part, at)
    at += part.length
    ends[row] = at
  }
  return { bytes, ends }
}

export function copyStored({ bytes, storedExtents }: EncodedBatch): StoredForms {
  const parts: Uint8Array[] = []
  for (let at = 0; at < storedExtents.length; at += 2)
    parts.push(bytes.subarray(storedExtents[at], storedExtents[at + 1]))
  return joinStored(parts)
}
