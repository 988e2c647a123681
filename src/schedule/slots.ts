/** The slots of a period: when crawls can begin, and on which crawler. */
import { numberOption, positive } from '../base/checks.js'

/** When crawls can begin, ascending, and on which crawler. */
export interface Slots {
  readonly times: Float64Array
  readonly crawlers: Uint32Array
}

const MAX_SLOTS = 2 ** 31 - 1

/**
 * The slots of a period: crawler k makes capacities[k] crawls that take equally long, and begins its l-th at (l - 1) T
 * / capacity. ("Optimal crawling strategies", section 3, prints (l - 1) / T.)
 */
export function crawlerSlots(capacities: readonly number[], period: number): Slots {
  positive('period', period)
  for (const [crawler, capacity] of capacities.entries()) {
    numberOption(`capacities[${crawler}]`, capacity, 0, { min: 0, max: MAX_SLOTS, integer: true })
  }
  const total = capacities.reduce((sum, capacity) => sum + capacity, 0)
  numberOption('the sum of capacities', total, 0, { min: 0, max: MAX_SLOTS, integer: true })
  const times = new Float64Array(total)
  const crawlers = new Uint32Array(total)
  const queue = new KindQueue(capacities, period)
  for (let slot = 0; slot < total; queue.advance()) {
    const { time } = queue
    for (const crawler of queue.crawlers) {
      times[slot] = time
      crawlers[slot++] = crawler
    }
  }
  return { times, crawlers }
}

/** Crawlers that are equally fast. */
interface CrawlerKind {
  readonly crawlers: readonly number[]
  readonly capacity: number
  made: number
  /** When the next slots of these crawlers begin. */
  next: number
}

function isBefore(a: CrawlerKind, b: CrawlerKind): boolean {
  return a.next < b.next || (a.next === b.next && a.crawlers[0]! < b.crawlers[0]!)
}

/** Kinds of crawlers by when their next slots begin: a binary heap. */
class KindQueue {
  readonly #period: number
  readonly #kinds: CrawlerKind[]

  constructor(capacities: readonly number[], period: number) {
    this.#period = period
    const kinds = new Map<number, number[]>()
    for (const [crawler, capacity] of capacities.entries()) {
      if (capacity > 0) kinds.set(capacity, [...(kinds.get(capacity) ?? []), crawler])
    }
    // All begin at 0, so the array is a heap already.
    this.#kinds = Array.from(kinds, ([capacity, crawlers]) => ({ crawlers, capacity, made: 0, next: 0 }))
  }

  /** The crawlers whose next slots begin first. REQUIRES: there are crawlers, as in the methods below. */
  get crawlers(): readonly number[] {
    return this.#kinds[0]!.crawlers
  }

  get time(): number {
    return this.#kinds[0]!.next
  }

  advance(): void {
    const kinds = this.#kinds
    const kind = kinds[0]!
    kind.made++
    kind.next = kind.made < kind.capacity ? (kind.made * this.#period) / kind.capacity : Number.POSITIVE_INFINITY
    let at = 0
    for (let child = 1; child < kinds.length; child = 2 * at + 1) {
      if (child + 1 < kinds.length && isBefore(kinds[child + 1]!, kinds[child]!)) child++
      if (!isBefore(kinds[child]!, kind)) break
      kinds[at] = kinds[child]!
      at = child
    }
    kinds[at] = kind
  }
}
