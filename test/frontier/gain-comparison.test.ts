/**
 * That an index compares what new pages gained with what it had expected, believes that for the next ones, and keeps
 * it.
 */
import { Freshdex, type FrontierExplanation } from 'freshdex'
import { describe, expect, test } from 'vitest'
import { AppearanceGains } from '../../src/frontier/impact/appearance-gain.js'
import { growTree } from '../../src/frontier/impact/regression-tree.js'
import { GainComparison } from '../../src/frontier/learning.js'
import { Lessons } from '../../src/frontier/lessons.js'
import { DEFAULT_VIEW } from '../../src/workload/view-likelihood.js'
import { newPath } from '../storage/temporary-folder.js'
import { SeededRandom, withSeed } from '../support/seed.js'
import { DAY_MS, documents, OPTIONS, type Page, START, WORDS } from './meadow.js'

const at = START + DAY_MS

describe('a comparison of gains', () => {
  test('has the sums of the definition', () => {
    withSeed('gain comparison', (seed) => {
      const random = new SeededRandom(seed)
      const scoresOf = (count: number) => Array.from({ length: count }, () => random.next() * 4).sort((a, b) => b - a)
      for (let round = 0; round < 20; round++) {
        const rows = Array.from({ length: 60 }, () => [random.next(), random.next()])
        const targets = Float64Array.from(rows, ([url]) => 3 * url! + random.next())
        const tree =
          round % 2 === 0 ? growTree(Float64Array.from(rows.flat()), targets, 2, { minLeafRows: 10 }) : undefined
        const comparison = new GainComparison(tree, DEFAULT_VIEW)
        const sums = Array.from({ length: 5 }, () => ({ expected: 0, measured: 0 }))
        for (let query = 0; query < 15; query++) {
          const [frequency, scores] = [random.next() * 9, scoresOf(random.int(12))]
          const gainOf = (score: number) => frequency * new AppearanceGains(scores, DEFAULT_VIEW).gain(score)
          const matching: [number, Float64Array][] = []
          const found: [number, number][] = []
          sums.forEach((sum, document) => {
            if (random.chance(0.5)) {
              const features = Float64Array.of(random.next(), random.next())
              matching.push([document, features])
              sum.expected += expectedScores(tree, features, scores)
                .map(({ score, chance }) => chance * gainOf(score))
                .reduce((total, gain) => total + gain, 0)
            }
            if (random.chance(0.5)) {
              const score = random.next() * 4
              found.push([document, score])
              sum.measured += gainOf(score)
            }
          })
          comparison.note({ frequency, scores }, matching, found)
        }
        sums.forEach(({ expected, measured }, document) => {
          const of = comparison.of(document)
          expect(of.expected).toBeCloseTo(expected, 9)
          expect(of.measured).toBeCloseTo(measured, 9)
        })
      }
    })
  })

  test('knows nothing of a page that no query speaks of', () => {
    expect(new GainComparison(undefined, DEFAULT_VIEW).of(3)).toEqual({ expected: 0, measured: 0 })
  })
})

/** By walking down the tree by hand; before there is one, the guess. */
function expectedScores(
  tree: ReturnType<typeof growTree> | undefined,
  features: Float64Array,
  scores: readonly number[],
): { score: number; chance: number }[] {
  if (tree === undefined) {
    const best = scores.slice(0, 10)
    const mean = best.length === 0 ? 1 : best.reduce((sum, score) => sum + score, 0) / best.length
    return [{ score: (mean * (1 + Math.max(...features))) / 2, chance: 1 }]
  }
  let node = 0
  while (tree.features[node]! >= 0) {
    const isBelow = features[tree.features[node]!]! <= tree.thresholds[node]!
    node = isBelow ? node + 1 : tree.rights[node]!
  }
  const values = tree.values[node]!
  return values.map((score) => ({ score, chance: 1 / values.length }))
}

