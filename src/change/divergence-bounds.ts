/**
 * The bound-based policy (Recrawl scheduling based on information longevity, section 4.3): no model but that divergence
 * does not fall. Between two observations it may have jumped right after the first or right before the second; what
 * lies between the two bounds the utility of a refresh, and the period is doubled or halved when these leave no doubt.
 *
 * U(t) = t D(t) - ∫ D = ∫ x dD(x), so a rise of D counts with the age at which it happened: the age of the observation
 * before it at the least, that of the one after it, or t, at the most. Where an observation is lower than one before,
 * the higher one is taken.
 */
import type { Observations } from './curve-fit.js'

export interface DivergenceBounds {
  /** D(t). */
  readonly least: number
  readonly most: number
  /** ∫ D over [0, t]. */
  readonly leastArea: number
  readonly mostArea: number
}

export interface UtilityBounds {
  readonly least: number
  readonly most: number
}

/** Where the search for a page's period stands. */
export interface PeriodState {
  /** t_R: what is tried is the period from here to now. */
  readonly referenceMs: number
  readonly periodMs: number
}

/**
 * The means over the profiles that reach this age; ages ascend. Where none does, only that divergence is from 0 to 1 is
 * known.
 */
export function divergenceBounds(profiles: Iterable<Observations>, ageMs: number): DivergenceBounds {
  let count = 0
  let [least, most, leastArea, mostArea] = [0, 0, 0, 0]
  for (const { agesMs, divergences } of profiles) {
    if (!reaches(agesMs, ageMs)) continue
    count++
    let beforeMs = 0
    let before = 0
    for (let at = 0; beforeMs < ageMs; at++) {
      const untilMs = Math.min(agesMs[at]!, ageMs)
      const after = Math.max(before, divergences[at]!)
      leastArea += before * (untilMs - beforeMs)
      mostArea += after * (untilMs - beforeMs)
      if (agesMs[at]! >= ageMs) {
        least += agesMs[at] === ageMs ? after : before
        most += after
      }
      beforeMs = untilMs
      before = after
    }
  }
  if (count === 0) return { least: 0, most: ageMs > 0 ? 1 : 0, leastArea: 0, mostArea: ageMs }
  return { least: least / count, most: most / count, leastArea: leastArea / count, mostArea: mostArea / count }
}

/**
 * U_min and U_max of a refresh at this age: means over the profiles that reach it. Where none does, from 0 to the age
 * itself: no divergence is above 1.
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
      // What rose until an observation beyond the age may have done so after it.
      if (agesMs[at]! <= ageMs) least += rise * beforeMs
      most += rise * Math.min(agesMs[at]!, ageMs)
      beforeMs = agesMs[at]!
      before += rise
    }
  }
  return count === 0 ? { least: 0, most: ageMs } : { least: least / count, most: most / count }
}

/**
 * Step 4: what a refresh at `nowMs` makes of the period, given the bounds of the utility at the age from the reference
 * to now.
 */
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
 * The period that the policy comes to with one profile alone: its observations are replayed one by one from its base,
 * which is the first reference. They are the `count` that begin at `offset`, of ascending ages. Called for many
 * thresholds, so it allocates nothing.
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
  // Nothing is gained by a refresh of what has not diverged yet.
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
