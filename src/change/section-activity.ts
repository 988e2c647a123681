/**
 * When the sections of a site change: pages of a folder are often edited together, in bursts. The activity of a section
 * is its change rate now, relative to its average: a page with the rate λ changes at the rate λ · a(t), where a is 1 in
 * the mean and constant within each period. On a clock that runs at the speed a, changes are Poisson processes again.
 *
 * The activity is learnt from visits. One that found a change says that there was activity since the visit before; one
 * that found none says that there was little. Changes are spread over the time in which they may have happened
 * according to the activity, and the activity follows from the changes, in turn (expectation maximisation). In each
 * period a section is shrunk to its parent, and the whole site to 1, with the weight of PARENT_CHANGES.
 */
import { finish, type Steps } from '../base/turns.js'
import type { SectionTree } from './sections.js'

export interface SectionVisit {
  readonly section: number
  /** The change rate of the page at an activity of 1. */
  readonly ratePerMs: number
  /** The time of the visit before. */
  readonly fromMs: number
  readonly toMs: number
  readonly isChanged: boolean
}

/** Clocks as plain data, which can be sent to another thread. */
export interface ClockData {
  /** The beginnings of all periods, ascending, and the end of the last one. */
  readonly boundsMs: Float64Array
  /** By section and period. */
  readonly activity: Float64Array
}

export interface SectionClocks {
  /** Undefined for plain clocks. */
  readonly data: ClockData | undefined
  /** The time that has passed on the clock of the section, at least 0. */
  elapsedMs(section: number, fromMs: number, toMs: number): number
  /** What the clock of the section shows. Between two moments it is the difference that has passed. */
  timeOf(section: number, atMs: number): number
  /** The clock of the section never runs faster than this from `fromMs` on; 1 after the last visit. */
  fastestFrom(section: number, fromMs: number): number
}

/** All sections have an activity of 1. */
export const PLAIN_CLOCKS: SectionClocks = {
  data: undefined,
  elapsedMs: (_section, fromMs, toMs) => Math.max(0, toMs - fromMs),
  timeOf: (_section, atMs) => atMs,
  fastestFrom: () => 1,
}

/** The most periods. They end with distinct times of visits, or, if these are more, with equally many visits each. */
const MOST_PERIODS = 64
/** The activity of the parent weighs as much as this many expected changes: see docs/lab-policies.md. */
const PARENT_CHANGES = 1
const ROUNDS = 2
/** Stretches of equal length, each of which knows the period that it begins in: most of them lie within one period. */
const STRETCHES = 512
/** Visits of one step. */
const VISITS_PER_STEP = 2000

export function learntClocks(tree: SectionTree, visits: readonly SectionVisit[]): SectionClocks {
  return finish(learningClocks(tree, visits))
}

/** The same in steps. */
export function* learningClocks(tree: SectionTree, visits: readonly SectionVisit[]): Steps<SectionClocks> {
  if (visits.length === 0) return PLAIN_CLOCKS
  const boundsMs = periodBounds(visits)
  let clocks = new LearntClocks(tree.parents.length, boundsMs)
  for (let round = 0; round < ROUNDS; round++) {
    yield
    clocks = yield* clocks.after(tree, visits)
  }
  return clocks
}

/** The clocks that this is the data of. */
export function clocksOf(sections: number, data: ClockData | undefined): SectionClocks {
  return data === undefined ? PLAIN_CLOCKS : new LearntClocks(sections, data.boundsMs, data.activity)
}

/** The beginnings of all periods, ascending, and the end of the last one, which is the last visit. */
function periodBounds(visits: readonly SectionVisit[]): Float64Array {
  const ends = new Float64Array(visits.length)
  for (let at = 0; at < visits.length; at++) ends[at] = visits[at]!.toMs
  ends.sort()
  const distinct = ends.filter((end, at) => end !== ends[at - 1])
  const chosen = distinct.length <= MOST_PERIODS ? distinct : quantiles(ends, MOST_PERIODS)
  const start = visits.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), chosen[0]!)
  return Float64Array.of(start, ...chosen)
}

/** Distinct quantiles, the last of which is the largest value. REQUIRES: ascending values. */
function quantiles(values: Float64Array, count: number): Float64Array {
  const some = Float64Array.from(
    { length: count },
    (_, at) => values[Math.ceil(((at + 1) * values.length) / count) - 1]!,
  )
  return some.filter((value, at) => value !== some[at - 1])
}

class LearntClocks implements SectionClocks {
  readonly #sections: number
  readonly #periods: number
  readonly #boundsMs: Float64Array
  /** By section and period. */
  readonly #activity: Float64Array
  /** The time on the clock of each section at the beginning of each period, and at the end. */
  readonly #passedMs: Float64Array
  readonly #fastest: Float64Array
  /** By stretch, a period that begins no later than the stretch. */
  readonly #stretchPeriods: Uint8Array
  readonly #stretchesPerMs: number

