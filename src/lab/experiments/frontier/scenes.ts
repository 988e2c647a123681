/** A moment in a crawl: which pages are fetched, which are only known of, and what all of them really score. */

import { VISIBLE_RANKS } from '../../../frontier/impact/query-sketch.js'
import { forEachChange, NO_VERSION, type Timeline } from '../../quality/timeline.js'
import type { VersionScores } from '../../quality/version-scores.js'
import { Randomness } from '../../worlds/randomness.js'
import { FeaturesBeforeFetch } from './expected-scores.js'
import type { FrontierInput } from './input.js'

export interface CrawlScene {
  readonly input: FrontierInput
  /** By page: its version at this moment, or NO_VERSION. */
  readonly versions: Int32Array
  /** By page: 1 where it is fetched. */
  readonly isCrawled: Uint8Array
  /** Pages known of, ascending. */
  readonly frontier: Uint32Array
}

/** The K best answers of each query, K places each. */
export interface TopAnswers {
  /** NO_PAGE where there are fewer. */
  readonly pages: Int32Array
  /** 0 where there are fewer. */
  readonly scores: Float64Array
}

export const NO_PAGE = -1

/** Among these pages; score descending, then by number. */
export function topAnswers(
  scores: VersionScores,
  versions: Int32Array,
  isIncluded: (page: number) => boolean,
  ranks = VISIBLE_RANKS,
): TopAnswers {
  const queries = scores.weights.length
  const top = { pages: new Int32Array(queries * ranks).fill(NO_PAGE), scores: new Float64Array(queries * ranks) }
  versions.forEach((version, page) => {
    if (version === NO_VERSION || !isIncluded(page)) return
    forEachMatch(scores, version, (query, score) => insert(top, query * ranks, ranks, page, score))
  })
  return top
}

/** Every query that a version matches, ascending. */
export function forEachMatch(
  { matchEnds, queries, scores }: VersionScores,
  version: number,
  visit: (query: number, score: number) => void,
): void {
  for (let at = version === 0 ? 0 : matchEnds[version - 1]!; at < matchEnds[version]!; at++) {
    visit(queries[at]!, scores[at]!)
  }
}

/** What a version scores for a query; 0 where it does not match. */
export function scoreOf({ matchEnds, queries, scores }: VersionScores, version: number, query: number): number {
  if (version === NO_VERSION) return 0
  let [low, high] = [version === 0 ? 0 : matchEnds[version - 1]!, matchEnds[version]!]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (queries[middle]! < query) low = middle + 1
    else high = middle
  }
  return low < matchEnds[version]! && queries[low] === query ? scores[low]! : 0
}

/**
 * By page: the weight of the queries of whose K best, over all pages there are, it is one (Crawl ordering by search
 * impact, Eq. 1).
 */
export function trueImpacts(scene: CrawlScene, weights: ArrayLike<number>): Float64Array {
  const { input, versions, isCrawled, frontier } = scene
  const isKnown = isCrawled.slice()
  for (const page of frontier) isKnown[page] = 1
  const top = topAnswers(input.scores, versions, (page) => isKnown[page] === 1)
  const impacts = new Float64Array(versions.length)
  top.pages.forEach((page, at) => {
    if (page !== NO_PAGE) impacts[page]! += weights[Math.floor(at / VISIBLE_RANKS)]!
  })
  return impacts
}

/** Pages come by ascending number: one of an equal score stays before. */
function insert(top: TopAnswers, first: number, ranks: number, page: number, score: number): void {
  let at = first + ranks
  while (at > first && score > top.scores[at - 1]!) at--
  if (at === first + ranks) return
  top.scores.copyWithin(at + 1, at, first + ranks - 1)
  top.pages.copyWithin(at + 1, at, first + ranks - 1)
  top.scores[at] = score
  top.pages[at] = page
}

/**
 * 1: as it is. 2: the most important fifth of the frontier is fetched, as crawlers do who go by importance (section 6.1
 * of the paper).
 */
