/**
 * Makes n-grams of texts, one after the other. Words of plain ASCII, nearly all there are, are hashed where they stand, without being cut out; so who reads many
 * texts keeps one of these.
 */
import { numberOption } from '../option-checks.js'

/** Distinct hashes of n-grams, ascending: integers below 2^53. */
export type Ngrams = Float64Array

/** The words of a text, in order. The tokens of an index can stand for those of `textWords`. */
export type Words = (text: string) => readonly string[]

/** g of the paper's experiments. */
export const MAX_NGRAM_WORDS = 3
/** Of one text, the words after these are not read: who writes so long an anchor or URL names no subject any more. */
export const MAX_TEXT_WORDS = 64

const WORD = /[\p{L}\p{N}]+/gu

export function textWords(text: string): readonly string[] {
  const words = text.normalize('NFC').toLowerCase().match(WORD) ?? []
  return words.filter((word) => word !== 'www')
}

export class NgramMaker {
  readonly #maxWords: number
  readonly #words: Words
  /** Two hashes of each word of the text at hand. */
  readonly #high = new Int32Array(MAX_TEXT_WORDS)
  readonly #low = new Int32Array(MAX_TEXT_WORDS)
  #hashes = new Float64Array(32)
  #length = 0

  constructor(maxWords = MAX_NGRAM_WORDS, words: Words = textWords) {
    this.#maxWords = numberOption('maxWords', maxWords, MAX_NGRAM_WORDS, { min: 1, max: 100, integer: true })
    this.#words = words
  }

  addText(text: string): this {
    const count = this.#words === textWords ? this.#readAscii(text) : NOT_ASCII
    if (count === NOT_ASCII) this.addWords(this.#words(text))
    else this.#push(count)
    return this
  }

  addWords(words: readonly string[]): void {
    const count = Math.min(words.length, MAX_TEXT_WORDS)
    for (let at = 0; at < count; at++) this.#readWord(at, words[at]!, 0, words[at]!.length, false)
    this.#push(count)
  }

  /** All n-grams since the last call. */
  take(): Ngrams {
    const length = this.#sort()
    return this.#hashes.slice(0, length)
  }

  /** The same into an array that has room for them, from `at` on; gives how many they are. */
  takeInto(target: Float64Array, at: number): number {
    const length = this.#sort()
    for (let nth = 0; nth < length; nth++) target[at + nth] = this.#hashes[nth]!
    return length
  }

  /** Ascending, each once; gives how many. */
  #sort(): number {
    const sorted =
      this.#length < FEW ? sortFew(this.#hashes, this.#length) : this.#hashes.subarray(0, this.#length).sort()
    const length = this.#length
    this.#length = 0
    let kept = 0
    for (let at = 0; at < length; at++) {
      if (at > 0 && sorted[at] === sorted[kept - 1]) continue
      sorted[kept++] = sorted[at]!
    }
    return kept
  }

  /** As textWords() has it. The number of words, or NOT_ASCII. */
  #readAscii(text: string): number {
    let count = 0
    for (let first = 0; first < text.length && count < MAX_TEXT_WORDS; ) {
      let end = first
      while (end < text.length && KINDS[text.charCodeAt(end)] === WORD_UNIT) end++
      if (end < text.length && text.charCodeAt(end) >= KINDS.length) return NOT_ASCII
      if (end > first && !(end - first === 3 && isWww(text, first))) this.#readWord(count++, text, first, end, true)
      first = end + 1
    }
    return count
  }

  /** 32 bits twice, from different seeds: as good as independent. */
  #readWord(at: number, text: string, first: number, end: number, lowers: boolean): void {
    let high = HIGH_SEED ^ (end - first)
    let low = LOW_SEED ^ (end - first)
    for (let place = first; place < end; place++) {
      let unit = text.charCodeAt(place)
      if (lowers && unit >= UPPER_A && unit <= UPPER_Z) unit += TO_LOWER
      high = mixed(high + unit)
      low = mixed(low + unit)
    }
    this.#high[at] = high
    this.#low[at] = low
  }

  /** The n-grams of the words that were read. */
  #push(count: number): void {
    if (this.#length + count * this.#maxWords > this.#hashes.length) this.#grow(count * this.#maxWords)
    for (let first = 0; first < count; first++) {
      let upper = 0x1f83d9ab
      let lower = 0x5be0cd19
      const end = Math.min(count, first + this.#maxWords)
      for (let at = first; at < end; at++) {
        upper = mixed(upper + this.#high[at]!)
        lower = mixed(lower + this.#low[at]!)
        this.#hashes[this.#length++] = (upper >>> 11) * 2 ** 32 + (lower >>> 0)
      }
    }
  }

  #grow(more: number): void {
    const longer = new Float64Array(2 * this.#hashes.length + more)
    longer.set(this.#hashes)
    this.#hashes = longer
  }
}

/** N-grams that are sorted by insertion. */
const FEW = 32
const HIGH_SEED = 0x3c6ef372
const LOW_SEED = 0x510e527f
const NOT_ASCII = -1
const [UPPER_A, UPPER_Z, TO_LOWER] = [65, 90, 32]
const WORD_UNIT = 1
/** Of each ASCII character: whether words have it. */
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => Number(/[a-z0-9]/i.test(String.fromCharCode(unit))))

function isWww(text: string, first: number): boolean {
  return text.slice(first, first + 3).toLowerCase() === 'www'
}

/** A bijection of 32-bit integers: every bit of the result depends on every bit before. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return bits ^ (bits >>> 15)
}

/** By insertion: a few numbers are in order before another function is called. */
function sortFew(values: Float64Array, count: number): Float64Array {
  for (let end = 1; end < count; end++) {
    const value = values[end]!
    let at = end
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
  return values
}
