/**
 * The answer lists of all queries, kept in order while pages change versions. Changes are noted and taken up list by
 * list when it is read next: one merge for all of them.
 */

import { describe } from '../../base/describe.js'
import type { ViewLikelihood } from '../../workload/view-likelihood.js'
import { NO_VERSION } from './timeline.js'
import type { VersionScores } from './version-scores.js'

/** Room beyond the present length, because lists grow a little now and then. */
const SPARE_ROOM = 1.125

/** Best first, equal scores by the number of the page. */
export class AnswerList {
  /** Only the first `length` of each column mean something. */
  pages = new Uint32Array(0)
  scores = new Float64Array(0)
  length = 0

  /** How many come before a page of this number and score, itself not counted. */
  countBefore(page: number, score: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.scores[middle]!
      if (other > score || (other === score && this.pages[middle]! < page)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Makes this list a copy of the other. */
  assign({ pages, scores, length }: AnswerList): void {
    if (this.pages.length < length) this.#makeRoom(Math.ceil(length * SPARE_ROOM))
    this.pages.set(pages.subarray(0, length))
    this.scores.set(scores.subarray(0, length))
    this.length = length
  }

  /** Makes the list empty, with room for so many answers. */
  clear(capacity: number): void {
    if (this.pages.length < capacity) this.#makeRoom(capacity)
    this.length = 0
  }

  #makeRoom(capacity: number): void {
    this.pages = new Uint32Array(capacity)
    this.scores = new Float64Array(capacity)
  }

  push(page: number, score: number): void {
    this.pages[this.length] = page
    this.scores[this.length++] = score
  }
}

/**
 * Changes of one list that it has not taken up; of two for one page the later counts. A score of 0: not in the list.
 */
class PendingChanges {
  readonly pages: number[] = []
  readonly scores: number[] = []
}

const UNCHANGED = -1

export class AnswerLists {
  readonly #scores: VersionScores
  readonly #lists: AnswerList[]
  readonly #pending: PendingChanges[]
  /** By page: its new score in the list that is being merged, else UNCHANGED. */
  readonly #changed: Float64Array
  readonly #merged = new AnswerList()

  constructor(scores: VersionScores, pages: number) {
    this.#scores = scores
    this.#lists = Array.from(scores.weights, () => new AnswerList())
    this.#pending = Array.from(scores.weights, () => new PendingChanges())
    this.#changed = new Float64Array(pages).fill(UNCHANGED)
  }

