/** What a budget buys: what is left of it, and whether a page is better fetched or probed first. */
import { HostLimit } from '../base/hosts.js'

/** Ten times 0.1 must fit into 1. */
const ROUNDING = 1 + 1e-9

/**
 * What is left of a budget, and of the limits of hosts. A caller that offers pages in falling order of worth per cost
 * buys the most worth: exactly if all pages cost the same (the hosts are then a partition matroid), otherwise up to
 * what is left over at the end.
 */
export class RemainingBudget {
  readonly #hosts: HostLimit
  #left: number

  /** `perHost`: the most pages of one host. */
  constructor(budget: number, perHost: number = Number.POSITIVE_INFINITY) {
    this.#left = budget
    this.#hosts = new HostLimit(perHost)
  }

  get left(): number {
    return this.#left
  }

  /** Whether an action of the least cost could still be paid for. */
  hasRoomFor(leastCost: number): boolean {
    return this.#left > 0 && this.#left * ROUNDING >= leastCost
  }

  /**
   * Spends the cost of a page if it fits and the host of the page has not reached its limit; returns whether it did.
   * `host` is called only where hosts are limited.
   */
  take(cost: number, host: () => string | number): boolean {
    if (cost > this.#left * ROUNDING || !this.#hosts.take(host)) return false
    this.#left = Math.max(0, this.#left - cost)
    return true
  }
}

/** Costs of the actions on one page, in any unit, all above 0. */
export interface ActionPrices {
  readonly fetch: number
  /** Undefined: the page cannot be probed. */
  readonly probe?: number | undefined
}

export interface PageAction {
  readonly kind: 'fetch' | 'probe'
  /** The expected cost. That of a probe includes the fetch that may follow. */
  readonly cost: number
}

/**
 * The cheaper way to bring a page up to date: to fetch it, or to probe first whether it has changed (HEAD, a
 * conditional GET) and to fetch it only then. Both leave the same copy, so they compare by their expected costs. Equal
 * costs mean a fetch.
 *
 * `precision`, above 0: the share of the pages reported as changed by a probe that have changed. An ETag that is new
 * with every deployment makes probes useless.
 */
export function bestAction(changeChance: number, { fetch, probe }: ActionPrices, precision = 1): PageAction {
  if (probe === undefined) return { kind: 'fetch', cost: fetch }
  const cost = probe + Math.min(1, changeChance / precision) * fetch
  return cost < fetch ? { kind: 'probe', cost } : { kind: 'fetch', cost: fetch }
}
