/**
 * The curve-fitting policy of Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), section
 * 4.2. A page is to be refreshed when U(age) >= T,
 *
 *   U(t) = t D*(t) - ∫ D*        (Eq. 4)
 *
 * with D* the divergence curve that fits the page's profile best, or sooner because of the limits of risk and learning
 * (change/period-limits.ts). The priority is the highest threshold T under which the page would be refreshed now, in
 * milliseconds of full divergence. So the best pages of a budget are those that the paper refreshes with T solved from
 * the budget.
 *
 * A page without a curve has no utility, and is refreshed because of the limits: a page with few refreshes soon,
 * because of learning, and a page that never changed because of risk.
 *
 * Fragments weigh alike, or what their words mean to the workload (footnote 1 of the paper, after User-centric
 * crawling): then a copy has diverged by the quality of the answers that it costs. A page that is refreshed at age t
 * gains ΔQ_A, which is that divergence, so that
 *
 *   D*(t) = v m(t),   v = (Σ ΔQ_A + stake share) / (Σ m(interval) + 1)
 *
 * with m the fitted curve of a page that moves as a whole, sums over the last measured refreshes, and the stake in
 * place of one refresh after all had moved: until something is measured, a fragment is worth its share of what the page
 * has at stake.
 *
 * State: 84 bytes a page, for the profile without its sketch and for when and how often the page was refreshed.
 */
import { type DivergenceCurve, divergenceAt, utilityAt, utilityGrowth } from '../../change/divergence-curve.js'
import { dueByLimits, type PeriodLimits } from '../../change/period-limits.js'
import { type LedgerColumns, recentAt, recentCount } from '../../ledger/column-arrays.js'
import { CurveMemo } from '../model/curve-memo.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export interface LongevityOptions extends PeriodLimits {
  /**
   * Pages whose refresh saves less are not refreshed. In milliseconds of full divergence, times the stake with `weight:
   * 'stake'`; in ΔQ_A times milliseconds with `fragments: 'workload'`.
   */
  readonly threshold?: number | undefined
  /** W_P of Eq. 1: 'none', all pages alike, or the page's value at stake. */
  readonly weight?: 'none' | 'stake' | undefined
}

export interface LongevityCurveOptions extends LongevityOptions {
  /** Whether fragments weigh alike, or what their words mean to the workload. Excludes `weight`. */
  readonly fragments?: 'alike' | 'workload' | undefined
}

export const longevityCurveCard = policyCard({
  name: 'longevity-curve',
  purpose: 'pages whose new content will stay, by how their content has moved away from what it was',
  paper: 'Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), 4.2',
  formula: 'max(U(age), age / min(risk, 3 fetches)), U(t) = t D(t) - integral of D, D the fitted divergence curve',
  columns: [
    ...(['refreshedMs', 'refreshes', 'profileState', 'observations', 'observedAgeSeconds'] as const),
    ...(['observedDivergence', 'earlierRatePerDay', 'earlierShare', 'earlierItems', 'versions'] as const),
  ],
})

const NO_CURVE: DivergenceCurve = { ratePerMs: 0, items: 1, share: 0 }

/** n of the limits: how often the page was fetched. */
export function fetchesOf(columns: LedgerColumns, doc: number): number {
  return columns.refreshes[doc]! + 1
}

export function longevityCurve({ fragments = 'alike', ...options }: LongevityCurveOptions = {}): Policy {
  return fragments === 'workload' ? byWorkload(options) : byPages(options)
}