  /** Another with the same lists. */
  copy(): AnswerLists {
    const copy = new AnswerLists(this.#scores, this.#changed.length)
    for (let query = 0; query < this.#lists.length; query++) copy.#lists[query]!.assign(this.of(query))
    return copy
  }

  /** A page changes versions; `touch` is told the queries for which its score does. */
  change(page: number, before: number, after: number, touch: (query: number) => void): void {
    forEachShift(this.#scores, before, after, (query, _, scoreAfter) => {
      const { pages, scores } = this.#pending[query]!
      pages.push(page)
      scores.push(scoreAfter)
      touch(query)
    })
  }

  /** The list of a query; it is valid until the next change. */
  of(query: number): AnswerList {
    const pending = this.#pending[query]!
    if (pending.pages.length > 0) this.#merge(query, pending)
    return this.#lists[query]!
  }

  #merge(query: number, { pages, scores }: PendingChanges): void {
    const incoming: number[] = []
    for (let at = pages.length - 1; at >= 0; at--) {
      const page = pages[at]!
      if (this.#changed[page] !== UNCHANGED) continue
      this.#changed[page] = scores[at]!
      if (scores[at]! > 0) incoming.push(page)
    }
    const changed = this.#changed
    incoming.sort((a, b) => changed[b]! - changed[a]! || a - b)
    const old = this.#lists[query]!
    this.#merged.clear(old.length + incoming.length)
    this.#mergeInto(this.#merged, old, incoming)
    old.assign(this.#merged)
    for (const page of pages) changed[page] = UNCHANGED
    pages.length = 0
    scores.length = 0
  }

  #mergeInto(merged: AnswerList, old: AnswerList, incoming: readonly number[]): void {
    const changed = this.#changed
    let next = 0
    for (let at = 0; at < old.length; at++) {
      const page = old.pages[at]!
      if (changed[page] !== UNCHANGED) continue
      const score = old.scores[at]!
      for (; next < incoming.length; next++) {
        const other = incoming[next]!
        if (changed[other]! < score || (changed[other] === score && other > page)) break
        merged.push(other, changed[other]!)
      }
      merged.push(page, score)
    }
    for (; next < incoming.length; next++) merged.push(incoming[next]!, changed[incoming[next]!]!)
  }
}

/** Every query for which two versions score differently, ascending. A score of 0: does not match. */
export function forEachShift(
  { matchEnds, queries, scores }: VersionScores,
  before: number,
  after: number,
  visit: (query: number, scoreBefore: number, scoreAfter: number) => void,
): void {
  let a = beginOf(matchEnds, before)
  let b = beginOf(matchEnds, after)
  const endA = before === NO_VERSION ? a : matchEnds[before]!
  const endB = after === NO_VERSION ? b : matchEnds[after]!
  while (a < endA || b < endB) {
    const queryA = a < endA ? queries[a]! : Number.POSITIVE_INFINITY
    const queryB = b < endB ? queries[b]! : Number.POSITIVE_INFINITY
    const scoreA = queryA <= queryB ? scores[a++]! : 0
    const scoreB = queryB <= queryA ? scores[b++]! : 0
    if (scoreA !== scoreB) visit(Math.min(queryA, queryB), scoreA, scoreB)
  }
}

function beginOf(matchEnds: Uint32Array, version: number): number {
  return version <= 0 ? 0 : matchEnds[version - 1]!
}

/**
 * What a list gains when one page of it moves and the others make room: Eq. 6 and 7 of User-centric crawling for one
 * query of weight 1, in constant time.
 */
export class RankMoves {
  readonly #length: number
  readonly #view: Float64Array
  /** [r]: what the pages at ranks 1 … r gain together by moving up one rank, and lose by moving down one. */
  readonly #gains: Float64Array
  readonly #losses: Float64Array

  /** `values`: of the pages by rank, beginning with that at rank 1. `view`: see viewTable(), up to rank length + 1. */
  constructor(values: Float64Array, view: Float64Array) {
    const length = values.length
    this.#length = length
    this.#view = view
    this.#gains = new Float64Array(length + 1)
    this.#losses = new Float64Array(length + 1)
    for (let rank1 = 1; rank1 <= length; rank1++) {
      const value = values[rank1 - 1]!
      // Nobody moves up from rank 1.
      const gain = rank1 === 1 ? 0 : (view[rank1 - 1]! - view[rank1]!) * value
      this.#gains[rank1] = this.#gains[rank1 - 1]! + gain
      this.#losses[rank1] = this.#losses[rank1 - 1]! + (view[rank1]! - view[rank1 + 1]!) * value
    }
  }

  /** What a page of this value gains when it leaves one rank for another. Rank 0: it is not in the list. */
  gain(rank1Before: number, rank1After: number, value: number): number {
    const self = (this.#view[rank1After]! - this.#view[rank1Before]!) * value
    const from = rank1Before === 0 ? this.#length + 1 : rank1Before
    const to = rank1After === 0 ? this.#length + 1 : rank1After
    if (from < to) return self + this.#gains[Math.min(to, this.#length)]! - this.#gains[from]!
    return self + this.#losses[to - 1]! - this.#losses[from - 1]!
  }
}

/**
 * I(r) of User-centric crawling, Eq. 2, rank by rank. [r] is I(r), for r from 1 to `ranks`; [0], which is no rank, is
 * 0.
 */
export function viewTable(view: ViewLikelihood, ranks: number): Float64Array {
  const table = new Float64Array(ranks + 1)
  let before = Number.POSITIVE_INFINITY
  for (let rank1 = 1; rank1 <= ranks; rank1++) {
    const value = view(rank1)
    if (!(value >= 0 && value <= before && Number.isFinite(value))) {
      throw new RangeError(`view(${rank1}) must be from 0 to that of the rank before, received ${describe(value)}`)
    }
    table[rank1] = value
    before = value
  }
  if (table[1] === 0) throw new RangeError('view(1) must be above 0, received 0')
  return table
}
