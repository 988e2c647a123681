/**
 * Change profiles in the ledger (Olston and Pandey, Recrawl scheduling based on information longevity, sections 4.1 and
 * 5.2): how far a page has moved away from a version of it, the base, by the time of each refresh since. A page has one
 * profile, made from a sketch of the base version: the smallest hashes of its shingles, by which the core summarises
 * every new version. A ledger may keep further profiles for a shorter time (versions.ts).
 *
 * While there is room, every refresh is an observation. After that one inside a run of equal divergences makes room, as
 * divergence does not fall between refreshes. The first and the last of a run stay, and the base counts as the first
 * refresh of divergence 0. So the bounds of the utility at any age stay what they were. What goes is when the page was
 * refreshed, by which the bound-based policy decides; an observation therefore counts the refreshes before it that are
 * gone, which are taken to lie evenly between those that are there.
 *
 * Refreshes enter profiles in the core (native/ledger/change_profile.h). A profile that is nearly full begins anew at
 * the next changed version, which is the new base; the curve that fits the old profile best is kept and stands in until
 * the new one can be fitted.
 */
import { isAmount } from '../base/checks.js'
import { DAY_MS, MAX_TIME_MS } from '../base/time.js'
import { combineObservations, fitDivergenceCurve } from '../change/curve-fit.js'
import type { DivergenceCurve } from '../change/divergence-curve.js'
import { SKETCH_MINIMA } from '../change/sketches.js'
import type { LedgerColumnArrays, LedgerColumns } from './column-arrays.js'
import { PROFILE_OBSERVATIONS } from './columns.js'
import { isValidSketch, type VersionProfile, versionProfiles } from './versions.js'

/** The SKETCH_MINIMA smallest hashes of a version, from `at` on. */
export interface VersionSketch {
  readonly minima: Uint32Array
  readonly at: number
}

/** 'unseen': the page has another version by now that nobody has sketched. */
const STATES = { none: 0, live: 1, unseen: 2 } as const

/** Every divergence that two sketches can have, j/n with n up to SKETCH_MINIMA, ascending: 0 comes first. */
export const DIVERGENCES: Float64Array = Float64Array.from(
  new Set(
    Array.from({ length: SKETCH_MINIMA }, (_, less) => less + 1).flatMap((n) =>
      Array.from({ length: n + 1 }, (_, j) => j / n),
    ),
  ),
).sort()

export interface ProfileObservation {
  /** The time since the base version. */
  readonly ageMs: number
  /** The distance from the base version, from 0 to 1. */
  readonly divergence: number
  /** Refreshes between this observation and the one before that were left out. They found nothing new. */
  readonly skipped: number
}

export interface ChangeProfile {
  /** When the base version was fetched. */
  readonly baseMs: number
  /** Oldest first. */
  readonly observations: readonly ProfileObservation[]
}

/** A profile begins with its base. Without a sketch there is none. */
function beginProfile(columns: LedgerColumnArrays, doc: number, atMs: number, sketch?: VersionSketch): void {
  if (sketch === undefined) return
  setSketch(columns, doc, sketch)
  columns.profileBaseMs[doc] = atMs
  columns.profileState[doc] = STATES.live
  columns.observations[doc] = 0
}

/**
 * Sketches of the page are made in another way from now on; `sketch` is that of the version last seen. If that version
 * is still the base, the profile goes on. Otherwise it is the new base, and what was observed stays as a curve. Without
 * a sketch there is no profile any more.
 */
export function rebaseProfile(columns: LedgerColumnArrays, doc: number, sketch?: VersionSketch): void {
  const state = columns.profileState[doc]!
  if (state === STATES.none) return
  if (lastDivergence(columns, doc) === 0 && sketch !== undefined) {
    setSketch(columns, doc, sketch)
    return
  }
  keepCurve(columns, doc)
  columns.profileState[doc] = STATES.none
  beginProfile(columns, doc, columns.profileBaseMs[doc]! + lastAgeSeconds(columns, doc) * 1000, sketch)
  if (sketch !== undefined) columns.profileState[doc] = state
}

function setSketch(columns: LedgerColumnArrays, doc: number, { minima, at }: VersionSketch): void {
  columns.sketch.set(minima.subarray(at, at + SKETCH_MINIMA), doc * SKETCH_MINIMA)
}

/** Undefined for a page of which no version was sketched. */
export function profileOf(columns: LedgerColumns, doc: number): ChangeProfile | undefined {
  if (columns.profileState[doc] === STATES.none) return undefined
  const first = doc * PROFILE_OBSERVATIONS
  return {
    baseMs: columns.profileBaseMs[doc]!,
    observations: Array.from({ length: columns.observations[doc]! }, (_, at) => ({
      ageMs: columns.observedAgeSeconds[first + at]! * 1000,
      divergence: DIVERGENCES[columns.observedDivergence[first + at]!]!,
      skipped: columns.skippedRefreshes[first + at]!,
    })),
  }
}

