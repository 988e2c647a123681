import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { areaVerdict, orderAreas } from '../../../../src/lab/experiments/frontier/areas.js'
import { frontierChecks } from '../../../../src/lab/experiments/frontier/checks.js'
import { FeaturesBeforeFetch } from '../../../../src/lab/experiments/frontier/expected-scores.js'
import {
  curveOf,
  FETCH_ORDERS,
  type OrdersResult,
  orderBy,
} from '../../../../src/lab/experiments/frontier/fetch-orders.js'
import { type FrontierInput, loadFrontierInput } from '../../../../src/lab/experiments/frontier/input.js'
import { baseGain, calibrate } from '../../../../src/lab/experiments/frontier/new-page-gains.js'
import { forEachLink, inlinksAtFirstSight } from '../../../../src/lab/experiments/frontier/page-links.js'
import {
  type FrontierTask,
  frontierRows,
  frontierTasks,
  runFrontierTask,
} from '../../../../src/lab/experiments/frontier/run.js'
import { forEachMatch, sceneOfLastStep, scoreOf, trueImpacts } from '../../../../src/lab/experiments/frontier/scenes.js'
import { queryHalves, SKETCH_SHARES } from '../../../../src/lab/experiments/frontier/sketch-shares.js'
import type { Timeline } from '../../../../src/lab/quality/timeline.js'
import type { WorldPage } from '../../../../src/lab/worlds/world.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { type GeneratedFolder, generatedFolder } from '../generated-folder.js'

const SEED = 3
const PAGES = 80
let site: GeneratedFolder
let input: FrontierInput

beforeAll(async () => {
  site = await generatedFolder(SEED, PAGES, 8)
  // Anchors that say what a page is about: the beginning of its title.
  const pages = await firstPagesOf(site)
  const links = pages.flatMap(({ url: to, title }, at) =>
    pages
      .slice(0, at % 9)
      .map(({ url: from }) => JSON.stringify({ week: 0, from, to, anchor: title.split(' ').slice(0, 2).join(' ') })),
  )
  writeFileSync(path.join(site.folder, 'links.ndjson.gz'), gzipSync(`${links.join('\n')}\n`))
  const spec = {
    data: site.folder,
    scoring: 'tfidf',
    queries: 500,
    heldBack: 0.2,
    rho: 1,
    ngramWords: 1,
    seed: 1,
    budgets: [0.05],
  } as const
  input = await loadFrontierInput(spec)
})
afterAll(() => site.remove())

async function firstPagesOf({ world }: GeneratedFolder): Promise<readonly WorldPage[]> {
  for await (const { versions } of world) return versions
  throw new Error('a world without a step')
}

describe('an order of fetching', () => {
  it('has the area that its cumulative impacts have, and no other order has more than the ideal one', () => {
    withSeed('fetch orders', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 30; round++) {
        const impacts = Float64Array.from({ length: 1 + (random.uint32() % 40) }, () => Math.floor(random.next() * 5))
        const values = impacts.map(() => Math.floor(random.next() * 3))
        const { area, points } = curveOf('hybrid', values, impacts, round)
        const total = impacts.reduce((sum, impact) => sum + impact, 0)
        let [expected, got] = [0, 0]
        for (const at of orderBy(values, round)) {
          expected += (got + impacts[at]! / 2) / impacts.length / (total || 1)
          got += impacts[at]!
        }
        expect(area).toBeCloseTo(expected, 12)
        expect(points.at(-1)!.impactShare).toBeCloseTo(total === 0 ? 0 : 1, 12)
        expect(curveOf('ideal', impacts, impacts, round).area).toBeGreaterThanOrEqual(area - 1e-12)
      }
    })
  })

  it('takes equals by chance, not by their numbers', () => {
    expect([...orderBy([0, 0, 0, 0, 0, 0, 1], 1)][0]).toBe(6)
    expect([...orderBy([0, 0, 0, 0, 0, 0, 0], 1)]).not.toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})

