/**
 * What a page that was never fetched is about: the words of its URL and of the anchors that lead to it, as n-grams of
 * up to three words (Crawl ordering by search impact, section 5.3). A query matches a page when enough of its own
 * n-grams are among them.
 *
 * Words are runs of letters and digits, lower-cased. Of a URL the scheme, user, port and fragment are left out and %xx
 * is decoded; all labels of the host stay, since people ask for "texhoma" and for "example com". "www" is no word
 * anywhere: it says nothing, and a page with and without it is one.
 */
import { numberOption } from '../../base/checks.js'

export interface NgramOptions {
  /** g: words of the longest n-gram; 3 unless told. */
  readonly maxWords?: number
  /** `textWords` unless told. */
  readonly words?: Words
}

export interface PageNgramOptions extends NgramOptions {
  /**
   * Anchors beyond the first so many are not read; 64 unless told. Famous pages have millions, which say the same
   * again.
   */
  readonly maxAnchors?: number
}

export const MAX_ANCHORS = 64

const ESCAPES = /(?:%[0-9a-f]{2})+/gi
/** Scheme and user; the port is cut behind. */
const BEFORE_HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#]*@)?/i
const PORT = /^([^/?#:]*):\d*(?=[/?#]|$)/

/** What of a URL is text: host, path and query, decoded. Anything may be passed; what is no URL stays as it is. */
export function urlText(url: string): string {
  const hasHost = BEFORE_HOST.test(url)
  const address = hasHost ? url.replace(BEFORE_HOST, '').replace(PORT, '$1') : url
  const hash = address.indexOf('#')
  const shown = hash < 0 ? address : address.slice(0, hash)
  return shown.includes('%') ? shown.replace(ESCAPES, decoded) : shown
}

/** The n-grams of texts, each given as its words: none reaches from one text into the next. */
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

/** Of the URL and the anchors together. */
export function pageNgrams(url: string, anchors: Iterable<string>, options: PageNgramOptions = {}): Ngrams {
  return makePageNgrams(new NgramMaker(options.maxWords, options.words), url, anchors, options.maxAnchors)
}

/** The same for whoever has many pages. */
export function makePageNgrams(maker: NgramMaker, url: string, anchors: Iterable<string>, maxAnchors?: number): Ngrams {
  maker.addText(urlText(url))
  for (const anchor of firstAnchors(anchors, maxAnchors)) maker.addText(anchor)
  return maker.take()
}

/**
 * Share of the query's n-grams that the page has; 0 for a query without any. Those of the page are `page`, or a part of
 * it.
 */
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
  // 0.7 of 10 is 7, however the product is rounded.
  return Math.max(1, Math.ceil(rho * queryNgrams - 1e-9))
}

function firstAnchors(anchors: Iterable<string>, maxAnchors = MAX_ANCHORS): string[] {
  const most = numberOption('maxAnchors', maxAnchors, MAX_ANCHORS, { min: 0, integer: true })
  const first: string[] = []
  if (most === 0) return first
  for (const anchor of anchors) if (first.push(anchor) === most) break
  return first
}

/** Bytes that are no UTF-8 stay as they were written. */
function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return escapes
  }
}

/**
 * Makes n-grams of texts, one after the other. Words of plain ASCII, nearly all there are, are hashed where they stand,
 * without being cut out; so who reads many texts keeps one of these.
 */

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
