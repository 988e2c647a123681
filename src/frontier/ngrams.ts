/**
 * What a page that was never fetched is about: the words of its URL and of the anchors that lead to it, as n-grams of up to three words
 * (Crawl ordering by search impact, section 5.3). A query matches a page when enough of its own n-grams are among them.
 *
 * Words are runs of letters and digits, lower-cased. Of a URL the scheme, user, port and fragment are left out and %xx is decoded; all labels of the host
 * stay, since people ask for "texhoma" and for "example com". "www" is no word anywhere: it says nothing, and a page with and without it is one.
 */
import { numberOption } from '../option-checks.js'

/** Distinct hashes of n-grams, ascending: integers below 2^53. */
export type Ngrams = Float64Array

/** The words of a text, in order. The tokens of an index can stand for those of `textWords`. */
export type Words = (text: string) => readonly string[]

export interface NgramOptions {
  /** g: words of the longest n-gram; 3 unless told. */
  readonly maxWords?: number
  /** `textWords` unless told. */
  readonly words?: Words
}

export interface PageNgramOptions extends NgramOptions {
  /** Anchors beyond the first so many are not read; 64 unless told. Famous pages have millions, which say the same again. */
  readonly maxAnchors?: number
}

/** g of the paper's experiments. */
export const MAX_NGRAM_WORDS = 3
export const MAX_ANCHORS = 64
/** Of one text, the words after these are not read: who writes so long an anchor or URL names no subject any more. */
export const MAX_TEXT_WORDS = 64

const WORD = /[\p{L}\p{N}]+/gu
const ESCAPES = /(?:%[0-9a-f]{2})+/gi
/** Scheme and user; the port is cut behind. */
const BEFORE_HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#]*@)?/i
const PORT = /^([^/?#:]*):\d*(?=[/?#]|$)/

export function textWords(text: string): readonly string[] {
  const words = text.normalize('NFC').toLowerCase().match(WORD) ?? []
  return words.filter((word) => word !== 'www')
}

/** What of a URL is text: host, path and query, decoded. Anything may be passed; what is no URL stays as it is. */
export function urlText(url: string): string {
  const hasHost = BEFORE_HOST.test(url)
  const address = hasHost ? url.replace(BEFORE_HOST, '').replace(PORT, '$1') : url
  return address.replace(/#.*$/s, '').replace(ESCAPES, decoded)
}

/** The n-grams of texts, each given as its words: none reaches from one text into the next. */
export function ngramsOf(texts: Iterable<readonly string[]>, maxWords = MAX_NGRAM_WORDS): Ngrams {
  const longest = numberOption('maxWords', maxWords, MAX_NGRAM_WORDS, { min: 1, max: 100, integer: true })
  const hashes: number[] = []
  for (const words of texts) pushNgrams(hashes, words, longest)
  return distinct(Float64Array.from(hashes).sort())
}

export function queryNgrams(text: string, { maxWords, words = textWords }: NgramOptions = {}): Ngrams {
  return ngramsOf([words(text)], maxWords)
}

export function urlNgrams(url: string, { maxWords, words = textWords }: NgramOptions = {}): Ngrams {
  return ngramsOf([words(urlText(url))], maxWords)
}

export function anchorNgrams(anchors: Iterable<string>, options: PageNgramOptions = {}): Ngrams {
  const { maxWords, words = textWords } = options
  return ngramsOf(firstAnchors(anchors, options.maxAnchors).map(words), maxWords)
}

/** Of the URL and the anchors together. */
export function pageNgrams(url: string, anchors: Iterable<string>, options: PageNgramOptions = {}): Ngrams {
  const { maxWords, words = textWords } = options
  const texts = [urlText(url), ...firstAnchors(anchors, options.maxAnchors)]
  return ngramsOf(texts.map(words), maxWords)
}

/** Share of the query's n-grams that the page has; 0 for a query without any. */
export function matchShare(query: Ngrams, page: Ngrams): number {
  let shared = 0
  let at = 0
  for (const ngram of query) {
    while (at < page.length && page[at]! < ngram) at++
    if (page[at] === ngram) shared++
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

function pushNgrams(hashes: number[], words: readonly string[], maxWords: number): void {
  const count = Math.min(words.length, MAX_TEXT_WORDS)
  const high = new Int32Array(count)
  const low = new Int32Array(count)
  for (let at = 0; at < count; at++) {
    high[at] = wordHash(words[at]!, 0x3c6ef372)
    low[at] = wordHash(words[at]!, 0x510e527f)
  }
  for (let first = 0; first < count; first++) {
    let upper = 0x1f83d9ab
    let lower = 0x5be0cd19
    const end = Math.min(count, first + maxWords)
    for (let at = first; at < end; at++) {
      upper = mixed(upper + high[at]!)
      lower = mixed(lower + low[at]!)
      hashes.push((upper >>> 11) * 2 ** 32 + (lower >>> 0))
    }
  }
}

/** 32 bits; two of them from different seeds are as good as independent. */
function wordHash(word: string, seed: number): number {
  let hash = seed ^ word.length
  for (let at = 0; at < word.length; at++) hash = mixed(hash + word.charCodeAt(at))
  return hash
}

/** A bijection of 32-bit integers: every bit of the result depends on every bit before. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return bits ^ (bits >>> 15)
}

function distinct(sorted: Float64Array): Float64Array {
  let kept = 0
  for (let at = 0; at < sorted.length; at++) {
    if (at > 0 && sorted[at] === sorted[at - 1]) continue
    sorted[kept] = sorted[at]!
    kept++
  }
  return sorted.slice(0, kept)
}