describe('the frontier experiment', () => {
  it('knows nothing of pages but links from fetched ones', () => {
    const scene = sceneOfLastStep(input, 1)
    const clues = new FeaturesBeforeFetch(scene)
    expect(scene.frontier.length).toBeGreaterThan(5)
    for (const page of scene.frontier) {
      const { urls } = input.timeline
      const sources = new Set<number>()
      for (let at = page === 0 ? 0 : input.links.ends[page - 1]!; at < input.links.ends[page]!; at++) {
        if (scene.isCrawled[input.links.sources[at]!] === 1) sources.add(input.links.sources[at]!)
      }
      expect([urls[page], clues.of(page).inlinks]).toEqual([urls[page], sources.size])
    }
  })

  it('takes the most important fifth for fetched in the second set', () => {
    const [first, second] = [sceneOfLastStep(input, 1), sceneOfLastStep(input, 2)]
    expect(second.frontier.length).toBe(first.frontier.length - Math.round(0.2 * first.frontier.length))
    const clues = new FeaturesBeforeFetch(first)
    const promoted = [...first.frontier].filter((page) => !second.frontier.includes(page))
    const least = Math.min(...promoted.map((page) => clues.importance(page)))
    for (const page of second.frontier) expect(clues.importance(page)).toBeLessThanOrEqual(least)
  })

  it('gives each part, the same each time, and checks of all', () => {
    const tasks = frontierTasks({ budgets: [0.05], seed: 1 })
    const rows = tasks.map((task) => runFrontierTask(input, task))
    expect(tasks.map((task) => runFrontierTask(input, task))).toEqual(rows)
    const { orders, sketches, splits } = frontierRows(rows)
    for (const { set, curves, frontier, comeLater, totalImpact, promoted } of orders) {
      const scene = sceneOfLastStep(input, set)
      const impacts = trueImpacts(scene, input.scores.weights)
      const worth = promoted.map((page) => page.impact * (page.importancePlace - page.hybridPlace))
      expect(worth).toEqual([...worth].sort((a, b) => b - a))
      for (const { url, query, impact, inlinks, hybridPlace, importancePlace } of promoted) {
        expect(hybridPlace).toBeLessThan(importancePlace)
        const number = input.timeline.urls.indexOf(url)
        expect([scene.frontier.includes(number), impacts[number]]).toEqual([true, impact])
        expect(new FeaturesBeforeFetch(scene).of(number).inlinks).toBe(inlinks)
        const row = input.queryWords.findIndex((words) => words.join(' ') === query)
        expect(input.scores.weights[row]).toBeLessThanOrEqual(impact)
        expect(scoreOf(input.scores, scene.versions[number]!, row)).toBeGreaterThan(0)
      }
      expect(curves.map(({ order }) => order)).toEqual([...FETCH_ORDERS])
      const ideal = curves.at(-1)!.area
      for (const { area } of curves) expect(area).toBeLessThanOrEqual(ideal + 1e-12)
      expect(totalImpact).toBeGreaterThan(0)
      expect(comeLater).toBeLessThan(frontier)
    }
    for (const { rows: shares } of sketches) {
      expect([...new Set(shares.map(({ sketchShare }) => sketchShare))]).toEqual(SKETCH_SHARES)
      for (const { sketchShare, kept } of shares) if (sketchShare === 1) expect([1, null]).toContain(kept)
    }
    const fixed = splits.filter(({ plan }) => plan === 'fixed')
    expect(fixed[0]).toMatchObject({ newShare: 0, newPages: 0 })
    fixed.forEach(({ newPages }, at) => {
      expect(newPages).toBeGreaterThanOrEqual(fixed[at - 1]?.newPages ?? 0)
    })
    for (const { budget, newPages, refreshes } of splits) {
      expect(newPages + refreshes).toBeLessThanOrEqual(budget * (input.timeline.atMs.length - 1))
    }
    const oracle = splits.find(({ plan }) => plan === 'oracle')!
    for (const { meanQuality } of splits) expect(meanQuality).toBeLessThanOrEqual(oracle.meanQuality + 0.01)
    expect(orders.flatMap(({ promoted }) => promoted).length).toBeGreaterThan(0)
    const checks = frontierChecks({ orders, sketches, splits })
    expect(checks).toHaveLength(2 * 4 + 2 * 2 + 1)
    for (const { name, holds, value, limit } of checks) {
      if (value !== null && !name.includes('at most')) expect([name, holds]).toEqual([name, value >= limit])
    }
  })

  it('halves the queries', () => {
    const [learned, tested] = queryHalves(input)
    expect([...learned, ...tested].sort((a, b) => a - b)).toEqual(input.queryWords.map((_, query) => query))
    expect(Math.abs(learned.length - tested.length)).toBeLessThanOrEqual(1)
  })

  it('refuses what cannot be', async () => {
    await expect(loadFrontierInput({ ...input.spec, heldBack: 0.6 })).rejects.toThrow(/heldBack/)
    await expect(loadFrontierInput({ ...input.spec, ngramWords: 0 })).rejects.toThrow(/ngramWords/)
    const task = { part: 'split', plan: 'best', budgetShare: 0.1 } as unknown as FrontierTask
    expect(() => runFrontierTask(input, task)).toThrow(/plan/)
  })
})

