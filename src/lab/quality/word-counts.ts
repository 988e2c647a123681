/** Counts words in texts. */

/** The tokens of a text in order. Must be local to white space: the tokens of a text are those of its parts. */
export type TokenReader = (text: string) => readonly string[]

/** Where texts are cut; analyzers know more kinds of it, which stay inside a part. */
const WHITE_SPACE = /[ \t\r\n]+/

/** A field of a page. */
export interface FieldCounts {
  /** Tokens. */
  readonly length: number
  /** By number of the word. */
  readonly frequencies: ReadonlyMap<number, number>
}

interface Piece {
  readonly tokens: number
  /** Numbers of the counted words in it, as often as they occur. */
  readonly words: readonly number[]
}

/** Parts between white space are read once and remembered. */
export class WordCounter {
  readonly #tokensOf: TokenReader
  readonly #numbers: ReadonlyMap<string, number>
  readonly #pieces = new Map<string, Piece>()

  /** Of these words, numbered in this order, frequencies are told; of all others only how many there are. */
  constructor(words: readonly string[], tokensOf: TokenReader) {
    this.#tokensOf = tokensOf
    this.#numbers = new Map(words.map((word, number) => [word, number]))
  }

  count(text: string): FieldCounts {
    const frequencies = new Map<number, number>()
    let length = 0
    for (const part of text.split(WHITE_SPACE)) {
      const { tokens, words } = this.#read(part)
      length += tokens
      for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
    }
    return { length, frequencies }
  }

  #read(text: string): Piece {
    const known = this.#pieces.get(text)
    if (known !== undefined) return known
    const tokens = this.#tokensOf(text)
    const words = tokens.flatMap((token) => this.#numbers.get(token) ?? [])
    const piece = { tokens: tokens.length, words }
    this.#pieces.set(text, piece)
    return piece
  }
}
