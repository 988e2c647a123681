/**
 * The cheapest assignment of rows to columns by the Hungarian method, and the timetable problem as such a table of
 * costs.
 */
import type { Restrictions } from '../../src/schedule/restricted-timetable.js'
import type { Slots } from '../../src/schedule/slots.js'
import type { CrawlTimes } from '../../src/schedule/timetable.js'

/** More than any timetable of a test costs. */
const IMPOSSIBLE = 1e6

/** The least cost of giving every crawl a slot of its own; undefined when there is no way. */
export function leastCost(crawls: CrawlTimes, slots: Slots, restrictions: Restrictions = {}): number | undefined {
  const size = slots.times.length
  const costs = Array.from({ length: size }, (_, crawl) =>
    Array.from({ length: size }, (_, slot) =>
      crawl < crawls.times.length ? slotCost(crawls, slots, restrictions, crawl, slot) : 0,
    ),
  )
  const cost = hungarian(costs)
  return cost >= IMPOSSIBLE / 2 ? undefined : cost
}

export function slotCost(
  { times, neverEarly }: CrawlTimes,
  slots: Slots,
  { windows, forbidden, fixed }: Restrictions,
  crawl: number,
  slot: number,
): number {
  const late = (slots.times[slot] as number) - (times[crawl] as number)
  const window = windows?.get(crawl)
  const isOutside =
    window !== undefined && (slotTime(slots, slot) < window.from || slotTime(slots, slot) > window.until)
  if (isOutside || (late < 0 && neverEarly[crawl] === 1)) return IMPOSSIBLE
  if (forbidden?.get(crawl)?.has(slot) || (fixed?.get(crawl) ?? slot) !== slot) return IMPOSSIBLE
  return Math.abs(late)
}

function slotTime(slots: Slots, slot: number): number {
  return slots.times[slot] as number
}

/** Rows one after the other, each by a shortest augmenting path over all columns. O(n^3). */
function hungarian(costs: readonly (readonly number[])[]): number {
  const size = costs.length
  const rowPrice = new Array<number>(size + 1).fill(0)
  const columnPrice = new Array<number>(size + 1).fill(0)
  // Column 0 is the row that is being placed.
  const rowOf = new Array<number>(size + 1).fill(0)
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row
    let column = 0
    const slack = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Array<number>(size + 1).fill(0)
    const isUsed = new Array<boolean>(size + 1).fill(false)
    do {
      isUsed[column] = true
      const current = rowOf[column] as number
      let step = Number.POSITIVE_INFINITY
      let nearest = 0
      for (let other = 1; other <= size; other++) {
        if (isUsed[other]) continue
        const cost = costs[current - 1]?.[other - 1] as number
        const left = cost - (rowPrice[current] as number) - (columnPrice[other] as number)
        if (left < (slack[other] as number)) {
          slack[other] = left
          from[other] = column
        }
        if ((slack[other] as number) < step) {
          step = slack[other] as number
          nearest = other
        }
      }
      for (let other = 0; other <= size; other++) {
        if (isUsed[other]) {
          rowPrice[rowOf[other] as number] = (rowPrice[rowOf[other] as number] as number) + step
          columnPrice[other] = (columnPrice[other] as number) - step
        } else slack[other] = (slack[other] as number) - step
      }
      column = nearest
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const previous = from[column] as number
      rowOf[column] = rowOf[previous] as number
      column = previous
    }
  }
  let sum = 0
  for (let column = 1; column <= size; column++) sum += costs[(rowOf[column] as number) - 1]?.[column - 1] as number
  return sum
}
