/** Expected impact against every outcome of all scores. */
import { describe, expect, it } from 'vitest'
import { pageImpacts } from '../../../src/frontier/impact/impact.js'
import { QuerySketches } from '../../../src/frontier/impact/query-sketch.js'
import { topValues } from '../../../src/math/heap.js'
import { DEFAULT_VIEW } from '../../../src/workload/view-likelihood.js'
import { SeededRandom, withSeed } from '../../support/seed.js'
import { expectedImpacts, rankDistribution, type UncertainQuery } from './expected-case.js'
import { named, PAGES, QUERIES, UNCRAWLED_PAGES, VISIBLE_RANKS } from './reference-impact.js'
import impact from './vectors/search-impact.json' with { type: 'json' }

const step = () => 1

describe('expected impact', () => {
  it('is that of every outcome, weighed by its probability, in 300 random cases', () => {
    withSeed('expected case', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const pages = 6
        const queries = Array.from({ length: random.between(1, 3) }, () => randomQuery(random, pages, 3))
        const ranks = random.between(1, 8)
        const impacts = expectedImpacts(queries, pages, DEFAULT_VIEW, ranks)
        const twin = impactsOfOutcomes(queries, pages, (rank1) => (rank1 > ranks ? 0 : rank1 ** -1.5))
        for (let page = 0; page < pages; page++) expect(impacts[page]).toBeCloseTo(twin[page]!, 9)
      }
    })
  })

  it('of certain scores is that of sketches', () => {
    withSeed('certain scores', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const pages = 12
        const queries = Array.from({ length: random.between(1, 4) }, () => randomQuery(random, pages, 1))
        const visibleRanks = random.between(1, 5)
        const expected = expectedImpacts(queries, pages, DEFAULT_VIEW, visibleRanks)
        const sketched = pageImpacts(sketchesOf(queries, visibleRanks), pages, DEFAULT_VIEW)
        for (let page = 0; page < pages; page++) expect(sketched[page]).toBeCloseTo(expected[page]!, 9)
      }
    })
  })

  it('of the reference is its impact', () => {
    const queries = QUERIES.map(({ frequency, crawled, uncrawled }) => ({
      frequency,
      crawledScores: crawled.map(([, score]) => score),
      uncrawled: uncrawled.map(([page, score]) => ({ page, scores: [score] })),
    }))
    const impacts = expectedImpacts(queries, PAGES.length, step, VISIBLE_RANKS)
    expect(named(impacts, UNCRAWLED_PAGES)).toEqual(impact.impact)
    expect(Array.from(topValues(impacts, 2), (page) => PAGES[page])).toEqual(['u2', 'u3'])
  })

  it('may rank a page of a lower mean first: what counts is who gets seen', () => {
    const query: UncertainQuery = {
      frequency: 1,
      crawledScores: [5],
      uncrawled: [
        { page: 0, scores: [4] },
        { page: 1, scores: [0, 7], probabilities: [0.5, 0.5] },
      ],
    }
    expect([...expectedImpacts([query], 2, step, 1)]).toEqual([0, 0.5])
    expect([...rankDistribution(query, query.uncrawled[0]!, 3)]).toEqual([0, 0.5, 0.5])
    expect([...rankDistribution(query, query.uncrawled[1]!, 3)]).toEqual([0.5, 0, 0])
  })

  it('refuses probabilities that do not make 1', () => {
    const page = { page: 0, scores: [1, 2], probabilities: [0.5, 0.4] }
    const query = { frequency: 1, crawledScores: [], uncrawled: [page] }
    expect(() => expectedImpacts([query], 1, step, 1)).toThrow(/page 0 must be 2 that make 1, received 2 that make 0.9/)
  })
})

/** Few different scores, so that there are ties. */
function randomQuery(random: SeededRandom, pages: number, mostScores: number): UncertainQuery {
  const score = () => random.int(5) / 4
  const uncrawled = Array.from({ length: pages }, (_, page) => page).filter(() => random.chance(0.7))
  return {
    frequency: random.between(1, 9),
    crawledScores: Array.from({ length: random.int(4) }, score),
    uncrawled: uncrawled.map((page) => {
      const scores = Array.from({ length: random.between(1, mostScores) }, score)
      if (random.chance(0.5)) return { page, scores }
      const weights = scores.map(() => random.next() + 0.01)
      const sum = weights.reduce((all, weight) => all + weight, 0)
      return { page, scores, probabilities: weights.map((weight) => weight / sum) }
    }),
  }
}

function impactsOfOutcomes(
  queries: readonly UncertainQuery[],
  pages: number,
  view: (rank1: number) => number,
): number[] {
  const impacts = new Array<number>(pages).fill(0)
  for (const { frequency, crawledScores, uncrawled } of queries) {
    const outcome: { page: number; score: number }[] = []
    const visit = (nth: number, probability: number): void => {
      const next = uncrawled[nth]
      if (next === undefined) {
        const crawled = Array.from(crawledScores, (score) => ({ page: -1, score }))
        const list = [...crawled, ...outcome].filter(({ score }) => score > 0)
        list.sort((a, b) => b.score - a.score || a.page - b.page)
        for (const [at, { page }] of list.entries()) {
          if (page >= 0) impacts[page]! += frequency * probability * view(at + 1)
        }
        return
      }
      for (let at = 0; at < next.scores.length; at++) {
        outcome.push({ page: next.page, score: next.scores[at]! })
        visit(nth + 1, probability * (next.probabilities?.[at] ?? 1 / next.scores.length))
        outcome.pop()
      }
    }
    visit(0, 1)
  }
  return impacts
}

function sketchesOf(queries: readonly UncertainQuery[], visibleRanks: number): QuerySketches {
  const frequencies = queries.map(({ frequency }) => frequency)
  const sketches = new QuerySketches(frequencies, { visibleRanks, refill: () => {} })
  for (const [query, { crawledScores, uncrawled }] of queries.entries()) {
    for (let at = 0; at < crawledScores.length; at++) sketches.offer(query, 1000 + at, crawledScores[at]!, true)
    for (const { page, scores } of uncrawled) sketches.offer(query, page, scores[0]!, false)
  }
  return sketches
}
