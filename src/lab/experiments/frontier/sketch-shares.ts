/**
 * Figures 7 to 9 of "Crawl ordering by search impact": whether improvability fitted on half of the queries holds for
 * the other half, and how much impact is kept when only the neediest queries have sketches.
 */

import { hybridImpacts } from '../../../frontier/impact/impact.js'
import {
  type Improvability,
  ImprovabilityFit,
  improvabilityAt,
  UNKNOWN_IMPROVABILITY,
} from '../../../frontier/impact/neediness.js'
import { pearson, spearman } from '../../report/statistics.js'
import { FrontierMatches } from './expected-scores.js'
import { orderBy } from './fetch-orders.js'
import type { FrontierInput } from './input.js'
import { improvements, type PastCycle, pastCycle, planScene } from './plan-cycle.js'
import { drawPages, type FrontierSet, sceneOfLastStep, trueImpacts } from './scenes.js'

export const SKETCH_SHARES = [1, 0.1, 0.01, 0.001]
/** Shares of the frontier that are fetched. */
const FETCH_SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
/** For improvability. */
const LEARNING_FETCH_SHARE = 0.1
const BUCKETS = 20

export interface ImprovabilityPoint {
  readonly meanScore: number
  readonly improvement: number
  readonly predicted: number
}

export interface SketchRow {
  readonly sketchShare: number
  readonly sketches: number
  readonly fetchShare: number
  readonly fetches: number
  /** The impact of the pages fetched, on the half that was not learned from, as a share of all impact there. */
  readonly impactShare: number
  /** Against the same with all sketches; null where that has none. */
  readonly kept: number | null
}

export interface SketchesResult {
  readonly set: FrontierSet
  readonly seed: number
  readonly queries: number
  readonly improvability: Improvability
  /** Buckets of the half that was not learned from. */
  readonly points: readonly ImprovabilityPoint[]
  /** The correlation of predicted and found improvements of the buckets; null where one of them is the same for all. */
  readonly correlation: { readonly pearson: number | null; readonly spearman: number | null }
  readonly rows: readonly SketchRow[]
}

export function sketchShares(input: FrontierInput, set: FrontierSet): SketchesResult {
  const scene = sceneOfLastStep(input, set)
  const past = pastCycle(scene)
  const matches = new FrontierMatches(scene)
  const [learned, tested] = queryHalves(input)
  const fit = new ImprovabilityFit(Math.max(1, learned.length))
  for (const { meanScore, improvement } of observe(matches, past, learned)) fit.add(meanScore, improvement)
  const improvability = fit.fit({ buckets: BUCKETS }) ?? UNKNOWN_IMPROVABILITY
  const points = bucketed(observe(matches, past, tested), improvability)
  const column = (name: keyof ImprovabilityPoint) => Float64Array.from(points, (point) => point[name])
  const [found, predicted] = [column('improvement'), column('predicted')]
  return {
    set,
    seed: input.spec.seed,
    queries: tested.length,
    improvability,
    points,
    correlation: { pearson: finite(pearson(found, predicted)), spearman: finite(spearman(found, predicted)) },
    rows: rowsOf(matches, past, tested, improvability),
  }
}

/** By chance, of the same size. */
export function queryHalves({ queryWords, spec }: FrontierInput): [learned: Uint32Array, tested: Uint32Array] {
  const all = Uint32Array.from(queryWords, (_, query) => query)
  const isLearned = drawPages(all, 0.5, spec.seed ^ 0x2545f491, all.length)
  return [all.filter((query) => isLearned[query] === 1), all.filter((query) => isLearned[query] === 0)]
}

/** What a plan for these queries does to each of them. */
function observe(matches: FrontierMatches, past: PastCycle, queries: Uint32Array) {
  const fetches = Math.ceil(LEARNING_FETCH_SHARE * matches.scene.frontier.length)
  const { pages } = planScene(matches, past, { queries, fetches, improvability: UNKNOWN_IMPROVABILITY })
  const counts = improvements(matches, pages)
  return Array.from(queries, (query) => ({ meanScore: matches.meanTopScore(query), improvement: counts[query]! }))
}

function bucketed(
  observations: readonly { readonly meanScore: number; readonly improvement: number }[],
  improvability: Improvability,
): ImprovabilityPoint[] {
  const sorted = [...observations].sort((a, b) => a.meanScore - b.meanScore || a.improvement - b.improvement)
  const count = Math.min(BUCKETS, sorted.length)
  return Array.from({ length: count }, (_, bucket) => {
    const own = sorted.slice(
      Math.floor((bucket * sorted.length) / count),
      Math.floor(((bucket + 1) * sorted.length) / count),
    )
    const meanScore = own.reduce((sum, one) => sum + one.meanScore, 0) / own.length
    const improvement = own.reduce((sum, one) => sum + one.improvement, 0) / own.length
    return { meanScore, improvement, predicted: improvabilityAt(improvability, meanScore) }
  })
}

function rowsOf(
  matches: FrontierMatches,
  past: PastCycle,
  queries: Uint32Array,
  improvability: Improvability,
): SketchRow[] {
  const { input, frontier } = matches.scene
  const weights = new Float64Array(input.scores.weights.length)
  for (const query of queries) weights[query] = input.scores.weights[query]!
  const impacts = trueImpacts(matches.scene, weights)
  const impactOf = (pages: Uint32Array) => pages.reduce((sum, page) => sum + impacts[page]!, 0)
  const total = impactOf(frontier)
  const whole = new Map<number, number>()
  return SKETCH_SHARES.flatMap((sketchShare) => {
    const plan = planScene(matches, past, { queries, fetches: 0, improvability, needyShare: sketchShare })
    const order = orderBy(hybridImpacts(plan.queryImpacts, plan.independentImpacts), input.spec.seed)
    return FETCH_SHARES.map((fetchShare) => {
      const fetches = Math.ceil(fetchShare * frontier.length)
      const impact = impactOf(order.subarray(0, fetches).map((at) => frontier[at]!))
      if (sketchShare === 1) whole.set(fetchShare, impact)
      const all = whole.get(fetchShare)!
      return {
        ...{ sketchShare, sketches: plan.needy.length, fetchShare, fetches },
        impactShare: total === 0 ? 0 : impact / total,
        kept: all === 0 ? null : impact / all,
      }
    })
  })
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
