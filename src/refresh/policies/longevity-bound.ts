/**
 * The bound-based policy of Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), section
 * 4.3. It assumes nothing about how pages change except that divergence does not fall. For a utility threshold T the
 * observations of a page say, one after the other, that a period was too short (double it), too long (halve it) or
 * neither. A page is to be refreshed when it is as old as the resulting period φ(T), or sooner because of the limits of
 * risk and learning (change/period-limits.ts).
 *
 * The priority is the highest such T on a grid of steps 2^(1/4), in milliseconds of full divergence, up to the age,
 * which no utility exceeds. The grid does not move with the age. So the priority never falls: what is due at some age
 * is due at any later one.
 *
 * The paper keeps the reference time and the period of one T for each page. Here T follows from the budget, so both are
 * computed by replaying the profile, and the first period is that of the first observation.
 *
 * State: 86 bytes a page, for the observations of the profile and for when and how often the page was refreshed.
 */
import {
  type LaterProfile,
  replayedByAllMs,
  replayedPeriodMs,
  type SeenRefreshes,
} from '../../change/divergence-bounds.js'
import { dueByLimits } from '../../change/period-limits.js'
import type { LedgerColumns } from '../../ledger/column-arrays.js'
import { PROFILE_OBSERVATIONS } from '../../ledger/columns.js'
import { DIVERGENCES, furtherProfiles } from '../../ledger/profile.js'
import type { VersionProfile } from '../../ledger/versions.js'
import { fetchesOf, type LongevityOptions } from './longevity-curve.js'
import { ageMs, type Policy, policyCard } from './policy.js'

export const longevityBoundCard = policyCard({
  name: 'longevity-bound',
  purpose:
    'pages whose new content will stay, without a model of how pages change: periods that adapt to what was seen',
  paper: 'Olston and Pandey, Recrawl scheduling based on information longevity (WWW 2008), 4.3',
  formula: 'max(T, age / min(risk, 3 fetches)), T the highest threshold whose adapted period is over',
  columns: [
    'refreshedMs',
    'refreshes',
    'observations',
    'observedAgeSeconds',
    'observedDivergence',
    'skippedRefreshes',
    'versions',
  ],
})

const STEPS_PER_DOUBLING = 4
/** A threshold T beyond twice the age is reached along a slope of at most 2: from at least 0 to T in at least T / 2. */
const FARTHEST = 2
const FARTHEST_GROWTH = 2

// Scratch memory of one judgement. It is reused, because judgements are many and small.
const agesMs = new Float64Array(PROFILE_OBSERVATIONS)
const divergences = new Float64Array(PROFILE_OBSERVATIONS)
const skipped = new Uint8Array(PROFILE_OBSERVATIONS)
const seen = { agesMs, divergences, skipped, count: 0 }
/** Of a page with further profiles: the oldest profile, and the others. */
let whole: SeenRefreshes = seen
const NONE: readonly LaterProfile[] = []
let more = NONE

export function longevityBound({ threshold, weight = 'none', ...rest }: LongevityOptions = {}): Policy {
  const limits = dueByLimits(rest)
  const weightOf = weight === 'stake' ? (columns: LedgerColumns, doc: number) => columns.stake[doc]! : () => 1
  const judge = (columns: LedgerColumns, doc: number, age: number) => {
    const leastMs = limits.dueMs(age, fetchesOf(columns, doc))
    return Math.max(leastMs, highestDue(readProfile(columns, doc), age, leastMs))
  }
  return {
    name: longevityBoundCard.name,
    usesTotals: false,
    ...(threshold === undefined ? {} : { threshold }),
    priority: (columns, doc, atMs) => weightOf(columns, doc) * judge(columns, doc, ageMs(columns, doc, atMs)),
    growthPerMs: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      const priorityMs = judge(columns, doc, age)
      const byLimits = limits.growthPerMs(age, fetchesOf(columns, doc), priorityMs)
      return weightOf(columns, doc) * Math.max(byLimits, steepestRise(readProfile(columns, doc), age, priorityMs))
    },
    explain: (columns, doc, atMs) => {
      const age = ageMs(columns, doc, atMs)
      const fetches = fetchesOf(columns, doc)
      const leastMs = limits.dueMs(age, fetches)
      return {
        formula: `weight * Math.max(dueThresholdMs, ${limits.formula})`,
        terms: {
          weight: weightOf(columns, doc),
          dueThresholdMs: highestDue(readProfile(columns, doc), age, leastMs),
          ageMs: age,
          fetches,
          ...limits.terms,
          observations: columns.observations[doc]!,
        },
      }
    },
  }
}

/** Reads the profiles of a page into the scratch memory; returns the number of observations of the oldest one. */
function readProfile(columns: LedgerColumns, doc: number): number {
  const count = columns.observations[doc]!
  const first = doc * PROFILE_OBSERVATIONS
  for (let at = 0; at < count; at++) {
    agesMs[at] = columns.observedAgeSeconds[first + at]! * 1000
    divergences[at] = DIVERGENCES[columns.observedDivergence[first + at]!]!
    skipped[at] = columns.skippedRefreshes[first + at]!
  }
  const further = furtherProfiles(columns, doc)
  more = NONE
  return further.length === 0 ? count : readFurther(further, columns.profileBaseMs[doc]!, count)
}

