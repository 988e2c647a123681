/**
 * The two limits of a refresh period in Recrawl scheduling based on information longevity, for a utility threshold T
 * and a page that was fetched n times, the first time included:
 *
 * - Risk (section 4.5): the period is at most ρ T / D_max, with D_max = 1, because a page can change in any way at any
 *   time.
 * - Learning (section 4.2): it is at most l n, so that enough is seen of a new page. The authors tuned l so that
 *   learning takes a fixed share of all refreshes. l = 3 T does that, whatever T is.
 *
 * Whoever has T asks for the period; whoever has a budget, from which T follows, asks the other way round: the
 * highest T under which a page of some age would be refreshed now because of the limits. Both are here, and are
 * inverse.
 */

export interface PeriodLimits {
  /** ρ, at least 1; Infinity for none. */
  readonly risk?: number | undefined
  /** l in multiples of T, above 0. Default 3. */
  readonly learning?: number | undefined
  /** l as a time, instead of `learning`. */
  readonly learningMs?: number | undefined
}

/** D_max: divergence is a share. */
const LARGEST_DIVERGENCE = 1
const DEFAULT_RISK = 100
const DEFAULT_LEARNING = 3

export interface LimitedPeriod {
  readonly thresholdMs: number
  /** n, at least 1. */
  readonly fetches: number
  /** No period is shorter. Default 0. */
  readonly tickMs?: number
}

/** The period cut to what risk and learning allow, but to no less than one tick. */
export function boundedPeriodMs(
  periodMs: number,
  { risk = DEFAULT_RISK, learning = DEFAULT_LEARNING, learningMs = undefined }: PeriodLimits,
  { thresholdMs, fetches, tickMs = 0 }: LimitedPeriod,
): number {
  const riskedMs = (risk * thresholdMs) / LARGEST_DIVERGENCE
  const learntMs = (learningMs ?? learning * thresholdMs) * fetches
  return Math.max(tickMs, Math.min(periodMs, riskedMs, learntMs))
}

export interface DueByLimits {
  /** The highest threshold for which the limits make a page due: milliseconds of full divergence, at most the age. */
  dueMs(ageMs: number, fetches: number): number
  /**
   * How fast the limits can make a priority grow, from this age on. Where l is a time, the priority jumps to the age
   * once the page is that old: this is the slope from `priorityMs` now to that point. No later point is steeper,
   * because the priority is never above the age.
   */
  growthPerMs(ageMs: number, fetches: number, priorityMs: number): number
  /** `dueMs` as a formula in `ageMs`, `fetches` and the terms. */
  readonly formula: string
  readonly terms: Readonly<Record<string, number>>
}

export function dueByLimits({
  risk = DEFAULT_RISK,
  learning = DEFAULT_LEARNING,
  learningMs,
}: PeriodLimits): DueByLimits {
  if (learningMs === undefined) {
    const factor = (fetches: number) => Math.max(1, Math.min(risk, learning * fetches))
    return {
      dueMs: (ageMs, fetches) => ageMs / factor(fetches),
      growthPerMs: (_ageMs, fetches) => 1 / factor(fetches),
      formula: 'ageMs / Math.max(1, Math.min(risk, learning * fetches))',
      terms: { risk, learning },
    }
  }
  return {
    dueMs: (ageMs, fetches) => (ageMs >= learningMs * fetches ? ageMs : ageMs / risk),
    growthPerMs: (ageMs, fetches, priorityMs) => {
      const endMs = learningMs * fetches
      return ageMs >= endMs ? 1 : Math.max(1 / risk, (endMs - priorityMs) / (endMs - ageMs))
    },
    formula: '(ageMs >= learningMs * fetches ? ageMs : ageMs / risk)',
    terms: { risk, learningMs },
  }
}
