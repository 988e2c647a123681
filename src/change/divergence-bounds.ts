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

/**
 * The period that the policy reaches with one profile alone: the `count` observations from `offset` on are replayed one
 * by one, by ascending age. The first reference is the base of the profile. Called for many thresholds, so it allocates
 * nothing.
 */
export function replayedPeriodMs(
  agesMs: ArrayLike<number>,
  divergences: ArrayLike<number>,
  offset: number,
  count: number,
  thresholdMs: number,
  firstPeriodMs: number,
): number {
  const end = offset + count
  let at = offset
  while (at < end && divergences[at] === 0) at++
  // While nothing has diverged, every observation doubles the period.
  let periodMs = at > offset && thresholdMs > 0 ? 2 * agesMs[at - 1]! : firstPeriodMs
  if (!(thresholdMs > 0)) at = offset
  let referenceMs = 0
  for (; at < end; at++) {
    const triedMs = agesMs[at]! - referenceMs
    let least = 0
    let most = 0
    let beforeMs = 0
    let before = 0
    for (let seen = offset; beforeMs < triedMs; seen++) {
      const ageMs = agesMs[seen]!
      const rise = Math.max(0, divergences[seen]! - before)
      if (ageMs <= triedMs) least += rise * beforeMs
      most += rise * Math.min(ageMs, triedMs)
      beforeMs = ageMs
      before += rise
    }
    if (most < thresholdMs) periodMs = 2 * triedMs
    else if (least >= thresholdMs) {
      referenceMs = agesMs[at]!
      periodMs /= 2
    }
  }
  return periodMs
}

function reaches(agesMs: ArrayLike<number>, ageMs: number): boolean {
  return agesMs.length > 0 && agesMs[agesMs.length - 1]! >= ageMs
}
