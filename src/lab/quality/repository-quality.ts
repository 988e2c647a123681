/**
 * The quality of a repository that follows a world, exactly (User-centric crawling, Eq. 5):
 *
 *   Q = Σ f(q) Σ I(rank of p by local scores) · live score  /  Σ f(q) Σ I(rank of p by live scores) · live score
 *
 * over all queries q and pages p. Numerator and denominator are kept query by query and computed anew only for queries
 * whose lists or live scores changed; both are always whole sums, so that no error adds up.
 *
 * A page that is gone from the world has live score 0. A page of which there is no copy yet is in no local list.
 */

import { describe } from '../../base/describe.js'
import { DEFAULT_VIEW, type ViewLikelihood } from '../../workload/view-likelihood.js'
import { type AnswerList, AnswerLists, forEachShift, RankMoves, viewTable } from './answer-lists.js'
import { forEachChange, NO_VERSION, type Timeline } from './timeline.js'
import type { VersionScores } from './version-scores.js'

export interface ScoredWorld {
  readonly timeline: Timeline
  readonly scores: VersionScores
}

/** By page. For reading: RepositoryQuality keeps them. */
export interface CopyColumns {
  /** The version that the repository has; NO_VERSION: none. */
  readonly local: Int32Array
  /** The version that the world has. */
  readonly live: Int32Array
  /** When the copy stopped being what the world has; NaN where it is that, or where there is none. */
  readonly staleSinceMs: Float64Array
}

export class RepositoryQuality {
  readonly copies: CopyColumns
  readonly view: Float64Array
  readonly #world: ScoredWorld
  readonly #liveLists: AnswerLists
  readonly #localLists: AnswerLists
  readonly #numerators: Float64Array
  readonly #denominators: Float64Array
  /** Queries whose sums are to be computed anew, each once. */
  readonly #outdated: number[] = []
  readonly #isOutdated: Uint8Array
  /** By query, for the lists as they are; by live and by local scores. */
  readonly #liveMoves: (RankMoves | undefined)[]
  readonly #localMoves: (RankMoves | undefined)[]
  /** By page: its live score for the query that is being looked at, else 0. */
  readonly #liveScores: Float64Array
  #step = 0

  /** At the first step, with a fresh copy of every page. */
  constructor(world: ScoredWorld, view: ViewLikelihood = DEFAULT_VIEW) {
    const pages = world.timeline.urls.length
    const queries = world.scores.weights.length
    this.#world = world
    this.view = viewTable(view, pages + 1)
    const live = new Int32Array(pages).fill(NO_VERSION)
    this.#liveLists = new AnswerLists(world.scores, pages)
    this.#numerators = new Float64Array(queries)
    this.#denominators = new Float64Array(queries)
    this.#isOutdated = new Uint8Array(queries)
    this.#liveMoves = new Array(queries)
    this.#localMoves = new Array(queries)
    this.#liveScores = new Float64Array(pages)
    forEachChange(world.timeline, 0, (page, version) => {
      live[page] = version
      this.#liveLists.change(page, NO_VERSION, version, this.#outdate)
    })
    this.#localLists = this.#liveLists.copy()
    this.copies = { local: live.slice(), live, staleSinceMs: new Float64Array(pages).fill(Number.NaN) }
  }

  /** Counted from 0. */
  get step(): number {
    return this.#step
  }

