/**
 * Pages that come earlier by what people ask than by links alone: Figure 6 of "Crawl ordering by search impact", whose
 * examples are about what few pages say and some people ask for.
 */

import { VISIBLE_RANKS } from '../../../frontier/impact/query-sketch.js'
import { topValues } from '../../../math/heap.js'
import { type CrawlScene, topAnswers } from './scenes.js'

export interface PromotedPage {
  readonly url: string
  /** Fetched pages that link to it. */
  readonly inlinks: number
  /** What it is really worth. */
  readonly impact: number
  /** The heaviest query among whose best answers it is. */
  readonly query: string
  /** Its place in the order of the hybrid, and by importance alone, from 1. */
  readonly hybridPlace: number
  readonly importancePlace: number
}

export interface OrderedFrontier {
  /** By place in the frontier: what each page is worth, and how many fetched pages link to it. */
  readonly impacts: Float64Array
  readonly inlinks: ArrayLike<number>
  /** Places in the frontier, in the order of fetching. */
  readonly hybrid: Uint32Array
  readonly importance: Uint32Array
}

const EXAMPLES = 5

/** Those whose impact comes earliest, impact times places, the most first. */
export function promotedPages(scene: CrawlScene, ordered: OrderedFrontier): PromotedPage[] {
  const { input, frontier } = scene
  const [hybrid, importance] = [placesIn(ordered.hybrid), placesIn(ordered.importance)]
  const promotions = ordered.impacts.map((impact, at) => impact * (importance[at]! - hybrid[at]!))
  const best = [...topValues(promotions, EXAMPLES)].filter((at) => promotions[at]! > 0)
  const queries = heaviestQueries(scene)
  return best.map((at) => ({
    url: input.timeline.urls[frontier[at]!]!,
    inlinks: ordered.inlinks[at]!,
    impact: ordered.impacts[at]!,
    query: input.queryWords[queries.get(frontier[at]!)!]!.join(' '),
    hybridPlace: hybrid[at]!,
    importancePlace: importance[at]!,
  }))
}

/** By page: the heaviest query among whose K best answers it is. */
function heaviestQueries({ input, versions, isCrawled, frontier }: CrawlScene): Map<number, number> {
  const isKnown = isCrawled.slice()
  for (const page of frontier) isKnown[page] = 1
  const { weights } = input.scores
  const heaviest = new Map<number, number>()
  topAnswers(input.scores, versions, (page) => isKnown[page] === 1).pages.forEach((page, at) => {
    const query = Math.floor(at / VISIBLE_RANKS)
    const known = heaviest.get(page)
    if (known === undefined || weights[query]! > weights[known]!) heaviest.set(page, query)
  })
  return heaviest
}

function placesIn(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length)
  order.forEach((at, nth) => {
    places[at] = nth + 1
  })
  return places
}
