/**
 * The features of pages of the frontier during one cycle. A page is judged for many queries, and reading its texts
 * takes far longer than comparing it with a query. All lie in one array of numbers, one page behind the other: its own
 * features, the number of its texts, and for each text, the URL first, the number of its n-grams and the n-grams. When
 * the room is used up, all pages are dropped and read again.
 */
import { anchorsOf, type FrontierPage, featuresOfPage } from './frontier-page.js'
import type { FrontierPages } from './frontier-pages.js'
import {
  FEATURES_OF_PAGE,
  PAIR_FEATURES,
  type QueryClues,
  writeMatchFeatures,
  writePageFeatures,
} from './impact/expected-score.js'
import { MAX_ANCHORS, MAX_NGRAM_WORDS, matchShare, NgramMaker, urlText } from './impact/ngrams.js'
import type { Lessons } from './lessons.js'

/** The most numbers that are kept: 128 MiB. */
const MAX_LENGTH = 2 ** 24
const NOT_KEPT = 0xffff_ffff

export class PageFeatureCache {
  readonly #pages: FrontierPages
  readonly #lessons: Lessons
  /** By page number: where the features of the page begin. */
  #starts = new Uint32Array()
  #values = new Float64Array(2 ** 14)
  #length = 0
  readonly #maker = new NgramMaker()
  readonly #features = new Float64Array(PAIR_FEATURES.length)

  constructor(pages: FrontierPages, lessons: Lessons) {
    this.#pages = pages
    this.#lessons = lessons
  }

  /** Writes the features of a page for a query into `row`, except those that are the same for all pages. */
  writeFeatures(row: Float64Array, number: number, { ngrams }: Pick<QueryClues, 'ngrams'>): void {
    const start = this.#starts[number] ?? NOT_KEPT
    let at = start === NOT_KEPT ? this.#read(number) : start
    const values = this.#values
    for (const feature of FEATURES_OF_PAGE) row[feature] = values[at++]!
    const texts = values[at++]!
    let urlShare = 0
    let anchorShare = 0
    let matchingAnchors = 0
    for (let text = 0; text < texts; text++) {
      const first = at + 1
      at = first + values[at]!
      const share = matchShare(ngrams, values, first, at)
      if (text === 0) urlShare = share
      else if (share > 0) matchingAnchors++
      if (text > 0 && share > anchorShare) anchorShare = share
    }
    writeMatchFeatures(row, 0, urlShare, anchorShare, matchingAnchors)
  }

  #read(number: number): number {
    const page = this.#pages.page(number) as FrontierPage
    const start = this.#makeRoom(number, page)
    const values = this.#values
    writePageFeatures(this.#features, 0, featuresOfPage(page, this.#lessons))
    for (const feature of FEATURES_OF_PAGE) values[this.#length++] = this.#features[feature]!
    const texts = this.#length++
    this.#keepText(urlText(page.url))
    const anchors = anchorsOf(page)
    const count = Math.min(anchors.length, MAX_ANCHORS)
    for (let nth = 0; nth < count; nth++) this.#keepText(anchors[nth]!)
    values[texts] = 1 + count
    return start
  }

  #keepText(text: string): void {
    const ngrams = this.#maker.addText(text).takeInto(this.#values, this.#length + 1)
    this.#values[this.#length] = ngrams
    this.#length += 1 + ngrams
  }

  /** Makes room for a page, as if every character were a word; returns where its features begin. */
  #makeRoom(number: number, { url, anchors }: FrontierPage): number {
    const mostNgrams = MAX_NGRAM_WORDS * (url.length + anchors.length)
    const length = FEATURES_OF_PAGE.length + 2 + MAX_ANCHORS + mostNgrams
    if (number >= this.#starts.length) {
      const starts = new Uint32Array(Math.max(number + 1, this.#pages.end)).fill(NOT_KEPT)
      starts.set(this.#starts)
      this.#starts = starts
    }
    if (this.#length + length > MAX_LENGTH) {
      this.#starts.fill(NOT_KEPT)
      this.#length = 0
    }
    if (this.#length + length > this.#values.length) {
      const longer = new Float64Array(Math.max(2 * this.#values.length, this.#length + length))
      longer.set(this.#values)
      this.#values = longer
    }
    this.#starts[number] = this.#length
    return this.#length
  }
}
