/**
 * Text that no one wrote and that behaves as English does for a search engine: frequent short words that say nothing,
 * words by Zipf's law that take endings, words that belong to a subject, and pages of very different lengths.
 */
import type { Randomness } from '../../lab/worlds/randomness.js'

/** About half of the words of a text, the most frequent first. */
const FUNCTION_WORDS = (
  'the of and to a in is that for it as with was on be by are this or from at which an not have but its can has will ' +
  'if they one all when there been more other into than about no some so may any only these such after most also how'
).split(' ')
const FUNCTION_SHARE = 0.42

const ONSETS = ['b', 'c', 'd', 'f', 'g', 'h', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w', 'br', 'cl', 'pr', 'st', 'tr']
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'a', 'e', 'i', 'ea', 'ou']
const CODAS = ['', '', '', '', 'n', 'r', 'l', 't', 'm', 'nd', 'st']
/** Endings and how often a word takes one, of a hundred; the others stand as they are. */
const ENDINGS: readonly (readonly [string, number])[] = [
  ['s', 18],
  ['ed', 9],
  ['ing', 8],
  ['ation', 3],
  ['ly', 3],
]

/** Distinct words before endings. */
const STEMS = 15_000
/** A page is about one of so many subjects, each with words of its own, which are this share of its text. */
const SUBJECTS = 200
const SUBJECT_STEMS = 120
const SUBJECT_SHARE = 0.18

/** The median number of words of a text, and the standard deviation of its logarithm. */
const MEDIAN_WORDS = 300
const LOG_DEVIATION = 0.85
const MOST_WORDS = 6000

export interface InventedPage {
  readonly url: string
  readonly title: string
  readonly body: string
}

export class InventedText {
  readonly #random: Randomness
  readonly #stems: readonly string[]
  #pages = 0

  constructor(random: Randomness) {
    this.#random = random
    const stems = new Set<string>()
    // Frequent words are short, as in every language.
    while (stems.size < STEMS) stems.add(this.#stem(stems.size < 300 ? 1 : stems.size < 6000 ? 2 : 3))
    this.#stems = [...stems]
  }

  page(): InventedPage {
    const number = this.#pages++
    const subject = this.#random.between(0, SUBJECTS - 1)
    const words = Math.min(MOST_WORDS, Math.ceil(MEDIAN_WORDS * Math.exp(LOG_DEVIATION * this.#normal())))
    const title = capitalised(this.#words(subject, this.#random.between(3, 7)).join(' '))
    return { url: `https://site.example/${subject}/${number}`, title, body: this.#paragraphs(subject, words) }
  }

  /** A paragraph a line, of sentences. */
  #paragraphs(subject: number, words: number): string {
    const lines: string[] = []
    for (let left = words; left > 0; ) {
      const sentences: string[] = []
      for (let wanted = this.#random.between(1, 5); wanted > 0 && left > 0; wanted--) {
        const length = Math.min(left, this.#random.between(6, 26))
        sentences.push(`${capitalised(this.#words(subject, length).join(' '))}.`)
        left -= length
      }
      lines.push(sentences.join(' '))
    }
    return lines.join('\n')
  }

  #words(subject: number, count: number): string[] {
    return Array.from({ length: count }, () => this.#word(subject))
  }

  #word(subject: number): string {
    const random = this.#random
    if (random.chance(FUNCTION_SHARE)) return random.pickEarly(FUNCTION_WORDS)
    const isOfSubject = random.chance(SUBJECT_SHARE / (1 - FUNCTION_SHARE))
    const place = isOfSubject
      ? (subject * SUBJECT_STEMS * 7 + Math.floor((SUBJECT_STEMS + 1) ** random.next()) * 13) % STEMS
      : Math.floor((STEMS + 1) ** random.next()) - 1
    return this.#stems[Math.min(place, STEMS - 1)] + this.#ending()
  }

  #ending(): string {
    let draw = this.#random.between(0, 99)
    for (const [ending, hundredths] of ENDINGS) {
      if (draw < hundredths) return ending
      draw -= hundredths
    }
    return ''
  }

  #stem(syllables: number): string {
    const random = this.#random
    let stem = ''
    for (let at = 0; at < syllables; at++) stem += random.pick(ONSETS) + random.pick(NUCLEI) + random.pick(CODAS)
    return stem
  }

  /** Mean 0, variance 1, near enough: a sum of twelve uniform numbers. */
  #normal(): number {
    let sum = -6
    for (let part = 0; part < 12; part++) sum += this.#random.next()
    return sum
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