/** The oldest profile is the own one, or that of an older version if the own one began anew since. */
function readFurther(further: readonly VersionProfile[], baseMs: number, count: number): number {
  const own = { baseMs, agesMs: Array.from(agesMs.subarray(0, count)), divergences: divergences.slice(0, count) }
  const isOwnOldest = baseMs <= further[0]!.baseMs
  const [oldest, ...later] = isOwnOldest ? [own, ...further] : [...further, own]
  for (let at = 0; at < oldest!.agesMs.length; at++) {
    agesMs[at] = oldest!.agesMs[at]!
    divergences[at] = oldest!.divergences[at]!
    if (!isOwnOldest) skipped[at] = 0
  }
  whole = {
    agesMs: oldest!.agesMs,
    divergences: oldest!.divergences,
    skipped: skipped.slice(0, oldest!.agesMs.length),
    count: oldest!.agesMs.length,
  }
  more = later
    .filter((profile) => profile.agesMs.length > 0)
    .map((profile) => ({ ...profile, sinceMs: profile.baseMs - oldest!.baseMs }))
  return whole.count
}

/**
 * The largest utility that the observations allow. For all thresholds above it, each observation doubled the period,
 * which is therefore twice the age of the last observation.
 */
function largestUtilityMs(count: number): number {
  let largestMs = largestOfOne(agesMs, divergences, count)
  // A mean is not above all that it is of.
  for (const profile of more)
    largestMs = Math.max(largestMs, largestOfOne(profile.agesMs, profile.divergences, profile.agesMs.length))
  return largestMs
}

function largestOfOne(ages: ArrayLike<number>, values: ArrayLike<number>, count: number): number {
  let highest = 0
  let sumMs = 0
  for (let at = 0; at < count; at++) {
    const rise = Math.max(0, values[at]! - highest)
    sumMs += rise * ages[at]!
    highest += rise
  }
  return sumMs
}

/**
 * The highest threshold above `leastMs` that is due at this age; 0 if there is none. REQUIRES: readProfile() was
 * called.
 */
function highestDue(count: number, age: number, leastMs: number): number {
  if (count === 0 || leastMs >= age) return 0
  const oldest = lastStep(age)
  const largestMs = largestUtilityMs(count)
  const isDoubledDue = 2 * agesMs[count - 1]! <= age
  if (isDoubledDue && thresholdMs(oldest) > largestMs) return thresholdMs(oldest) > leastMs ? thresholdMs(oldest) : 0
  for (let step = Math.min(oldest, lastStep(largestMs)); thresholdMs(step) > leastMs; step--) {
    if (periodMs(count, thresholdMs(step)) <= age) return thresholdMs(step)
  }
  return 0
}

/**
 * The steepest of the straight lines that lead from `priorityMs` at this age to each threshold at the age at which the
 * threshold is due. Thresholds above every utility are due at one common age, or when the page is as old as they are
 * high. So their steepest line is that to the last of the former or to the first of the latter. REQUIRES: readProfile()
 * was called.
 */
function steepestRise(count: number, age: number, priorityMs: number): number {
  if (count === 0) return 0
  let steepest = FARTHEST_GROWTH
  const rise = (step: number, periodMs: number) => {
    const dueMs = Math.max(thresholdMs(step), periodMs)
    if (dueMs > age) steepest = Math.max(steepest, (thresholdMs(step) - priorityMs) / (dueMs - age))
  }
  const first = lastStep(priorityMs) + 1
  const lastSeen = lastStep(Math.min(FARTHEST * age, largestUtilityMs(count)))
  for (let step = first; step <= lastSeen; step++) rise(step, periodMs(count, thresholdMs(step)))
  const doubledMs = 2 * agesMs[count - 1]!
  const firstUnseen = Math.max(first, lastStep(largestUtilityMs(count)) + 1)
  const last = Math.max(firstUnseen, lastStep(Math.max(doubledMs, age)))
  rise(last, doubledMs)
  rise(last + 1, doubledMs)
  return steepest
}

function periodMs(count: number, thresholdMs: number): number {
  if (more.length > 0) return replayedByAllMs(whole, more, thresholdMs, agesMs[0]!)
  seen.count = count
  return replayedPeriodMs(seen, thresholdMs, agesMs[0]!)
}

/** The grid of thresholds, from a millisecond to more than any age. */
const THRESHOLDS_MS = Float64Array.from(
  { length: 55 * STEPS_PER_DOUBLING },
  (_, step) => 2 ** (step / STEPS_PER_DOUBLING),
)

function thresholdMs(step: number): number {
  return step >= 0 && step < THRESHOLDS_MS.length ? THRESHOLDS_MS[step]! : 2 ** (step / STEPS_PER_DOUBLING)
}

/** The last step of the grid that is not above an amount; for an amount of 0, a step below all others. */
function lastStep(amountMs: number): number {
  const step = Math.floor(STEPS_PER_DOUBLING * Math.log2(Math.max(amountMs, Number.MIN_VALUE)))
  return thresholdMs(step) > amountMs ? step - 1 : thresholdMs(step + 1) > amountMs ? step : step + 1
}
