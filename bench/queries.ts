/**
 * How long are searches for the ten best pages, by class of query? The data set is a large collection with queries by
 * class and stratum (docs/benchmarks.md). Its pages go into an index in a folder, title and text as one field, nothing
 * stored; the index is compacted, closed and opened again. Matches are counted up to 1,000 and, in a second round, all.
 *
 * To the phrases of the data set come two strata that are made of them: those whose words are all frequent, and phrases
 * of three words with a stop word in place of the second, which leaves a hole where any word may stand.
 *
 * A query counts with the shortest of its runs, the keys of its hits read: what the search takes, not what the machine
 * adds. The passes go through all queries of a class in turn, so that none finds its own postings in the nearest cache.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Freshdex, Query } from 'freshdex'
import { type Bench, Misuse } from './bench.js'
import { type ClassQuery, frequentPhrases, phrasesWithHoles, readClassQueries, toQuery } from './class-queries.js'
import { readTextPages, type TextPage } from './large-collection.js'
import { type Spread, spreadOf } from './percentiles.js'
import { buildTextIndex, openTextIndex } from './text-index.js'

const BEST = 10
const COUNTS = [1000, Number.POSITIVE_INFINITY] as const

export const queries: Bench = {
  name: 'queries',
  question: 'How long do searches take, by class of query?',
  takesCollection: true,
  options: {
    passes: { kind: 'count', default: 7, help: 'runs of each query after a first that warms up; the shortest counts' },
    index: { kind: 'folder', default: '', help: 'where the index is made, and used again if it is there' },
  },

  async run(request) {
    const asked = await readClassQueries(request.folder)
    const given = request.word('index')
    const folder = given === '' ? path.join(mkdtempSync(path.join(tmpdir(), 'freshdex-queries-')), 'index') : given
    try {
      if (!existsSync(folder)) {
        await buildTextIndex(folder, readTextPages(request.folder), {
          onProgress: (pages) => request.progress(`${pages} pages`),
        })
      }
      const index = await openTextIndex(folder)
      const all = [...asked, ...frequentPhrases(index, asked), ...phrasesWithHoles(asked)]
      const result = Object.fromEntries(
        COUNTS.map((countUpTo) => [
          countUpTo === Number.POSITIVE_INFINITY ? 'allCounted' : `countedUpTo${countUpTo}`,
          latencies(index, all, request.count('passes'), countUpTo),
        ]),
      )
      const { documents, postings } = index.stats()
      await index.close()
      return { result: { documents, postings, ...result }, isClaimKept: true }
    } finally {
      if (given === '') rmSync(path.dirname(folder), { recursive: true, force: true })
    }
  },
}

/** By class, and by class and stratum, in microseconds. */
function latencies(index: Freshdex<TextPage>, asked: readonly ClassQuery[], passes: number, countUpTo: number) {
  const result: Record<string, Spread> = {}
  for (const name of new Set(asked.map((query) => query.class))) {
    const ofClass = asked.filter((query) => query.class === name)
    const shortest = shortestRuns(index, ofClass.map(toQuery), passes, countUpTo)
    result[name] = spreadOf(shortest)
    for (const stratum of new Set(ofClass.map((query) => query.stratum)))
      result[`${name} ${stratum}`] = spreadOf(shortest.filter((_, at) => ofClass[at]?.stratum === stratum))
  }
  return result
}

function shortestRuns(index: Freshdex<TextPage>, asked: readonly Query[], passes: number, countUpTo: number): number[] {
  const options = { limit: BEST, countUpTo }
  const shortest = asked.map(() => Number.POSITIVE_INFINITY)
  let keysRead = 0
  for (let pass = 0; pass <= passes; pass++) {
    for (const [at, query] of asked.entries()) {
      const start = performance.now()
      keysRead += index.search(query, options).hits.map(({ key }) => key).length
      const us = (performance.now() - start) * 1000
      if (pass > 0) shortest[at] = Math.min(shortest[at]!, us)
    }
  }
  if (keysRead === 0) throw new Misuse('no query has an answer: the queries are not those of these pages')
  return shortest
}
