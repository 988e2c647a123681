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
export function dueNow(pages: readonly DuePage[], { budget, perHost = Number.POSITIVE_INFINITY }: DueLimits): DuePages {
  const order = [...pages].sort((a, b) => a.cyclesLeft - b.cyclesLeft || b.worth - a.worth || a.page - b.page)
  const limits = { budget, perHost }
  const due = withoutLater(order, limits)
  return { pages: due.map(({ page }) => page), needed: isWithin(due, limits) ? undefined : neededLimits(order, limits) }
}

/** Sums of costs differ in their last bits. */
const ROUNDING = 1 + 1e-9

function isWithin(due: readonly DuePage[], { budget, perHost }: Limits): boolean {
  const hosts = new HostLimit(perHost)
  let cost = 0
  for (const page of due) {
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
}

/** The pages that no later cycle has room for. REQUIRES: earliest deadline first. */
function withoutLater(order: readonly DuePage[], { budget, perHost }: Limits): DuePage[] {
  const isLimited = perHost !== Number.POSITIVE_INFINITY
  const hosts = new Map<string, Host>()
  const hostOf = (page: DuePage) => {
    const name = isLimited ? page.host : ''
    const known = hosts.get(name)
    if (known !== undefined) return known
    const host: Host = { released: [], planned: 0, left: 0 }
    hosts.set(name, host)
    return host
  }
  for (const page of order) hostOf(page).left++
  const later = new Set<DuePage>()
  let next = order.length - 1
  for (let cycle = order.at(-1)?.cyclesLeft ?? 0; cycle > 0; cycle--) {
    for (; next >= 0 && order[next]!.cyclesLeft >= cycle; next--) hostOf(order[next]!).released.push(order[next]!)
    for (const page of fillCycle([...hosts.values()], { budget, perHost })) later.add(page)
  }
  return order.filter((page) => !later.has(page))
}

/** Takes pages in turns, always one of the host that has the most left. */
function* fillCycle(hosts: readonly Host[], { budget, perHost }: Limits): Generator<DuePage> {
  const byLeft: Host[][] = []
  const put = (host: Host) => {
    if (host.planned === host.released.length) return
    const level = byLeft[host.left]
    if (level === undefined) byLeft[host.left] = [host]
    else level.push(host)
  }
  for (const host of hosts) put(host)
  const remaining = new RemainingBudget(budget, perHost)
  for (let left = byLeft.length - 1; left > 0; left--) {
    for (let host = byLeft[left]?.pop(); host !== undefined; host = byLeft[left]?.pop()) {
      const page = host.released[host.planned]!
      if (!remaining.take(page.cost, () => page.host)) continue
      host.planned++
      host.left--
      put(host)
      yield page
    }
  }
}

/** A needed budget is found to this fraction of the cost of all pages, where pages differ in cost. */
const STEPS = 1000

/** The smallest value of each limit, given a sufficient value of the other. */
function neededLimits(order: readonly DuePage[], limits: Limits): Limits {
  const isEnough = (tried: Limits) => isWithin(withoutLater(order, tried), tried)
  const all = order.reduce((sum, { cost }) => sum + cost, 0)
  const isUniform = order.every(({ cost }) => cost === order[0]!.cost)
  const perHost =
    limits.perHost === Number.POSITIVE_INFINITY
      ? limits.perHost
      : smallest(1, order.length, (tried) => isEnough({ budget: all, perHost: tried }))
  const unit = isUniform ? order[0]!.cost : all / STEPS
  const steps = smallest(1, Math.ceil(all / unit), (tried) => isEnough({ budget: tried * unit, perHost }))
  return { budget: steps * unit, perHost }
}

/** The smallest integer from `low` to `high` for which it holds. REQUIRES: it then holds for all larger ones. */
function smallest(low: number, high: number, holds: (tried: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (holds(middle)) last = middle
    else first = middle + 1
  }
  return first
}
