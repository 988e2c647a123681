/**
 * Change profiles: what refreshes saw of a page's divergence from earlier versions of it (Recrawl scheduling based on
 * information longevity, section 4.1). Each has a base version, known by a summary, and the divergence from it at every
 * refresh since.
 */
import { numberOption } from '../../../base/checks.js'
import { describe } from '../../../base/describe.js'

export interface ChangeProfile {
  readonly baseMs: number
  /** Since the base, ascending. */
  readonly agesMs: number[]
  readonly divergences: number[]
}

export interface ChangeProfilesOptions<Summary> {
  /** h: kept at once. 5 unless told, as in the experiments of the paper. */
  readonly profiles?: number
  /** Observations of one profile, at most; 12 unless told, the most that the paper saw. */
  readonly observations?: number
  readonly difference: (base: Summary, now: Summary) => number
}

interface SummarisedProfile<Summary> extends ChangeProfile {
  readonly base: Summary
}

/**
 * The profiles of one page. Every refresh extends them all and begins one; where they are full the oldest goes. A
 * single one would have nothing to tell that way: it is kept until it has all its observations, and the next refresh
 * begins another.
 */
export class ChangeProfiles<Summary> {
  readonly #most: number
  readonly #observations: number
  readonly #difference: (base: Summary, now: Summary) => number
  /** Oldest first. */
  readonly #profiles: SummarisedProfile<Summary>[] = []
  #lastMs = Number.NEGATIVE_INFINITY

  constructor({ profiles, observations, difference }: ChangeProfilesOptions<Summary>) {
    this.#most = numberOption('profiles', profiles, 5, { min: 1, integer: true })
    this.#observations = numberOption('observations', observations, 12, { min: 1, integer: true })
    if (typeof difference !== 'function') {
      throw new TypeError(`difference must be a function, received ${describe(difference)}`)
    }
    this.#difference = difference
  }

  /** Oldest first; the last one of several has no observation yet. */
  get profiles(): readonly ChangeProfile[] {
    return this.#profiles
  }

  /** A refresh at this time, later than all before, saw a version with this summary. */
  add(atMs: number, summary: Summary): void {
    if (!(atMs > this.#lastMs)) {
      throw new RangeError(`atMs must be above ${this.#lastMs}, the refresh before, received ${describe(atMs)}`)
    }
    this.#lastMs = atMs
    const open = this.#profiles.filter(({ agesMs }) => agesMs.length < this.#observations)
    for (const { base, baseMs, agesMs, divergences } of open) {
      agesMs.push(atMs - baseMs)
      divergences.push(this.#difference(base, summary))
    }
    if (this.#most === 1 && open.length > 0) return
    if (this.#profiles.length === this.#most) this.#profiles.shift()
    this.#profiles.push({ base: summary, baseMs: atMs, agesMs: [], divergences: [] })
  }
}

/** The eagerness of a page that tells nothing: it is as likely to change early as late. */
const UNKNOWN_EAGERNESS = 0.5

/**
 * What a page was between two snapshots (Recrawl scheduling based on information longevity, appendix B). An eager page
 * has changed soon after a snapshot, so that in between it is like the next one; a page that is not is still like the
 * one before. The eagerness E is the mean of D(t0, t1) / D(t0, t2) over all three consecutive snapshots, each at most
 * 1. A snapshot that failed is undefined, and where nothing changed nothing is told.
 */
export function eagernessOf<Snapshot>(
  snapshots: readonly (Snapshot | undefined)[],
  difference: (before: Snapshot, after: Snapshot) => number,
): number {
  let sum = 0
  let count = 0
  for (let at = 2; at < snapshots.length; at++) {
    const [first, second, third] = [snapshots[at - 2], snapshots[at - 1], snapshots[at]]
    if (first === undefined || second === undefined || third === undefined) continue
    const early = difference(first, second)
    const late = difference(first, third)
    if (early === 0 && late === 0) continue
    sum += early >= late ? 1 : early / late
    count++
  }
  return count === 0 ? UNKNOWN_EAGERNESS : sum / count
}
