/**
 * How a page changes over time. Times are numbers in one unit of the caller's choice; rates are per that unit.
 *
 * A law is pure: what is random comes from the function that is given, uniform in [0, 1).
 */
export type UniformRandom = () => number

export type LawKind = 'poisson' | 'weibull' | 'pareto' | 'survival' | 'quasi-deterministic'

export interface UpdateLaw {
  readonly kind: LawKind
  /** Mean time from one update to the next; Infinity for a page that never changes. */
  readonly meanInterval: number
  /** How likely a copy taken at `from` is still right at `to` >= `from`: that no update lies in (from, to]. */
  freshProbability(from: number, to: number): number
  /** When the update happens that follows one at `after`. */
  nextUpdate(after: number, random: UniformRandom): number
}

/**
 * Updates with independent, equally distributed intervals, seen at a time that has nothing to do with them: the
 * equilibrium renewal process of "Optimal crawling strategies", section 2.1. Gbar is the tail of the intervals, 1 /
 * lambda their mean.
 */
export abstract class RenewalLaw implements UpdateLaw {
  abstract readonly kind: Exclude<LawKind, 'quasi-deterministic'>
  abstract readonly meanInterval: number

  /** Gbar(t): how likely an interval is longer than t >= 0. */
  survival(t: number): number {
    return Math.exp(this.logSurvival(t))
  }

  /** ln Gbar(t). */
  abstract logSurvival(t: number): number

  /** ln of the density of the intervals, -Gbar'(t). */
  abstract logDensity(t: number): number

  /**
   * H(s) = 1 - lambda times the integral of Gbar over [s, inf): how likely a copy is stale s after it was taken (Eq.
   * 3).
   */
  abstract staleProbability(age: number): number

  /** Phi(d), the integral of H over [0, d]: for how much of the time d after it was taken a copy is stale. */
  abstract staleTime(length: number): number

  abstract sampleInterval(random: UniformRandom): number

  freshProbability(from: number, to: number): number {
    return 1 - this.staleProbability(to - from)
  }

  nextUpdate(after: number, random: UniformRandom): number {
    return after + this.sampleInterval(random)
  }
}

/** When the first update comes after a moment that has nothing to do with any of them. */

const MAX_STEPS = 2000

/**
 * For renewal laws in equilibrium the time until then has the distribution H, how likely a copy is stale after that
 * time ("Optimal crawling strategies", Eq. 3), which is inverted here; Infinity where it lies beyond all numbers.
 */
export function firstUpdateAfter(law: UpdateLaw, after: number, random: UniformRandom): number {
  if (!(law instanceof RenewalLaw)) return law.nextUpdate(after, random)
  const share = random()
  let high = law.meanInterval
  for (let step = 0; law.staleProbability(high) < share && step < MAX_STEPS; step++) high *= 2
  if (high === Number.POSITIVE_INFINITY) return high
  let low = 0
  for (let middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2) {
    if (law.staleProbability(middle) < share) low = middle
    else high = middle
  }
  return after + high
}
