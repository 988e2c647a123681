/**
 * Which pages must be refreshed now so that no page ever gets older than a limit. Plans are made one cycle apart, each
 * with the same budget, and a page has a deadline: how many plans after this one there are until the last that comes in
 * time.
 *
 * Waiting until a deadline is there is too late where many come together. So later plans are filled first, from the
 * last one backwards, with as much as they can take; what does not fit into any of them must be refreshed now. Among
 * hosts, of which a plan may have only so many pages, the one with the most pages left has its turn first: it needs the
 * most plans.
 *
 * Where all pages cost the same, fewer cannot be due now. Where they do not, a plan may be left with a little that
 * nothing fits into.
 */

export interface DueLimits {
  /** What one plan may cost. */
  readonly budget: number
  /** How many pages of one host a plan may have; no limit unless told. */
  readonly perHost?: number | undefined
}

interface Limits {
  readonly budget: number
  readonly perHost: number
}

export interface DuePage {
  /** By which it is named in the answer. */
  readonly page: number
  /** 0: this plan is the last one in time. Pages that are late already have 0. */
  readonly plansLeft: number
  /** Of pages with the same deadline those of more worth come first. */
  readonly worth: number
  /** What a refresh costs, above 0. */
  readonly cost: number
  /** Only read with a limit per host. */
  readonly host: string
}

export interface DuePlan {
  /** Pages to refresh now, earliest deadline first: more than the limits allow if these are too small. */
  readonly pages: readonly number[]
  /**
   * Undefined if the limits allow all deadlines to be met; else the smallest limits that would, each beside the larger
   * one of the other.
   */
  readonly needed: Limits | undefined
}

/** `pages`: all of them, in any order. */
export function dueNow(pages: readonly DuePage[], { budget, perHost = Number.POSITIVE_INFINITY }: DueLimits): DuePlan {
  const order = [...pages].sort((a, b) => a.plansLeft - b.plansLeft || b.worth - a.worth || a.page - b.page)
  const limits = { budget, perHost }
  const due = withoutLater(order, limits)
  return { pages: due.map(({ page }) => page), needed: isWithin(due, limits) ? undefined : neededLimits(order, limits) }
}

function isWithin(due: readonly DuePage[], { budget, perHost }: Limits): boolean {
  const ofHost = new Map<string, number>()
  let cost = 0
  for (const page of due) {
    cost += page.cost
    const count = (ofHost.get(page.host) ?? 0) + 1
    if (count > perHost) return false
    ofHost.set(page.host, count)
  }
  return cost <= budget * ROUNDING
}

interface Host {
  /** Pages whose deadline is not before the plan that is being filled, latest deadline first. */
  readonly released: DuePage[]
  /** How many of them are in a plan. */
  planned: number
  /** Pages that are in no plan, released or not. */
  left: number
}

/** The pages that no later plan has room for. REQUIRES: earliest deadline first. */
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
  for (let plan = order.at(-1)?.plansLeft ?? 0; plan > 0; plan--) {
    for (; next >= 0 && order[next]!.plansLeft >= plan; next--) hostOf(order[next]!).released.push(order[next]!)
    for (const page of fillPlan([...hosts.values()], budget, perHost)) later.add(page)
  }
  return order.filter((page) => !later.has(page))
}

/** Takes pages in turns, always of the host that has the most left. */
function* fillPlan(hosts: readonly Host[], budget: number, perHost: number): Generator<DuePage> {
  const byLeft: Host[][] = []
  const put = (host: Host) => {
    if (host.planned === host.released.length) return
    const level = byLeft[host.left]
    if (level === undefined) byLeft[host.left] = [host]
    else level.push(host)
  }
  const took = new Map<Host, number>()
  for (const host of hosts) put(host)
  let money = budget
  for (let left = byLeft.length - 1; left > 0; left--) {
    for (let host = byLeft[left]?.pop(); host !== undefined; host = byLeft[left]?.pop()) {
      const page = host.released[host.planned]!
      const taken = took.get(host) ?? 0
      if (page.cost > money * ROUNDING || taken >= perHost) continue
      money = Math.max(0, money - page.cost)
      took.set(host, taken + 1)
      host.planned++
      host.left--
      put(host)
      yield page
    }
  }
}

/** Each limit as small as the other, with what is enough of it, allows. */
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

/** The smallest integer for which it holds, if it holds for all larger ones. */
function smallest(low: number, high: number, holds: (tried: number) => boolean): number {
  let [first, last] = [low, high]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (holds(middle)) last = middle
    else first = middle + 1
  }
  return first
}

/** To which part of the cost of all pages a needed budget is told, where pages differ. */
const STEPS = 1000
/** Sums of costs differ in their last bits. */
const ROUNDING = 1 + 1e-9
