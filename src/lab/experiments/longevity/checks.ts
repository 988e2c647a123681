/** What the paper claims of its figures, and whether a run bears it out. */
import {
  BOUND_BASED,
  CURVE_FITTING,
  type CurveFigure,
  type LongevityFindings,
  type RateComparison,
} from './findings.js'
import type { LifetimeGroup } from './lifetimes.js'
import {
  type LongevityPolicyName,
  ONLINE_KINDS,
  onlineName,
  RATE_POLICIES,
  SPACES,
  UNIFORM_OVER_ALL,
  WARMED_CURVE_FITTING,
} from './policies.js'

export interface LongevityCheck {
  readonly name: string
  /** Null where the world has nothing to say. */
  readonly holds: boolean | null
  /**
   * Holds up to the limit. Of two policies: staleness of the one by that of the other at equal cost, the geometric mean
   * over the costs of the figure.
   */
  readonly value: number | null
  readonly limit: number
  /** Costs at which it is otherwise, of two policies. */
  readonly exceptions?: readonly number[]
}

const LITTLE_DEGRADATION = 1.05
const ROUGHLY = 1.05
const HALF_THE_COST = 0.5
/** |r| from which on a correlation is strong; the paper calls 0.67 not strong. */
const STRONG_CORRELATION = 0.8
const CLOSE_MATCH = 0.1
/** Levels of staleness that are neither low nor high, as parts of what is between. */
const MODERATE = { from: 0.29, to: 0.71 }

export function longevityChecks(
  { offline, online, space, cgm, longevity }: LongevityFindings,
  groups: readonly LifetimeGroup[],
): LongevityCheck[] {
  const [first, last] = [SPACES[0]!, SPACES.at(-1)!]
  return [
    fresher('Figure 6', offline, 'fs-d', 'fs-s'),
    fresher('Figure 6', offline, 'fs-s', 'hs-s'),
    fresher('Figure 6', offline, 'hs-s', 'uniform'),
    fresher('Figure 6', offline, 'fs-d', 'hs-d'),
    fresher('Figure 6', offline, 'hs-d', 'hs-s'),
    fresher('section 2.3', offline, 'uniform', 'naive-s'),
    fresher('section 2.3', offline, 'uniform', 'naive-d'),
    fresher('Figure 9', online.steady, CURVE_FITTING, BOUND_BASED),
    fresher('Figure 9', online.steady, CURVE_FITTING, UNIFORM_OVER_ALL),
    fresher('Figure 9', online.steady, BOUND_BASED, UNIFORM_OVER_ALL),
    fresher('Figure 9', online.steady, CURVE_FITTING, 'uniform'),
    fresher('Figure 8', online.warmUp, CURVE_FITTING, UNIFORM_OVER_ALL, ROUGHLY),
    fresher('Figure 8', online.warmUp, BOUND_BASED, UNIFORM_OVER_ALL, ROUGHLY),
    ...ONLINE_KINDS.map((kind) =>
      fresher('Figure 10', space, onlineName(kind, last), onlineName(kind, first), LITTLE_DEGRADATION),
    ),
    ...Object.keys(RATE_POLICIES).map((rated) => halfTheCost('Figure 11', cgm[0]!, rated)),
    upTo('Figure 3: change frequency and longevity, |r|', absolute(longevity.pearson), STRONG_CORRELATION),
    ...groups.map(({ group, largestGap }) =>
      upTo(`Figure 5: lifetimes as modelled, dominant ${group}, largest gap`, largestGap, CLOSE_MATCH),
    ),
  ]
}

/** `a` is not staler than `b` times the limit. */
function fresher(
  place: string,
  { costs, atEqualCost }: CurveFigure,
  a: LongevityPolicyName,
  b: LongevityPolicyName,
  limit = 1,
): LongevityCheck {
  const ratios = costs.flatMap((cost, at) => {
    const [ofA, ofB] = [atEqualCost[a]![at], atEqualCost[b]![at]]
    return typeof ofA === 'number' && typeof ofB === 'number' && ofA > 0 && ofB > 0 ? [{ cost, ratio: ofA / ofB }] : []
  })
  const logSum = ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0)
  const name =
    limit === 1
      ? `${place}: ${a} is less stale than ${b}`
      : `${place}: ${a} is at most ${Math.round((limit - 1) * 100)}% staler than ${b}`
  return {
    ...upTo(name, ratios.length === 0 ? null : Math.exp(logSum / ratios.length), limit),
    exceptions: ratios.filter(({ ratio }) => ratio > limit).map(({ cost }) => cost),
  }
}

/** At one moderate level of staleness. */
function halfTheCost(place: string, { levels }: RateComparison, rated: LongevityPolicyName): LongevityCheck {
  const ratios = levels
    .filter(({ part }) => part >= MODERATE.from && part <= MODERATE.to)
    .flatMap(({ costs }) => {
      const [ours, theirs] = [costs[WARMED_CURVE_FITTING], costs[rated]]
      return typeof ours === 'number' && typeof theirs === 'number' && theirs > 0 ? [ours / theirs] : []
    })
  const best = ratios.length === 0 ? null : Math.min(...ratios)
  return upTo(`${place}: ${WARMED_CURVE_FITTING} costs half of ${rated} at a moderate staleness`, best, HALF_THE_COST)
}

function upTo(name: string, value: number | null, limit: number): LongevityCheck {
  return { name, holds: value === null ? null : value <= limit, value, limit }
}

function absolute(value: number | null): number | null {
  return value === null ? null : Math.abs(value)
}
