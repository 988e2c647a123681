/**
 * What a page that was never fetched is about: the words of its URL and of the anchors that lead to it, as n-grams of
 * up to three words (Crawl ordering by search impact, section 5.3). A query matches a page that has enough of the
 * query's n-grams.
 *
 * Words are runs of letters and digits, lower-cased. Scheme, user, port and fragment of a URL are left out, and %xx is
 * decoded. All labels of the host are kept, since people search for "texhoma" and for "example com". "www" is never a
 * word: it says nothing, and a page is the same with and without it.
 */
import { numberOption } from '../../base/checks.js'

/** Distinct hashes of n-grams, ascending: integers below 2^53. */
export type Ngrams = Float64Array

/** The words of a text, in order. The tokens of an index can be used instead of `textWords`. */
export type Words = (text: string) => readonly string[]

export interface NgramOptions {
  /** g: the most words of an n-gram. Default 3. */
  readonly maxWords?: number
  /** Default `textWords`. */
  readonly words?: Words
}

export interface PageNgramOptions extends NgramOptions {
  /** How many anchors are read. Default 64: famous pages have millions of anchors, which repeat each other. */
  readonly maxAnchors?: number
}

/** g of the paper's experiments. */
export const MAX_NGRAM_WORDS = 3
/** The words of a text that are read. The rest of a longer anchor or URL says little about the subject. */
export const MAX_TEXT_WORDS = 64

export const MAX_ANCHORS = 64

const ESCAPES = /(?:%[0-9a-f]{2})+/gi
/** Scheme and user. PORT is cut off afterwards. */
const BEFORE_HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#]*@)?/i
const PORT = /^([^/?#:]*):\d*(?=[/?#]|$)/

/** The text of a URL: host, path and query, decoded. A text that is no URL is returned as it is. */
export function urlText(url: string): string {
  const hasHost = BEFORE_HOST.test(url)
  const address = hasHost ? url.replace(BEFORE_HOST, '').replace(PORT, '$1') : url
  const hash = address.indexOf('#')
  const shown = hash < 0 ? address : address.slice(0, hash)
  return shown.includes('%') ? shown.replace(ESCAPES, decoded) : shown
}

/** The n-grams of texts, each given as its words. No n-gram spans two texts. */
export function ngramsOf(texts: Iterable<readonly string[]>, maxWords = MAX_NGRAM_WORDS): Ngrams {
  const maker = new NgramMaker(maxWords)
  for (const words of texts) maker.addWords(words)
  return maker.take()
}

export function queryNgrams(text: string, { maxWords, words }: NgramOptions = {}): Ngrams {
  return new NgramMaker(maxWords, words).addText(text).take()
}

export function urlNgrams(url: string, options: NgramOptions = {}): Ngrams {
  return queryNgrams(urlText(url), options)
}

export function anchorNgrams(anchors: Iterable<string>, options: PageNgramOptions = {}): Ngrams {
  const maker = new NgramMaker(options.maxWords, options.words)
  for (const anchor of firstAnchors(anchors, options.maxAnchors)) maker.addText(anchor)
  return maker.take()
}

/** The n-grams of the URL and the anchors together. */
export function pageNgrams(url: string, anchors: Iterable<string>, options: PageNgramOptions = {}): Ngrams {
  return makePageNgrams(new NgramMaker(options.maxWords, options.words), url, anchors, options.maxAnchors)
}

/** The same for a caller that has many pages and reuses a maker. */
export function makePageNgrams(maker: NgramMaker, url: string, anchors: Iterable<string>, maxAnchors?: number): Ngrams {
  maker.addText(urlText(url))
  for (const anchor of firstAnchors(anchors, maxAnchors)) maker.addText(anchor)
  return maker.take()
}

/** The share of the query's n-grams among those of the page from `first` to `end`; 0 for a query without n-grams. */
export function matchShare(query: Ngrams, page: Ngrams, first = 0, end = page.length): number {
  let shared = 0
  let at = first
  for (let nth = 0; nth < query.length; nth++) {
    const ngram = query[nth]!
    while (at < end && page[at]! < ngram) at++
    if (at < end && page[at] === ngram) shared++
  }
  return query.length === 0 ? 0 : shared / query.length
}

/** How many of a query's n-grams a page must have: at least the share `rho`, and at least one. */
export function matchesNeeded(queryNgrams: number, rho: number): number {
  numberOption('rho', rho, 1, { min: 0, max: 1 })
  // A share of 0.7 of 10 must be 7, however the product is rounded.
  return Math.max(1, Math.ceil(rho * queryNgrams - 1e-9))
}

function firstAnchors(anchors: Iterable<string>, maxAnchors = MAX_ANCHORS): string[] {
  const most = numberOption('maxAnchors', maxAnchors, MAX_ANCHORS, { min: 0, integer: true })
  const first: string[] = []
  if (most === 0) return first
  for (const anchor of anchors) if (first.push(anchor) === most) break
  return first
}

/** The text of a run of %xx; bytes that are not UTF-8 stay as they were written. */
function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}

const WORD = /[\p{L}\p{N}]+/gu

export function textWords(text: string): readonly string[] {
  const words = text.normalize('NFC').toLowerCase().match(WORD) ?? []
  return words.filter((word) => word !== 'www')
}

/** N-grams up to this number are sorted by insertion. */
const FEW = 32
const HIGH_SEED = 0x3c6ef372
const LOW_SEED = 0x510e527f
const NOT_ASCII = -1
const [UPPER_A, UPPER_Z, TO_LOWER] = [65, 90, 32]
const WORD_UNIT = 1
/** WORD_UNIT for each ASCII character that words consist of. */
const KINDS = Uint8Array.from({ length: 128 }, (_, unit) => Number(/[a-z0-9]/i.test(String.fromCharCode(unit))))

/**
 * Makes n-grams of texts, one after the other. Words of plain ASCII, which nearly all words are, are hashed in place,
 * without being cut out. A caller with many texts reuses one maker.
 */
export class NgramMaker {
  readonly #maxWords: number
  readonly #words: Words
  /** Two hashes of each word of the present text. */
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

  /** Writes the n-grams into an array that has room for them, from `at` on; returns their number. */
  takeInto(target: Float64Array, at: number): number {
    const length = this.#sort()
    for (let nth = 0; nth < length; nth++) target[at + nth] = this.#hashes[nth]!
    return length
  }

  /** Sorts the hashes and drops repetitions; returns how many are left. */
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

  /** Reads the words of `textWords`; returns their number, or NOT_ASCII. */
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

  /** Hashes a word twice to 32 bits, with different seeds, so that both hashes are practically independent. */
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

  /** Adds the n-grams of the words that were read. */
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

function isWww(text: string, first: number): boolean {
  return text.slice(first, first + 3).toLowerCase() === 'www'
}

/** A bijection of 32-bit integers in which every bit of the result depends on every bit of the argument. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return bits ^ (bits >>> 15)
}

/** Insertion sort, which has sorted a few numbers before a library function is even called. */
function sortFew(values: Float64Array, count: number): Float64Array {
  for (let end = 1; end < count; end++) {
    const value = values[end]!
    let at = end
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
  return values
}
