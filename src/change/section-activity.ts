/**
 * When the sections of a site change: pages of a folder are often edited together, in bursts. A page with the rate λ
 * changes at the rate λ · a(t), where a is the activity of its section: 1 in the mean, and taken to be constant for a
 * while each time. On the clock of the section, which runs faster when that is busy, changes of its pages are Poisson
 * processes again, and all that is known of those holds.
 *
 * Visits tell: one that found a change says that there was activity between it and the one before, one that found none
 * that there was little. Changes are distributed over the time in which they may have been by what is believed of the
 * activity, and the activity follows from them, in turn (expectation maximisation). In each period a section is drawn
 * to what its parent did, and the whole to 1, as by so many changes more.
 */
import type { SectionTree } from './sections.js'

export interface SectionVisit {
  readonly section: number
  /** Of the page, at an activity of 1. */
  readonly ratePerMs: number
  /** The visit before, at which the page was known as it was. */
  readonly fromMs: number
  readonly toMs: number
  readonly isChanged: boolean
}

export interface SectionClocks {
  /** How much time has passed on the clock of the section, never less than 0. */
  elapsedMs(section: number, fromMs: number, toMs: number): number
  /** No clock of the section runs faster than this from then on; 1 once the visits are over. */
  fastestFrom(section: number, fromMs: number): number
}

/** All clocks run as all clocks do. */
export const PLAIN_CLOCKS: SectionClocks = {
  elapsedMs: (_section, fromMs, toMs) => Math.max(0, toMs - fromMs),
  fastestFrom: () => 1,
}

/**
 * Periods that are told apart, at most: from one time of visits to the next, or, where these are more, with as many
 * visits in each.
 */
const MOST_PERIODS = 64
/** Changes to be expected that count as much as what the parent did: see docs/policies.md. */
const PARENT_CHANGES = 1
const ROUNDS = 2

export function learntClocks(tree: SectionTree, visits: readonly SectionVisit[]): SectionClocks {
  if (visits.length === 0) return PLAIN_CLOCKS
  const boundsMs = periodBounds(visits)
  let clocks = new LearntClocks(tree.parents.length, boundsMs)
  for (let round = 0; round < ROUNDS; round++) clocks = clocks.after(tree, visits)
  return clocks
}

/** Where periods begin, ascending, and at last where the last one ends: with the last visit. */
function periodBounds(visits: readonly SectionVisit[]): Float64Array {
  const ends = Float64Array.from(visits, ({ toMs }) => toMs).sort()
  const distinct = ends.filter((end, at) => end !== ends[at - 1])
  const chosen = distinct.length <= MOST_PERIODS ? distinct : quantiles(ends, MOST_PERIODS)
  const start = visits.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), chosen[0]!)
  return Float64Array.of(start, ...chosen)
}

/** Distinct ones, the largest value among them. REQUIRES: ascending. */
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
  /** On the clock of each section: from the start to the beginning of each period, and to the end. */
  readonly #passedMs: Float64Array
  readonly #fastest: Float64Array

  constructor(sections: number, boundsMs: Float64Array, activity?: Float64Array) {
    const periods = boundsMs.length - 1
    this.#sections = sections
    this.#periods = periods
    this.#boundsMs = boundsMs
    this.#activity = activity ?? new Float64Array(sections * periods).fill(1)
    this.#passedMs = new Float64Array(sections * (periods + 1))
    this.#fastest = new Float64Array(sections).fill(1)
    for (let section = 0; section < sections; section++)
      for (let period = 0; period < periods; period++) {
        const fast = this.#activity[section * periods + period]!
        const at = section * (periods + 1) + period
        this.#passedMs[at + 1] = this.#passedMs[at]! + fast * (boundsMs[period + 1]! - boundsMs[period]!)
        if (fast > this.#fastest[section]!) this.#fastest[section] = fast
      }
  }

  elapsedMs(section: number, fromMs: number, toMs: number): number {
    return toMs > fromMs ? Math.max(0, this.#timeOf(section, toMs) - this.#timeOf(section, fromMs)) : 0
  }

  fastestFrom(section: number, fromMs: number): number {
    return fromMs >= this.#boundsMs[this.#periods]! ? 1 : this.#fastest[section]!
  }

  /** Since the start; before it, less than 0. */
  #timeOf(section: number, atMs: number): number {
    const first = section * (this.#periods + 1)
    const [startMs, endMs] = [this.#boundsMs[0]!, this.#boundsMs[this.#periods]!]
    if (atMs <= startMs) return atMs - startMs
    if (atMs >= endMs) return this.#passedMs[first + this.#periods]! + (atMs - endMs)
    const period = this.#periodOf(atMs)
    const activity = this.#activity[section * this.#periods + period]!
    return this.#passedMs[first + period]! + activity * (atMs - this.#boundsMs[period]!)
  }

  /** The last one that begins before the moment or with it. REQUIRES: the moment is not before the start. */
  #periodOf(atMs: number): number {
    let [first, beyond] = [0, this.#periods]
    while (beyond - first > 1) {
      const middle = (first + beyond) >>> 1
      if (this.#boundsMs[middle]! <= atMs) first = middle
      else beyond = middle
    }
    return first
  }

  /** What the visits say by these clocks. */
  after({ parents }: SectionTree, visits: readonly SectionVisit[]): LearntClocks {
    const periods = this.#periods
    // By section and period, over the time watched in it: how many changes to expect, and how many were found, by these
    // clocks.
    const expected = new Float64Array(this.#sections * periods)
    const found = new Float64Array(this.#sections * periods)
    for (const visit of visits) this.#spread(visit, expected, found)
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
    // If there was a change, there were X / (1 - e^-X) of them, where X were to be expected.
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
