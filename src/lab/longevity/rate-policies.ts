/**
 * Curve fitting beside the policy for pages of one piece with estimated rates of change (Cho and Garcia-Molina; Information longevity, section 5.3
 * and appendix A). Since nobody says how the latter explores, both have the same warm-up: pauses of one step, two, three and so on. After it each
 * goes its own way, and goes on to learn. Neither has a bound on risk: the policy by rates knows none.
 */
import { refreshPeriodMs } from '../../change/divergence-curve.js'
import { choGarciaMolinaRate } from '../../change/rates/cho-garcia-molina.js'
import { irregularIntervalRate } from '../../change/rates/irregular-intervals.js'
import type { Visit } from '../../change/visit-history.js'
import { differenceOf, type FragmentHistories } from './fragment-histories.js'
import { FittedPage, type OnlineSettings, stepAfter } from './online-policies.js'
import type { PagePolicy } from './refresh-replay.js'

/** 'regular' takes the mean of the intervals between visits for all of them and is always finite; 'irregular' is maximum likelihood. */
export type RateEstimate = 'regular' | 'irregular'

/** `warmUpSteps`: the first step that a policy chooses by itself. */
export function warmedCurveFitting(
  histories: FragmentHistories,
  settings: OnlineSettings,
  warmUpSteps: number,
): PagePolicy {
  return (page) => {
    const known = new FittedPage(histories, page, settings)
    return warmed(histories, warmUpSteps, (step) => known.refreshed(step))
  }
}

export function warmedRatePolicy(
  histories: FragmentHistories,
  thresholdMs: number,
  estimate: RateEstimate,
  warmUpSteps: number,
): PagePolicy {
  const { atMs, differences } = histories
  return (page) => {
    const visits: Visit[] = []
    let before = 0
    return warmed(histories, warmUpSteps, (step) => {
      if (step > 0) {
        const changed = differenceOf(histories, differences, page, before, step) > 0
        visits.push({ intervalMs: atMs[step]! - atMs[before]!, changed })
      }
      before = step
      const ratePerMs = visits.length === 0 ? 0 : rateOf(visits, estimate)
      // Every visit saw a change: faster than can be told, and so not worth a refresh.
      if (ratePerMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY
      return refreshPeriodMs({ ratePerMs, items: 1, share: 1 }, thresholdMs)
    })
  }
}

/** `periodMs`: what the policy wants after a refresh. */
function warmed({ atMs }: FragmentHistories, warmUpSteps: number, periodMs: (step: number) => number) {
  let refreshes = 0
  return (step: number): number => {
    refreshes++
    const wantedMs = periodMs(step)
    const isLearning = step + refreshes < warmUpSteps
    return isLearning ? step + refreshes : Math.max(warmUpSteps, stepAfter(atMs, step, wantedMs))
  }
}

function rateOf(visits: readonly Visit[], estimate: RateEstimate): number {
  if (estimate === 'irregular') return irregularIntervalRate(visits)
  const totalMs = visits.reduce((sum, { intervalMs }) => sum + intervalMs, 0)
  const changes = visits.filter(({ changed }) => changed).length
  return choGarciaMolinaRate({ visits: visits.length, changes, intervalMs: totalMs / visits.length })
}
