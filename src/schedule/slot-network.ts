/** Crawls and slots as a network in which the cheapest flow is the best timetable. */
import { MinCostFlow } from './min-cost-flow.js'
import type { Slots } from './slots.js'
import type { CrawlTimes } from './timetable.js'

/** Stands for a slot that makes no crawl. */
export const NO_CRAWL = 2 ** 32 - 1

const NO_ARC = -1

/**
 * Crawls, slots and what each slot costs each crawl, as a network. A crawl with a list of slots has an arc to each of
 * them. All others share two chains through the slots, one forwards in time and one backwards, each step costing the
 * time between two slots: a few arcs for each instead of one to every slot.
 */
export class SlotNetwork {
  readonly #flow: MinCostFlow
  readonly #slots: number
  readonly #crawls: number
  /** By slot: the arcs by which it is reached from the chains. */
  readonly #fromForward: Int32Array
  readonly #fromBackward: Int32Array
  /** By crawl: the arcs into the chains, and the slots where they lead to; NO_ARC for none. */
  readonly #intoForward: Int32Array
  readonly #intoBackward: Int32Array
  readonly #nextSlots: Uint32Array
  readonly #direct: { readonly crawl: number; readonly slot: number; readonly arc: number }[] = []

  /** `allowed`: the slots of crawls that may not have every slot (or, if they must not be early, every later one). */
  constructor(crawls: CrawlTimes, { times }: Slots, allowed: ReadonlyMap<number, readonly number[]>) {
    this.#slots = times.length
    this.#crawls = crawls.times.length
    this.#fromForward = new Int32Array(times.length)
    this.#fromBackward = new Int32Array(times.length)
    this.#intoForward = new Int32Array(this.#crawls).fill(NO_ARC)
    this.#intoBackward = new Int32Array(this.#crawls).fill(NO_ARC)
    this.#nextSlots = new Uint32Array(this.#crawls)
    let arcs = 5 * times.length + 2 * this.#crawls
    for (const possible of allowed.values()) arcs += possible.length
    this.#flow = new MinCostFlow({ nodes: 1 + 3 * times.length + this.#crawls, arcs, sink: 0 })
    const ticksOf = tickScale(crawls.times, times)
    const slotTicks = times.map(ticksOf)
    this.#addSlots(slotTicks)
    for (let crawl = 0; crawl < this.#crawls; crawl++) {
      const time = crawls.times[crawl]!
      const possible = allowed.get(crawl)
      this.#nextSlots[crawl] = firstSlotFrom(times, time)
      if (possible !== undefined) this.#addDirect(crawl, ticksOf(time), possible, slotTicks)
      else this.#addToChains(crawl, ticksOf(time), crawls.neverEarly[crawl] === 0, slotTicks)
    }
  }

  /** Finds a slot for one more crawl, moving others if that is cheapest; false when there is none. */
  send(crawl: number): boolean {
    return this.#flow.send(this.#crawlNode(crawl))
  }

  /** The crawl of each slot, or NO_CRAWL. */
  made(): Uint32Array {
    const made = new Uint32Array(this.#slots).fill(NO_CRAWL)
    for (const { crawl, slot, arc } of this.#direct) if (this.#flow.flow(arc) === 1) made[slot] = crawl
    // All units in a chain are alike, so they leave it in the order in which they entered.
    const forward = this.#entrants(this.#intoForward).sort((a, b) => this.#nextSlots[a]! - this.#nextSlots[b]! || a - b)
    let at = 0
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#flow.flow(this.#fromForward[slot]!) === 1) made[slot] = forward[at++]!
    }
    const backward = this.#entrants(this.#intoBackward).sort(
      (a, b) => this.#nextSlots[b]! - this.#nextSlots[a]! || a - b,
    )
    at = 0
    for (let slot = this.#slots - 1; slot >= 0; slot--) {
      if (this.#flow.flow(this.#fromBackward[slot]!) === 1) made[slot] = backward[at++]!
    }
    return made
  }

  #entrants(into: Int32Array): number[] {
    const crawls: number[] = []
    for (let crawl = 0; crawl < this.#crawls; crawl++) {
      if (into[crawl] !== NO_ARC && this.#flow.flow(into[crawl]!) === 1) crawls.push(crawl)
    }
    return crawls
  }

  #addSlots(ticks: Float64Array): void {
    for (let slot = 0; slot < ticks.length; slot++) {
      this.#flow.addArc(this.#slotNode(slot), 0, 1, 0)
      this.#fromForward[slot] = this.#flow.addArc(this.#forwardNode(slot), this.#slotNode(slot), 1, 0)
      this.#fromBackward[slot] = this.#flow.addArc(this.#backwardNode(slot), this.#slotNode(slot), 1, 0)
      if (slot === 0) continue
      const gap = ticks[slot]! - ticks[slot - 1]!
      this.#flow.addArc(this.#forwardNode(slot - 1), this.#forwardNode(slot), ticks.length, gap)
      this.#flow.addArc(this.#backwardNode(slot), this.#backwardNode(slot - 1), ticks.length, gap)
    }
  }

  #addDirect(crawl: number, tick: number, possible: readonly number[], slotTicks: Float64Array): void {
    for (const slot of possible) {
      const cost = Math.abs(slotTicks[slot]! - tick)
      const arc = this.#flow.addArc(this.#crawlNode(crawl), this.#slotNode(slot), 1, cost)
      this.#direct.push({ crawl, slot, arc })
    }
  }

  #addToChains(crawl: number, tick: number, mayBeEarly: boolean, slotTicks: Float64Array): void {
    const next = this.#nextSlots[crawl]!
    const node = this.#crawlNode(crawl)
    if (next < this.#slots) {
      this.#intoForward[crawl] = this.#flow.addArc(node, this.#forwardNode(next), 1, slotTicks[next]! - tick)
    }
    if (mayBeEarly && next > 0) {
      this.#intoBackward[crawl] = this.#flow.addArc(node, this.#backwardNode(next - 1), 1, tick - slotTicks[next - 1]!)
    }
  }

  // Nodes: the sink, then for each slot itself and its places in the chains, then the crawls.
  #slotNode(slot: number): number {
    return 1 + slot
  }

  #forwardNode(slot: number): number {
    return 1 + this.#slots + slot
  }

  #backwardNode(slot: number): number {
    return 1 + 2 * this.#slots + slot
  }

  #crawlNode(crawl: number): number {
    return 1 + 3 * this.#slots + crawl
  }
}

/**
 * Times as whole numbers up to 2^40, whose sums and differences are exact, so that paths of equal cost compare as
 * equal. The precision lost is less than a millisecond in thirty years.
 */
function tickScale(...columns: readonly Float64Array[]): (time: number) => number {
  const highest = columns.reduce((sofar, times) => times.reduce((most, time) => Math.max(most, time), sofar), 0)
  const scale = highest > 0 ? 2 ** 40 / highest : 0
  return (time) => Math.round(time * scale)
}

/** The first slot that does not begin before a time; the number of slots when all do. */
export function firstSlotFrom(times: Float64Array, time: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  return low
}
