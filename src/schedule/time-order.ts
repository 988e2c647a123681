/** Items in the order of their times; times[n] is that of items[n]. */
export interface TimeOrder {
  readonly items: Uint32Array
  readonly times: Float64Array
}

/** A share of up to so many items is put in order by insertion. */
const FEW = 24
/** Shares of one round: no more than a processor can keep in reach. */
const MAX_SHARES = 4096
const ITEMS_PER_SHARE = 4
/** Times that are still together after so many rounds are left to a comparing sort. */
const MAX_ROUNDS = 6

/**
 * Puts items in the order of their times, equal ones as they came; both arrays are changed. Items are dealt out into shares of equal spans of time,
 * each share again until it is small: O(n) where times are spread, and within reach of the processor's caches. Ten million would take
 * a comparing sort several seconds.
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
