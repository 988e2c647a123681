/**
 * The latency of searches for the ten best pages, their keys read. Each query is asked several times and counts with
 * its shortest: what the search itself takes, not what the machine adds under load. The passes go through all queries
 * in turn, so that no query finds its own postings still in the nearest cache.
 */
import type { Freshdex, Query } from 'freshdex'
import { type Spread, spreadOf } from './percentiles.js'
import { firstThat, type Page } from './snapshot-data.js'

const PASSES = 5
const BEST = 10

export interface QueryLatency extends Spread {
  readonly queries: number
  /** Mean number of matches. */
  readonly matches: number
  /** Mean number of keys read. */
  readonly hits: number
}

export function measureQueries(
  index: Freshdex<Page>,
  texts: readonly string[],
  count: number,
): Record<string, QueryLatency> {
  const isLong = (text: string) => text.includes(' ')
  const occurs = (phrase: string) => phrase.split(' ').length === 2 && index.search({ phrase }, { limit: 1 }).total > 0
  // Single words that were asked as such come first; there are not always enough of them.
  const asked = texts.filter((text) => !isLong(text))
  const words = new Set([...asked, ...texts.flatMap((text) => text.split(' '))])
  const several = firstThat(texts, count, isLong).map((text) => text.split(' '))
  const kinds: Record<string, Query[]> = {
    term: firstThat(words, count, () => true).map((word) => ({ word })),
    and: several.map((and) => ({ and })),
    or: several.map((or) => ({ or })),
    phrase: firstThat(texts, count, occurs).map((phrase) => ({ phrase })),
  }
  const measured = Object.entries(kinds).filter(([, queries]) => queries.length > 0)
  return Object.fromEntries(measured.map(([kind, queries]) => [kind, measure(index, queries)]))
}

function measure(index: Freshdex<Page>, queries: readonly Query[]): QueryLatency {
  const shortest = queries.map(() => Number.POSITIVE_INFINITY)
  let matches = 0
  let keysRead = 0
  for (let pass = 0; pass <= PASSES; pass++) {
    matches = 0
    for (const [at, query] of queries.entries()) {
      const start = performance.now()
      const { hits, total } = index.search(query, { limit: BEST })
      keysRead += hits.map(({ key }) => key).length
      const us = (performance.now() - start) * 1000
      // The first pass warms up.
      if (pass > 0) shortest[at] = Math.min(shortest[at]!, us)
      matches += total
    }
  }
  const spread = spreadOf(shortest)
  return {
    queries: queries.length,
    matches: matches / queries.length,
    hits: keysRead / (queries.length * (PASSES + 1)),
    ...spread,
  }
}
