/**
 * What to do about a page: fetch it, or ask first whether it has changed (HEAD, a conditional GET) and fetch it only then. Both leave the copy
 * as it should be, so that they compare by what they are expected to cost.
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
 * The cheaper action; of equals the fetch, which leaves nothing open. `precision`: how many of the pages that a probe calls changed have changed, above 0: an ETag that is
 * new at every deployment makes probes useless.
 */
export function bestAction(changeChance: number, { fetch, probe }: ActionPrices, precision = 1): PageAction {
  if (probe === undefined) return { kind: 'fetch', cost: fetch }
  const cost = probe + Math.min(1, changeChance / precision) * fetch
  return cost < fetch ? { kind: 'probe', cost } : { kind: 'fetch', cost: fetch }
}
