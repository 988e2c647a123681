import { Freshdex } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { type CountedWorld, type CountOptions, countWorld } from '../../../src/lab/quality/counted-world.js'
import { forEachChange } from '../../../src/lab/quality/timeline.js'
import { type LabScoring, scoreVersions, type VersionScores } from '../../../src/lab/quality/version-scores.js'
import { singleTermQueries } from '../../../src/lab/quality/word-counts.js'
import type { WorldPage } from '../../../src/lab/worlds/world.js'
import type { ScoringModel } from '../../model/naive-scoring.js'
import { FrozenScores } from '../../refresh/brute-force.js'
import { type SeededRandom, seededRandom, withSeed } from '../../support/seed.js'
import { page, stepsOf, worldOf } from './small-worlds.js'

/** Each is one token … */
const PLAIN = ['apple', 'pear', 'plum', 'fig', 'quince', 'Sloe', 'naïve', 'x1']
/** … these are more. */
const WORDS = [...PLAIN, '日本語', 'well-known', "don't"]
const MODELS = {
  bm25: { model: 'bm25', k1: 1.2, b: 0.75 },
  tfidf: { model: 'tfidf', k1: 0, b: 0 },
} as const satisfies Record<string, ScoringModel>

function randomWords(random: SeededRandom, most: number, words: readonly string[]): string {
  return Array.from({ length: random.int(most + 1) }, () => random.pick(words)).join(' ')
}

function randomPages(random: SeededRandom, chance: number, words: readonly string[]): WorldPage[] {
  const text = (most: number) => randomWords(random, most, words)
  const pages = Array.from({ length: 15 }, (_, at) => page(`p${at}`, text(60), text(4)))
  return pages.filter((_, at) => at === 0 || random.chance(chance))
}

function randomQueries(random: SeededRandom) {
  return Array.from({ length: 12 }, () => ({
    query: `${random.pick(WORDS)} ${randomWords(random, 2, WORDS)}`,
    count: random.between(1, 9),
  }))
}

/** By query, of one version. */
function scoresOf({ matchEnds, queries, scores }: VersionScores, version: number): Map<number, number> {
  const begin = version === 0 ? 0 : matchEnds[version - 1]!
  const found = Array.from(queries.subarray(begin, matchEnds[version]!))
  expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
  return new Map(found.map((query, at) => [query, scores[begin + at]!]))
}

describe('the scores of the first step', () => {
  for (const analyzer of ['standard', 'english'] as const) {
    for (const model of ['bm25', 'tfidf'] as const) {
      it(`are those of a search, in its order: ${model}, ${analyzer}`, async () => {
        await withSeed(`searched ${model}`, async (seed) => {
          const random = seededRandom(`searched ${model}`, seed)
          for (let round = 0; round < 10; round++) {
            const pages = randomPages(random, 1, WORDS)
            const inlinks = new Map(pages.map(({ url }) => [url, random.int(5)]))
            const scoring = { model, alpha: random.pick([0, 0.5, 1]), beta: random.pick([0.25, 2]), inlinks }
            await expectSearched(pages, randomQueries(random), scoring, { analyzer })
            await expectSearched(pages, randomQueries(random), { model }, { analyzer })
          }
        })
      })
    }
  }

  async function expectSearched(
    pages: readonly WorldPage[],
    queries: readonly { readonly query: string; readonly count: number }[],
    { inlinks, ...scoring }: LabScoring,
    options: CountOptions,
  ): Promise<void> {
    const world = await countWorld(worldOf(stepsOf({ put: pages })), queries, options)
    const scores = scoreVersions(world, inlinks === undefined ? scoring : { ...scoring, inlinks })
    const index = await Freshdex.open<WorldPage & { readonly links: number }>(':memory:', {
      key: 'url',
      fields: { title: { boost: 2 }, text: {} },
      ...(options.analyzer === undefined ? {} : { analyzer: options.analyzer }),
      scoring: inlinks === undefined ? scoring : { ...scoring, weight: 'links' },
      workload: false,
    })
    await index.write({ put: pages.map((each) => ({ ...each, links: inlinks?.get(each.url) ?? 0 })) })
    for (const [number, { query }] of queries.entries()) {
      const words = [...new Set(query.trim().split(' '))]
      const { hits } = index.search({ and: words.map((word) => ({ word })) }, { limit: 100 })
      const answers = hits.filter(({ score }) => score > 0)
      const found = pages.flatMap(({ url }, version) => {
        const score = scoresOf(scores, version).get(number)
        return score === undefined ? [] : [{ key: url, score, version }]
      })
      found.sort((a, b) => b.score - a.score || a.version - b.version)
      expect(found.map(({ key }) => key)).toEqual(answers.map(({ key }) => key))
      for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(answers[at]!.score, 12)
    }
    await index.close()
  }
})

