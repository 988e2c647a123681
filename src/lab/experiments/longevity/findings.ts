/** What the rows of a run say, figure by figure. */

import { lifetimeShare } from '../../../change/divergence-curve.js'
import { pearson, spearman } from '../../report/statistics.js'
import type { LongevityPoint } from './lifetimes.js'
import { OFFLINE_POLICIES } from './offline-policies.js'
import {
  type LongevityPolicyName,
  ONLINE_KINDS,
  onlineName,
  RATE_POLICIES,
  SPACES,
  STRICT_CURVE_FITTING,
  UNIFORM_OVER_ALL,
  WARMED_CURVE_FITTING,
} from './policies.js'
import type { PolicyOutcome } from './replay.js'
import type { LongevityRow, LongevityWorld, WorldFacts } from './run.js'

export type Curves = Readonly<Record<LongevityPolicyName, CostCurve>>
export type Period = 'whole' | 'warmUp' | 'steady'

/** Curves of one figure, read at the same costs. */
export interface CurveFigure {
  readonly curves: Curves
  readonly costs: readonly number[]
  /** Staleness at each of the costs; null below the least cost of a policy. */
  readonly atEqualCost: Readonly<Record<LongevityPolicyName, readonly (number | null)[]>>
}

/** What a level of staleness costs; null where a policy does not come down to it. */
export interface RateLevel {
  /** Where it lies between the least staleness that both reach, 0, and that of no refresh, 1. */
  readonly part: number
  readonly staleness: number
  readonly costs: Readonly<Record<LongevityPolicyName, number | null>>
}

export interface RateComparison {
  readonly world: string
  readonly facts: WorldFacts
  readonly curves: Curves
  readonly levels: readonly RateLevel[]
}

export interface LongevityCorrelation {
  /** Pages with a fragment that came and went. */
  readonly pages: number
  readonly pearson: number | null
  readonly spearman: number | null
}

export interface ModelCurve {
  readonly items: number
  /** By age in steps, from 0 on. */
  readonly shares: readonly number[]
}

export interface LongevityFindings {
  readonly offline: CurveFigure & {
    /** Least stale first. */ readonly order: readonly string[]
  }
  readonly online: { readonly warmUp: CurveFigure; readonly steady: CurveFigure }
  readonly space: CurveFigure
  readonly cgm: readonly RateComparison[]
  readonly longevity: LongevityCorrelation
  readonly lifetimeModel: { readonly updatesPerStep: number; readonly curves: readonly ModelCurve[] }
}

/** Shares of the pages that change, refreshed at every step. Beyond them all policies do nearly the same. */
const OFFLINE_COSTS = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
const ONLINE_COSTS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
const LEVEL_PARTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
/** The update rate of Figure 4. */
const MODEL_UPDATES_PER_STEP = 0.25
const MODEL_ITEMS = [1, 10]
const MODEL_STEPS = 80

export const CURVE_FITTING = onlineName('curve-fitting', SPACES[0]!)
export const BOUND_BASED = onlineName('bound-based', SPACES[0]!)

/** `worlds`: those of the input, the main one first. */
export function longevityFindings(
  worlds: readonly Pick<LongevityWorld, 'name' | 'facts' | 'lifetimes'>[],
  rows: readonly LongevityRow[],
): LongevityFindings {
  const { name, facts, lifetimes } = worlds[0]!
  const own = rows.filter(({ world }) => world === name)
  const offlineCosts = OFFLINE_COSTS.map((part) => part * (1 - facts.staticPageShare))
  const offline = figureOf(own, OFFLINE_POLICIES, 'whole', offlineCosts)
  const onlinePolicies = ['uniform', UNIFORM_OVER_ALL, CURVE_FITTING, BOUND_BASED, STRICT_CURVE_FITTING, 'fs-d']
  const spacePolicies = ONLINE_KINDS.flatMap((kind) => SPACES.map((space) => onlineName(kind, space)))
  return {
    offline: { ...offline, order: orderOf(offline) },
    online: {
      warmUp: figureOf(own, onlinePolicies, 'warmUp', ONLINE_COSTS),
      steady: figureOf(own, onlinePolicies, 'steady', ONLINE_COSTS),
    },
    space: figureOf(own, spacePolicies, 'steady', ONLINE_COSTS),
    cgm: worlds.map((world) => rateComparison(world.name, world.facts, rows)),
    longevity: correlationOf(lifetimes.points),
    lifetimeModel: { updatesPerStep: MODEL_UPDATES_PER_STEP, curves: MODEL_ITEMS.map(modelCurve) },
  }
}

