/**
 * A budget that is being spent, and the limits of hosts with it. Who takes offers best first, by worth per cost, buys
 * the most that the budget can: exactly if all cost the same (hosts are then a partition matroid), else up to what is
 * left at the end.
 */
export class Purse {
  readonly #perHost: number
  readonly #takenOf = new Map<string, number>()
  #left: number

  /** `perHost`: how many offers of one host. */
  constructor(budget: number, perHost: number = Number.POSITIVE_INFINITY) {
    this.#left = budget
    this.#perHost = perHost
  }

  get left(): number {
    return this.#left
  }

  /**
   * Whether it is bought: that it fits, and its host has not had its share. `host` is only asked for where hosts are
   * limited.
   */
  take(cost: number, host: () => string): boolean {
    if (cost > this.#left * ROUNDING) return false
    if (this.#perHost !== Number.POSITIVE_INFINITY) {
      const name = host()
      const taken = this.#takenOf.get(name) ?? 0
      if (taken >= this.#perHost) return false
      this.#takenOf.set(name, taken + 1)
    }
    this.#left = Math.max(0, this.#left - cost)
    return true
  }
}

/** Ten times 0.1 are to fit into 1. */
const ROUNDING = 1 + 1e-9

/**
 * What to do about a page: fetch it, or ask first whether it has changed (HEAD, a conditional GET) and fetch it only
 * then. Both leave the copy as it should be, so that they compare by what they are expected to cost.
 */

/** In any unit, all above 0. */
export interface ActionPrices {
  readonly fetch: number
  /** Undefined: the page cannot be asked. */
  readonly probe?: number | undefined
}

export interface PageAction {
  readonly kind: 'fetch' | 'probe'
  /** To be expected: of a probe with the fetch that may follow. */
  readonly cost: number
}

/**
 * The cheaper action; of equals the fetch, which leaves nothing open. `precision`: how many of the pages that a probe
 * calls changed have changed, above 0: an ETag that is new at every deployment makes probes useless.
 */
export function bestAction(changeChance: number, { fetch, probe }: ActionPrices, precision = 1): PageAction {
  if (probe === undefined) return { kind: 'fetch', cost: fetch }
  const cost = probe + Math.min(1, changeChance / precision) * fetch
  return cost < fetch ? { kind: 'probe', cost } : { kind: 'fetch', cost: fetch }
}
