// Writes unicode_tables.inc: the word classes, the lower-case mappings and the letters without accents that analysis
// needs, asked of the Unicode data inside this Node (property escapes, toLowerCase and normalize), so that nothing is
// downloaded.
//
//   node native/analysis/generate_unicode.mjs
//
// A newer Node may know a newer Unicode and give other tables: tokens change, so both analyzer versions in analyzer.h
// go up with them.
import { writeFileSync } from 'node:fs'

const LAST_CODE_POINT = 0x10ffff
const LINE_WIDTH = 120

// Word_Break values that no property escape reaches (UAX #29, table 3). Characters that are white space are left out:
// white space always separates.
const MID_LETTER = [0x3a, 0xb7, 0x387, 0x55f, 0x5f4, 0x2027, 0xfe13, 0xfe55, 0xff1a]
const MID_NUMBER = [
  0x2c, 0x3b, 0x37e, 0x589, 0x60c, 0x60d, 0x66c, 0x7f8, 0x2044, 0xfe10, 0xfe14, 0xfe50, 0xfe54, 0xff0c, 0xff1b,
]
const MID_EITHER = [0x27, 0x2e, 0x2018, 0x2019, 0x2024, 0xfe52, 0xff07, 0xff0e]

// The first rule that holds decides. What no rule names is a symbol, punctuation, emoji or unassigned: class Other.
const RULES = [
  ['kSpace', /^\p{White_Space}$/u],
  // U+200B marks a word boundary although it is a format character; the Hangul fillers stand for nothing.
  ['kOther', /^[\u200b\u115f\u1160\u3164\uffa0]$/u],
  ['kIgnorable', /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u],
  ['kMark', /^[\p{M}\p{Grapheme_Extend}]$/u],
  ['kOther', /^\p{Extended_Pictographic}$/u],
  ['kCjk', /^(?=[\p{L}\p{Nl}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]$/u],
  ['kLetter', /^[\p{L}\p{Nl}]$/u],
  ['kDigit', /^\p{Nd}$/u],
  ['kConnector', /^\p{Pc}$/u],
]

function classOf(codePoint) {
  if (MID_LETTER.includes(codePoint)) return 'kMidLetter'
  if (MID_NUMBER.includes(codePoint)) return 'kMidNumber'
  if (MID_EITHER.includes(codePoint)) return 'kMidEither'
  const text = String.fromCodePoint(codePoint)
  return RULES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'kOther'
}

function lowerOf(codePoint) {
  // The full mapping of U+0130 is two code points (i and a dot above); plain i makes İstanbul match istanbul.
  if (codePoint === 0x130) return 0x69
  // Final and medial sigma are one letter to a reader, whatever the end of the word does to the first.
  if (codePoint === 0x3c2) return 0x3c3
  const lower = [...String.fromCodePoint(codePoint).toLowerCase()]
  if (lower.length !== 1) throw new Error(`U+${codePoint.toString(16)} lower-cases to ${lower.length} code points`)
  return lower[0].codePointAt(0)
}

function isSurrogate(codePoint) {
  return codePoint >= 0xd800 && codePoint <= 0xdfff
}

function classRanges() {
  const ranges = []
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint++) {
    const name = isSurrogate(codePoint) ? 'kOther' : classOf(codePoint)
    const last = ranges.at(-1)
    if (last?.name === name && last.to === codePoint - 1) last.to = codePoint
    else if (name !== 'kOther') ranges.push({ from: codePoint, to: codePoint, name })
  }
  return ranges
}

// Runs of code points with one distance to their lower case. In Latin, Greek and Cyrillic blocks upper and lower case
// often alternate, so a run may also go in steps of two.
function caseRanges() {
  const ranges = []
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint++) {
    if (isSurrogate(codePoint)) continue
    const delta = lowerOf(codePoint) - codePoint
    if (delta === 0) continue
    const last = ranges.at(-1)
    const step = last === undefined ? 0 : codePoint - last.to
    const fits = last?.delta === delta && step <= 2 && (last.from === last.to || last.step === step)
    if (fits) Object.assign(last, { to: codePoint, step })
    else ranges.push({ from: codePoint, to: codePoint, step: 1, delta })
  }
  return ranges
}

// The blocks of diacritical marks, which no script needs to tell its letters apart.
const DIACRITICS = [
  [0x300, 0x36f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe20, 0xfe2f],
]

function isDiacritic(codePoint) {
  return DIACRITICS.some(([first, last]) => codePoint >= first && codePoint <= last)
}

// Small letters whose canonical decomposition is another letter and diacritical marks, with that letter.
function foldRanges() {
  const ranges = []
  for (let codePoint = 0x80; codePoint <= LAST_CODE_POINT; codePoint++) {
    if (isSurrogate(codePoint) || lowerOf(codePoint) !== codePoint) continue
    if (classOf(codePoint) !== 'kLetter') continue
    const [base, ...marks] = [...String.fromCodePoint(codePoint).normalize('NFD')].map((point) => point.codePointAt(0))
    if (marks.length === 0 || !marks.every(isDiacritic)) continue
    const delta = lowerOf(base) - codePoint
    const last = ranges.at(-1)
    const step = last === undefined ? 0 : codePoint - last.to
    const fits = last?.delta === delta && step <= 2 && (last.from === last.to || last.step === step)
    if (fits) Object.assign(last, { to: codePoint, step })
    else ranges.push({ from: codePoint, to: codePoint, step: 1, delta })
  }
  return ranges
}

function hex(codePoint) {
  return `0x${codePoint.toString(16).toUpperCase()}`
}

function table(declaration, entries) {
  const lines = ['']
  for (const entry of entries) {
    const piece = `{${entry}}, `
    if ((lines.at(-1) + piece).trimEnd().length > LINE_WIDTH - 4) lines.push('')
    lines[lines.length - 1] += piece
  }
  return `${declaration} = {\n${lines.map((line) => `    ${line.trimEnd()}\n`).join('')}};\n`
}

const classes = classRanges().map(({ from, to, name }) => `${hex(from)}, ${hex(to)}, ${name}`)
const cases = caseRanges().map(({ from, to, step, delta }) => `${hex(from)}, ${hex(to)}, ${step}, ${delta}`)

const folds = foldRanges().map(({ from, to, step, delta }) => `${hex(from)}, ${hex(to)}, ${step}, ${delta}`)
const diacritics = DIACRITICS.map(([first, last]) => `${hex(first)}, ${hex(last)}`)

const { unicode } = process.versions
const header = `// Generated by native/analysis/generate_unicode.mjs from Unicode ${unicode}. Do not edit.
// Sorted, without overlap. Code points in no class range are kOther; those in no case range are their own lower case.

`
writeFileSync(
  new URL('unicode_tables.inc', import.meta.url),
  `${header}${table('constexpr ClassRange kClassRanges[]', classes)}
// {first, last, step, distance to the lower case}
${table('constexpr CaseRange kCaseRanges[]', cases)}
// Small letters with accents: {first, last, step, distance to the letter without them}
${table('constexpr CaseRange kFoldRanges[]', folds)}
// Diacritical marks: {first, last}
${table('constexpr DiacriticRange kDiacriticRanges[]', diacritics)}`,
)
