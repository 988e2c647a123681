/**
 * What a page that was never fetched is about: the words of its URL and of the anchors that lead to it, as n-grams of up to three words
 * (Crawl ordering by search impact, section 5.3). A query matches a page when enough of its own n-grams are among them.
 *
 * Words are runs of letters and digits, lower-cased. Of a URL the scheme, user, port and fragment are left out and %xx is decoded; all labels of the host
 * stay, since people ask for "texhoma" and for "example com". "www" is no word anywhere: it says nothing, and a page with and without it is one.
 */
import { numberOption } from '../option-checks.js'
import { MAX_NGRAM_WORDS, NgramMaker, type Ngrams, type Words } from './ngram-maker.js'

export { MAX_NGRAM_WORDS, MAX_TEXT_WORDS, NgramMaker, type Ngrams, textWords, type Words } from './ngram-maker.js'

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

/** Share of the query's n-grams that the page has; 0 for a query without any. Those of the page are `page`, or a part of it. */
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