function figureOf(
  rows: readonly LongevityRow[],
  policies: readonly LongevityPolicyName[],
  period: Period,
  costs: readonly number[],
): CurveFigure {
  const curves = curvesOf(rows, policies, period)
  const read = (policy: string) => costs.map((cost) => stalenessAtCost(curves[policy]!, cost) ?? null)
  return { curves, costs, atEqualCost: Object.fromEntries(policies.map((policy) => [policy, read(policy)])) }
}

function curvesOf(
  rows: readonly LongevityRow[],
  policies: readonly LongevityPolicyName[],
  period: Period,
): Record<LongevityPolicyName, CostCurve> {
  return Object.fromEntries(
    policies.map((policy) => [
      policy,
      costCurve(rows.filter((row) => row.policy === policy).map((row) => row[period])),
    ]),
  )
}

/** By the mean over the costs at which all policies have a staleness. */
function orderOf({ costs, atEqualCost }: CurveFigure): string[] {
  const policies = Object.entries(atEqualCost)
  const shared = costs.flatMap((_, at) => (policies.every(([, values]) => values[at] !== null) ? [at] : []))
  return policies
    .map(([policy, values]) => ({ policy, sum: shared.reduce((sum, at) => sum + values[at]!, 0) }))
    .sort((a, b) => a.sum - b.sum)
    .map(({ policy }) => policy)
}

function rateComparison(world: string, facts: WorldFacts, rows: readonly LongevityRow[]): RateComparison {
  const policies = [WARMED_CURVE_FITTING, ...Object.keys(RATE_POLICIES)]
  const curves = curvesOf(
    rows.filter((row) => row.world === world),
    policies,
    'steady',
  )
  const [ours, regular] = [curves[WARMED_CURVE_FITTING]!, curves.cgm!]
  const least = Math.max(ours.at(-1)!.staleness, regular.at(-1)!.staleness)
  const most = Math.min(ours[0]!.staleness, regular[0]!.staleness)
  const levels = LEVEL_PARTS.map((part) => {
    const staleness = least + part * (most - least)
    const cost = (policy: string) => costAtStaleness(curves[policy]!, staleness) ?? null
    return { part, staleness, costs: Object.fromEntries(policies.map((policy) => [policy, cost(policy)])) }
  })
  return { world, facts, curves, levels }
}

function correlationOf(points: readonly LongevityPoint[]): LongevityCorrelation {
  const frequencies = Float64Array.from(points, ({ changeFrequency }) => changeFrequency)
  const longevities = Float64Array.from(points, ({ longevity }) => longevity)
  const finite = (value: number) => (Number.isFinite(value) ? value : null)
  return {
    pages: points.length,
    pearson: finite(pearson(frequencies, longevities)),
    spearman: finite(spearman(frequencies, longevities)),
  }
}

function modelCurve(items: number): ModelCurve {
  const curve = { ratePerMs: MODEL_UPDATES_PER_STEP, items, share: 1 }
  return { items, shares: Array.from({ length: MODEL_STEPS + 1 }, (_, age) => lifetimeShare(curve, age)) }
}

/**
 * Staleness by refresh cost, in order of growing cost, no cost twice. Between the points of a run the curve is taken
 * for a straight line.
 */
export type CostCurve = readonly PolicyOutcome[]

/** The curve through points. Where several cost the same, it takes the best one. */
export function costCurve(points: readonly PolicyOutcome[]): CostCurve {
  const sorted = [...points].sort((a, b) => a.cost - b.cost || a.staleness - b.staleness)
  return sorted.filter(({ cost }, at) => at === 0 || cost > sorted[at - 1]!.cost)
}

/** Undefined below the least cost. A policy that can spend no more stays as stale as it is. */
export function stalenessAtCost(curve: CostCurve, cost: number): number | undefined {
  const at = curve.findIndex((point) => point.cost >= cost)
  if (at < 0) return curve.at(-1)?.staleness
  if (curve[at]!.cost === cost) return curve[at]!.staleness
  if (at === 0) return undefined
  const [before, after] = [curve[at - 1]!, curve[at]!]
  const part = (cost - before.cost) / (after.cost - before.cost)
  return before.staleness + part * (after.staleness - before.staleness)
}

/** The least cost at which the curve comes down to a level; undefined where it never does or begins below it. */
export function costAtStaleness(curve: CostCurve, level: number): number | undefined {
  const at = curve.findIndex(({ staleness }) => staleness <= level)
  if (at < 0 || (at === 0 && curve[0]!.staleness < level)) return undefined
  if (at === 0) return curve[0]!.cost
  const [before, after] = [curve[at - 1]!, curve[at]!]
  const part = (before.staleness - level) / (before.staleness - after.staleness)
  return before.cost + part * (after.cost - before.cost)
}
