/** The tokens of a text as searches see them. */

export interface Token {
  readonly token: string
  /** Tokens are numbered from 0. A stop word takes a number and is no token. */
  readonly position: number
  /**
   * Where the word, or the pair of CJK characters, begins in the text, in UTF-16 units. Absent with an analyzer of your
   * own, which does not say it.
   */
  readonly start?: number
  /** Where it ends. */
  readonly end?: number
}

const HEAD_BYTES = 12

/** { u32 begin, u32 end, u16 bytes, u16 holes before, UTF-8 } … */
export function decodePlacedTokens(bytes: Uint8Array): Token[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tokens: Token[] = []
  let position = 0
  for (let at = 0; at < buffer.length; ) {
    const begin = at + HEAD_BYTES
    const end = begin + buffer.readUInt16LE(at + 8)
    position += buffer.readUInt16LE(at + 10)
    tokens.push({
      token: buffer.toString('utf8', begin, end),
      position: position++,
      start: buffer.readUInt32LE(at),
      end: buffer.readUInt32LE(at + 4),
    })
    at = end
  }
  return tokens
}
