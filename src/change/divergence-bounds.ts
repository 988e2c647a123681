/**
 * The bound-based policy (Recrawl scheduling based on information longevity, section 4.3). It assumes only that
 * divergence does not fall. Between two observations divergence may have jumped right after the first or right before
 * the second. This bounds the utility of a refresh, and the period is doubled or halved when the bounds leave no doubt.
 *
 * U(t) = t D(t) - ∫ D = ∫ x dD(x), so a rise of D counts with the age at which it happened. That is at least the age of
 * the observation before it, and at most the age of the one after it, or t. Where an observation is lower than an
 * earlier one, the higher one is taken.
 */
import type { Observations } from './curve-fit.js'

export interface UtilityBounds {
  readonly least: number
  readonly most: number
}

/** The state of the search for a page's period. */
export interface PeriodState {
  /** t_R: the period from here to now is the one that is tried. */
  readonly referenceMs: number
  readonly periodMs: number
}

/**
 * U_min and U_max of a refresh at this age: means over the profiles that reach it. Where none does, the bounds are 0
 * and the age itself, as no divergence is above 1.
 */
export function utilityBounds(profiles: Iterable<Observations>, ageMs: number): UtilityBounds {
  let count = 0
  let least = 0
  let most = 0
  for (const { agesMs, divergences } of profiles) {
    if (!reaches(agesMs, ageMs)) continue
    count++
    let beforeMs = 0
    let before = 0
    for (let at = 0; beforeMs < ageMs; at++) {
      const rise = Math.max(0, divergences[at]! - before)
      // A rise until an observation beyond the age may have happened after the age.
      if (agesMs[at]! <= ageMs) least += rise * beforeMs
      most += rise * Math.min(agesMs[at]!, ageMs)
      beforeMs = agesMs[at]!
      before += rise
    }
  }
  return count === 0 ? { least: 0, most: ageMs } : { least: least / count, most: most / count }
}

/** Step 4: the period after a refresh at `nowMs`, given the bounds of the utility at the age since the reference. */
export function adjustPeriod(
  { referenceMs, periodMs }: PeriodState,
  { least, most }: UtilityBounds,
  nowMs: number,
  thresholdMs: number,
): PeriodState {
  if (most < thresholdMs) return { referenceMs, periodMs: 2 * (nowMs - referenceMs) }
  if (least >= thresholdMs) return { referenceMs: nowMs, periodMs: periodMs / 2 }
  return { referenceMs, periodMs }
}

/** What a page was seen to do, by one profile: its first `count` observations, by ascending age. */
export interface SeenRefreshes extends Observations {
  readonly count: number
  /** Refreshes before each observation that are not among them. They lie evenly between it and the one before. */
  readonly skipped: ArrayLike<number>
}

/**
 * The period that the policy reaches with one profile alone, when its refreshes are replayed one by one. The first
 * reference is the base of the profile.
 *
 * Refreshes that were left out found nothing new, so that the bounds of the utility at an age, which both grow with the
 * age, are known by the observations alone. From one reference on, the period is doubled until some refresh, and halved
 * from some later one on: both are searched for. Called for many thresholds, so it allocates nothing.
 */
export function replayedPeriodMs(seen: SeenRefreshes, thresholdMs: number, firstPeriodMs: number): number {
  const { agesMs, skipped, count } = seen
  const halvedFromMs = leastAgeMs(seen, thresholdMs)
  let periodMs = firstPeriodMs
  let referenceMs = 0
  let beforeMs = 0
  for (let at = 0; at < count; at++) {
    const steps = skipped[at]! + 1
    const untilMs = agesMs[at]!
    for (let step = 1; step <= steps; ) {
      // The first refresh at which the period is halved.
      let halving = step
      for (let end = steps + 1; halving < end; ) {
        const middle = (halving + end) >>> 1
        if (refreshMs(beforeMs, untilMs, middle, steps) - referenceMs >= halvedFromMs) end = middle
        else halving = middle + 1
      }
      // The last one before it at which the period is doubled.
      let doubled = step - 1
      for (let end = halving - 1; doubled < end; ) {
        const middle = (doubled + end + 1) >>> 1
        const triedMs = refreshMs(beforeMs, untilMs, middle, steps) - referenceMs
        if (mostUtilityMs(seen, triedMs) < thresholdMs) doubled = middle
        else end = middle - 1
      }
      if (doubled >= step) periodMs = 2 * (refreshMs(beforeMs, untilMs, doubled, steps) - referenceMs)
      if (halving > steps) break
      referenceMs = refreshMs(beforeMs, untilMs, halving, steps)
      periodMs /= 2
      step = halving + 1
    }
    beforeMs = untilMs
  }
  return periodMs
}

/** A profile whose base is a later version. */
export interface LaterProfile extends Observations {
  /** From the base of the first profile to that of this one. */
  readonly sinceMs: number
}

/**
 * The same with more profiles, by whose bounds the policy goes on average (step 2). A refresh knows those whose base
 * was fetched by the time of its reference: they reach back far enough. REQUIRES: the arrays of `seen` have `count`
 * elements.
 */
export function replayedByAllMs(
  seen: SeenRefreshes,
  more: readonly LaterProfile[],
  thresholdMs: number,
  firstPeriodMs: number,
): number {
  let state: PeriodState = { referenceMs: 0, periodMs: firstPeriodMs }
  let known: readonly Observations[] = [seen]
  let beforeMs = 0
  for (let at = 0; at < seen.count; at++) {
    const steps = seen.skipped[at]! + 1
    for (let step = 1; step <= steps; step++) {
      const nowMs = refreshMs(beforeMs, seen.agesMs[at]!, step, steps)
      const { referenceMs } = state
      state = adjustPeriod(state, utilityBounds(known, nowMs - referenceMs), nowMs, thresholdMs)
      if (state.referenceMs !== referenceMs)
        known = [seen, ...more.filter(({ sinceMs }) => sinceMs <= state.referenceMs)]
    }
    beforeMs = seen.agesMs[at]!
  }
  return state.periodMs
}

/** The age at the `step`-th of so many refreshes, of which the last is at `untilMs`. */
function refreshMs(beforeMs: number, untilMs: number, step: number, steps: number): number {
  return step === steps ? untilMs : beforeMs + ((untilMs - beforeMs) * step) / steps
}

/** The least age at which the utility must have reached the threshold; Infinity if it need not at any. */
function leastAgeMs({ agesMs, divergences, count }: SeenRefreshes, thresholdMs: number): number {
  if (!(thresholdMs > 0)) return 0
  let least = 0
  let beforeMs = 0
  let before = 0
  for (let at = 0; at < count; at++) {
    const rise = Math.max(0, divergences[at]! - before)
    least += rise * beforeMs
    if (least >= thresholdMs) return agesMs[at]!
    beforeMs = agesMs[at]!
    before += rise
  }
  return Number.POSITIVE_INFINITY
}

/** U_max at an age. REQUIRES: the last observation is not before it. */
function mostUtilityMs({ agesMs, divergences, count }: SeenRefreshes, ageMs: number): number {
  let most = 0
  let beforeMs = 0
  let before = 0
  for (let at = 0; at < count && beforeMs < ageMs; at++) {
    const rise = Math.max(0, divergences[at]! - before)
    most += rise * Math.min(agesMs[at]!, ageMs)
    beforeMs = agesMs[at]!
    before += rise
  }
  return most
}

function reaches(agesMs: ArrayLike<number>, ageMs: number): boolean {
  return agesMs.length > 0 && agesMs[agesMs.length - 1]! >= ageMs
}
