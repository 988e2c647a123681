/**
 * Invented text with the shape of real text: few words are frequent and most are rare, words come in families that
 * share a prefix, and many have a neighbour one or two edits away. All of it is drawn from the given source of
 * randomness.
 *
 * The words stay where every reasonable tokenizer agrees: letters and digits, parted by spaces, line ends, ', ' and '!
 * '.
 */
import type { SeededRandom } from './seed.js'

export interface Alphabet {
  readonly onsets: readonly string[]
  readonly vowels: readonly string[]
  /** Every word ends with one of these. */
  readonly codas: readonly string[]
}

export const MIXED: Alphabet = {
  onsets: ['b', 'd', 'k', 'l', 'ł', 'm', 'n', 'r', 's', 't', 'st', 'x4'],
  vowels: ['a', 'e', 'é', 'i', 'o', 'u', 'ü'],
  codas: ['', '', 'n', 's', 'ß', 't', '7', 'ing'],
}

/** Words that an English stemmer leaves alone: no suffix it knows ends in b, k or p. */
export const STEMLESS: Alphabet = {
  onsets: ['b', 'd', 'k', 'l', 'm', 'n', 'r', 't', 'tr', 'dr'],
  vowels: ['a', 'o', 'u', 'i'],
  codas: ['b', 'k', 'p'],
}

/** Where the words of a text come from. */
export interface WordSource {
  draw(random: SeededRandom): string
}

export class Vocabulary implements WordSource {
  readonly words: readonly string[]
  readonly #cumulative: Float64Array

  constructor(random: SeededRandom, size: number, alphabet: Alphabet = MIXED) {
    this.words = inventWords(random, size, alphabet)
    this.#cumulative = new Float64Array(size)
    let sum = 0
    for (let rank = 0; rank < size; rank++) {
      sum += 1 / (rank + 1)
      this.#cumulative[rank] = sum
    }
  }

  /** A word drawn by Zipf's law: the word of rank r comes with probability proportional to 1/r. */
  draw(random: SeededRandom): string {
    const target = random.next() * (this.#cumulative[this.words.length - 1] as number)
    let low = 0
    let high = this.words.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#cumulative[middle] as number) > target) high = middle
      else low = middle + 1
    }
    return this.words[low] as string
  }
}

function inventWords(random: SeededRandom, size: number, alphabet: Alphabet): string[] {
  const syllable = () => random.pick(alphabet.onsets) + random.pick(alphabet.vowels)
  const stems: string[] = []
  const words = new Set<string>()
  while (words.size < size) {
    const known = stems.length > 0 ? random.pick(stems) : syllable()
    const way = random.next()
    let stem: string
    if (way < 0.3) stem = syllable() + (random.chance(0.5) ? syllable() : '')
    else if (way < 0.65) stem = known + syllable()
    else stem = replaceOneLetter(random, known, alphabet)
    if (stem.length > 14) continue
    stems.push(stem)
    words.add(stem + random.pick(alphabet.codas))
  }
  return [...words]
}

function replaceOneLetter(random: SeededRandom, word: string, alphabet: Alphabet): string {
  const letters = [...word]
  const at = random.between(0, letters.length - 1)
  const way = random.next()
  if (way < 0.6) letters[at] = random.pick(alphabet.vowels)
  else if (way < 0.8 || letters.length < 4) letters.splice(at, 0, random.pick(alphabet.vowels))
  else letters.splice(at, 1)
  return letters.join('')
}

export interface TextShape {
  readonly vocabulary: WordSource
  /** Words that are strewn in beside the vocabulary, such as stop words. */
  readonly extra?: readonly string[]
}

/** Between 2 and 15 words, with capitals and punctuation here and there. */
export function inventLine(random: SeededRandom, shape: TextShape): string {
  const parts: string[] = []
  const count = random.between(2, 15)
  for (let i = 0; i < count; i++) {
    parts.push(inventWord(random, shape))
    if (i + 1 < count) parts.push(random.chance(0.85) ? ' ' : random.pick([', ', '! ', '  ']))
  }
  if (random.chance(0.1)) parts.push('!')
  return parts.join('')
}

export function inventWord(random: SeededRandom, shape: TextShape): string {
  const useExtra = shape.extra !== undefined && random.chance(0.2)
  return vary(random, useExtra ? random.pick(shape.extra as readonly string[]) : shape.vocabulary.draw(random))
}

/** The capital of ß is two letters: such a word keeps its case. */
export function vary(random: SeededRandom, word: string): string {
  if (word.includes('ß') || random.chance(0.85)) return word
  return random.chance(0.7) ? word.charAt(0).toUpperCase() + word.slice(1) : word.toUpperCase()
}

export function inventText(random: SeededRandom, shape: TextShape, lines: number): string {
  return Array.from({ length: lines }, () => inventLine(random, shape)).join('\n')
}
