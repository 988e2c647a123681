/** The words of query text: where they end, what is escaped, and which operators follow them. */

export interface Word {
  /** Without the backslashes. */
  readonly text: string
  readonly hasEscape: boolean
  /** Characters of `text` before this index are escaped, or stand before an escaped one, and are no operators. */
  readonly literalUntil: number
  /** The first colon that is not escaped, or -1. */
  readonly colonAt: number
  /** Where the word ends in the query text. */
  readonly end: number
}

export interface Suffix {
  readonly body: string
  readonly operator: 'prefix' | 'fuzzy' | undefined
  readonly edits: 1 | 2
  readonly boost: number
}

/**
 * A boost has up to six digits on either side of the point: enough for any purpose, and few enough that the product
 * over all levels of a query stays finite.
 */
const BOOST = /^(?:\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})$/
const MAX_BOOST_UNITS = 13
const BOOST_AFTER = /\^(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})(?![^\s()"])/y

const SPACE = /\s/

export function isSpace(character: string): boolean {
  const code = character.charCodeAt(0)
  // Nearly all characters of queries are in this range.
  if (code > 0x20 && code < 0x80) return false
  return SPACE.test(character)
}

function endsWord(character: string): boolean {
  return character === '(' || character === ')' || character === '"' || isSpace(character)
}

/** REQUIRES: a word character at `start`. */
export function readWord(source: string, start: number): Word {
  let text = ''
  let literalUntil = 0
  let colonAt = -1
  let hasEscape = false
  let at = start
  let copiedUntil = start
  for (; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\\') {
      // A backslash with nothing to escape is a dangling operator.
      text += source.slice(copiedUntil, at) + source.charAt(at + 1)
      hasEscape = true
      literalUntil = text.length
      at++
      copiedUntil = at + 1
    } else if (endsWord(character)) {
      break
    } else if (character === ':' && colonAt < 0) {
      colonAt = text.length + at - copiedUntil
    }
  }
  const end = Math.min(at, source.length)
  return { text: text + source.slice(copiedUntil, end), hasEscape, literalUntil, colonAt, end }
}

/** The content of a quotation that begins at `start`. An unclosed one ends with the text. */
export function readQuoted(source: string, start: number): { readonly text: string; readonly end: number } {
  let text = ''
  let at = start
  let copiedUntil = start
  for (; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '"') break
    if (character !== '\\') continue
    text += source.slice(copiedUntil, at) + source.charAt(at + 1)
    at++
    copiedUntil = at + 1
  }
  return { text: text + source.slice(copiedUntil, at), end: Math.min(at + 1, source.length) }
}

/** The boost directly after a quotation or group; 1 when there is none. */
export function takeBoost(source: string, at: number): { readonly boost: number; readonly end: number } {
  BOOST_AFTER.lastIndex = at
  const found = BOOST_AFTER.exec(source)
  return found === null ? { boost: 1, end: at } : { boost: Number(found[1]), end: BOOST_AFTER.lastIndex }
}

/** Splits a word, from `start` on, into its body and the operators at its end: `abc*`, `abc~2`, `abc^3`. */
export function splitSuffix(word: Word, start: number): Suffix {
  const { text } = word
  const from = Math.max(start, word.literalUntil)
  let end = text.length
  let boost = 1
  const caretAt = text.lastIndexOf('^')
  if (caretAt >= from && end - caretAt - 1 <= MAX_BOOST_UNITS && BOOST.test(text.slice(caretAt + 1))) {
    boost = Number(text.slice(caretAt + 1))
    end = caretAt
  }
  if (end > from && text[end - 1] === '*') {
    while (end > from && text[end - 1] === '*') end--
    return { body: text.slice(start, end), operator: 'prefix', edits: 1, boost }
  }
  const digit = text[end - 1]
  const tildeAt = digit === '1' || digit === '2' ? end - 2 : end - 1
  if (tildeAt >= from && text[tildeAt] === '~') {
    return { body: text.slice(start, tildeAt), operator: 'fuzzy', edits: digit === '2' ? 2 : 1, boost }
  }
  return { body: text.slice(start, end), operator: undefined, edits: 1, boost }
}
