/**
 * The versions of a page that its last refreshes saw, each by its sketch: the bases of further change profiles (Olston
 * and Pandey, Recrawl scheduling based on information longevity, section 4.1). Every refresh begins a profile, whose
 * base is the version that it saw, and is an observation of all others. So the profiles of these versions follow from
 * their sketches, and need no observations of their own.
 *
 * Refreshes add versions in the core (native/ledger/page_versions.h). A ledger with h profiles keeps the last h - 1
 * versions beside the profile that every page has, which is much longer. The newest version has no observation yet. A
 * version that nobody sketched ends them all, because nothing is known of how far it is from the others.
 */
import { MAX_TIME_MS } from '../base/time.js'
import type { Observations } from '../change/curve-fit.js'
import { NO_MINIMUM, SKETCH_MINIMA, sketchDifference } from '../change/sketches.js'
import { hasVersions, type LedgerColumnArrays, type LedgerColumns } from './column-arrays.js'
import { MORE_PROFILES } from './columns.js'

/** What later refreshes saw of a version. */
export interface VersionProfile extends Observations {
  readonly baseMs: number
}

/** h unless told, and the most. */
export const ONE_PROFILE = 1
export const MOST_PROFILES = 1 + MORE_PROFILES

export function forgetVersions(columns: LedgerColumnArrays, doc: number): void {
  if (hasVersions(columns)) columns.versions[doc] = 0
}

const NONE: readonly VersionProfile[] = []

/** The profiles of the versions that have an observation, oldest first. Empty in most ledgers. */
export function versionProfiles(columns: LedgerColumns, doc: number): readonly VersionProfile[] {
  const count = hasVersions(columns) ? columns.versions[doc]! : 0
  if (count < 2) return NONE
  const first = doc * MORE_PROFILES
  const sketchAt = (nth: number) => (first + nth) * SKETCH_MINIMA
  return Array.from({ length: count - 1 }, (_, base) => {
    const later = Array.from({ length: count - 1 - base }, (_, nth) => base + 1 + nth)
    const baseMs = columns.versionMs[first + base]!
    return {
      baseMs,
      agesMs: later.map((nth) => columns.versionMs[first + nth]! - baseMs),
      divergences: later.map((nth) => {
        const { versionSketch } = columns
        return sketchDifference(versionSketch, sketchAt(base), versionSketch, sketchAt(nth), SKETCH_MINIMA)
      }),
    }
  })
}

/** Whether the columns have versions that can have been kept here: for rows that come from elsewhere. */
export function areValidVersions(columns: LedgerColumns, doc: number): boolean {
  const count = columns.versions[doc]!
  if (count === 0 || count > MORE_PROFILES) return false
  const first = doc * MORE_PROFILES
  let before = Number.NEGATIVE_INFINITY
  for (let at = first; at < first + count; at++) {
    const ms = columns.versionMs[at]!
    if (!(ms > before && Math.abs(ms) <= MAX_TIME_MS)) return false
    before = ms
    if (!isValidSketch(columns.versionSketch, at * SKETCH_MINIMA)) return false
  }
  return true
}

/** Hashes ascend; only the filling at the end is there more than once. */
export function isValidSketch(sketches: ArrayLike<number>, begin: number): boolean {
  for (let at = begin + 1; at < begin + SKETCH_MINIMA; at++) {
    const [before, after] = [sketches[at - 1]!, sketches[at]!]
    if (before > after || (before === after && before !== NO_MINIMUM)) return false
  }
  return true
}
