/**
 * Which pages must be refreshed now so that no page ever gets older than a limit. Refreshes come in cycles, each with
 * the same budget. The deadline of a page is the last cycle that comes in time, counted from this one.
 *
 * Waiting for the deadline itself is too late where many deadlines fall together. So later cycles are filled first,
 * from the last one backwards, with as much as they can take; what fits into none of them is due now. A cycle may have
 * only so many pages of one host. The host with the most pages left has its turn first, since it needs the most cycles.
 *
 * Where all pages cost the same, no other way makes fewer pages due now. Where they do not, a cycle may be left with a
 * little budget into which no page fits.
 */
import { HostLimit } from '../base/hosts.js'
import { finish, type Steps } from '../base/turns.js'
import { sorting } from '../math/sorting.js'
import { RemainingBudget } from './budget.js'

export interface DueLimits {
  /** What one cycle may cost. */
  readonly budget: number
  /** How many pages of one host a cycle may have; no limit unless given. */
  readonly perHost?: number | undefined
}

interface Limits {
  readonly budget: number
  readonly perHost: number
}

/** Columns and no objects, which would take long to collect: there may be millions of pages. A page is its place. */
export interface DatedPages {
  /** 0: this cycle is the last one in time. Pages that are late already have 0. */
  readonly cyclesLeft: Float64Array
  /** Of pages with the same deadline, those of more worth come first. */
  readonly worths: Float64Array
  /** What a refresh costs, above 0. */
  readonly costs: Float64Array
  /** The number of the host of each. Only read with a limit per host. */
  readonly hosts: Uint32Array
}

export interface DuePages {
  /** Pages to refresh now, earliest deadline first: more than the limits allow if these are too small. */
  readonly pages: Uint32Array
  /**
   * Undefined if the limits allow all deadlines to be met. Otherwise the smallest value of each limit, given a
   * sufficient value of the other.
   */
  readonly needed: Limits | undefined
}

/** `pages` may come in any order. */
export function dueNow(pages: DatedPages, limits: DueLimits): DuePages {
  return finish(findingDue(pages, limits))
}

/** Pages between two steps. */
const PORTION = 64

/** The same in steps. It takes time for each page and each host, whatever the number of cycles. */
export function* findingDue(
  pages: DatedPages,
  { budget, perHost = Number.POSITIVE_INFINITY }: DueLimits,
): Steps<DuePages> {
  const limits = { budget, perHost }
  const queues = yield* queuing(pages, yield* inOrder(pages), perHost !== Number.POSITIVE_INFINITY)
  const due = yield* withoutLater(queues, limits)
  const needed = (yield* fitting(queues, due, limits)) ? undefined : yield* neededLimits(queues, limits)
  return { pages: due.map((place) => queues.order[place]!), needed }
}

/** Earliest deadline first. */
function* inOrder({ cyclesLeft, worths }: DatedPages): Steps<Uint32Array> {
  const pages: number[] = []
  for (let page = 0; page < cyclesLeft.length; page++) {
    if (page % PORTION === 0) yield
    pages.push(page)
  }
  const isBefore = (a: number, b: number) => cyclesLeft[a]! - cyclesLeft[b]! || worths[b]! - worths[a]! || a - b
  // Not from(), which takes them one by one.
  return new Uint32Array(yield* sorting(pages, isBefore))
}

/** Sums of costs differ in their last bits. */
const ROUNDING = 1 + 1e-9

/** Whether the limits allow all of the pages, which are named by their places. */
function* fitting({ pages, order }: Queues, due: Uint32Array, { budget, perHost }: Limits): Steps<boolean> {
  const hosts = new HostLimit(perHost)
  let cost = 0
  for (let nth = 0; nth < due.length; nth++) {
    if (nth % PORTION === 0) yield
    const page = order[due[nth]!]!
    cost += pages.costs[page]!
    if (!hosts.take(() => pages.hosts[page]!)) return false
  }
  return cost <= budget * ROUNDING
}

/** The pages of each host in a row. */
interface Queues {
  readonly pages: DatedPages
  /** Earliest deadline first. */
  readonly order: Uint32Array
  /** By place in the order: the host. All pages are of one where hosts are not limited. */
  readonly hostOf: Uint32Array
  /** By place in the order: the place of the page of the same host that comes before it; -1: none. */
  readonly before: Int32Array
  /** By host: the place of its last page. */
  readonly last: readonly number[]
  /** By host: its pages. */
  readonly counts: readonly number[]
  readonly leastCost: number
}

function* queuing(pages: DatedPages, order: Uint32Array, isLimited: boolean): Steps<Queues> {
  const hostOf = new Uint32Array(order.length)
  const before = new Int32Array(order.length)
  const known = new Map<number, number>()
  const last: number[] = []
  const counts: number[] = []
  let leastCost = Number.POSITIVE_INFINITY
  for (let at = 0; at < order.length; at++) {
    if (at % PORTION === 0) yield
    const page = order[at]!
    const number = isLimited ? pages.hosts[page]! : 0
    const host = known.get(number) ?? known.size
    if (host === known.size) known.set(number, host)
    hostOf[at] = host
    before[at] = last[host] ?? -1
    last[host] = at
    counts[host] = (counts[host] ?? 0) + 1
    leastCost = Math.min(leastCost, pages.costs[page]!)
  }
  return { pages, order, hostOf, before, last, counts, leastCost }
}

