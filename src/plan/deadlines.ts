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

export interface DuePage {
  /** The number by which the answer names the page. */
  readonly page: number
  /** 0: this cycle is the last one in time. Pages that are late already have 0. */
  readonly cyclesLeft: number
  /** Of pages with the same deadline, those of more worth come first. */
  readonly worth: number
  /** What a refresh costs, above 0. */
  readonly cost: number
  /** Only read with a limit per host. */
  readonly host: string
}

export interface DuePages {
  /** Pages to refresh now, earliest deadline first: more than the limits allow if these are too small. */
  readonly pages: readonly number[]
  /**
   * Undefined if the limits allow all deadlines to be met. Otherwise the smallest value of each limit, given a
   * sufficient value of the other.
   */
  readonly needed: Limits | undefined
}

/** `pages` may come in any order. */
export function dueNow(pages: readonly DuePage[], limits: DueLimits): DuePages {
  return finish(findingDue(pages, limits))
}

/** Pages between two steps. */
const PORTION = 64

/** The same in steps. It takes time for each page and each host, whatever the number of cycles. */
export function* findingDue(
  pages: readonly DuePage[],
  { budget, perHost = Number.POSITIVE_INFINITY }: DueLimits,
): Steps<DuePages> {
  const order = yield* sorting(pages, (a, b) => a.cyclesLeft - b.cyclesLeft || b.worth - a.worth || a.page - b.page)
  const limits = { budget, perHost }
  const due = yield* withoutLater(order, limits)
  const needed = (yield* fitting(due, limits)) ? undefined : yield* neededLimits(order, limits)
  const pagesDue: number[] = []
  for (const [at, { page }] of due.entries()) {
    if (at % PORTION === 0) yield
    pagesDue.push(page)
  }
  return { pages: pagesDue, needed }
}

/** Sums of costs differ in their last bits. */
const ROUNDING = 1 + 1e-9

/** Whether the limits allow all of the pages. */
function* fitting(due: readonly DuePage[], { budget, perHost }: Limits): Steps<boolean> {
  const hosts = new HostLimit(perHost)
  let cost = 0
  for (const [at, page] of due.entries()) {
    if (at % PORTION === 0) yield
    cost += page.cost
    if (!hosts.take(() => page.host)) return false
  }
  return cost <= budget * ROUNDING
}

interface Host {
  /** Pages whose deadline is not before the cycle that is being filled, latest deadline first. */
  readonly released: DuePage[]
  /** How many of the released pages have a cycle. */
  planned: number
  /** Pages without a cycle, released or not. */
  left: number
  /** It has a released page without a cycle. */
  isWaiting: boolean
}

/** The pages that no later cycle has room for. REQUIRES: earliest deadline first. */
function* withoutLater(order: readonly DuePage[], { budget, perHost }: Limits): Steps<DuePage[]> {
  const isLimited = perHost !== Number.POSITIVE_INFINITY
  const hosts = new Map<string, Host>()
  const hostOf = (page: DuePage) => {
    const name = isLimited ? page.host : ''
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host: Host = { released: [], planned: 0, left: 0, isWaiting: false }
    hosts.set(name, host)
    return host
  }
  let leastCost = Number.POSITIVE_INFINITY
  for (const [at, page] of order.entries()) {
    hostOf(page).left++
    leastCost = Math.min(leastCost, page.cost)
    if (at % PORTION === 0) yield
  }
  const later = new Set<DuePage>()
  const waiting = new MostLeftFirst()
  let next = order.length - 1
  const nextRelease = () => order[next]?.cyclesLeft ?? 0
  for (let cycle = nextRelease(); cycle > 0; ) {
    for (; next >= 0 && order[next]!.cyclesLeft >= cycle; next--) {
      const host = hostOf(order[next]!)
      host.released.push(order[next]!)
      if (!host.isWaiting) waiting.push(host)
      host.isWaiting = true
      if (next % PORTION === 0) yield
    }
    const before = later.size
    const passed: Host[] = []
    const remaining = new RemainingBudget(budget, perHost)
    while (waiting.size > 0 && remaining.hasRoomFor(leastCost)) {
      const host = waiting.pop()
      const page = host.released[host.planned]!
      if (!remaining.take(page.cost, () => page.host)) {
        passed.push(host)
        continue
      }
      later.add(page)
      host.planned++
      host.left--
      host.isWaiting = host.planned < host.released.length
      if (host.isWaiting) waiting.push(host)
      if (later.size % PORTION === 0) yield
    }
    for (const host of passed) waiting.push(host)
    yield
    // Where nothing could be taken, nothing can be before other pages are released.
    cycle = later.size > before ? cycle - 1 : Math.min(cycle - 1, nextRelease())
  }
  const due: DuePage[] = []
  for (const [at, page] of order.entries()) {
    if (!later.has(page)) due.push(page)
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
function* neededLimits(order: readonly DuePage[], limits: Limits): Steps<Limits> {
  const isEnough = function* (tried: Limits): Steps<boolean> {
    return yield* fitting(yield* withoutLater(order, tried), tried)
  }
  let all = 0
  let isUniform = true
  for (const [at, { cost }] of order.entries()) {
    if (at % PORTION === 0) yield
    all += cost
    isUniform &&= cost === order[0]!.cost
  }
  const perHost =
    limits.perHost === Number.POSITIVE_INFINITY
      ? limits.perHost
      : yield* smallest(1, order.length, (tried) => isEnough({ budget: all, perHost: tried }))
  const unit = isUniform ? order[0]!.cost : all / STEPS
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
