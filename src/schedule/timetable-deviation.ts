import type { Slots } from './slots.js'
import type { CrawlTimes } from './timetable.js'

export interface Deviation {
  /** Crawls made before a time before which they must not be. */
  readonly early: number
  /** Distance from the ideal time in slots of the crawler that makes the crawl. */
  readonly meanSlots: number
  readonly maxSlots: number
  /** The share of crawls no more than 20 slots away ("Optimal crawling strategies", Figure 10). */
  readonly within20Slots: number
  /** The same for each of the `windows` that were asked for. */
  readonly within: readonly { readonly slots: number; readonly share: number }[]
}

export interface DeviationOptions {
  /** Slots of each crawler in a period. */
  readonly capacities: readonly number[]
  readonly period: number
  /** Distances in slots whose shares of crawls are to be counted. */
  readonly windows?: readonly number[]
}

const WINDOW_SLOTS = 20
/** Half a slot in a billion: slot times and ideal times are rounded. */
const TOLERANCE = 1e-9

/** How far a timetable is from what was ideal. */
export function timetableDeviation(
  crawls: CrawlTimes,
  slots: Slots,
  made: Uint32Array,
  { capacities, period, windows = [] }: DeviationOptions,
): Deviation {
  let early = 0
  let sum = 0
  let max = 0
  const counted = [WINDOW_SLOTS, ...windows]
  const within = new Float64Array(counted.length)
  for (let slot = 0; slot < made.length; slot++) {
    const crawl = made[slot]!
    const late = slots.times[slot]! - crawls.times[crawl]!
    if (late < 0 && crawls.neverEarly[crawl] === 1) early++
    const distance = (Math.abs(late) * capacities[slots.crawlers[slot]!]!) / period
    sum += distance
    max = Math.max(max, distance)
    for (let at = 0; at < counted.length; at++) if (distance <= counted[at]! + TOLERANCE) within[at]!++
  }
  const count = Math.max(1, made.length)
  const [within20Slots, ...shares] = Array.from(within, (crawls) => (made.length === 0 ? 1 : crawls / count))
  return {
    ...{ early, meanSlots: sum / count, maxSlots: max, within20Slots: within20Slots! },
    within: windows.map((slots, at) => ({ slots, share: shares[at]! })),
  }
}