export type FrontierSet = 1 | 2

export const FRONTIER_SETS: readonly FrontierSet[] = [1, 2]
const PROMOTED_SHARE = 0.2

/**
 * The scene of the figures: the last step of the world, in which pages that came after the first step and pages held
 * back are the frontier.
 */
export function sceneOfLastStep(input: FrontierInput, set: FrontierSet): CrawlScene {
  const versions = lastVersions(input.timeline)
  const isCrawled = new Uint8Array(versions.length)
  for (const page of firstPages(input.timeline)) {
    if (versions[page] !== NO_VERSION && input.isHeldBack[page] === 0) isCrawled[page] = 1
  }
  const frontier = Uint32Array.from(
    [...versions.keys()].filter((page) => versions[page] !== NO_VERSION && isCrawled[page] === 0),
  )
  const scene = { input, versions, isCrawled, frontier }
  return set === 1 ? scene : promoted(scene)
}

function promoted(scene: CrawlScene): CrawlScene {
  const clues = new FeaturesBeforeFetch(scene)
  const count = Math.round(PROMOTED_SHARE * scene.frontier.length)
  const byImportance = [...scene.frontier].sort((a, b) => clues.importance(b) - clues.importance(a) || a - b)
  const isCrawled = scene.isCrawled.slice()
  for (const page of byImportance.slice(0, count)) isCrawled[page] = 1
  return { ...scene, isCrawled, frontier: scene.frontier.filter((page) => isCrawled[page] === 0) }
}

/**
 * Draws pages that are taken for not fetched although they are there: a history seldom has enough pages that really
 * are new. The answer is by page: 1 for each that was drawn, this share of `pages`, rounded.
 */
export function drawPages(pages: ArrayLike<number>, share: number, seed: number, allPages: number): Uint8Array {
  const random = new Randomness(seed)
  const left = Uint32Array.from(pages)
  const isDrawn = new Uint8Array(allPages)
  const wanted = Math.round(share * left.length)
  for (let count = 0; count < wanted; count++) {
    const at = random.between(count, left.length - 1)
    isDrawn[left[at]!] = 1
    left[at] = left[count]!
  }
  return isDrawn
}

/** Pages of the first step, ascending. */
export function firstPages(timeline: Timeline): Uint32Array {
  const pages: number[] = []
  forEachChange(timeline, 0, (page) => pages.push(page))
  return Uint32Array.from(pages).sort()
}

/** By page, the version that it has at the last step. */
export function lastVersions({ urls, changedPages, changedVersions }: Timeline): Int32Array {
  const versions = new Int32Array(urls.length).fill(NO_VERSION)
  changedPages.forEach((page, at) => {
    versions[page] = changedVersions[at]!
  })
  return versions
}

/** The same world in which these pages come at the second step, as they are by then. */
export function comeLater(timeline: Timeline, isLater: Uint8Array): Timeline {
  if (timeline.atMs.length < 2) throw new RangeError('a world of one step has no moment at which pages could come')
  const pages: number[] = []
  const versions: number[] = []
  const ends: number[] = []
  const waiting = new Map<number, number>()
  const push = (page: number, version: number) => {
    pages.push(page)
    versions.push(version)
  }
  for (let step = 0; step < timeline.atMs.length; step++) {
    forEachChange(timeline, step, (page, version) => {
      if (step === 0 && isLater[page] === 1) waiting.set(page, version)
      else {
        const isUnseen = waiting.delete(page) && version === NO_VERSION
        if (!isUnseen) push(page, version)
      }
    })
    if (step === 1) for (const [page, version] of waiting) push(page, version)
    if (step === 1) waiting.clear()
    ends.push(pages.length)
  }
  return {
    ...timeline,
    changeEnds: Uint32Array.from(ends),
    changedPages: Uint32Array.from(pages),
    changedVersions: Int32Array.from(versions),
  }
}
