/** One plan for refreshes and new pages: both are worth what they are expected to add to the quality of answers, ΔQ_A. */
import type { Key } from '../documents.js'
import { numberOption, readOptions } from '../option-checks.js'
import type { Refresh } from '../refresh/refresh.js'
import type { PolicyName } from '../refresh/registry.js'
import { type Frontier, requireBudget } from './frontier.js'
import { withinHosts } from './host-limits.js'

/** Its priorities are ΔQ_A and grow with the age of a copy, as what pages lose does; of other policies they may be something else. */
const GAIN_POLICY: PolicyName = 'user-centric-shrunk'

export interface PlanOptions {
  /** How many fetches, 0 or more. */
  readonly budget: number
  /** The moment for which to decide, in milliseconds since 1970. Default now. */
  readonly at?: number
  /** No more than this many fetches from one host. */
  readonly perHost?: number
}

export type PlannedFetch =
  | {
      readonly kind: 'refresh'
      readonly key: Key
      /** ΔQ_A to be expected, as the policy user-centric-shrunk says. */
      readonly deltaQuality: number
      readonly ageMs: number
      readonly refreshes: number
    }
  | {
      readonly kind: 'new'
      readonly key: Key
      /** ΔQ_A to be expected, as far as pages fetched before had what was expected of them. */
      readonly deltaQuality: number
      readonly impact: number
      readonly inlinks: number
    }

/** Best first; of equals refreshes before new pages. */
export async function planFetches(
  refresh: Refresh,
  frontier: Frontier,
  options: PlanOptions,
  nowMs: number,
): Promise<PlannedFetch[]> {
  const given = readOptions('plan', options, ['budget', 'at', 'perHost'])
  const budget = requireBudget(given.budget)
  const at = numberOption('at', given.at, nowMs, { min: 0, max: 8.64e15 })
  const perHost = numberOption('perHost', given.perHost, Number.POSITIVE_INFINITY, { min: 1, integer: true })
  const suggested = await frontier.nextByGain(budget, at, perHost)
  // After the frontier, which takes its time: documents are judged as they are now.
  const limits = given.perHost === undefined ? {} : { perHost }
  const refreshes = refresh.next({ budget, at, policy: GAIN_POLICY, ...limits })
  const planned: PlannedFetch[] = [
    ...refreshes.map(({ key, priority, ageMs, refreshes }) => ({
      ...{ kind: 'refresh' as const, key, deltaQuality: priority },
      ...{ ageMs, refreshes },
    })),
    // It may have been fetched while the plan was made.
    ...suggested
      .filter(({ url }) => refresh.priority(url) === undefined)
      .map(({ url, deltaQuality, impact, inlinks }) => ({
        ...{ kind: 'new' as const, key: url, deltaQuality },
        ...{ impact, inlinks },
      })),
  ]
  // Each list has as many as the budget within the limits of hosts, so that both together have enough: who is left out for a host makes room for the other.
  planned.sort((a, b) => b.deltaQuality - a.deltaQuality)
  return withinHosts(planned, perHost, ({ key }) => key).slice(0, budget)
}
