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
}

const WINDOW_SLOTS = 20
/** Half a slot in a billion: slot times and ideal times are rounded. */
const TOLERANCE = 1e-9

/** How far a timetable is from what was ideal. */
export function timetableDeviation(
  crawls: CrawlTimes,
  slots: Slots,
  made: Uint32Array,
  { capacities, period }: { readonly capacities: readonly number[]; readonly period: number },
): Deviation {
  let early = 0
  let sum = 0
  let max = 0
  let within = 0
  for (let slot = 0; slot < made.length; slot++) {
    const crawl = made[slot]!
    const late = slots.times[slot]! - crawls.times[crawl]!
    if (late < 0 && crawls.neverEarly[crawl] === 1) early++
    const distance = (Math.abs(late) * capacities[slots.crawlers[slot]!]!) / period
    sum += distance
    max = Math.max(max, distance)
    if (distance <= WINDOW_SLOTS + TOLERANCE) within++
  }
  const count = Math.max(1, made.length)
  return { early, meanSlots: sum / count, maxSlots: max, within20Slots: made.length === 0 ? 1 : within / count }
}
