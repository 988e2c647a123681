/** The reference of "Crawl ordering by search impact" as numbers: pages and queries by place. */
import { type OfferPage, QuerySketches } from '../../../src/frontier/impact/query-sketch.js'
import impact from './vectors/search-impact.json' with { type: 'json' }

export const PAGES = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'u1', 'u2', 'u3', 'u4'] as const
export const UNCRAWLED_PAGES = PAGES.filter((page) => page.startsWith('u'))
export const VISIBLE_RANKS = impact.K

export interface ReferenceQuery {
  readonly name: string
  readonly frequency: number
  readonly crawled: readonly (readonly [page: number, score: number])[]
  readonly uncrawled: readonly (readonly [page: number, score: number])[]
}

export const QUERIES: readonly ReferenceQuery[] = Object.entries(impact.queries).map(([name, query]) => ({
  name,
  frequency: query.f,
  crawled: pairs(query.crawled),
  uncrawled: pairs(query.uncrawled),
}))

export function pageNumber(name: string): number {
  return (PAGES as readonly string[]).indexOf(name)
}

export function referenceSketches(queries = QUERIES): QuerySketches {
  const offerAll = (query: number, offer: OfferPage) => {
    for (const [page, score] of queries[query]!.crawled) offer(page, score, true)
    for (const [page, score] of queries[query]!.uncrawled) offer(page, score, false)
  }
  const sketches = new QuerySketches(
    queries.map(({ frequency }) => frequency),
    { visibleRanks: VISIBLE_RANKS, refill: offerAll },
  )
  for (let query = 0; query < queries.length; query++) {
    offerAll(query, (page, score, isCrawled) => sketches.offer(query, page, score, isCrawled))
  }
  return sketches
}

/** Values by name, of the names given or all of the object's. */
export function named(values: ArrayLike<number>, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, values[pageNumber(name)]!]))
}

function pairs(scores: Record<string, number>): [number, number][] {
  return Object.entries(scores).map(([name, score]) => [pageNumber(name), score])
}