describe('areas of several seeds', () => {
  it('have intervals by Student, and a verdict that says what may be chance', () => {
    const orders = [0.6, 0.64, 0.62].map(
      (hybrid, at) =>
        ({
          ...{ set: 1, seed: at + 1 },
          curves: FETCH_ORDERS.map((order) => ({
            order,
            area: { random: 0.5, 'query-independent': 0.6, 'query-driven': 0.55, hybrid, ideal: 0.9 }[order],
            points: [],
          })),
        }) as unknown as OrdersResult,
    )
    const areas = orderAreas(orders)
    const hybrid = areas.find(({ order }) => order === 'hybrid')!
    expect(hybrid.mean).toBeCloseTo(0.62, 12)
    // t of 97.5% with two degrees of freedom is 4.3027, the standard deviation 0.02.
    const half = (4.302653 * 0.02) / Math.sqrt(3)
    expect(hybrid.interval![0]).toBeCloseTo(0.62 - half, 6)
    expect(hybrid.interval![1]).toBeCloseTo(0.62 + half, 6)
    const above = areas.find(({ order }) => order === 'query-independent')!.hybridAbove
    expect(above.mean).toBeCloseTo(0.02, 12)
    expect(areaVerdict(areas, 3)).toBe(
      'Over 3 seeds, in set 1 hybrid, the order of an index, brings most impact first, with an area of 0.620: ' +
        '0.020 more than query-independent (95% interval -0.030 to 0.070, so it may be chance).',
    )
    expect(orderAreas(orders.slice(0, 1))[0]!.interval).toBeNull()
    expect(areaVerdict([], 3)).toBeUndefined()
  })
})

describe('scores by inlinks', () => {
  it('are those of the links that are there when a page comes', async () => {
    const scored = await loadFrontierInput({ ...input.spec, scoring: 'inlinks' })
    const { timeline, scores, links } = scored
    // All links of this world are of week 0, so that they count for pages of all steps.
    for (let version = 0; version < timeline.pageOf.length; version++) {
      const page = timeline.pageOf[version]!
      const sources = new Set<number>()
      forEachLink(links, page, (source) => sources.add(source))
      forEachMatch(scores, version, (_, score) => expect(score).toBe(sources.size))
    }
    const later: Timeline = {
      ...{ urls: ['/old', '/new', '/last'], pageOf: Uint32Array.of(0, 1, 2), atMs: Float64Array.of(0, 1, 2) },
      ...{ changeEnds: Uint32Array.of(1, 2, 3), changedPages: Uint32Array.of(0, 1, 2) },
      changedVersions: Int32Array.of(0, 1, 2),
    }
    const told = [
      ...['/a', '/b'].map((from) => ({ week: 0, from, to: '/old', anchor: '' })),
      { week: 1, from: '/a', to: '/old', anchor: '' },
      ...['/a', '/b', '/b', '/new'].map((from) => ({ week: 1, from, to: '/new', anchor: '' })),
      { week: 1, from: '/a', to: '/last', anchor: '' },
      { week: 0, from: '/a', to: '/new', anchor: '' },
    ]
    expect(Object.fromEntries(inlinksAtFirstSight(later, told))).toEqual({ '/old': 2, '/new': 2, '/last': 1 })
  })
})

describe('the calibration of gains', () => {
  it('finds a base and a factor', () => {
    const sums = Array.from({ length: 400 }, (_, at) => (at < 200 ? 0 : at - 199))
    const importance = sums.map((_, at) => at % 2)
    const found = sums.map((sum, at) => 3 * sum + (at % 2 === 0 ? 4 : 8))
    const { base, factor } = calibrate(sums, importance, found)
    // Halfway between 4 and 8, which importance tells, and their mean.
    expect(baseGain(base, 0)).toBeCloseTo(5, 9)
    expect(baseGain(base, 1)).toBeCloseTo(7, 9)
    const rest = (at: number) => found[at]! - baseGain(base, importance[at]!)
    const product = sums.reduce((total, sum, at) => total + sum * rest(at), 0)
    const square = sums.reduce((total, sum) => total + sum * sum, 0)
    expect(factor).toBeCloseTo(product / square, 9)
  })

  it('has nothing to say without pages', () => {
    const { base, factor } = calibrate([], [], [])
    expect([baseGain(base, 1), factor]).toEqual([0, 0])
  })
})
