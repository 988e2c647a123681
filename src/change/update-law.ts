/**
 * How a page changes over time. Times are numbers in a unit of the caller's choice; rates are per that unit.
 *
 * A law is pure: randomness comes from a function of the caller.
 */

/** Returns uniform random numbers in [0, 1). */
export type UniformRandom = () => number

export type LawKind = 'poisson' | 'weibull' | 'pareto' | 'survival' | 'quasi-deterministic'

export interface UpdateLaw {
  readonly kind: LawKind
  /** Mean time from one update to the next; Infinity for a page that never changes. */
  readonly meanInterval: number
  /** The probability that a copy taken at `from` is fresh at `to` >= `from`: that no update lies in (from, to]. */
  freshProbability(from: number, to: number): number
  /** The time of the update that follows one at `after`. */
  nextUpdate(after: number, random: UniformRandom): number
}

/**
 * Updates with independent, identically distributed intervals, observed from a time that is independent of them: the
 * equilibrium renewal process of "Optimal crawling strategies", section 2.1. Gbar is the tail of the intervals,
 * 1 / lambda their mean.
 */
export abstract class RenewalLaw implements UpdateLaw {
  abstract readonly kind: Exclude<LawKind, 'quasi-deterministic'>
  abstract readonly meanInterval: number

  /** Gbar(t): the probability of an interval longer than t >= 0. */
  survival(t: number): number {
    return Math.exp(this.logSurvival(t))
  }

  /** ln Gbar(t). */
  abstract logSurvival(t: number): number

  /** ln of the density of the intervals, -Gbar'(t). */
  abstract logDensity(t: number): number

  /** H(s) = 1 - lambda ∫ Gbar over [s, inf): the probability that a copy of age s is stale (Eq. 3). */
  abstract staleProbability(age: number): number

  /** Phi(d), the integral of H over [0, d]: the expected stale time of a copy in the time d after it was taken. */
  abstract staleTime(length: number): number

  abstract sampleInterval(random: UniformRandom): number

  freshProbability(from: number, to: number): number {
    return 1 - this.staleProbability(to - from)
  }

  nextUpdate(after: number, random: UniformRandom): number {
    return after + this.sampleInterval(random)
  }
}

const MAX_STEPS = 2000

/**
 * The time of the first update after a moment that is independent of all updates. For renewal laws in equilibrium the
 * time until then has the distribution H ("Optimal crawling strategies", Eq. 3), which is inverted here. Infinity where
 * the time overflows.
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