interface Host {
  /** The place of the page without a cycle whose deadline is the latest; -1: none. */
  next: number
  /** Pages without a cycle, released or not. */
  left: number
  /** It has a released page without a cycle. */
  isWaiting: boolean
}

/** The places of the pages that no later cycle has room for. */
function* withoutLater(queues: Queues, { budget, perHost }: Limits): Steps<Uint32Array> {
  const { pages, order, hostOf, before, leastCost } = queues
  const { cyclesLeft, costs, hosts: hostNumbers } = pages
  const hosts: Host[] = []
  for (const [host, left] of queues.counts.entries()) {
    hosts.push({ next: queues.last[host]!, left, isWaiting: false })
    if (host % PORTION === 0) yield
  }
  const isLater = new Uint8Array(order.length)
  let later = 0
  const waiting = new MostLeftFirst()
  // A page is released when the cycle that is being filled is not after its deadline: all from here on are.
  let released = order.length
  const nextRelease = () => (released > 0 ? cyclesLeft[order[released - 1]!]! : 0)
  for (let cycle = nextRelease(); cycle > 0; ) {
    while (released > 0 && cyclesLeft[order[released - 1]!]! >= cycle) {
      released--
      const host = hosts[hostOf[released]!]!
      if (!host.isWaiting) waiting.push(host)
      host.isWaiting = true
      if (released % PORTION === 0) yield
    }
    const laterBefore = later
    const passed: Host[] = []
    const remaining = new RemainingBudget(budget, perHost)
    while (waiting.size > 0 && remaining.hasRoomFor(leastCost)) {
      const host = waiting.pop()
      const page = order[host.next]!
      if (!remaining.take(costs[page]!, () => hostNumbers[page]!)) {
        passed.push(host)
        continue
      }
      isLater[host.next] = 1
      later++
      host.next = before[host.next]!
      host.left--
      host.isWaiting = host.next >= released
      if (host.isWaiting) waiting.push(host)
      if (later % PORTION === 0) yield
    }
    for (const host of passed) waiting.push(host)
    yield
    // Where nothing could be taken, nothing can be before other pages are released.
    cycle = later > laterBefore ? cycle - 1 : Math.min(cycle - 1, nextRelease())
  }
  const due = new Uint32Array(order.length - later)
  for (let at = 0, nth = 0; at < order.length; at++) {
    if (isLater[at] === 0) due[nth++] = at
    if (at % PORTION === 0) yield
  }
  return due
}

/** A heap of hosts with the one that has the most pages left on top. A host changes only while it is not inside. */
class MostLeftFirst {
  readonly #hosts: Host[] = []

  get size(): number {
    return this.#hosts.length
  }

  push(host: Host): void {
    const hosts = this.#hosts
    let at = hosts.length
    for (let above = (at - 1) >> 1; at > 0 && hosts[above]!.left < host.left; above = (at - 1) >> 1) {
      hosts[at] = hosts[above]!
      at = above
    }
    hosts[at] = host
  }

  /** REQUIRES: not empty. */
  pop(): Host {
    const hosts = this.#hosts
    const top = hosts[0]!
    const last = hosts.pop()!
    if (hosts.length === 0) return top
    let at = 0
    for (let child = 1; child < hosts.length; child = 2 * at + 1) {
      if (child + 1 < hosts.length && hosts[child + 1]!.left > hosts[child]!.left) child++
      if (hosts[child]!.left <= last.left) break
      hosts[at] = hosts[child]!
      at = child
    }
    hosts[at] = last
    return top
  }
}

/** A needed budget is found to this fraction of the cost of all pages, where pages differ in cost. */
const STEPS = 1000

/** The smallest value of each limit, given a sufficient value of the other. */
function* neededLimits(queues: Queues, limits: Limits): Steps<Limits> {
  const { costs } = queues.pages
  const isEnough = function* (tried: Limits): Steps<boolean> {
    return yield* fitting(queues, yield* withoutLater(queues, tried), tried)
  }
  let all = 0
  let isUniform = true
  for (let page = 0; page < costs.length; page++) {
    if (page % PORTION === 0) yield
    all += costs[page]!
    isUniform &&= costs[page] === costs[0]
  }
  const perHost =
    limits.perHost === Number.POSITIVE_INFINITY
      ? limits.perHost
      : yield* smallest(1, costs.length, (tried) => isEnough({ budget: all, perHost: tried }))
  const unit = isUniform ? costs[0]! : all / STEPS
  const steps = yield* smallest(1, Math.ceil(all / unit), (tried) => isEnough({ budget: tried * unit, perHost }))
  return { budget: steps * unit, perHost }
}

/** The smallest integer from `low` to `high` for which it holds. REQUIRES: it then holds for all larger ones. */
function* smallest(low: number, high: number, holds: (tried: number) => Steps<boolean>): Steps<number> {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (yield* holds(middle)) last = middle
    else first = middle + 1
  }
  return first
}
