/**
 * What fetching a page for the first time is expected to add to the quality of the answers, ΔQ_A: the currency of
 * refreshes.
 *
 *   gain(p) = base(importance of p) + a · Σ_q f(q) E[gain of p in the list of q]
 *
 * over the queries that URL and anchors lead to. Which scores to expect there is learned from a part of the pages of
 * the first step, as in past-cycle.ts. So is the base, the mean gain of those of its pages that queries say least of,
 * half of them; and a, by least squares on what the base leaves.
 */

import { AppearanceGains } from '../../../frontier/impact/appearance-gain.js'
import { fitQuadratic, type Quadratic, quadraticAt } from '../../../frontier/impact/query-independent.js'
import type { RegressionTree } from '../../../frontier/impact/regression-tree.js'
import { DEFAULT_VIEW } from '../../../workload/view-likelihood.js'
import type { RepositoryQuality } from '../../quality/repository-quality.js'
import { forEachChange, NO_VERSION, type Timeline } from '../../quality/timeline.js'
import { FrontierMatches } from './expected-scores.js'
import type { FrontierInput } from './input.js'
import { pastCycle } from './plan-cycle.js'
import { type CrawlScene, forEachMatch, topAnswers } from './scenes.js'

/** The head of an answer list: who comes in behind it adds next to nothing. */
const LIST_HEAD = 100

interface LikelyAnswer {
  readonly query: number
  /** Equally likely. */
  readonly scores: readonly number[]
}

export class NewPageGains {
  readonly #matches: FrontierMatches
  readonly #calibration: Calibration
  readonly #weights: Float64Array
  readonly #answers: ReadonlyMap<number, readonly LikelyAnswer[]>

  constructor(input: FrontierInput) {
    const scene = firstScene(input)
    const past = pastCycle(scene)
    this.#weights = input.scores.weights
    this.#matches = new FrontierMatches(scene)
    this.#answers = likelyAnswers(this.#matches, past.tree)
    const learned = past.matches
    const lists = headLists(learned.scene)
    const pages = Array.from(learned.scene.frontier)
    const found = pages.map((page) => trueGain(learned.scene, page, lists))
    const importance = pages.map((page) => learned.clues.importance(page))
    const answers = likelyAnswers(learned, past.tree)
    this.#calibration = calibrate(
      pages.map((page) => this.#sum(answers.get(page) ?? [], lists)),
      importance,
      found,
    )
  }

  /** What each of these pages is expected to gain, at the same place, by the answers that the repository has now. */
  expected(state: RepositoryQuality, pages: readonly number[]): Float64Array {
    const lists = new Map<number, AppearanceGains>()
    const listOf = (query: number) => {
      let list = lists.get(query)
      if (list === undefined) {
        list = new AppearanceGains(state.localScores(query).slice(0, LIST_HEAD), DEFAULT_VIEW)
        lists.set(query, list)
      }
      return list
    }
    const { base, factor } = this.#calibration
    return Float64Array.from(pages, (page) => {
      const alone = baseGain(base, this.#matches.clues.importance(page))
      return alone + factor * this.#sum(this.#answers.get(page) ?? [], listOf)
    })
  }

  #sum(answers: readonly LikelyAnswer[], listOf: (query: number) => AppearanceGains): number {
    return answers.reduce((sum, { query, scores }) => {
      return sum + this.#weights[query]! * listOf(query).expectedGain(scores)
    }, 0)
  }
}

/** The first step, before any of the pages that come later. Pages held back are not there. */
function firstScene(input: FrontierInput): CrawlScene {
  const { timeline, isHeldBack } = input
  const versions = firstVersions(timeline)
  const isCrawled = Uint8Array.from(versions, (version, page) =>
    version !== NO_VERSION && isHeldBack[page] === 0 ? 1 : 0,
  )
  const frontier = Uint32Array.from([...versions.keys()].filter((page) => isCrawled[page] === 0))
  return { input, versions, isCrawled, frontier }
}

function firstVersions(timeline: Timeline): Int32Array {
  const versions = new Int32Array(timeline.urls.length).fill(NO_VERSION)
  forEachChange(timeline, 0, (page, version) => {
    versions[page] = version
  })
  return versions
}

function likelyAnswers(matches: FrontierMatches, tree: RegressionTree | undefined): Map<number, LikelyAnswer[]> {
  const answers = new Map<number, LikelyAnswer[]>()
  if (tree === undefined) return answers
  matches.ngrams.forEach((_, query) => {
    for (const page of matches.matching(query)) {
      const own = answers.get(page) ?? []
      own.push({ query, scores: matches.likelyScores(tree, page, query) })
      answers.set(page, own)
    }
  })
  return answers
}

function headLists({ input, versions, isCrawled }: CrawlScene): (query: number) => AppearanceGains {
  const top = topAnswers(input.scores, versions, (page) => isCrawled[page] === 1, LIST_HEAD)
  const lists = new Map<number, AppearanceGains>()
  return (query) => {
    const known = lists.get(query)
    if (known !== undefined) return known
    const scores = top.scores.subarray(query * LIST_HEAD, (query + 1) * LIST_HEAD).filter((score) => score > 0)
    const list = new AppearanceGains(scores, DEFAULT_VIEW)
    lists.set(query, list)
    return list
  }
}

function trueGain({ input, versions }: CrawlScene, page: number, listOf: (query: number) => AppearanceGains): number {
  let sum = 0
  forEachMatch(input.scores, versions[page]!, (query, score) => {
    sum += input.scores.weights[query]! * listOf(query).gain(score)
  })
  return sum
}

interface Calibration {
  readonly base: BaseGain
  /** a */
  readonly factor: number
}

interface BaseGain {
  readonly mean: number
  /** By importance; undefined where there is nothing to learn from. */
  readonly quadratic: Quadratic | undefined
}

/** By page: the sum over queries, importance, and what the page did gain. */
export function calibrate(
  sums: readonly number[],
  importance: readonly number[],
  found: readonly number[],
): Calibration {
  const bySum = sums.map((_, at) => at).sort((a, b) => sums[a]! - sums[b]! || a - b)
  const lower = bySum.slice(0, Math.ceil(sums.length / 2))
  const column = (values: readonly number[]) => lower.map((at) => values[at]!)
  const mean = lower.length === 0 ? 0 : column(found).reduce((sum, gain) => sum + gain, 0) / lower.length
  const base = { mean, quadratic: fitQuadratic(column(importance), column(found)) }
  let [products, squares] = [0, 0]
  sums.forEach((sum, at) => {
    products += sum * (found[at]! - baseGain(base, importance[at]!))
    squares += sum * sum
  })
  return { base, factor: squares > 0 ? Math.max(0, products / squares) : 0 }
}

/**
 * Halfway between the quadratic and the mean: a parabola through gains with so heavy tails may say 0 of pages that are
 * worth something.
 */
export function baseGain({ mean, quadratic }: BaseGain, importance: number): number {
  return quadratic === undefined ? mean : (quadraticAt(quadratic, importance) + mean) / 2
}
