/** What is known of every change, beside its definition. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import xxhash from 'xxhash-wasm'
import { forEachLaterChange } from '../../../../src/lab/choosers/by-rate.js'
import { exactGains, loadQualityInput, type QualityInput } from '../../../../src/lab/experiments/quality/input.js'
import { ShingleDifferences } from '../../../../src/lab/experiments/quality/shingle-differences.js'
import { RepositoryQuality } from '../../../../src/lab/quality/repository-quality.js'
import { readTimeline } from '../../../../src/lab/quality/timeline.js'
import { spearman } from '../../../../src/lab/report/statistics.js'
import { runSeed, seededRandom, withSeed } from '../../../support/seed.js'
import { type QueryScores, scoredWorld } from '../../quality/scored-worlds.js'
import { page, stepsOf, worldOf } from '../../quality/small-worlds.js'
import { allSteps, statesOf } from '../../worlds/world-reading.js'
import { type GeneratedFolder, generatedFolder } from '../generated-folder.js'

let site: GeneratedFolder
let input: QualityInput
let inputs: readonly QualityInput[]

beforeAll(async () => {
  site = await generatedFolder(runSeed(), 60, 6)
  const spec = { data: site.folder, queries: 1000, pages: 'all', seed: 1 } as const
  input = await loadQualityInput({ ...spec, scoring: 'tfidf' })
  const estimators = ['full', 'full-exact', 'single', 'single-exact'] as const
  inputs = [input, await loadQualityInput({ ...spec, scoring: 'bm25', policies: [], estimators })]
})
afterAll(() => site.remove())

describe('exact gains', () => {
  it('are what a refresh adds to the numerator of the quality, where one page changes at a time', () => {
    withSeed('gains', (seed) => {
      const random = seededRandom('gains', seed)
      for (let round = 0; round < 60; round++) {
        const pages = random.between(1, 8)
        const version = (): QueryScores => ({ 0: random.between(0, 3), 1: random.next() })
        const all = new Map(Array.from({ length: pages }, (_, page) => [page, version()]))
        const later = Array.from({ length: 6 }, () => new Map([[random.int(pages), version()]]))
        const world = scoredWorld(pages, [2, 3], [all, ...later])
        const gains = exactGains(world)
        const state = new RepositoryQuality(world)
        forEachLaterChange(world.timeline, (change, page) => {
          state.advance()
          const before = state.sums().numerator
          state.refresh(page)
          expect(gains[change]).toBeCloseTo(state.sums().numerator - before, 9)
        })
      }
    })
  })
})

describe('gains that an index measures', () => {
  it.each([0, 1])('are near the exact ones, page by page: tfidf, bm25 (%s)', (at) => {
    const { gains: gainsBy, timeline } = inputs[at]!
    for (const terms of ['full', 'single'] as const) {
      const sums = [gainsBy[terms]!, gainsBy[`${terms}-exact`]!].map((gains) => {
        const byPage = new Float64Array(timeline.urls.length)
        forEachLaterChange(timeline, (change, page) => {
          byPage[page]! += gains[change]!
        })
        return byPage
      })
      expect(spearman(sums[0]!, sums[1]!)).toBeGreaterThan(0.9)
    }
  })
})

describe('shingle differences', () => {
  it('are those of the sets of four words in a row, of each page that changed', async () => {
    const states = statesOf(await allSteps(site.world))
    const shingles = (step: number, url: string) => {
      const page = states[step]!.get(url)
      const words =
        page === undefined ? [] : (`${page.title}\n${page.text}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      const count = words.length === 0 ? 0 : Math.max(1, words.length - 3)
      return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + 4).join(' ')))
    }
    let changes = 0
    const { timeline } = input
    forEachLaterChange(timeline, (change, page, step) => {
      const [before, after] = [shingles(step - 1, timeline.urls[page]!), shingles(step, timeline.urls[page]!)]
      const shared = [...before].filter((shingle) => after.has(shingle)).length
      const all = before.size + after.size - shared
      expect(input.differences![change]).toBeCloseTo(all === 0 ? 0 : 1 - shared / all, 12)
      changes++
    })
    expect(changes).toBeGreaterThan(30)
  })

  it('are whole for pages that come, go, or come back', async () => {
    const steps = stepsOf(
      { put: [page('/a', 'one two'), page('/b', 'one two three four five')] },
      { put: [page('/c', 'three')], gone: ['/a'] },
      { put: [page('/a', 'one two'), page('/b', 'one two three four six')] },
    )
    const differences = new ShingleDifferences((await xxhash()).h64)
    const timeline = await readTimeline(differences.watching(worldOf(steps)))
    expect([...differences.byChange(timeline)]).toEqual([0, 0, 1, 1, 1, 1 - 1 / 3])
  })
})
