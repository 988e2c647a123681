/**
 * Tokens by an own reading of the standard analyzer, so that what an index measures is compared with something that
 * owes nothing to it: words of letters, digits and connectors, one joining character between two letters or two digits
 * (UAX #29), CJK text in pairs.
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
/** Letters to Unicode that stand for nothing: they part words as punctuation does. */
const HANGUL_FILLERS = /[\u115F\u1160\u3164\uFFA0]/g

export function standardTokens(text: string): string[] {
  return (text.replace(HANGUL_FILLERS, ' ').match(WORD) ?? []).flatMap((word) => {
    if (HAS_CJK.test(word)) return pairsOf(word.match(CJK_CHARACTER)!).map(withoutFormats)
    return IS_WORD.test(word) ? [withoutAccents(lowerCase(withoutFormats(word)))] : []
  })
}

/** Soft hyphens, joiners and their like are no part of a token. */
function withoutFormats(token: string): string {
  return token.replace(/\p{Cf}/gu, '')
}

const ACCENT = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]'
const ACCENTS = new RegExp(ACCENT, 'gu')
const ACCENTED = new RegExp(`^\\p{L}${ACCENT}+$`, 'u')

/** Letter by letter: what is no letter with accents stays in one piece. */
function withoutAccents(word: string): string {
  if (!/[^\0-\x7f]/.test(word)) return word
  const letters = Array.from(word.replace(ACCENTS, ''), (letter) => {
    const parts = letter.normalize('NFD')
    return ACCENTED.test(parts) ? parts.replace(ACCENTS, '') : letter
  })
  return letters.join('')
}

/** Letter by letter: no letter becomes two, and every sigma is the same. */
function lowerCase(word: string): string {
  return word.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ')
}

function pairsOf(characters: readonly string[]): string[] {
  if (characters.length === 1) return [...characters]
  return characters.slice(1).map((character, at) => characters[at]! + character)
}
