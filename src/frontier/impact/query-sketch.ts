/**
 * Query sketches: for each query the K best pages, fetched ones by their scores and others by their expected scores
 * (Crawl ordering by search impact, sections 3.2 and 5). Sketches of many queries lie in columns, and are updated as
 * pages are fetched, change, come and go.
 *
 * With K pages alone, a removal would leave a rank empty, as the next page is not known. So up to K' = 2K are kept, as
 * Yi et al. do for materialized top-k views (ICDE 2003). Only when fewer than K are left, and some were left out, is
 * the owner asked for all pages of the query. Invariant: of all pages offered and not removed since, those kept are the
 * best; those kept come before the sketch's floor, and those left out come behind it.
 *
 * Scores are float32. Of equal scores, fetched pages come first, then lower numbers. A sketch takes 8 K' + 13 bytes,
 * 173 for K = 10.
 */
import { numberOption } from '../../base/checks.js'
import { describe } from '../../base/describe.js'

/** Takes the score of one page: as `offer`, for one query. */
export type OfferPage = (page: number, score: number, isCrawled: boolean) => void

/** Offers every page that matches the query now, in any order. */
export type Refill = (query: number, offer: OfferPage) => void

export interface QuerySketchOptions {
  /** K. Default 10. */
  readonly visibleRanks?: number
  /** K'. Default 2 K. */
  readonly keptRanks?: number
  readonly refill: Refill
}

/** K of the paper's experiments. */
export const VISIBLE_RANKS = 10

const MAX_PAGE = 2 ** 31 - 1
/** Added to the page number of an uncrawled page. Equal scores are ordered by the resulting entries. */
const UNCRAWLED = 2 ** 31

export class QuerySketches {
  /** K */
  readonly visibleRanks: number
  /** K' */
  readonly keptRanks: number
  /** f(q) */
  readonly frequencies: Float32Array
  readonly #refill: Refill
  /** `keptRanks` entries for each query, best first. */
  readonly #entries: Uint32Array
  readonly #scores: Float32Array
  readonly #counts: Uint8Array
  /** The best entry that was left out; a score of 0 when none was. */
  readonly #floorEntries: Uint32Array
  readonly #floorScores: Float32Array

  constructor(frequencies: ArrayLike<number>, options: QuerySketchOptions) {
    const { visibleRanks, keptRanks, refill } = options
    this.visibleRanks = numberOption('visibleRanks', visibleRanks, VISIBLE_RANKS, { min: 1, max: 127, integer: true })
    const range = { min: this.visibleRanks, max: 255, integer: true }
    this.keptRanks = numberOption('keptRanks', keptRanks, 2 * this.visibleRanks, range)
    this.frequencies = Float32Array.from(frequencies)
    this.#refill = refill
    const queries = this.frequencies.length
    this.#entries = new Uint32Array(queries * this.keptRanks)
    this.#scores = new Float32Array(queries * this.keptRanks)
    this.#counts = new Uint8Array(queries)
    this.#floorEntries = new Uint32Array(queries)
    this.#floorScores = new Float32Array(queries)
  }

  get queries(): number {
    return this.frequencies.length
  }

  get memoryBytes(): number {
    return this.queries * (8 * this.keptRanks + 13)
  }

  /**
   * Sets the score of a page for a query: of a new page, of one whose score changed, or the real score of one that was
   * fetched. A page with a score of 0 does not match.
   */
  offer(query: number, page: number, score: number, isCrawled: boolean): void {
    this.#checkQuery(query)
    numberOption('page', page, 0, { min: 0, max: MAX_PAGE, integer: true })
    const rounded = Math.fround(score)
    if (!(rounded >= 0 && Number.isFinite(rounded))) {
      throw new RangeError(`score must be a finite number of at least 0, received ${describe(score)}`)
    }
    this.#takeOut(query, page)
    if (rounded > 0) this.#putIn(query, isCrawled ? page : page + UNCRAWLED, rounded)
  }

  /** Removes a page that does not match the query any more. */
  remove(query: number, page: number): void {
    this.#checkQuery(query)
    this.#takeOut(query, page)
  }

  /** How many of the K ranks are taken. Refills a sketch that has run out first. */
  length(query: number): number {
    this.#checkQuery(query)
    if (this.#counts[query]! < this.visibleRanks && this.#floorScores[query]! > 0) this.#fillAgain(query)
    return Math.min(this.#counts[query]!, this.visibleRanks)
  }

  /** REQUIRES: rank1 <= length(query), called after the last change. This holds for the next two methods, too. */
  pageAt(query: number, rank1: number): number {
    return this.#entries[query * this.keptRanks + rank1 - 1]! % UNCRAWLED
  }

  isCrawledAt(query: number, rank1: number): boolean {
    return this.#entries[query * this.keptRanks + rank1 - 1]! < UNCRAWLED
  }

  scoreAt(query: number, rank1: number): number {
    return this.#scores[query * this.keptRanks + rank1 - 1]!
  }

  /** The score that an uncrawled page must exceed to be seen: that at rank K, or 0 while a rank is free. */
  threshold(query: number): number {
    return this.length(query) < this.visibleRanks ? 0 : this.scoreAt(query, this.visibleRanks)
  }

  #putIn(query: number, entry: number, score: number): void {
    if (!isBefore(score, entry, this.#floorScores[query]!, this.#floorEntries[query]!)) return
    const first = query * this.keptRanks
    let count = this.#counts[query]!
    if (count === this.keptRanks) {
      const last = first + count - 1
      if (!isBefore(score, entry, this.#scores[last]!, this.#entries[last]!)) {
        this.#setFloor(query, entry, score)
        return
      }
      this.#setFloor(query, this.#entries[last]!, this.#scores[last]!)
      count--
    }
    let at = first + count
    for (; at > first && isBefore(score, entry, this.#scores[at - 1]!, this.#entries[at - 1]!); at--) {
      this.#entries[at] = this.#entries[at - 1]!
      this.#scores[at] = this.#scores[at - 1]!
    }
    this.#entries[at] = entry
    this.#scores[at] = score
    this.#counts[query] = count + 1
  }

  #takeOut(query: number, page: number): void {
    const first = query * this.keptRanks
    const end = first + this.#counts[query]!
    for (let at = first; at < end; at++) {
      if (this.#entries[at]! % UNCRAWLED !== page) continue
      this.#entries.copyWithin(at, at + 1, end)
      this.#scores.copyWithin(at, at + 1, end)
      this.#counts[query]!--
      return
    }
  }

  #fillAgain(query: number): void {
    this.#counts[query] = 0
    this.#setFloor(query, 0, 0)
    this.#refill(query, (page, score, isCrawled) => this.offer(query, page, score, isCrawled))
  }

  #setFloor(query: number, entry: number, score: number): void {
    this.#floorEntries[query] = entry
    this.#floorScores[query] = score
  }

  #checkQuery(query: number): void {
    if (!Number.isInteger(query) || query < 0 || query >= this.queries) {
      throw new RangeError(`query must be an integer below ${this.queries}, received ${describe(query)}`)
    }
  }
}

function isBefore(score: number, entry: number, otherScore: number, otherEntry: number): boolean {
  return score > otherScore || (score === otherScore && entry < otherEntry)
}