  get atMs(): number {
    return this.timeline.atMs[this.#step]!
  }

  get timeline(): Timeline {
    return this.#world.timeline
  }

  /** f(q) of this step. */
  get weights(): Float64Array {
    const { weights, shift } = this.#world.scores
    return shift !== undefined && this.#step >= shift.fromStep ? shift.weights : weights
  }

  /** The world goes on to its next step; false when it has none. */
  advance(): boolean {
    const { timeline } = this.#world
    if (this.#step + 1 === timeline.atMs.length) return false
    this.#step++
    const { live } = this.copies
    forEachChange(timeline, this.#step, (page, version) => {
      this.#liveLists.change(page, live[page]!, version, this.#outdate)
      live[page] = version
      this.#noteAge(page)
    })
    return true
  }

  /** The copy of a page becomes what the world has: its present version, or none when it is gone. */
  refresh(page: number): void {
    this.#requirePage(page)
    const { local, live } = this.copies
    this.#localLists.change(page, local[page]!, live[page]!, this.#outdate)
    local[page] = live[page]!
    this.#noteAge(page)
  }

  /** Eq. 5: from 0 to 1; 1 when no page of the world matches any query. */
  get quality(): number {
    const { numerator, denominator } = this.sums()
    return denominator === 0 ? 1 : numerator / denominator
  }

  /** Numerator and denominator of Eq. 5. */
  sums(): { readonly numerator: number; readonly denominator: number } {
    this.#update()
    let [numerator, denominator] = [0, 0]
    this.weights.forEach((weight, query) => {
      numerator += weight * this.#numerators[query]!
      denominator += weight * this.#denominators[query]!
    })
    return { numerator, denominator }
  }

  /**
   * Adds to each query its part of 1 − quality. They are never below 0 but for rounding: no order is better than that
   * of live scores.
   */
  addLosses(sums: Float64Array): void {
    const { denominator } = this.sums()
    if (denominator === 0) return
    this.weights.forEach((weight, query) => {
      sums[query]! += (weight * (this.#denominators[query]! - this.#numerators[query]!)) / denominator
    })
  }

  /**
   * What a refresh of the page would add to the numerator now (Eq. 6), for one who sees all live pages: may be below 0.
   */
  deltaQuality(page: number): number {
    this.#requirePage(page)
    return this.#gainOf(page, this.#liveMoves, (query) => this.#liveValues(query))
  }

  /**
   * The same for one who takes all other pages to be as their copies: what an index can know when it has fetched the
   * page, without the estimate. Never below 0 but for rounding.
   */
  measuredDeltaQuality(page: number): number {
    this.#requirePage(page)
    return this.#gainOf(page, this.#localMoves, (query) => {
      const { scores, length } = this.#localLists.of(query)
      return scores.subarray(0, length)
    })
  }

  /** By page, its value at stake: Σ f(q) · I(rank of its copy) · score of its copy. */
  stakes(): Float64Array {
    const stakes = new Float64Array(this.copies.local.length)
    this.weights.forEach((weight, query) => {
      const { pages, scores, length } = this.#localLists.of(query)
      for (let at = 0; at < length; at++) stakes[pages[at]!]! += weight * this.view[at + 1]! * scores[at]!
    })
    return stakes
  }

  /** The answers of a query by the copies, best first. Valid until the next refresh. */
  localAnswers(query: number): Uint32Array {
    return answersOf(this.#localLists.of(query))
  }

  /** Their scores, at the same places. */
  localScores(query: number): Float64Array {
    const { scores, length } = this.#localLists.of(query)
    return scores.subarray(0, length)
  }

  /** By the pages as they are. Valid until the next step. */
  liveAnswers(query: number): Uint32Array {
    return answersOf(this.#liveLists.of(query))
  }

  readonly #outdate = (query: number): void => {
    if (this.#isOutdated[query] === 1) return
    this.#isOutdated[query] = 1
    this.#outdated.push(query)
  }

  #update(): void {
    for (const query of this.#outdated) {
      const { view } = this
      const { scores, length } = this.#liveLists.of(query)
      let denominator = 0
      for (let at = 0; at < length; at++) denominator += view[at + 1]! * scores[at]!
      this.#denominators[query] = denominator
      this.#numerators[query] = this.#numeratorOf(query)
      this.#liveMoves[query] = undefined
      this.#localMoves[query] = undefined
      this.#isOutdated[query] = 0
    }
    this.#outdated.length = 0
  }

  #numeratorOf(query: number): number {
    const { pages, length } = this.#localLists.of(query)
    return this.#withLiveScores(query, (liveScores) => {
      const { view } = this
      let numerator = 0
      for (let at = 0; at < length; at++) numerator += view[at + 1]! * liveScores[pages[at]!]!
      return numerator
    })
  }

  /** The live scores of the local list, by rank. */
  #liveValues(query: number): Float64Array {
    const { pages, length } = this.#localLists.of(query)
    return this.#withLiveScores(query, (liveScores) => {
      const values = new Float64Array(length)
      for (let at = 0; at < length; at++) values[at] = liveScores[pages[at]!]!
      return values
    })
  }

  /** By page, 0 for those that do not match. */
  #withLiveScores<T>(query: number, read: (liveScores: Float64Array) => T): T {
    const { pages, scores, length } = this.#liveLists.of(query)
    const byPage = this.#liveScores
    for (let at = 0; at < length; at++) byPage[pages[at]!] = scores[at]!
    const result = read(byPage)
    for (let at = 0; at < length; at++) byPage[pages[at]!] = 0
    return result
  }

  #gainOf(page: number, cache: (RankMoves | undefined)[], valuesOf: (query: number) => Float64Array): number {
    this.#update()
    const { local, live } = this.copies
    let sum = 0
    forEachShift(this.#world.scores, local[page]!, live[page]!, (query, before, after) => {
      const list = this.#localLists.of(query)
      let moves = cache[query]
      if (moves === undefined) {
        moves = new RankMoves(valuesOf(query), this.view)
        cache[query] = moves
      }
      const rank1Before = before === 0 ? 0 : list.countBefore(page, before) + 1
      // The page itself is among those before its new place when it falls.
      const rank1After = after === 0 ? 0 : list.countBefore(page, after) + (after < before ? 0 : 1)
      sum += this.weights[query]! * moves.gain(rank1Before, rank1After, after)
    })
    return sum
  }

  #noteAge(page: number): void {
    const { local, live, staleSinceMs } = this.copies
    if (local[page] === NO_VERSION || local[page] === live[page]) staleSinceMs[page] = Number.NaN
    else if (Number.isNaN(staleSinceMs[page])) staleSinceMs[page] = this.atMs
  }

  #requirePage(page: number): void {
    const pages = this.copies.local.length
    if (Number.isInteger(page) && page >= 0 && page < pages) return
    throw new RangeError(`a page must be an integer from 0 to ${pages - 1}, received ${describe(page)}`)
  }
}

function answersOf({ pages, length }: AnswerList): Uint32Array {
  return pages.subarray(0, length)
}
