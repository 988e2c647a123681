/** Asks two indexes the same and says where the answers differ. The order of equal scores is free. */
import type { Freshdex, Hit, Query } from 'freshdex'
import { firstThat, type Page } from './snapshot-data.js'

export interface Asked {
  readonly kind: 'and' | 'or' | 'phrase' | 'prefix' | 'fuzzy'
  readonly text: string
  readonly query: Query
}

const LIMIT = 100
const EXPLAINED = 10
/** Relative: room for sums taken in another order, nothing more. */
const TOLERANCE = 1e-12
const PREFIX_LETTERS = 3

/**
 * `count` queries as AND, a quarter of that as OR, a tenth each as phrase (of two words, occurring) and prefix, a
 * twentieth fuzzy.
 */
export function chooseQueries(index: Freshdex<Page>, texts: readonly string[], count: number): Asked[] {
  const words = [...new Set(texts.flatMap((text) => text.split(' ')))]
  const prefixes = [...new Set(words.map((word) => word.slice(0, PREFIX_LETTERS)))]
  const occurs = (phrase: string) => phrase.split(' ').length === 2 && index.search({ phrase }, { limit: 1 }).total > 0
  const isLong = (word: string) => word.length > PREFIX_LETTERS
  const share = (part: number) => Math.ceil(count / part)
  const ask = (kind: Asked['kind'], chosen: readonly string[], toQuery: (text: string) => Query): Asked[] =>
    chosen.map((text) => ({ kind, text, query: toQuery(text) }))
  return [
    ...ask('and', texts.slice(0, count), (text) => ({ and: text.split(' ') })),
    ...ask('or', texts.slice(0, share(4)), (text) => ({ or: text.split(' ') })),
    ...ask('phrase', firstThat(texts, share(10), occurs), (phrase) => ({ phrase })),
    ...ask('prefix', prefixes.slice(0, share(10)), (prefix) => ({ prefix })),
    ...ask('fuzzy', firstThat(words, share(20), isLong), (fuzzy) => ({ fuzzy })),
  ]
}

/** Totals, scores rank by rank, and the pages of all scores above the last one shown. */
export function compareAnswers(a: Freshdex<Page>, b: Freshdex<Page>, { query }: Asked): string | undefined {
  const request = { limit: LIMIT, countUpTo: Number.POSITIVE_INFINITY }
  const [left, right] = [a.search(query, request), b.search(query, request)]
  if (left.total !== right.total) return `totals ${left.total} and ${right.total}`
  if (left.hits.length !== right.hits.length) return `${left.hits.length} and ${right.hits.length} hits`
  if (left.truncated !== right.truncated) return 'only one is truncated'
  for (const [rank, hit] of left.hits.entries()) {
    const other = right.hits[rank]!
    if (!isClose(hit.score, other.score)) return `scores ${hit.score} and ${other.score} at rank ${rank}`
  }
  // Pages that share the last score may be cut off in either list, unless nothing is.
  const last = left.total > left.hits.length ? left.hits.at(-1)!.score : Number.NEGATIVE_INFINITY
  const counted = (hits: readonly Hit<Page>[]) => hits.filter(({ score }) => score > last && !isClose(score, last))
  const scores = new Map(counted(right.hits).map(({ key, score }) => [key, score]))
  for (const { key, score } of counted(left.hits)) {
    const other = scores.get(key)
    if (other === undefined) return `page ${key} is missing in one`
    if (!isClose(score, other)) return `scores ${score} and ${other} of page ${key}`
  }
  return undefined
}

/** What the scores of the best hits were made of, for pages that both show. */
export function compareFrequencies(a: Freshdex<Page>, b: Freshdex<Page>, { query }: Asked): string | undefined {
  const options = { limit: EXPLAINED, explain: true }
  const others = new Map(b.search(query, options).hits.map((hit) => [hit.key, hit]))
  for (const hit of a.search(query, options).hits) {
    const other = others.get(hit.key)
    if (other === undefined) continue
    const [left, right] = [accountOf(hit), accountOf(other)]
    if (left !== right) return `accounts of page ${hit.key}: ${left} and ${right}`
  }
  return undefined
}

function accountOf({ explain }: Hit<Page>): string {
  const terms = explain!.terms.map(({ field, term, tf, df, length, averageLength }) =>
    [field, term, tf, df, length, averageLength].join(' '),
  )
  return terms.join(', ')
}

function isClose(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}
