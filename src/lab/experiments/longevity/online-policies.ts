/**
 * Policies that learn how a page changes from their own refreshes of it (Information longevity, section 4). After each
 * refresh they extend the change profiles of the page and set the time of the next one.
 */

import { combineObservations, fitDivergenceCurve } from '../../../change/curve-fit.js'
import { adjustPeriod, type PeriodState, utilityBounds } from '../../../change/divergence-bounds.js'
import { type DivergenceCurve, refreshPeriodMs } from '../../../change/divergence-curve.js'
import { boundedPeriodMs, type PeriodLimits } from '../../../change/period-limits.js'
import { choGarciaMolinaRate, irregularIntervalRate, type Visit } from '../../../change/rate-estimators.js'
import { vanDerCorput } from '../../../math/draws.js'
import { ChangeProfiles } from './change-profiles.js'
import { differenceOf, type FragmentHistories } from './fragment-histories.js'
import type { NextRefresh, PagePolicy } from './replay.js'

export interface OnlineSettings {
  /** T: time of full divergence. */
  readonly thresholdMs: number
  /** h. */
  readonly profiles: number
  /** m: sketches of a few minima, or whole sets. */
  readonly summaries: 'sketches' | 'whole'
  /** Default: those of the policies of an index. */
  readonly limits?: PeriodLimits
}

/** Observations of a profile, where a page has only one. */
const MOST_OBSERVATIONS = 12

/** Its periods are those that its curve asks for, within the limits of risk and learning. */
export function curveFittingPolicy(histories: FragmentHistories, settings: OnlineSettings): PagePolicy {
  return (page) => {
    const known = new FittedPage(histories, page, settings)
    return limited(histories, settings, page, (step) => known.refreshed(step))
  }
}

/** It begins with the shortest period and doubles it, or halves it, by what it sees. */
export function boundBasedPolicy(histories: FragmentHistories, settings: OnlineSettings): PagePolicy {
  const { atMs } = histories
  const { thresholdMs } = settings
  return (page) => {
    const profiles = profilesOf(histories, page, settings)
    let state: PeriodState | undefined
    return limited(
      histories,
      settings,
      page,
      (step) => {
        const nowMs = atMs[step]!
        profiles.add(nowMs, step)
        state =
          state === undefined
            ? { referenceMs: nowMs, periodMs: tickAt(atMs, step) }
            : adjustPeriod(state, utilityBounds(profiles.profiles, nowMs - state.referenceMs), nowMs, thresholdMs)
        return state.periodMs
      },
      (periodMs) => {
        state = { ...state!, periodMs }
      },
    )
  }
}

/**
 * What a policy wants within the limits of risk and learning. Pages begin at phases that are spread evenly, as pages do
 * that were not all found at the same moment: the first period is a part of what learning allows. `wanted` is told of
 * every refresh and says for how long none is needed; `told` is what became of that.
 */
function limited(
  histories: FragmentHistories,
  { thresholdMs, limits = {} }: OnlineSettings,
  page: number,
  wanted: (step: number) => number,
  told: (periodMs: number) => void = () => {},
): NextRefresh {
  const { atMs } = histories
  let fetches = 0
  return (step) => {
    fetches++
    const tickMs = tickAt(atMs, step)
    const limit = { thresholdMs, fetches, tickMs }
    const periodMs = boundedPeriodMs(wanted(step), limits, limit)
    told(periodMs)
    return fetches > 1 ? stepAfter(atMs, step, periodMs) : firstStep(histories, page, step, thresholdMs)
  }
}

/** When a page that was just found is looked at again: within the first period that learning allows. */
export function firstStep(histories: FragmentHistories, page: number, step: number, thresholdMs: number): number {
  const tickMs = tickAt(histories.atMs, step)
  const mostMs = boundedPeriodMs(Number.POSITIVE_INFINITY, {}, { thresholdMs, fetches: 1 })
  return stepAfter(histories.atMs, step, Math.max(tickMs, vanDerCorput(page) * mostMs))
}

/** What a page was seen to do, and the curve that fits it. */
class FittedPage {
  readonly #profiles: ChangeProfiles<number>
  readonly #atMs: Float64Array
  readonly #thresholdMs: number
  #curve: DivergenceCurve | undefined
  constructor(histories: FragmentHistories, page: number, settings: OnlineSettings) {
    this.#profiles = profilesOf(histories, page, settings)
    this.#atMs = histories.atMs
    this.#thresholdMs = settings.thresholdMs
  }

  /**
   * The period that the curve asks for; Infinity as long as there is none. The curve of before stays while profiles
   * that were begun anew have none, or have seen nothing: few refreshes in a row without a change do not make a page
   * static, and it would never be looked at again.
   */
  refreshed(step: number): number {
    this.#profiles.add(this.#atMs[step]!, step)
    const { agesMs, divergences } = combineObservations(this.#profiles.profiles)
    const fitted = fitDivergenceCurve(agesMs, divergences)
    if (fitted !== undefined && (fitted.share > 0 || this.#curve === undefined)) this.#curve = fitted
    return this.#curve === undefined ? Number.POSITIVE_INFINITY : refreshPeriodMs(this.#curve, this.#thresholdMs)
  }
}

function profilesOf(
  histories: FragmentHistories,
  page: number,
  { profiles, summaries }: OnlineSettings,
): ChangeProfiles<number> {
  const column = summaries === 'whole' ? histories.differences : histories.sketchDifferences
  return new ChangeProfiles<number>({
    profiles,
    observations: MOST_OBSERVATIONS,
    difference: (base, now) => differenceOf(histories, column, page, base, now),
  })
}

/** Rounding does not cost a step. */
const NEARLY = 1 - 1e-9

/** The first later step at which the period is over; beyond the last one if there is none. */
function stepAfter(atMs: Float64Array, step: number, periodMs: number): number {
  let next = step + 1
  while (next < atMs.length && atMs[next]! - atMs[step]! < periodMs * NEARLY) next++
  return next
}

/** Until the next step; that of the last one is the one before it. */
function tickAt(atMs: Float64Array, step: number): number {
  const at = Math.min(step, atMs.length - 2)
  return atMs[at + 1]! - atMs[at]!
}

/**
 * 'regular' takes the mean of the intervals between visits for all of them and is always finite; 'irregular' is maximum
 * likelihood.
 */
export type RateEstimate = 'regular' | 'irregular'

/**
 * Curve fitting beside the policy for pages of one piece with estimated rates of change (Cho and Garcia-Molina;
 * Information longevity, section 5.3 and appendix A). Since nobody says how the latter explores, both have the same
 * warm-up: pauses of one step, two, three and so on. After it each goes its own way, and goes on to learn. Neither has
 * a bound on risk: the policy by rates knows none. `warmUpSteps`: the first step that a policy chooses by itself.
 */
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
