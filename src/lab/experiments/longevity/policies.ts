/** The policies of "Recrawl scheduling based on information longevity" and what they are varied by. */

import { choiceOption } from '../../../base/checks.js'
import type { PeriodLimits } from '../../../change/period-limits.js'
import type { FragmentHistories } from './fragment-histories.js'
import { indexPolicy } from './index-policies.js'
import { OFFLINE_POLICIES, type OfflinePolicyName, offlinePolicy, uniformPolicy } from './offline-policies.js'
import {
  boundBasedPolicy,
  curveFittingPolicy,
  type OnlineSettings,
  type RateEstimate,
  warmedCurveFitting,
  warmedRatePolicy,
} from './online-policies.js'
import type { PagePolicy, StepWindow } from './replay.js'

export const ONLINE_KINDS = ['curve-fitting', 'bound-based'] as const
export type OnlineKind = (typeof ONLINE_KINDS)[number]

/** h profiles of sketches of m minima, or of whole sets where m is none. */
export interface Space {
  readonly profiles: number
  readonly minima: number | null
}

export const SPACES: readonly Space[] = [
  { profiles: 5, minima: null },
  { profiles: 1, minima: null },
  { profiles: 5, minima: 8 },
  { profiles: 1, minima: 8 },
]

export const RATE_POLICIES = { cgm: 'regular', 'cgm-irregular': 'irregular' } as const satisfies Record<
  string,
  RateEstimate
>
export const WARMED_CURVE_FITTING = 'warmed-curve-fitting'
/** The risk of the paper's experiments, which no page may exceed, learnt or not. */
const STRICT: PeriodLimits = { risk: 10, learning: Number.POSITIVE_INFINITY }
export const STRICT_CURVE_FITTING = 'strict-curve-fitting'
/** Every page, also those that never change: what can be done without knowing them. */
export const UNIFORM_OVER_ALL = 'uniform-over-all'

export type LongevityPolicyName = string

/** `bound-based m=8 h=1` */
export function onlineName(kind: OnlineKind, { profiles, minima }: Space): LongevityPolicyName {
  return `${kind} m=${minima ?? '∞'} h=${profiles}`
}

/** The whole time, and the two halves that are warm-up and steady state. */
export function windowsOf({ atMs }: FragmentHistories) {
  const last = atMs.length - 1
  const half = Math.ceil(last / 2)
  return {
    whole: { from: 0, to: last },
    warmUp: { from: 0, to: half },
    steady: { from: half, to: last },
  } as const satisfies Record<string, StepWindow>
}

interface LongevityPolicy {
  /** What the cost follows from, in the unit of `make`. */
  readonly thresholds: readonly number[]
  make(histories: FragmentHistories, threshold: number): PagePolicy
}

/** T, in steps of full divergence. Below the first one every change is worth a refresh, beyond the last nothing is. */
const THRESHOLDS = spread(0.002, 40, 32)
/** Pages are not left alone for long where T is small. */
const ONLINE_THRESHOLDS = spread(0.01, 20, 24)
const DIVERGENCES = spread(0.001, 0.9, 24)
/** Refreshes of a page per step. */
const FREQUENCIES = [...spread(0.001, 0.1, 10), 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

export const LONGEVITY_POLICIES: ReadonlyMap<LongevityPolicyName, LongevityPolicy> = new Map([
  ...OFFLINE_POLICIES.map((name) => [name, offline(name)] as const),
  [
    UNIFORM_OVER_ALL,
    { thresholds: FREQUENCIES, make: (histories, frequency) => uniformPolicy(histories, frequency, () => true) },
  ],
  ...ONLINE_KINDS.flatMap((kind) => SPACES.map((space) => [onlineName(kind, space), online(kind, space)] as const)),
  [
    STRICT_CURVE_FITTING,
    {
      thresholds: ONLINE_THRESHOLDS,
      make: (histories, threshold) =>
        curveFittingPolicy(histories, { ...settingsOf(histories, SPACES[0]!, threshold), limits: STRICT }),
    },
  ],
  [
    WARMED_CURVE_FITTING,
    {
      thresholds: THRESHOLDS,
      make: (histories, threshold) =>
        warmedCurveFitting(histories, settingsOf(histories, SPACES[0]!, threshold), windowsOf(histories).steady.from),
    },
  ],
  ...Object.entries(RATE_POLICIES).map(([name, estimate]) => [name, rated(estimate)] as const),
])

export function makePolicy(name: LongevityPolicyName, histories: FragmentHistories, threshold: number): PagePolicy {
  choiceOption('policy', name, '', [...LONGEVITY_POLICIES.keys()])
  return LONGEVITY_POLICIES.get(name)!.make(histories, threshold)
}

function offline(name: OfflinePolicyName): LongevityPolicy {
  const thresholds = name === 'uniform' ? FREQUENCIES : name.startsWith('naive') ? DIVERGENCES : THRESHOLDS
  return { thresholds, make: (histories, threshold) => offlinePolicy(name, histories, threshold) }
}

/** Profiles of eight minima are what an index keeps: then it is the policy of the index itself. */
function online(kind: OnlineKind, space: Space): LongevityPolicy {
  const { profiles, minima } = space
  if (minima !== null) {
    const name = kind === 'curve-fitting' ? 'longevity-curve' : 'longevity-bound'
    return {
      thresholds: ONLINE_THRESHOLDS,
      make: (histories, threshold) =>
        indexPolicy(histories, { name, thresholdMs: threshold * meanStepMs(histories), profiles }),
    }
  }
  const policy = kind === 'curve-fitting' ? curveFittingPolicy : boundBasedPolicy
  return {
    thresholds: ONLINE_THRESHOLDS,
    make: (histories, threshold) => policy(histories, settingsOf(histories, space, threshold)),
  }
}

function rated(estimate: RateEstimate): LongevityPolicy {
  return {
    thresholds: THRESHOLDS,
    make: (histories, threshold) =>
      warmedRatePolicy(histories, threshold * meanStepMs(histories), estimate, windowsOf(histories).steady.from),
  }
}

function settingsOf(histories: FragmentHistories, { profiles, minima }: Space, threshold: number): OnlineSettings {
  const summaries = minima === null ? 'whole' : 'sketches'
  return { thresholdMs: threshold * meanStepMs(histories), profiles, summaries }
}

function meanStepMs({ atMs }: FragmentHistories): number {
  return (atMs.at(-1)! - atMs[0]!) / (atMs.length - 1)
}

/** Evenly on a logarithmic scale, both ends included. */
function spread(low: number, high: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => Number((low * (high / low) ** (at / (count - 1))).toPrecision(4)))
}
