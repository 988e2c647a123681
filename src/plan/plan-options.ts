/** The options of a plan: budget, prices and limits, checked. */
import { type Stop, signalOption, stopOf } from '../base/abort.js'
import { booleanOption, numberOption, readOptions } from '../base/checks.js'
import { describe } from '../base/describe.js'
import type { Key } from '../base/keys.js'
import { MAX_TIME_MS, type Time, timeOption } from '../base/time.js'
import type { PolicyChoice } from '../refresh/policies/registry.js'
import { DEFAULT_MIN_INTERVAL_MS } from '../refresh/refresh-options.js'
import type { AnyFilter } from '../search/filter.js'

/** A page that has to be priced. */
export interface PricedPage {
  readonly key: Key
  /** Whether the page was never fetched. */
  readonly isNew: boolean
}

/** The cost of an action, as a number or as a function of the page. In any unit: bytes, seconds, tokens. Above 0. */
export type Price = number | ((page: PricedPage) => number)

/** A budget in costs, with the costs of the actions. */
export interface CostBudget {
  /** What may be spent, in any unit: bytes, seconds, tokens. */
  readonly cost: number
  /** The cost of fetching a page. Default 1. */
  readonly fetch?: Price
  /**
   * The cost of probing whether a document has changed (HEAD, a conditional GET), without the fetch that follows if it
   * has. Default: no document is probed.
   */
  readonly probe?: Price
}

/** What actions cost where the budget is asked for. */
export type ActionCosts = Omit<CostBudget, 'cost'>

