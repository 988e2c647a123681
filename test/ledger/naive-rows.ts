/** What refreshes do to rows of the ledger, step by step in plain numbers: the twin of native/ledger. */
import { SKETCH_MINIMA, sketchDifference } from '../../src/change/sketches.js'
import { PROFILE_OBSERVATIONS, RECENT_REFRESHES } from '../../src/ledger/columns.js'
import { DIVERGENCES } from '../../src/ledger/profile.js'

const [NONE, LIVE, UNSEEN] = [0, 1, 2]
const { fround } = Math

interface Observation {
  seconds: number
  place: number
  skipped: number
}

interface Version {
  readonly atMs: number
  readonly sketch: readonly number[]
}

export class NaiveRow {
  present = 1
  refreshes = 0
  changes = 0
  rated = 0
  unmeasured = 0
  refreshedMs: number
  sumDeltaQuality = 0
  sumIntervalMs = 0
  sumRate = 0
  decayedRate = 0
  decayedWeight = 0
  stake = 0
  changeBits = 0
  /** Newest first. */
  recent: (readonly [intervalSeconds: number, gain: number])[] = []
  baseMs = 0
  sketch: readonly number[] = []
  state = NONE
  observations: Observation[] = []
  versions: Version[] = []
  /** How often a profile was full. */
  rebased = 0

  constructor(
    readonly createdMs: number,
    sketch: readonly number[] | undefined,
    profiles: number,
  ) {
    this.refreshedMs = createdMs
    this.#begin(createdMs, sketch)
    this.#seen(createdMs, sketch, profiles)
  }

  refreshed(
    atMs: number,
    isChanged: boolean,
    gain: number | undefined,
    sketch: readonly number[] | undefined,
    { halfLifeMs, profiles }: { readonly halfLifeMs: number; readonly profiles: number },
  ): void {
    this.present = 1
    this.refreshes++
    this.changeBits = ((this.changeBits << 1) | Number(isChanged)) >>> 0
    if (isChanged) {
      this.changes++
      this.#changed(atMs, sketch)
      this.#seen(atMs, sketch, profiles)
    } else {
      if (this.state === LIVE && this.#isLater(atMs)) this.#observe(atMs, this.observations.at(-1)?.place ?? 0)
      this.#seen(atMs, this.versions.at(-1)?.sketch, profiles)
    }
    const intervalMs = atMs - this.refreshedMs
    if (intervalMs >= 1) this.#rate(intervalMs, gain, halfLifeMs)
    this.refreshedMs = Math.max(this.refreshedMs, atMs)
  }

  #rate(intervalMs: number, gain: number | undefined, halfLifeMs: number): void {
    this.recent = [[fround(intervalMs / 1000), fround(gain ?? Number.NaN)] as const, ...this.recent]
    this.recent.length = Math.min(this.recent.length, RECENT_REFRESHES)
    this.rated++
    this.sumIntervalMs += intervalMs
    const left = 2 ** (-intervalMs / halfLifeMs)
    if (gain === undefined) {
      this.unmeasured++
      if (this.decayedWeight * left < 1e-6) return
      this.decayedRate = fround(this.decayedRate * left)
      this.decayedWeight = fround(this.decayedWeight * left)
      return
    }
    this.sumDeltaQuality += gain
    this.sumRate += gain / intervalMs
    this.decayedRate = fround(this.decayedRate * left + gain / intervalMs)
    this.decayedWeight = fround(this.decayedWeight * left + 1)
  }

  #begin(atMs: number, sketch: readonly number[] | undefined): void {
    if (sketch === undefined) return
    Object.assign(this, { sketch, baseMs: atMs, state: LIVE, observations: [] })
  }

  #changed(atMs: number, sketch: readonly number[] | undefined): void {
    if (this.state === NONE) this.#begin(atMs, sketch)
    else if (sketch === undefined || !this.#isLater(atMs)) this.state = UNSEEN
    else {
      this.state = LIVE
      const difference = sketchDifference(this.sketch, 0, sketch, 0, SKETCH_MINIMA)
      this.#observe(
        atMs,
        DIVERGENCES.findIndex((divergence) => Math.abs(divergence - difference) < 1e-6),
      )
      const removable = this.observations.filter((_, at) => this.#isInsideRun(this.observations, at)).length
      if (PROFILE_OBSERVATIONS - this.observations.length + removable >= 2) return
      this.rebased++
      this.#begin(atMs, sketch)
    }
  }

  #isLater(atMs: number): boolean {
    return fround((atMs - this.baseMs) / 1000) > (this.observations.at(-1)?.seconds ?? 0)
  }

  #isInsideRun(all: readonly Observation[], at: number): boolean {
    const before = at === 0 ? 0 : all[at - 1]!.place
    return all[at]!.place === before && all[at]!.place === all[at + 1]?.place
  }

  /** Of a full profile the observation goes that is missed least, and the last one where all say something. */
  #observe(atMs: number, place: number): void {
    const next = { seconds: fround((atMs - this.baseMs) / 1000), place, skipped: 0 }
    const all = [...this.observations, next]
    if (all.length > PROFILE_OBSERVATIONS) {
      const losses = all.slice(0, -1).map((_, at) => this.#loss(all, at))
      const least = Math.min(...losses)
      const gone = least === Number.POSITIVE_INFINITY ? all.length - 2 : losses.indexOf(least)
      const heir = all[gone + 1]!
      heir.skipped = Math.min(255, heir.skipped + all[gone]!.skipped + 1)
      all.splice(gone, 1)
    }
    this.observations = all
  }

  #loss(all: readonly Observation[], at: number): number {
    if (!this.#isInsideRun(all, at)) return Number.POSITIVE_INFINITY
    if (all.slice(0, at + 1).every(({ place }) => place === 0)) return at - all.length
    const { seconds, skipped } = all[at]!
    const [before, after] = [at === 0 ? 0 : all[at - 1]!.seconds, all[at + 1]!]
    const steps = skipped + 1
    const moved = Math.abs(seconds - (before + ((after.seconds - before) * steps) / (steps + 1 + after.skipped)))
    return (moved + 1) / (all.at(-1)!.seconds - seconds)
  }

  #seen(atMs: number, sketch: readonly number[] | undefined, profiles: number): void {
    if (sketch === undefined || profiles === 1) this.versions = []
    else if (this.versions.length === 0 || this.versions.at(-1)!.atMs < atMs)
      this.versions = [...this.versions, { atMs, sketch }].slice(1 - profiles)
  }
}
