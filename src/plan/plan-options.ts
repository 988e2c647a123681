/** What a plan is to keep to. */
import { MAX_TIME_MS } from '../base/time.js'
import { describe } from '../describe.js'
import { booleanOption, numberOption, readOptions } from '../option-checks.js'
import type { PolicyChoice } from '../refresh/policy-desk.js'
import { FETCHES, type Price, type Prices, readPrices } from './prices.js'

/** What may be spent, with what it is spent on. */
export interface CostBudget {
  /** In any unit: bytes, seconds, tokens. */
  readonly cost: number
  /** What fetching a page costs. Default 1. */
  readonly fetch?: Price
  /** What asking costs whether a document has changed (HEAD, a conditional GET), without the fetch that follows if it has. Nothing is asked unless told. */
  readonly probe?: Price
}

export interface PlanOptions {
  /** How many fetches, 0 or more; or what may be spent. */
  readonly budget: number | CostBudget
  /** The moment for which to decide, in milliseconds since 1970. Default now. */
  readonly at?: number
  /** Default: the policy that the index was opened with. */
  readonly policy?: PolicyChoice
  /** No more than this many actions on one host. */
  readonly perHost?: number
  /** No document that was refreshed less than this ago. */
  readonly minIntervalMs?: number
  /** No document is to become older than this; needs `cycleMs`. */
  readonly maxStalenessMs?: number
  /** From this plan to the next. */
  readonly cycleMs?: number
  /** Whether pages of the frontier are to be fetched, too. Default true. */
  readonly newPages?: boolean
}

export interface PlanRequest {
  readonly atMs: number
  readonly policy: PolicyChoice | undefined
  /** What may be spent. */
  readonly money: number
  readonly prices: Prices
  /** Infinity without a limit. */
  readonly perHost: number
  readonly minIntervalMs: number
  readonly staleness: StalenessLimit | undefined
  readonly hasNewPages: boolean
}

export interface StalenessLimit {
  readonly maxMs: number
  readonly cycleMs: number
}

const NAMES = [
  ...(['budget', 'at', 'policy', 'perHost'] as const),
  ...(['minIntervalMs', 'maxStalenessMs', 'cycleMs', 'newPages'] as const),
] as const

/** TypeError or RangeError for what cannot be. */
export function readPlanOptions(options: unknown, nowMs: number): PlanRequest {
  const given = readOptions('plan', options, NAMES)
  const span = (name: 'minIntervalMs' | 'maxStalenessMs' | 'cycleMs') =>
    numberOption(name, given[name], 0, { min: 0, aboveMin: name !== 'minIntervalMs', max: MAX_TIME_MS })
  const minIntervalMs = span('minIntervalMs')
  const staleness =
    given.maxStalenessMs === undefined ? undefined : stalenessOf(span('maxStalenessMs'), given.cycleMs, span('cycleMs'))
  if (staleness !== undefined && minIntervalMs > staleness.maxMs)
    throw new RangeError(
      `minIntervalMs must be at most maxStalenessMs, ${staleness.maxMs}, received ${describe(given.minIntervalMs)}`,
    )
  return {
    ...readBudget(given.budget),
    atMs: numberOption('at', given.at, nowMs, { min: 0, max: MAX_TIME_MS }),
    policy: given.policy as PolicyChoice | undefined,
    perHost: numberOption('perHost', given.perHost, Number.POSITIVE_INFINITY, { min: 1, integer: true }),
    minIntervalMs,
    staleness,
    hasNewPages: booleanOption('newPages', given.newPages, true),
  }
}

function stalenessOf(maxMs: number, cycle: unknown, cycleMs: number): StalenessLimit {
  if (cycle === undefined) throw new TypeError('maxStalenessMs needs cycleMs: the time from this plan to the next')
  if (cycleMs > maxMs)
    throw new RangeError(`cycleMs must be at most maxStalenessMs, ${maxMs}, received ${describe(cycle)}`)
  return { maxMs, cycleMs }
}

function readBudget(budget: unknown): { readonly money: number; readonly prices: Prices } {
  if (budget === undefined) throw new TypeError('a plan needs a budget: how many fetches, or what they may cost')
  if (typeof budget !== 'object')
    return {
      money: numberOption('budget', budget, 0, { min: 0, integer: true, max: Number.MAX_SAFE_INTEGER }),
      prices: FETCHES,
    }
  const { cost, fetch, probe } = readOptions('budget', budget ?? undefined, ['cost', 'fetch', 'probe'])
  if (cost === undefined) throw new TypeError(`a budget needs a cost: what may be spent, received ${describe(budget)}`)
  return { money: numberOption('cost', cost, 0, { min: 0, max: 1e300 }), prices: readPrices(fetch, probe) }
}
