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

/**
 * The completions of several groups of fields as one list. A word of several of them counts where most documents have
 * it.
 */
export function mergedCompletions(groups: readonly (readonly WordCompletion[])[], limit: number): WordCompletion[] {
  const best = new Map<string, WordCompletion>()
  for (const completion of groups.flat()) {
    const known = best.get(completion.text)
    if (known === undefined || known.weight < completion.weight) best.set(completion.text, completion)
  }
  const inOrder = [...best.values()].sort(
    (a, b) => a.edits - b.edits || b.weight - a.weight || Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)),
  )
  return inOrder.slice(0, limit)
}