  constructor(sections: number, boundsMs: Float64Array, activity?: Float64Array) {
    const periods = boundsMs.length - 1
    this.#sections = sections
    this.#periods = periods
    this.#boundsMs = boundsMs
    const speeds = activity ?? new Float64Array(sections * periods).fill(1)
    const passedMs = new Float64Array(sections * (periods + 1))
    const fastest = new Float64Array(sections).fill(1)
    for (let section = 0; section < sections; section++)
      for (let period = 0; period < periods; period++) {
        const fast = speeds[section * periods + period]!
        const at = section * (periods + 1) + period
        passedMs[at + 1] = passedMs[at]! + fast * (boundsMs[period + 1]! - boundsMs[period]!)
        if (fast > fastest[section]!) fastest[section] = fast
      }
    this.#activity = speeds
    this.#passedMs = passedMs
    this.#fastest = fastest
    this.#stretchesPerMs = STRETCHES / Math.max(1, boundsMs[periods]! - boundsMs[0]!)
    this.#stretchPeriods = new Uint8Array(STRETCHES)
    for (let stretch = 1, period = 0; stretch < STRETCHES; stretch++) {
      // The period of the stretch before: no rounding makes that too late.
      const beginMs = boundsMs[0]! + (stretch - 1) / this.#stretchesPerMs
      while (period + 1 < periods && boundsMs[period + 1]! <= beginMs) period++
      this.#stretchPeriods[stretch] = period
    }
  }

  get data(): ClockData {
    return { boundsMs: this.#boundsMs, activity: this.#activity }
  }

  elapsedMs(section: number, fromMs: number, toMs: number): number {
    return toMs > fromMs ? Math.max(0, this.timeOf(section, toMs) - this.timeOf(section, fromMs)) : 0
  }

  fastestFrom(section: number, fromMs: number): number {
    return fromMs >= this.#boundsMs[this.#periods]! ? 1 : this.#fastest[section]!
  }

  /** Since the start of the first period; negative before it. */
  timeOf(section: number, atMs: number): number {
    const first = section * (this.#periods + 1)
    const startMs = this.#boundsMs[0]!
    const endMs = this.#boundsMs[this.#periods]!
    if (atMs <= startMs) return atMs - startMs
    if (atMs >= endMs) return this.#passedMs[first + this.#periods]! + (atMs - endMs)
    const period = this.#periodOf(atMs)
    const activity = this.#activity[section * this.#periods + period]!
    return this.#passedMs[first + period]! + activity * (atMs - this.#boundsMs[period]!)
  }

  /** The last period that begins at or before the moment. REQUIRES: the moment is not before the start. */
  #periodOf(atMs: number): number {
    const boundsMs = this.#boundsMs
    const last = this.#periods - 1
    const stretch = Math.floor((atMs - boundsMs[0]!) * this.#stretchesPerMs)
    let period = this.#stretchPeriods[stretch < STRETCHES ? stretch : STRETCHES - 1]!
    while (period < last && boundsMs[period + 1]! <= atMs) period++
    return period
  }

  /** The clocks of the next round: the activity that the visits show, measured by these clocks. */
  *after({ parents }: SectionTree, visits: readonly SectionVisit[]): Steps<LearntClocks> {
    const periods = this.#periods
    // Expected and found changes by section and period, within the time that was watched.
    const expected = new Float64Array(this.#sections * periods)
    const found = new Float64Array(this.#sections * periods)
    for (let at = 0; at < visits.length; at++) {
      this.#spread(visits[at]!, expected, found)
      if (at % VISITS_PER_STEP === 0) yield
    }
    for (let section = this.#sections - 1; section > 0; section--)
      for (let period = 0; period < periods; period++) {
        const above = parents[section]! * periods + period
        expected[above]! += expected[section * periods + period]!
        found[above]! += found[section * periods + period]!
      }
    const activity = new Float64Array(this.#sections * periods)
    for (let at = 0; at < activity.length; at++) {
      const above = at < periods ? 1 : activity[parents[Math.floor(at / periods)]! * periods + (at % periods)]!
      activity[at] = (found[at]! + PARENT_CHANGES * above) / (expected[at]! + PARENT_CHANGES)
    }
    return new LearntClocks(this.#sections, this.#boundsMs, activity)
  }

  #spread({ section, ratePerMs, fromMs, toMs, isChanged }: SectionVisit, expected: Float64Array, found: Float64Array) {
    // Given that there was a change, X / (1 - e^-X) changes are expected, where X is the expectation without it.
    const changes = ratePerMs * this.elapsedMs(section, fromMs, toMs)
    const factor = isChanged && changes > 0 ? 1 / -Math.expm1(-changes) : 0
    for (let period = this.#periodOf(fromMs); period < this.#periods; period++) {
      const [beginMs, endMs] = [this.#boundsMs[period]!, this.#boundsMs[period + 1]!]
      if (beginMs >= toMs) break
      const at = section * this.#periods + period
      const updates = ratePerMs * (Math.min(endMs, toMs) - Math.max(beginMs, fromMs))
      expected[at]! += updates
      found[at]! += updates * this.#activity[at]! * factor
    }
  }
}
