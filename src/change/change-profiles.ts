/**
 * Change profiles: what refreshes saw of a page's divergence from earlier versions of it (Recrawl scheduling based on information
 * longevity, section 4.1). Each has a base version, known by a summary, and the divergence from it at every refresh since.
 */
import { describe } from '../describe.js'
import { numberOption } from '../option-checks.js'

export interface ChangeProfile {
  readonly baseMs: number
  /** Since the base, ascending. */
  readonly agesMs: number[]
  readonly divergences: number[]
}

export interface ChangeProfilesOptions<Summary> {
  /** h: kept at once. 5 unless told, as in the experiments of the paper. */
  readonly profiles?: number
  /** Of one profile, at most; 12 unless told, the most that the paper saw. */
  readonly observations?: number
  readonly difference: (base: Summary, now: Summary) => number
}

interface SummarisedProfile<Summary> extends ChangeProfile {
  readonly base: Summary
}

/**
 * The profiles of one page. Every refresh extends them all and begins one; where they are full the oldest goes. A single one would have
 * nothing to tell that way: it is kept until it has all its observations, and the next refresh begins another.
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
