import { describe, expect, it } from 'vitest'
import type { FrontierInput } from '../../../../src/lab/experiments/frontier/input.js'
import { pageLinks } from '../../../../src/lab/experiments/frontier/page-links.js'
import {
  type CrawlScene,
  comeLater,
  drawPages,
  firstPages,
  lastVersions,
  NO_PAGE,
  scoreOf,
  topAnswers,
  trueImpacts,
} from '../../../../src/lab/experiments/frontier/scenes.js'
import { forEachChange, NO_VERSION } from '../../../../src/lab/quality/timeline.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { type RandomWorld, randomWorld, scoredWorld } from '../../quality/scored-worlds.js'

const RANKS = 10

function sceneOf({ pages, weights, steps }: RandomWorld, random: SeededRandom): CrawlScene {
  const world = scoredWorld(pages, weights, steps)
  const versions = lastVersions(world.timeline)
  const isCrawled = Uint8Array.from(versions, (version) => (version !== NO_VERSION && random.next() < 0.6 ? 1 : 0))
  const frontier = Uint32Array.from(
    [...versions.keys()].filter((p) => versions[p] !== NO_VERSION && isCrawled[p] === 0),
  )
  return { input: world as FrontierInput, versions, isCrawled, frontier }
}

/** All pages of a query by the definition: score descending, then number. */
function sorted({ input, versions }: CrawlScene, query: number, isIncluded: (page: number) => boolean) {
  return [...versions.keys()]
    .filter(isIncluded)
    .map((page) => ({ page, score: scoreOf(input.scores, versions[page]!, query) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.page - b.page)
}

describe('the best answers of a scene', () => {
  it('are those of sorted lists', () => {
    withSeed('best answers', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const scene = sceneOf(randomWorld(random), random)
        const isCrawled = (page: number) => scene.isCrawled[page] === 1
        const top = topAnswers(scene.input.scores, scene.versions, isCrawled, RANKS)
        for (let query = 0; query < scene.input.scores.weights.length; query++) {
          const expected = sorted(scene, query, isCrawled).slice(0, RANKS)
          const places = Array.from({ length: RANKS }, (_, at) => expected[at])
          const from = query * RANKS
          expect([...top.pages.subarray(from, from + RANKS)]).toEqual(places.map((place) => place?.page ?? NO_PAGE))
          expect([...top.scores.subarray(from, from + RANKS)]).toEqual(places.map((place) => place?.score ?? 0))
        }
      }
    })
  })

  it('give pages the weight of the queries of whose ten best they are', () => {
    withSeed('true impacts', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const scene = sceneOf(randomWorld(random), random)
        const { weights } = scene.input.scores
        const expected = new Float64Array(scene.versions.length)
        weights.forEach((weight, query) => {
          for (const { page } of sorted(scene, query, () => true).slice(0, RANKS)) expected[page]! += weight
        })
        expect(trueImpacts(scene, weights)).toEqual(expected)
      }
    })
  })
})

describe('pages held back', () => {
  it('are a share of the pages, others for another seed, the same for the same', () => {
    const pages = Array.from({ length: 200 }, (_, at) => at * 2)
    const drawn = drawPages(pages, 0.25, 7, 400)
    expect(drawn.reduce((sum, is) => sum + is, 0)).toBe(50)
    expect([...drawn.keys()].filter((page) => drawn[page] === 1 && page % 2 === 1)).toEqual([])
    expect(drawPages(pages, 0.25, 7, 400)).toEqual(drawn)
    expect(drawPages(pages, 0.25, 8, 400)).not.toEqual(drawn)
    expect(drawPages([], 1, 1, 3)).toEqual(new Uint8Array(3))
  })

  it('come at the second step as they are by then, and are as they were from there on', () => {
    withSeed('come later', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 50; round++) {
        const { pages, weights, steps } = randomWorld(random)
        const { timeline } = scoredWorld(pages, weights, steps)
        const isLater = drawPages(firstPages(timeline), 0.4, round, pages)
        const later = comeLater(timeline, isLater)
        const live = [timeline, later].map(() => new Int32Array(pages).fill(NO_VERSION))
        for (let step = 0; step < timeline.atMs.length; step++) {
          for (const [at, told] of [timeline, later].entries()) {
            forEachChange(told, step, (page, version) => {
              expect(live[at]![page]).not.toBe(version)
              live[at]![page] = version
            })
          }
          const expected = step > 0 ? live[0]! : live[0]!.map((version, p) => (isLater[p] === 1 ? NO_VERSION : version))
          expect(live[1]).toEqual(expected)
        }
      }
    })
  })

  it('need a step to come at', () => {
    const { timeline } = scoredWorld(1, [1], [new Map([[0, { 0: 1 }]])])
    expect(() => comeLater(timeline, new Uint8Array(1))).toThrow(RangeError)
  })
})

describe('links between pages', () => {
  it('are kept once each, by the page that they lead to', () => {
    const link = (from: string, to: string, anchor: string, week = 0) => ({ week, from, to, anchor })
    const links = pageLinks(
      ['/a', '/b', '/c'],
      [
        ...[link('/a', '/c', 'see c'), link('/a', '/c', 'see c', 9), link('/a', '/c', 'more')],
        ...[link('/b', '/a', 'a'), link('/x', '/a', 'x'), link('/a', '/x', 'x'), link('/b', '/b', 'self')],
      ],
    )
    expect([...links.ends]).toEqual([1, 1, 3])
    expect([...links.sources]).toEqual([1, 0, 0])
    expect(links.anchors).toEqual(['a', 'see c', 'more'])
  })
})
