/** What actions cost, as the user says: numbers, or functions of the page. */
import { describe } from '../describe.js'
import type { Key } from '../documents.js'

/** A page that has to be priced. */
export interface PricedPage {
  readonly key: Key
  /** It was never fetched. */
  readonly isNew: boolean
}

/** In any unit: bytes, seconds, tokens. Above 0. */
export type Price = number | ((page: PricedPage) => number)

export interface Prices {
  fetchOf(page: PricedPage): number
  /** Undefined where pages are not to be asked. */
  readonly probeOf: ((page: PricedPage) => number) | undefined
  /** No action costs less; 0 when that is not known. */
  readonly least: number
}

/** Every fetch is 1. */
export const FETCHES: Prices = { fetchOf: () => 1, probeOf: undefined, least: 1 }

/** TypeError or RangeError for what is no price. */
export function readPrices(fetch: unknown = 1, probe?: unknown): Prices {
  return {
    fetchOf: priceOf('fetch', fetch),
    probeOf: probe === undefined ? undefined : priceOf('probe', probe),
    least: Math.min(leastOf(fetch), probe === undefined ? Number.POSITIVE_INFINITY : leastOf(probe)),
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

function requirePrice(name: string, price: unknown, page?: PricedPage): number {
  const place = page === undefined ? '' : ` for ${describe(page.key)}`
  if (typeof price !== 'number')
    throw new TypeError(`${name} must be a number or a function of the page, received ${describe(price)}${place}`)
  if (!(price > 0 && price <= MAX_PRICE))
    throw new RangeError(`${name} must be above 0 and at most ${MAX_PRICE}, received ${describe(price)}${place}`)
  return price
}

/** No sum of such prices is infinite. */
const MAX_PRICE = 1e100