/** The curve of a page that was never seen to change: with a share of 0 its rate does not matter. */
const STILL: DivergenceCurve = { ratePerMs: 1 / DAY_MS, items: 1, share: 0 }

/**
 * The curve that fits the profile best; with too few observations, the curve of the profile before. Undefined when
 * there is neither and the page was not seen unchanged either.
 */
export function curveOf(columns: LedgerColumns, doc: number): DivergenceCurve | undefined {
  const curve = fittedCurve(columns, doc) ?? earlierCurve(columns, doc)
  if (curve !== undefined || columns.observations[doc] === 0 || lastDivergence(columns, doc) > 0) return curve
  return STILL
}

function fittedCurve(columns: LedgerColumns, doc: number): DivergenceCurve | undefined {
  const count = columns.profileState[doc] === STATES.none ? 0 : columns.observations[doc]!
  const first = doc * PROFILE_OBSERVATIONS
  const agesMs = new Float64Array(count)
  const divergences = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    agesMs[at] = columns.observedAgeSeconds[first + at]! * 1000
    divergences[at] = DIVERGENCES[columns.observedDivergence[first + at]!]!
  }
  const more = furtherProfiles(columns, doc)
  if (more.length === 0) return fitDivergenceCurve(agesMs, divergences)
  const all = combineObservations([{ agesMs, divergences }, ...more])
  return fitDivergenceCurve(all.agesMs, all.divergences)
}

/** The profiles that a page has beside its own, where the ledger keeps more than one; oldest first. */
export function furtherProfiles(columns: LedgerColumns, doc: number): readonly VersionProfile[] {
  const all = versionProfiles(columns, doc)
  // The version that is the base of the own profile would count twice.
  return all.length === 0 ? all : all.filter(({ baseMs }) => baseMs !== columns.profileBaseMs[doc])
}

function earlierCurve(columns: LedgerColumns, doc: number): DivergenceCurve | undefined {
  const items = columns.earlierItems[doc]!
  if (items === 0) return undefined
  return { ratePerMs: columns.earlierRatePerDay[doc]! / DAY_MS, items, share: columns.earlierShare[doc]! }
}

/** Before a new profile takes the place of one that is full. */
export function keepCurve(columns: LedgerColumnArrays, doc: number): void {
  const curve = fittedCurve(columns, doc)
  if (curve === undefined) return
  columns.earlierRatePerDay[doc] = curve.ratePerMs * DAY_MS
  columns.earlierShare[doc] = curve.share
  columns.earlierItems[doc] = curve.items
}

function lastAgeSeconds(columns: LedgerColumns, doc: number): number {
  const count = columns.observations[doc]!
  return count === 0 ? 0 : columns.observedAgeSeconds[doc * PROFILE_OBSERVATIONS + count - 1]!
}

/** How far the last version that was sketched is from the base of its profile, 0 to 1; undefined without one. */
export function lastDivergenceOf(columns: LedgerColumns, doc: number): number | undefined {
  if (columns.profileState[doc] !== STATES.live || columns.observations[doc] === 0) return undefined
  return DIVERGENCES[lastDivergence(columns, doc)]!
}

/** Its place among DIVERGENCES. */
function lastDivergence(columns: LedgerColumns, doc: number): number {
  const count = columns.observations[doc]!
  return count === 0 ? 0 : columns.observedDivergence[doc * PROFILE_OBSERVATIONS + count - 1]!
}

/** Whether the columns have a profile that can have been made here: for rows that come from elsewhere. */
export function isValidProfile(columns: LedgerColumns, doc: number): boolean {
  const state = columns.profileState[doc]!
  if (state === STATES.none || state > STATES.unseen || columns.observations[doc]! > PROFILE_OBSERVATIONS) return false
  if (!(Math.abs(columns.profileBaseMs[doc]!) <= MAX_TIME_MS)) return false
  if (!isAmount(columns.earlierRatePerDay[doc]) || !isAmount(columns.earlierShare[doc], 1)) return false
  return areValidObservations(columns, doc) && isValidSketch(columns.sketch, doc * SKETCH_MINIMA)
}

function areValidObservations(columns: LedgerColumns, doc: number): boolean {
  const first = doc * PROFILE_OBSERVATIONS
  let before = 0
  for (let at = first; at < first + columns.observations[doc]!; at++) {
    const seconds = columns.observedAgeSeconds[at]!
    if (!(seconds > before && isAmount(seconds)) || columns.observedDivergence[at]! >= DIVERGENCES.length) return false
    before = seconds
  }
  return true
}
