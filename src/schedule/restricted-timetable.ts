/** Timetables of crawls with windows, forbidden or fixed slots, or with more slots than crawls. */
import { numberOption } from '../base/checks.js'
import { describe } from '../base/describe.js'
import { FreshdexError } from '../base/errors.js'
import { firstSlotFrom, SlotNetwork } from './slot-network.js'
import type { Slots } from './slots.js'
import { type CrawlTimes, checkTimes, orderByTime } from './timetable.js'

/** Crawls and slots are named by their index. */
export interface Restrictions {
  /** A crawl is made in a slot that begins in [from, until]. */
  readonly windows?: ReadonlyMap<number, { readonly from: number; readonly until: number }>
  /** Slots in which a crawl is not made. */
  readonly forbidden?: ReadonlyMap<number, ReadonlySet<number>>
  /** The slot in which a crawl is made. */
  readonly fixed?: ReadonlyMap<number, number>
}

/**
 * The most crawls times arcs of the network, for which the search takes some seconds. Arcs are pairs of a restricted
 * crawl and a slot that it may have, and a few for each other crawl and slot. Allows about 12,000 crawls, or 2,700 of
 * which half have windows of a twentieth of the period.
 */
const MAX_STEPS = 1e9
const ARCS_PER_CRAWL_AND_SLOT = 7

/**
 * Which crawl each slot makes, or NO_CRAWL, where crawls have windows, forbidden or fixed slots, or where there are
 * more slots than crawls: then it is a flow of least cost from crawls to slots ("Optimal crawling strategies", section
 * 3). Exact. INFEASIBLE when some crawl can have no slot.
 */
export function makeRestrictedTimetable(crawls: CrawlTimes, slots: Slots, restrictions: Restrictions): Uint32Array {
  checkTimes(crawls.times)
  checkRestrictions(crawls, slots, restrictions)
  if (crawls.times.length > slots.times.length) {
    throw infeasible(`${crawls.times.length} crawls are to be made, and there are ${slots.times.length} slots`, {
      crawls: crawls.times.length,
      slots: slots.times.length,
    })
  }
  const network = new SlotNetwork(crawls, slots, allowedSlots(crawls, slots, restrictions))
  const order = orderByTime({
    items: Uint32Array.from(crawls.times, (_, crawl) => crawl),
    times: crawls.times.slice(),
  })
  for (const crawl of order.items) {
    if (network.send(crawl)) continue
    const time = crawls.times[crawl]!
    throw infeasible(`crawl ${crawl}, ideally at ${time}, can have no slot beside those before it`, { crawl, time })
  }
  return network.made()
}

/** The allowed slots of each crawl that may not have every slot (or, if it must not be early, every later one). */
function allowedSlots(
  { times, neverEarly }: CrawlTimes,
  slots: Slots,
  restrictions: Restrictions,
): Map<number, number[]> {
  const { windows, forbidden, fixed } = restrictions
  const allowed = new Map<number, number[]>()
  let arcs = ARCS_PER_CRAWL_AND_SLOT * slots.times.length
  checkSize(times.length, arcs)
  for (const crawl of new Set([...(windows?.keys() ?? []), ...(forbidden?.keys() ?? []), ...(fixed?.keys() ?? [])])) {
    const { from = 0, until = Number.POSITIVE_INFINITY } = windows?.get(crawl) ?? {}
    const earliest = neverEarly[crawl] === 1 ? Math.max(from, times[crawl]!) : from
    const onlySlot = fixed?.get(crawl)
    const first = onlySlot ?? firstSlotFrom(slots.times, earliest)
    const end = onlySlot === undefined ? slots.times.length : onlySlot + 1
    const possible: number[] = []
    for (let slot = first; slot < end && slots.times[slot]! <= until; slot++) {
      if (slots.times[slot]! >= earliest && forbidden?.get(crawl)?.has(slot) !== true) possible.push(slot)
    }
    allowed.set(crawl, possible)
    arcs += possible.length
    checkSize(times.length, arcs)
  }
  return allowed
}

function checkRestrictions(crawls: CrawlTimes, slots: Slots, { windows, forbidden, fixed }: Restrictions): void {
  const checkIndex = (name: string, index: number, count: number) =>
    numberOption(name, index, 0, { min: 0, max: count - 1, integer: true })
  for (const [crawl, { from, until }] of windows ?? []) {
    checkIndex('a crawl with a window', crawl, crawls.times.length)
    if (from <= until) continue
    throw new RangeError(
      `the window of crawl ${crawl} must begin before it ends, received ${describe(from)} to ${describe(until)}`,
    )
  }
  for (const [crawl, without] of forbidden ?? []) {
    checkIndex('a crawl with forbidden slots', crawl, crawls.times.length)
    for (const slot of without) checkIndex('a forbidden slot', slot, slots.times.length)
  }
  for (const [crawl, slot] of fixed ?? []) {
    checkIndex('a crawl with a fixed slot', crawl, crawls.times.length)
    checkIndex('a fixed slot', slot, slots.times.length)
  }
}

function checkSize(crawls: number, arcs: number): void {
  if (crawls * arcs <= MAX_STEPS) return
  throw new FreshdexError(
    'NOT_SUPPORTED',
    `a timetable with windows, forbidden, fixed or idle slots is too large with ${crawls} crawls ` +
      `and at least ${arcs} pairs of a crawl and a slot: their product may be ${MAX_STEPS}; ` +
      'take a shorter period, fewer crawls or narrower windows',
    { detail: { crawls, pairs: arcs, maxProduct: MAX_STEPS } },
  )
}

function infeasible(message: string, detail: Readonly<Record<string, number>>): FreshdexError {
  return new FreshdexError('INFEASIBLE', message, { detail })
}
