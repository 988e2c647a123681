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
 * State: 95 bytes a page, for the profile without its sketch and for when and how often the page was refreshed.
 */
import { type DivergenceCurve, utilityAt, utilityGrowth } from '../../change/divergence-curve.js'
import { dueByLimits, type PeriodLimits } from '../../change/period-limits.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { CurveMemo } from '../model/curve-memo.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export interface LongevityOptions extends PeriodLimits {
  /**
   * Pages whose refresh saves less are not refreshed. In milliseconds of full divergence, times the stake with `weight:
   * 'stake'`.
   */
  readonly threshold?: number | undefined
  /** W_P of Eq. 1: 'none', all pages alike, or the page's value at stake. */
  readonly weight?: 'none' | 'stake' | undefined
}

export const longevityCurveCard = policyCard({
  name: 'longevity-curve',
  purpose: 'pages whose new content will stay, by how their content has moved away from what it was',
  paper: 'Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), 4.2',
  formula: 'max(U(age), age / min(risk, 3 fetches)), U(t) = t D(t) - integral of D, D the fitted divergence curve',
  columns: [
    ...(['refreshedMs', 'refreshes', 'profileState', 'observations', 'observedAgeSeconds'] as const),
    ...(['observedDivergence', 'earlierRatePerDay', 'earlierShare', 'earlierItems'] as const),
  ],
})

const NO_CURVE: DivergenceCurve = { ratePerMs: 0, items: 1, share: 0 }

/** n of the limits: how often the page was fetched. */
export function fetchesOf(columns: LedgerColumns, doc: number): number {
  return columns.refreshes[doc]! + 1
}

export function longevityCurve({ threshold, weight = 'none', ...rest }: LongevityOptions = {}): Policy {
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
