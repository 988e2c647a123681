import { describe } from '../describe.js'
import { FreshdexError } from '../errors.js'
import type { IdealCrawls } from './ideal-times.js'
import type { Slots } from './slots.js'
import { orderByTime, type TimeOrder } from './time-order.js'

/** What a timetable is made of: when crawls should be made, by index. Pages do not matter here. */
export type CrawlTimes = Pick<IdealCrawls, 'times' | 'neverEarly'>

/**
 * Which crawl each slot makes, so that all crawls together are as near to their times as can be: the transportation problem of "Optimal crawling
 * strategies", section 3, for as many crawls as slots. INFEASIBLE when some crawl would have to be early that must not.
 *
 * Exact, in O(R): the slots' times have one sum, whoever gets which, so a crawl made late costs the same wherever the others go, and only what is early counts,
 * twice. So each slot makes the oldest crawl that is due; if there is none, the one that is due next among those that may be early.
 */
export function makeTimetable(crawls: CrawlTimes, slots: Slots): Uint32Array {
  const count = checkedCount(crawls, slots)
  const free = orderByTime(crawlsOfKind(crawls, 0))
  const late = orderByTime(crawlsOfKind(crawls, 1))
  const made = new Uint32Array(count)
  let freeAt = 0
  let lateAt = 0
  for (let slot = 0; slot < count; slot++) {
    const now = slots.times[slot]!
    const lateTime = lateAt < late.times.length ? late.times[lateAt]! : Number.POSITIVE_INFINITY
    const freeTime = freeAt < free.times.length ? free.times[freeAt]! : Number.POSITIVE_INFINITY
    if (lateTime <= now && lateTime <= freeTime) made[slot] = late.items[lateAt++]!
    else if (freeAt < free.items.length) made[slot] = free.items[freeAt++]!
    else throw tooLate(late.items.length - lateAt, now, lateTime)
  }
  return made
}

/** The sum of the distances of all crawls from their times. */
export function timetableCost(crawls: CrawlTimes, slots: Slots, made: Uint32Array): number {
  return made.reduce((sum, crawl, slot) => sum + Math.abs(slots.times[slot]! - crawls.times[crawl]!), 0)
}

function tooLate(crawls: number, slotTime: number, earliest: number): FreshdexError {
  return new FreshdexError(
    'INFEASIBLE',
    `${crawls} crawls are left for the ${crawls} slots from ${slotTime} on, but none of them may be made before ${earliest}`,
    { detail: { crawls, slotTime, earliest } },
  )
}

/** The number of crawls, which must be that of slots. */
function checkedCount({ times, neverEarly }: CrawlTimes, slots: Slots): number {
  if (times.length !== slots.times.length || neverEarly.length !== times.length) {
    throw new RangeError(
      `crawls and slots must be as many, received ${times.length} times, ${neverEarly.length} kinds and ${slots.times.length} slots`,
    )
  }
  checkTimes(times)
  return times.length
}

export function checkTimes(times: Float64Array): void {
  for (let crawl = 0; crawl < times.length; crawl++) {
    const time = times[crawl]!
    if (time >= 0 && time < Number.POSITIVE_INFINITY) continue
    throw new RangeError(`times[${crawl}] must be a finite number of at least 0, received ${describe(time)}`)
  }
}

function crawlsOfKind({ times, neverEarly }: CrawlTimes, kind: 0 | 1): TimeOrder {
  let count = 0
  for (let crawl = 0; crawl < neverEarly.length; crawl++) if (neverEarly[crawl] === kind) count++
  const order = { items: new Uint32Array(count), times: new Float64Array(count) }
  for (let crawl = 0, at = 0; crawl < neverEarly.length; crawl++) {
    if (neverEarly[crawl] !== kind) continue
    order.items[at] = crawl
    order.times[at++] = times[crawl]!
  }
  return order
}
