import { describe, expect, it } from 'vitest'
import { countWorld } from '../../../src/lab/quality/counted-world.js'
import { kneeOf, relevanceSums, relevantQueries } from '../../../src/lab/quality/relevant-queries.js'
import type { WorldStep } from '../../../src/lab/worlds/world.js'

const page = (url: string, text: string) => ({ url, title: '', text })

async function* world(): AsyncGenerator<WorldStep> {
  yield {
    atMs: 1000,
    versions: [page('/a', 'salt and water'), page('/b', 'salt mine'), page('/c', 'nothing of that')],
    gone: [],
  }
  yield { atMs: 2000, versions: [page('/a', 'salt and sea')], gone: [] }
}

const LOG = [
  { query: 'salt', count: 5 },
  { query: '!', count: 4 },
  { query: 'volcano', count: 3 },
  { query: 'water', count: 2 },
  { query: 'sea', count: 1 },
]

describe('queries that concern a world', () => {
  it('are those whose sum of TF-IDF scores over all pages reaches the threshold', async () => {
    const sums = relevanceSums(await countWorld(world(), LOG))
    // Lucene's classic: (1 + ln((N + 1) / (df + 1))) · √tf / √length, by the pages of the first step.
    const idf = (df: number) => 1 + Math.log(4 / (df + 1))
    const salt = idf(2) * (1 / Math.sqrt(3) + 1 / Math.sqrt(2))
    const water = idf(1) / Math.sqrt(3)
    const expected = [salt, 0, water, 0]
    expect(sums).toHaveLength(4)
    for (const [at, sum] of sums.entries()) expect(sum).toBeCloseTo(expected[at] as number, 9)
    const among = async (threshold: number) =>
      (await relevantQueries(world(), LOG, 'always', threshold)).queries.map(({ query }) => query)
    // A query that no page answers concerns none.
    expect(await among(0)).toEqual(['salt', 'water'])
    expect(await among((salt + water) / 2)).toEqual(['salt'])
  })

  it('are cut at the knee of the distribution', () => {
    // A plateau of a hundred, then a steep fall.
    const values = [
      ...Array.from({ length: 100 }, (_, at) => 100 - at / 10),
      ...Array.from({ length: 100 }, () => 0.01),
    ]
    expect(kneeOf(values)).toBeCloseTo(100 - 99 / 10, 9)
    expect(kneeOf([])).toBe(0)
    expect(kneeOf([3, 0])).toBe(0)
    // A straight line has no knee.
    expect(kneeOf(Array.from({ length: 50 }, (_, at) => 1 / (at + 1)))).toBe(0)
  })
})

describe('pages that changed at least once', () => {
  it('are those of the second data set of the paper', async () => {
    const changed = await countWorld(world(), LOG, { pages: 'changed' })
    expect(changed.timeline.urls).toEqual(['/a'])
    expect(changed.leftOut).toBe(2)
    const always = await countWorld(world(), LOG, { pages: 'always' })
    expect(always.timeline.urls).toEqual(['/a', '/b', '/c'])
  })
})