/** All fragments of a page weigh alike. */
function byPages({ threshold, weight = 'none', ...rest }: LongevityOptions): Policy {
  const limits = dueByLimits(rest)
  const memo = new CurveMemo()
  const weightOf = weight === 'stake' ? (columns: LedgerColumns, doc: number) => columns.stake[doc]! : () => 1
  const unweighted = (curve: DivergenceCurve, age: number, fetches: number) =>
    Math.max(Math.min(utilityAt(curve, age), age), limits.dueMs(age, fetches))
  return {
    name: longevityCurveCard.name,
    usesTotals: false,
    ...(threshold === undefined ? {} : { threshold }),
    priority: (columns, doc, atMs) => {
      const curve = memo.curveOf(columns, doc) ?? NO_CURVE
      return weightOf(columns, doc) * unweighted(curve, ageMs(columns, doc, atMs), fetchesOf(columns, doc))
    },
    growthPerMs: (columns, doc, atMs) => {
      const curve = memo.curveOf(columns, doc) ?? NO_CURVE
      const age = ageMs(columns, doc, atMs)
      const fetches = fetchesOf(columns, doc)
      const byLimits = limits.growthPerMs(age, fetches, unweighted(curve, age, fetches))
      return weightOf(columns, doc) * Math.max(utilityGrowth(curve, age), byLimits)
    },
    explain: (columns, doc, atMs) => {
      const curve = memo.curveOf(columns, doc) ?? NO_CURVE
      const age = ageMs(columns, doc, atMs)
      return {
        formula: `weight * Math.max(utilityMs, ${limits.formula})`,
        terms: {
          weight: weightOf(columns, doc),
          utilityMs: Math.min(utilityAt(curve, age), age),
          ageMs: age,
          fetches: fetchesOf(columns, doc),
          ...limits.terms,
          curveRatePerMs: curve.ratePerMs,
          curveItems: curve.items,
          curveShare: curve.share,
        },
      }
    },
  }
}

/**
 * Fragments weigh what their words mean to the workload. The divergence of a page is then at most about its stake,
 * which is D_max of the limits.
 */
function byWorkload({ threshold, weight: _, ...rest }: LongevityOptions): Policy {
  const limits = dueByLimits(rest)
  const memo = new CurveMemo()
  const judge = (columns: LedgerColumns, doc: number, age: number) => {
    const curve = memo.curveOf(columns, doc) ?? NO_CURVE
    const moving = { ...curve, share: 1 }
    const value = movingValue(columns, doc, curve, moving)
    const utility = value * Math.min(utilityAt(moving, age), age)
    return { moving, value, utility, stake: columns.stake[doc]!, fetches: fetchesOf(columns, doc) }
  }
  return {
    name: longevityCurveCard.name,
    usesTotals: false,
    ...(threshold === undefined ? {} : { threshold }),
    priority: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      const { utility, stake, fetches } = judge(columns, doc, age)
      return Math.max(utility, stake * limits.dueMs(age, fetches))
    },
    growthPerMs: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      const { moving, value, stake, fetches } = judge(columns, doc, age)
      const byLimits = stake * limits.growthPerMs(age, fetches, limits.dueMs(age, fetches))
      return Math.max(value * utilityGrowth(moving, age), byLimits)
    },
    explain: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      const { moving, value, stake, fetches } = judge(columns, doc, age)
      return {
        formula: `Math.max(value * utilityMs, stake * ${limits.formula})`,
        terms: {
          value,
          utilityMs: Math.min(utilityAt(moving, age), age),
          stake,
          ageMs: age,
          fetches,
          ...limits.terms,
          curveRatePerMs: moving.ratePerMs,
          curveItems: moving.items,
        },
      }
    },
  }
}

/** v: the ΔQ_A that a copy costs when all that moves has gone. 0 for a page that was never seen to change. */
function movingValue(columns: LedgerColumns, doc: number, curve: DivergenceCurve, moving: DivergenceCurve): number {
  if (curve.share === 0) return 0
  let gained = columns.stake[doc]! * curve.share
  let moved = 1
  for (let back = recentCount(columns, doc) - 1; back >= 0; back--) {
    const at = recentAt(columns, doc, back)
    const gain = columns.recentDeltaQuality[at]!
    if (Number.isNaN(gain)) continue
    gained += gain
    moved += divergenceAt(moving, columns.recentIntervalSeconds[at]! * 1000)
  }
  return gained / moved
}
