/** Timetables: which crawl each slot makes, for as many crawls as slots. */
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import type { IdealCrawls } from './ideal-times.js'
import type { Slots } from './slots.js'

/** When each crawl should be made, by the index of the crawl. Pages do not matter here. */
export type CrawlTimes = Pick<IdealCrawls, 'times' | 'neverEarly'>

/**
 * Which crawl each slot makes, so that the sum of the distances of all crawls from their times is least: the
 * transportation problem of "Optimal crawling strategies", section 3, for as many crawls as slots. INFEASIBLE when some
 * crawl would have to be early that must not.
 *
 * Exact, in O(R): the sum of the slots' times is fixed, so a late crawl costs the same wherever the others go, and only
 * earliness counts, twice. So each slot makes the oldest crawl that is due; if there is none, the one that is due next
 * among those that may be early.
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

function tooLate(crawls: number, slotTime: number, earliest: number): FreshdexError {
  return new FreshdexError(
    'INFEASIBLE',
    `${crawls} crawls are left for the ${crawls} slots from ${slotTime} on, ` +
      `but none of them may be made before ${earliest}`,
    { detail: { crawls, slotTime, earliest } },
  )
}

/** The number of crawls, which must be that of slots. */
function checkedCount({ times, neverEarly }: CrawlTimes, slots: Slots): number {
  if (times.length !== slots.times.length || neverEarly.length !== times.length) {
    throw new RangeError(
      `crawls and slots must be as many, received ${times.length} times, ${neverEarly.length} kinds ` +
        `and ${slots.times.length} slots`,
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

/** Items in the order of their times; times[n] is that of items[n]. */
export interface TimeOrder {
  readonly items: Uint32Array
  readonly times: Float64Array
}

/** A share of up to this many items is sorted by insertion. */
const FEW = 24
/** The most shares of one round: as many as fit into a processor's cache. */
const MAX_SHARES = 4096
const ITEMS_PER_SHARE = 4
/** Times that are still together after this many rounds are sorted by comparison. */
const MAX_ROUNDS = 6

/**
 * Puts items in the order of their times, equal ones as they came; both arrays are changed. Items are dealt out into
 * shares of equal spans of time, each share again until it is small: O(n) where times are spread, and within reach of
 * the processor's caches. Ten million would take a comparing sort several seconds.
 */
export function orderByTime(order: TimeOrder): TimeOrder {
  const sorter = new TimeSorter(order)
  sorter.sort(0, order.items.length, 0)
  return order
}

class TimeSorter {
  readonly #items: Uint32Array
  readonly #times: Float64Array
  readonly #dealtItems: Uint32Array
  readonly #dealtTimes: Float64Array

  constructor({ items, times }: TimeOrder) {
    this.#items = items
    this.#times = times
    this.#dealtItems = new Uint32Array(items.length)
    this.#dealtTimes = new Float64Array(items.length)
  }

  sort(start: number, end: number, round: number): void {
    if (end - start <= FEW) this.#insert(start, end)
    else if (this.#isOrdered(start, end)) return
    else if (round < MAX_ROUNDS) this.#deal(start, end, round)
    else this.#compare(start, end)
  }

  #deal(start: number, end: number, round: number): void {
    const items = this.#items
    const times = this.#times
    let lowest = times[start]!
    let highest = lowest
    for (let at = start + 1; at < end; at++) {
      const time = times[at]!
      if (time < lowest) lowest = time
      else if (time > highest) highest = time
    }
    const shares = Math.min(MAX_SHARES, Math.ceil((end - start) / ITEMS_PER_SHARE))
    // The highest time would be in a share of its own behind the last.
    const scale = (shares * (1 - Number.EPSILON)) / (highest - lowest)
    const ends = new Uint32Array(shares + 1)
    for (let at = start; at < end; at++) ends[((times[at]! - lowest) * scale) >>> 0]!++
    for (let share = 0, next = start; share <= shares; share++) {
      const size = ends[share]!
      ends[share] = next
      next += size
    }
    for (let at = start; at < end; at++) {
      const time = times[at]!
      const place = ends[((time - lowest) * scale) >>> 0]!++
      this.#dealtItems[place] = items[at]!
      this.#dealtTimes[place] = time
    }
    items.set(this.#dealtItems.subarray(start, end), start)
    times.set(this.#dealtTimes.subarray(start, end), start)
    for (let share = 0, next = start; share <= shares; share++) {
      const last = ends[share]!
      if (last - next > 1) this.sort(next, last, round + 1)
      next = last
    }
  }

  #insert(start: number, end: number): void {
    const items = this.#items
    const times = this.#times
    for (let next = start + 1; next < end; next++) {
      const time = times[next]!
      const item = items[next]!
      let at = next
      for (; at > start && times[at - 1]! > time; at--) {
        times[at] = times[at - 1]!
        items[at] = items[at - 1]!
      }
      times[at] = time
      items[at] = item
    }
  }

  #isOrdered(start: number, end: number): boolean {
    const times = this.#times
    for (let at = start + 1; at < end; at++) if (times[at - 1]! > times[at]!) return false
    return true
  }

  #compare(start: number, end: number): void {
    const times = this.#times.slice(start, end)
    const items = this.#items.slice(start, end)
    const order = Uint32Array.from(times, (_, at) => at).sort((a, b) => times[a]! - times[b]! || a - b)
    for (const [at, from] of order.entries()) {
      this.#times[start + at] = times[from]!
      this.#items[start + at] = items[from]!
    }
  }
}
