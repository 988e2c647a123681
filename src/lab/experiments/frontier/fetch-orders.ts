/**
 * Figures 2 and 5 of "Crawl ordering by search impact": what importance says of impact, and which order of fetching
 * brings most of it first.
 */

import { hybridImpacts } from '../../../frontier/impact/impact.js'
import { UNKNOWN_IMPROVABILITY } from '../../../frontier/impact/neediness.js'
import { pearson, spearman } from '../../report/statistics.js'
import { Randomness } from '../../worlds/randomness.js'
import { FrontierMatches } from './expected-scores.js'
import type { FrontierInput } from './input.js'
import { pastCycle, planScene } from './plan-cycle.js'
import { type PromotedPage, promotedPages } from './promoted-pages.js'
import { type FrontierSet, sceneOfLastStep, trueImpacts } from './scenes.js'

/** `ideal` knows the true impacts: what nobody can do. */
export const FETCH_ORDERS = ['random', 'query-independent', 'query-driven', 'hybrid', 'ideal'] as const

export type FetchOrder = (typeof FETCH_ORDERS)[number]

export interface OrderCurve {
  readonly order: FetchOrder
  /** The area under the impact fetched by the share of pages fetched, both from 0 to 1: 0.5 for a straight line. */
  readonly area: number
  readonly points: readonly { readonly fetchedShare: number; readonly impactShare: number }[]
}

export interface OrdersResult {
  readonly set: FrontierSet
  readonly seed: number
  readonly crawled: number
  readonly frontier: number
  /** Pages of the frontier that came after the first step. */
  readonly comeLater: number
  /** Pages of the frontier that the words of a query lead to. */
  readonly matched: number
  readonly totalImpact: number
  /** The correlation of importance and impact, over the frontier; null where one of them is the same for all. */
  readonly correlation: { readonly pearson: number | null; readonly spearman: number | null }
  /** Pages of the frontier by importance, in parts of equal size. */
  readonly buckets: readonly { readonly importance: number; readonly impact: number }[]
  readonly curves: readonly OrderCurve[]
  /** Examples of pages that the hybrid fetches earlier than importance does. */
  readonly promoted: readonly PromotedPage[]
}

const BUCKETS = 10
const CURVE_POINTS = 50

export function fetchOrders(input: FrontierInput, set: FrontierSet): OrdersResult {
  const scene = sceneOfLastStep(input, set)
  const { frontier } = scene
  const past = pastCycle(scene)
  const matches = new FrontierMatches(scene)
  const queries = input.queryWords.map((_, query) => query)
  const plan = planScene(matches, past, { queries, fetches: 0, improvability: UNKNOWN_IMPROVABILITY })
  const byPage = trueImpacts(scene, input.scores.weights)
  const impacts = Float64Array.from(frontier, (page) => byPage[page]!)
  const importance = Float64Array.from(frontier, (page) => matches.clues.importance(page))
  const valuesOf: Readonly<Record<FetchOrder, ArrayLike<number>>> = {
    random: new Float64Array(frontier.length),
    'query-independent': importance,
    'query-driven': plan.queryImpacts,
    hybrid: hybridImpacts(plan.queryImpacts, plan.independentImpacts),
    ideal: impacts,
  }
  return {
    set,
    seed: input.spec.seed,
    crawled: scene.isCrawled.reduce((sum, is) => sum + is, 0),
    frontier: frontier.length,
    comeLater: frontier.filter((page) => input.isHeldBack[page] === 0).length,
    matched: matchedPages(matches, queries),
    totalImpact: impacts.reduce((sum, impact) => sum + impact, 0),
    correlation: {
      pearson: finite(pearson(importance, impacts)),
      spearman: finite(spearman(importance, impacts)),
    },
    buckets: bucketsOf(importance, impacts),
    curves: FETCH_ORDERS.map((order) => curveOf(order, valuesOf[order], impacts, input.spec.seed)),
    promoted: promotedPages(scene, {
      impacts,
      inlinks: Array.from(frontier, (page) => matches.clues.of(page).inlinks),
      hybrid: orderBy(valuesOf.hybrid, input.spec.seed),
      importance: orderBy(importance, input.spec.seed),
    }),
  }
}

/** Highest values first; chance decides between equals, the same chance for every order. */
export function orderBy(values: ArrayLike<number>, seed: number): Uint32Array {
  const random = new Randomness(seed)
  const lots = Float64Array.from({ length: values.length }, () => random.next())
  return Uint32Array.from(lots, (_, at) => at).sort((a, b) => values[b]! - values[a]! || lots[a]! - lots[b]!)
}

export function curveOf(order: FetchOrder, values: ArrayLike<number>, impacts: Float64Array, seed: number): OrderCurve {
  const total = impacts.reduce((sum, impact) => sum + impact, 0)
  const pages = impacts.length
  const cumulative = new Float64Array(pages + 1)
  orderBy(values, seed).forEach((at, nth) => {
    cumulative[nth + 1] = cumulative[nth]! + (total === 0 ? 0 : impacts[at]! / total)
  })
  let area = 0
  for (let nth = 0; nth < pages; nth++) area += (cumulative[nth]! + cumulative[nth + 1]!) / 2 / pages
  const points = Array.from({ length: CURVE_POINTS + 1 }, (_, part) => {
    const fetched = Math.round((part * pages) / CURVE_POINTS)
    return { fetchedShare: pages === 0 ? 0 : fetched / pages, impactShare: cumulative[fetched]! }
  })
  return { order, area, points }
}

function matchedPages(matches: FrontierMatches, queries: readonly number[]): number {
  const matched = new Set<number>()
  for (const query of queries) for (const page of matches.matching(query)) matched.add(page)
  return matched.size
}

function bucketsOf(importance: Float64Array, impacts: Float64Array): OrdersResult['buckets'] {
  const order = Uint32Array.from(importance, (_, at) => at).sort((a, b) => importance[a]! - importance[b]! || a - b)
  const count = Math.min(BUCKETS, order.length)
  return Array.from({ length: count }, (_, bucket) => {
    const own = order.subarray(
      Math.floor((bucket * order.length) / count),
      Math.floor(((bucket + 1) * order.length) / count),
    )
    const mean = (values: Float64Array) => own.reduce((sum, at) => sum + values[at]!, 0) / own.length
    return { importance: mean(importance), impact: mean(impacts) }
  })
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
