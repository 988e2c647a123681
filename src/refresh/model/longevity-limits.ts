/**
 * The two limits of a refresh period in Recrawl scheduling based on information longevity, read the other way round:
 * the highest utility threshold T under which a page of some age would be refreshed now because of them.
 *
 * Risk (4.5): the period is at most ρ T / D_max, with D_max = 1; so a page is due for every T up to age / ρ.
 *
 * Learning (4.2): the period is at most l n, n being the past refreshes of the page. With l in milliseconds a page is
 * due for every T once it is that old, and no utility is above its age. The authors tuned l so that learning takes a
 * fixed share of all refreshes. Where T follows from a budget, l = T does that, and a page is due for every T up to
 * age / n. Learning ends by itself: after ρ refreshes, risk is the stricter limit.
 */
export interface LongevityLimits {
  /** ρ, at least 1. Default 10, as in the experiments of the paper. */
  readonly risk?: number | undefined
  /** l. Default: the utility threshold itself. */
  readonly learningMs?: number | undefined
}

const DEFAULT_RISK = 10

export interface DueByLimits {
  readonly risk: number
  /** In milliseconds of full divergence; at most the age. */
  dueMs(ageMs: number, refreshes: number): number
  /**
   * How fast the limits can make a priority grow, from this age on. Where the learning limit makes the priority jump to
   * the age, this is the slope from `priorityMs` now to that point. No later point is steeper, because the priority is
   * never above the age.
   */
  growthPerMs(ageMs: number, refreshes: number, priorityMs: number): number
  /** `dueMs` as a formula in `ageMs`, `risk`, `refreshes` and `learningMs`. */
  readonly formula: string
  readonly terms: Readonly<Record<string, number>>
}

export function dueByLimits({ risk = DEFAULT_RISK, learningMs }: LongevityLimits): DueByLimits {
  if (learningMs === undefined) {
    return {
      risk,
      dueMs: (ageMs, refreshes) => ageMs / Math.min(risk, Math.max(1, refreshes)),
      growthPerMs: (_ageMs, refreshes) => 1 / Math.min(risk, Math.max(1, refreshes)),
      formula: 'ageMs / Math.min(risk, Math.max(1, refreshes))',
      terms: { risk },
    }
  }
  return {
    risk,
    dueMs: (ageMs, refreshes) => (ageMs >= learningMs * refreshes ? ageMs : ageMs / risk),
    growthPerMs: (ageMs, refreshes, priorityMs) => {
      const endMs = learningMs * refreshes
      return ageMs >= endMs ? 1 : Math.max(1 / risk, (endMs - priorityMs) / (endMs - ageMs))
    },
    formula: '(ageMs >= learningMs * refreshes ? ageMs : ageMs / risk)',
    terms: { risk, learningMs },
  }
}