export interface PlanOptions {
  /** The number of fetches, or what may be spent. */
  readonly budget?: number | CostBudget
  /**
   * Instead of a budget: the expected quality of the answers to reach, above 0 and at most 1. It is the part of today's
   * answers that comes from current copies. The plan has the smallest budget that reaches it, of documents only.
   */
  readonly target?: number
  /** With `target`: what actions cost. Default: each fetch costs 1. */
  readonly prices?: ActionCosts
  /** The moment for which to decide. Default now. */
  readonly at?: Time
  /** Default: the policy that the index was opened with. */
  readonly policy?: PolicyChoice
  /** Only documents whose columns pass; pages of the frontier have none. Goes with a budget. */
  readonly filter?: AnyFilter | string
  /** The most actions on one host. */
  readonly perHost?: number
  /**
   * Documents that were refreshed less than this ago are left out. Default one hour, as for `next`, or `maxStalenessMs`
   * if that is less.
   */
  readonly minIntervalMs?: number
  /** No document is to become older than this; needs `cycleMs`. */
  readonly maxStalenessMs?: number
  /** The time from this plan to the next. */
  readonly cycleMs?: number
  /** Whether pages of the frontier are planned, too. Default true. */
  readonly newPages?: boolean
  /** Ends the planning: the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** Plan options after validation. */
export interface PlanRequest {
  readonly atMs: number
  readonly policy: PolicyChoice | undefined
  /** What may be spent; Infinity with a target. */
  readonly budget: number
  readonly target: number | undefined
  readonly prices: Prices
  /** Infinity without a limit. */
  readonly perHost: number
  readonly minIntervalMs: number
  readonly staleness: StalenessLimit | undefined
  readonly filter: unknown
  readonly hasNewPages: boolean
  readonly stop: Stop
}

export interface Prices {
  fetchOf(page: PricedPage): number
  /** Undefined where pages are not to be probed. */
  readonly probeOf: ((page: PricedPage) => number) | undefined
  /** No action costs less; 0 when the least cost is unknown. */
  readonly least: number
  /** The cost of every action, where all cost the same. */
  readonly uniform: number | undefined
}

export interface StalenessLimit {
  readonly maxMs: number
  readonly cycleMs: number
}

const NAMES = [
  ...(['budget', 'target', 'prices', 'at', 'policy', 'filter', 'perHost'] as const),
  ...(['minIntervalMs', 'maxStalenessMs', 'cycleMs', 'newPages', 'signal'] as const),
] as const

/** TypeError or RangeError for options that are not valid. */
export function readPlanOptions(options: unknown, nowMs: number): PlanRequest {
  const given = readOptions('plan', options, NAMES)
  const span = (name: 'maxStalenessMs' | 'cycleMs') =>
    numberOption(name, given[name], 0, { min: 0, aboveMin: true, max: MAX_TIME_MS })
  if (given.prices !== undefined && given.target === undefined)
    throw new TypeError('prices go with a target; with a budget, say budget: { cost, fetch, probe }')
  const staleness =
    given.maxStalenessMs === undefined ? undefined : stalenessOf(span('maxStalenessMs'), given.cycleMs, span('cycleMs'))
  const usualMs = Math.min(DEFAULT_MIN_INTERVAL_MS, staleness?.maxMs ?? DEFAULT_MIN_INTERVAL_MS)
  const minIntervalMs = numberOption('minIntervalMs', given.minIntervalMs, usualMs, { min: 0, max: MAX_TIME_MS })
  if (staleness !== undefined && minIntervalMs > staleness.maxMs)
    throw new RangeError(
      `minIntervalMs must be at most maxStalenessMs, ${staleness.maxMs}, received ${describe(given.minIntervalMs)}`,
    )
  const target = given.target === undefined ? undefined : targetOf(given)
  return {
    ...(target === undefined
      ? readBudget(given.budget)
      : { budget: Number.POSITIVE_INFINITY, ...pricesOf(given.prices) }),
    target,
    atMs: timeOption('at', given.at, nowMs),
    policy: given.policy as PolicyChoice | undefined,
    perHost: numberOption('perHost', given.perHost, Number.POSITIVE_INFINITY, { min: 1, integer: true }),
    minIntervalMs,
    staleness,
    filter: filterOf(given),
    hasNewPages: booleanOption('newPages', given.newPages, target === undefined && given.filter === undefined),
    stop: stopOf(signalOption(given.signal)),
  }
}

type Given = { readonly [Name in (typeof NAMES)[number]]?: unknown }

/** The index reads the filter itself: it knows its columns. */
function filterOf({ filter, newPages, target }: Given): unknown {
  if (filter === undefined) return undefined
  if (newPages === true)
    throw new TypeError('a filter is for documents, and new pages have no columns: say newPages: false')
  if (target !== undefined)
    throw new TypeError('a target is the quality of the answers of all documents: a filter goes with a budget')
  return filter
}

function targetOf({ target, budget, maxStalenessMs, newPages }: Given): number {
  if (budget !== undefined) throw new TypeError('a plan has a budget or a target, which asks for the budget: not both')
  if (maxStalenessMs !== undefined) throw new TypeError('maxStalenessMs goes with a budget, and not with a target')
  if (newPages === true)
    throw new TypeError('a target is the quality of the documents there are: newPages goes with a budget')
  return numberOption('target', target, 1, { min: 0, aboveMin: true, max: 1 })
}

function pricesOf(prices: unknown): { readonly prices: Prices } {
  if (prices === undefined) return { prices: FETCHES }
  const { fetch, probe } = readOptions('prices', prices, ['fetch', 'probe'])
  return { prices: readPrices(fetch, probe) }
}

function stalenessOf(maxMs: number, cycle: unknown, cycleMs: number): StalenessLimit {
  if (cycle === undefined) throw new TypeError('maxStalenessMs needs cycleMs: the time from this plan to the next')
  if (cycleMs > maxMs)
    throw new RangeError(`cycleMs must be at most maxStalenessMs, ${maxMs}, received ${describe(cycle)}`)
  return { maxMs, cycleMs }
}

/** The prices where the budget is a number of fetches. */
export const FETCHES: Prices = { fetchOf: () => 1, probeOf: undefined, least: 1, uniform: 1 }

function readBudget(budget: unknown): { readonly budget: number; readonly prices: Prices } {
  if (budget === undefined)
    throw new TypeError('a plan needs a budget: how many fetches, or what they may cost; or a target to reach')
  if (typeof budget !== 'object')
    return {
      budget: numberOption('budget', budget, 0, { min: 0, integer: true, max: Number.MAX_SAFE_INTEGER }),
      prices: FETCHES,
    }
  const { cost, fetch, probe } = readOptions('budget', budget ?? undefined, ['cost', 'fetch', 'probe'])
  if (cost === undefined) throw new TypeError(`a budget needs a cost: what may be spent, received ${describe(budget)}`)
  return { budget: numberOption('cost', cost, 0, { min: 0, max: 1e300 }), prices: readPrices(fetch, probe) }
}

function readPrices(fetch: unknown = 1, probe?: unknown): Prices {
  return {
    fetchOf: priceOf('fetch', fetch),
    probeOf: probe === undefined ? undefined : priceOf('probe', probe),
    least: Math.min(leastOf(fetch), probe === undefined ? Number.POSITIVE_INFINITY : leastOf(probe)),
    uniform: typeof fetch === 'number' && probe === undefined ? fetch : undefined,
  }
}

function priceOf(name: string, price: unknown): (page: PricedPage) => number {
  if (typeof price === 'function') return (page) => requirePrice(`${name}(page)`, price(page), page)
  requirePrice(name, price)
  return () => price as number
}

function leastOf(price: unknown): number {
  return typeof price === 'number' ? price : 0
}

/** Small enough that no sum of prices is infinite. */
const MAX_PRICE = 1e100

function requirePrice(name: string, price: unknown, page?: PricedPage): number {
  const place = page === undefined ? '' : ` for ${describe(page.key)}`
  if (typeof price !== 'number')
    throw new TypeError(`${name} must be a number or a function of the page, received ${describe(price)}${place}`)
  if (!(price > 0 && price <= MAX_PRICE))
    throw new RangeError(`${name} must be above 0 and at most ${MAX_PRICE}, received ${describe(price)}${place}`)
  return price
}