describe('lessons about gains', () => {
  const gains = (lessons: Lessons, isByTree: boolean, factor: number, pages = 200) => {
    for (let nth = 0; nth < pages; nth++) lessons.addGain({ expected: 8, measured: 8 * factor }, isByTree)
  }

  test('are believed of their own kind, and last', () => {
    const lessons = new Lessons()
    expect(lessons.calibration(8)).toEqual({ factor: 1, pages: 0 })
    gains(lessons, false, 0.1)
    gains(lessons, true, 2)
    expect(lessons.calibration(8)).toMatchObject({ pages: 200 })
    expect(lessons.calibration(8).factor).toBeLessThan(0.3)
    const again = Lessons.unpack(lessons.pack())!
    expect(again.calibration(8)).toEqual(lessons.calibration(8))
    for (const each of [lessons, again]) {
      for (let nth = 0; nth < 200; nth++) each.addPair(new Float64Array(11).fill(nth % 7), nth % 5)
      expect(each.tree).toBeDefined()
      expect(each.calibration(8).factor).toBeGreaterThan(1.5)
    }
    expect([...lessons.calibrated(Float64Array.of(0, 8))]).toEqual([0, 8 * lessons.calibration(8).factor])
  })

  test('may be missing from older bytes, but not be damaged', () => {
    const lessons = new Lessons()
    gains(lessons, false, 0.5)
    const bytes = Buffer.from(lessons.pack())
    const name = bytes.indexOf('gains')
    const other = Buffer.from(bytes)
    other.write('older', name)
    expect(Lessons.unpack(other)!.calibration(8)).toEqual({ factor: 1, pages: 0 })
    const eight = Buffer.alloc(4)
    eight.writeFloatLE(8)
    const damaged = Buffer.from(bytes)
    damaged.writeFloatLE(-8, damaged.indexOf(eight, name))
    expect(Lessons.unpack(damaged)).toBeUndefined()
  })
})

test('a young index that is promised too much believes less and less of it', async () => {
  await withSeed('broken promises', async (seed) => {
    const random = new SeededRandom(seed)
    const folder = newPath()
    let index = await Freshdex.open<Page>(folder, OPTIONS)
    await index.write({ put: documents(random, 60) }, { at: START })
    await index.workload.load(
      WORDS.map((word) => [word, 5]),
      { at: START },
    )
    const urlOf = (nth: number) => `https://new.example/${WORDS[nth % WORDS.length]}/${nth}`
    await index.frontier.add(Array.from({ length: 80 }, (_, nth) => ({ url: urlOf(nth) })))
    const promisedFirst = (await index.frontier.explain(urlOf(79), { at })) as FrontierExplanation
    expect(promisedFirst).toMatchObject({ gainFactor: 1, gainPages: 0 })
    // None of them says what its URL promises.
    await index.write({
      put: Array.from({ length: 60 }, (_, nth) => ({ url: urlOf(nth), title: 'nothing', body: 'at all' })),
    })
    const told = (await index.frontier.explain(urlOf(79), { at })) as FrontierExplanation
    expect(told.gainFactor).toBeLessThan(0.6)
    expect(told.gainPages).toBeGreaterThan(0)
    const promised = told.queries.reduce((sum, { deltaQuality }) => sum + deltaQuality, 0)
    expect(told.deltaQuality).toBeCloseTo(promised * told.gainFactor, 9)
    const planned = (await index.plan({ budget: 500, at })).actions.find(({ key }) => key === urlOf(79))!
    expect(planned.deltaQuality).toBeCloseTo(told.deltaQuality, 9)
    expect(planned.deltaQuality).toBeLessThan(0.6 * promisedFirst.deltaQuality)
    await index.close()
    index = await Freshdex.open<Page>(folder, OPTIONS)
    await using _index = index
    expect(await index.frontier.explain(urlOf(79), { at })).toEqual(told)
  })
})
