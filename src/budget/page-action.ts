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

/** How far the answers to probes can be believed. */
export interface ProbeTrust {
  /** The share of changes that a probe tells, from 0 to 1. */
  readonly recall: number
  /** The share of unchanged pages that a probe calls changed, from 0 to 1. */
  readonly falseAlarmRate: number
}

export interface PageAction {
  readonly kind: 'fetch' | 'probe'
  /** In the unit of what was given. */
  readonly worth: number
  /** To be expected: of a probe with the fetch that may follow. */
  readonly cost: number
}

export const HONEST_PROBES: ProbeTrust = { recall: 1, falseAlarmRate: 0 }

/** The action of most worth per cost; of equals the fetch, which leaves nothing open. */
export function bestAction(
  worth: number,
  changeChance: number,
  { fetch, probe }: ActionPrices,
  { recall, falseAlarmRate }: ProbeTrust = HONEST_PROBES,
): PageAction {
  const fetching: PageAction = { kind: 'fetch', worth, cost: fetch }
  if (probe === undefined) return fetching
  const alarmChance = changeChance * recall + (1 - changeChance) * falseAlarmRate
  const probing: PageAction = { kind: 'probe', worth: worth * recall, cost: probe + alarmChance * fetch }
  return probing.worth * fetching.cost > fetching.worth * probing.cost ? probing : fetching
}