describe('the scores of later steps', () => {
  for (const model of ['bm25', 'tfidf'] as const) {
    for (const pages of ['always', 'all'] as const) {
      it(`are those under the statistics of the first: ${model}, ${pages} pages`, async () => {
        await withSeed(`frozen ${model} ${pages}`, async (seed) => {
          const random = seededRandom(`frozen ${model} ${pages}`, seed)
          for (let round = 0; round < 15; round++) await expectFrozen(random, model, pages)
        })
      })
    }
  }

  async function expectFrozen(random: SeededRandom, model: 'bm25' | 'tfidf', pages: 'always' | 'all') {
    const first = randomPages(random, 0.7, PLAIN)
    const gone = first.filter(({ url }) => url !== 'p0' && random.chance(0.3)).map(({ url }) => url)
    const later = randomPages(random, 0.5, PLAIN).filter(({ url }) => !gone.includes(url))
    const steps = stepsOf({ put: first }, { put: later, gone })
    const queries = [
      { query: 'apple', count: 1 },
      { query: 'pear plum', count: 2 },
      { query: 'plum fig apple', count: 3 },
    ]
    const world = await countWorld(worldOf(steps), queries, { pages })
    const isMeant = ({ url }: WorldPage) =>
      pages === 'all' || first.some((each) => each.url === url && !gone.includes(url))
    const frozen = new FrozenScores(first.filter(isMeant).map(asTwin), MODELS[model])
    const versions = distinct([...first, ...later].filter(isMeant))
    expect(world.timeline.pageOf.length).toBe(versions.length)
    const scores = scoreVersions(world, { model })
    expect([...scores.weights]).toEqual([1, 2, 3])
    for (const [version, each] of versions.entries()) {
      expect(world.timeline.urls[world.timeline.pageOf[version]!]).toBe(each.url)
      const found = scoresOf(scores, version)
      for (const [number, { query }] of queries.entries()) {
        expect(Math.fround(found.get(number) ?? 0)).toBeCloseTo(frozen.score(asTwin(each), query.split(' ')), 6)
      }
    }
  }

  /** Its words are lower case with blanks between. */
  function asTwin({ url, title, text }: WorldPage) {
    return { url, title: title.toLowerCase(), body: text.toLowerCase() }
  }

  function distinct(pages: readonly WorldPage[]): WorldPage[] {
    return [...new Map(pages.map((each) => [JSON.stringify(each), each])).values()]
  }
})

describe('a counted world', () => {
  const steps = stepsOf(
    { put: [page('stays', 'fig'), page('goes', 'fig')] },
    { put: [page('comes', 'fig'), page('stays', 'plum')], gone: ['goes'] },
  )
  const FIG = [{ query: 'fig', count: 1 }]

  it('has the pages that are always there, or all', async () => {
    expect((await countWorld(worldOf(steps), FIG)).timeline.urls).toEqual(['stays'])
    const { timeline, counted } = await countWorld(worldOf(steps), FIG, { pages: 'all' })
    expect(timeline.urls).toEqual(['stays', 'goes', 'comes'])
    expect(counted).toHaveLength(4)
    expect(changesAt({ timeline }, 1)).toEqual([
      ['comes', 2],
      ['stays', 3],
      ['goes', -1],
    ])
  })

  function changesAt({ timeline }: Pick<CountedWorld, 'timeline'>, step: number): [string, number][] {
    const changes: [string, number][] = []
    forEachChange(timeline, step, (number, version) => changes.push([timeline.urls[number]!, version]))
    return changes
  }

  it('reads queries as an index does, and passes over those without a word', async () => {
    const queries = [
      { query: '  FIG,  fig ', count: 2 },
      { query: '?!', count: 5 },
      { query: 'plum-fig', count: 1 },
    ]
    const { workload } = await countWorld(worldOf(steps), queries)
    expect(workload.words).toEqual(['fig', 'plum'])
    expect(workload.queries).toEqual([
      { words: [0], weight: 2 },
      { words: [1, 0], weight: 1 },
    ])
    expect(singleTermQueries(workload)).toEqual([
      { words: [0], weight: 3 },
      { words: [1], weight: 1 },
    ])
  })

  it('refuses what it cannot count', async () => {
    const refused = (queries: { query: string; count: number }[], options?: object) =>
      expect(countWorld(worldOf(steps), queries, options)).rejects
    await refused([]).toThrow('queries must hold at least one query that has a word')
    await refused([{ query: '…', count: 1 }]).toThrow('queries must hold at least one query that has a word')
    await refused([{ query: 'fig', count: 0 }]).toThrow('the count of the query "fig" must be above 0, received 0')
    await refused([{ query: 'fig', count: Number.NaN }]).toThrow('received NaN')
    await refused(FIG, { pages: 'some' }).toThrow("pages must be 'always' or 'changed' or 'all', received \"some\"")
    await refused(FIG, { analyzer: 'klingon' }).toThrow('analyzer must be')
    const leaving = worldOf(stepsOf({ put: [page('a', 'fig')] }, { gone: ['a'] }))
    await expect(countWorld(leaving, FIG)).rejects.toThrow('no page of the world is there at every step')
  })

  it('refuses a scoring without scores', async () => {
    const world = await countWorld(worldOf(steps), FIG)
    expect(() => scoreVersions(world, { alpha: 0 })).toThrow('alpha or beta must be above 0')
    expect(() => scoreVersions(world, { beta: 1 })).toThrow('beta needs inlinks')
    expect(() => scoreVersions(world, { alpha: -1 })).toThrow(
      'alpha must be a finite number of at least 0, received -1',
    )
  })
})
