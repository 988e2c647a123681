/**
 * Signals as evidence, for any policy. The priority is multiplied by a factor: how much likelier a change since the
 * last refresh is, given signals and silence, than by age alone.
 *
 * With c = 1 - e^(-λt) the probability by age, and L the likelihood ratio of the signals, Bayes' rule makes the
 * probability L c / (1 + (L - 1) c), so
 *
 *   factor = L / (1 + (L - 1) c) = L / (L + (1 - L) e^(-λt))
 *
 * - After a signal, t is the time from the refresh to the first signal, so the factor is constant.
 * - In silence, t is the age, and L is at most 1, as silence is no evidence of a change. The factor is a logistic curve
 *   that rises from L to 1: a page that has long been old enough to have changed is taken to be silent by mistake.
 *
 * Both factors are positive and never fall with time, so the product of priority and factor never falls either.
 */
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { NO_TRUST, type SignalTrust } from '../../ledger/site-trust.js'
import type { LedgerTotals } from '../../ledger/totals.js'
import { plainlyShrunkChangeRate } from '../model/page-rates.js'
import { ageMs, type Policy } from './policy.js'

interface Evidence {
  readonly likelihoodRatio: number
  /** Changes per millisecond. */
  readonly rate: number
  /** c: the probability of a change by age, at the time of the first signal if there is one. */
  readonly chanceBefore: number
  readonly factor: number
}

/**
 * The policy with signals as evidence. It judges pages of sites that have sent no signals as the policy itself does.
 */
export function withSignals(policy: Policy): Policy {
  return {
    ...policy,
    prepare: (view) => {
      const prepared = policy.prepare?.(view) ?? policy
      return view.trust === NO_TRUST ? prepared : judgeBy(view.trust, prepared)
    },
  }
}

function judgeBy(trust: SignalTrust, policy: Policy): Policy {
  const evidenceOf = (
    columns: LedgerColumns,
    doc: number,
    atMs: number,
    totals: LedgerTotals,
  ): Evidence | undefined => {
    const isSignalled = columns.signals[doc]! > 0
    const ratio = trust.likelihoodRatio(columns.site[doc]!, columns.signalKinds[doc]!)
    const likelihoodRatio = isSignalled ? ratio : Math.min(1, ratio)
    if (likelihoodRatio === 1) return undefined
    const rate = plainlyShrunkChangeRate(columns, doc, totals)
    const expected = rate * ageMs(columns, doc, isSignalled ? columns.signalMs[doc]! : atMs)
    const factor = likelihoodRatio / (likelihoodRatio + (1 - likelihoodRatio) * Math.exp(-expected))
    return { likelihoodRatio, rate, chanceBefore: -Math.expm1(-expected), factor }
  }
  return {
    ...policy,
    usesTotals: true,
    priority: (columns, doc, atMs, totals) => {
      const evidence = evidenceOf(columns, doc, atMs, totals)
      return policy.priority(columns, doc, atMs, totals) * (evidence?.factor ?? 1)
    },
    /**
     * With P(t) the priority without signals, g the bound of its growth from t0 on, and f(t) the factor:
     *
     *   P(t) f(t) - P(t0) f(t0) = (P(t) - P(t0)) f(t) + P(t0) (f(t) - f(t0))
     *
     * Signalled, f is constant: the bound is g f. Silent, f ≤ 1, and f' = λ f (1 - f), which is at most λ/4 and falls
     * once f is above 1/2: the bound is g + P(t0) λ h (1 - h) with h = max(f(t0), 1/2).
     */
    growthPerMs: (columns, doc, atMs, totals) => {
      const growth = policy.growthPerMs(columns, doc, atMs, totals)
      const evidence = evidenceOf(columns, doc, atMs, totals)
      if (evidence === undefined) return growth
      if (columns.signals[doc]! > 0) return growth * evidence.factor
      const steepest = Math.max(evidence.factor, 0.5)
      return growth + policy.priority(columns, doc, atMs, totals) * evidence.rate * steepest * (1 - steepest)
    },
    explain: (columns, doc, atMs, totals) => {
      const { formula, terms } = policy.explain(columns, doc, atMs, totals)
      const evidence = evidenceOf(columns, doc, atMs, totals)
      if (evidence === undefined) return { formula, terms }
      const { likelihoodRatio, chanceBefore, factor } = evidence
      return {
        formula: `(${formula}) * signalFactor`,
        terms: {
          ...terms,
          signals: columns.signals[doc]!,
          likelihoodRatio,
          chanceBefore,
          chanceAfter: factor * chanceBefore,
          signalFactor: factor,
        },
      }
    },
  }
}
