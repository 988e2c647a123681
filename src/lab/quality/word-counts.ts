/**
 * Counts words in texts by an own reading of the standard analyzer: words of letters, digits and connectors, one joining
 * character between two letters or two digits (UAX #29), CJK text in pairs. White space separates whatever stands beside it, so
 * pieces between white space are read once and remembered.
 */
// Half-width voicing marks are letters to Unicode, and marks to whoever cuts words.
const MARK = '[\\p{M}\\p{Cf}\\uFF9E\\uFF9F]'
const MARKS = `${MARK}*`
const CJK = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\u30FC\\uFF70'
const CJK_LETTER = `(?!${MARK})[${CJK}]`
const WORD_CHARACTER = `(?!${MARK}|[${CJK}])(?:\\p{Nd}|\\p{Pc}|(?!\\p{Extended_Pictographic})\\p{L})`
const JOINS_LETTERS = ':\u00B7\u0387\u055F\u05F4\u2027\uFE13\uFE55\uFF1A'
const JOINS_DIGITS = ',;\u037E\u0589\u060C\u060D\u066C\u07F8\u2044\uFE10\uFE14\uFE50\uFE54\uFF0C\uFF1B'
const JOINS_BOTH = ".'\u2018\u2019\u2024\uFE52\uFF07\uFF0E"
const WORD = new RegExp(
  [
    `${WORD_CHARACTER}(?:${WORD_CHARACTER}|${MARK}`,
    `|(?<=\\p{L}${MARKS})[${JOINS_LETTERS}${JOINS_BOTH}](?=${MARKS}(?![${CJK}])\\p{L})`,
    `|(?<=\\p{Nd}${MARKS})[${JOINS_DIGITS}${JOINS_BOTH}](?=${MARKS}\\p{Nd}))*`,
    `|(?:${CJK_LETTER}${MARKS})+`,
  ].join(''),
  'gu',
)
const CJK_CHARACTER = new RegExp(`${CJK_LETTER}${MARKS}`, 'gu')
const HAS_CJK = new RegExp(`^[${CJK}]`, 'u')
const IS_WORD = /[\p{L}\p{Nd}]/u

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

export class WordCounter {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #pieces = new Map<string, Piece>()

  /** Of these words, numbered in this order, frequencies are told; of all others only how many there are. */
  constructor(words: readonly string[]) {
    this.#numbers = new Map(words.map((word, number) => [word, number]))
  }

  count(text: string): FieldCounts {
    const frequencies = new Map<number, number>()
    let length = 0
    for (const part of text.split(/\s+/u)) {
      const { tokens, words } = this.#read(part)
      length += tokens
      for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
    }
    return { length, frequencies }
  }

  #read(text: string): Piece {
    const known = this.#pieces.get(text)
    if (known !== undefined) return known
    const tokens = tokensOf(text)
    const words = tokens.flatMap((token) => this.#numbers.get(token) ?? [])
    const piece = { tokens: tokens.length, words }
    this.#pieces.set(text, piece)
    return piece
  }
}

/** In order, as the standard analyzer has them. */
export function tokensOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    if (HAS_CJK.test(word)) return pairsOf(word.match(CJK_CHARACTER)!)
    return IS_WORD.test(word) ? [word.replace(/\p{Cf}/gu, '').toLowerCase()] : []
  })
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters]
  return characters.slice(1).map((character, at) => characters[at]! + character)
}
