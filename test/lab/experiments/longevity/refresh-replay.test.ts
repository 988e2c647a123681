/** Staleness and cost of schedules, beside what the definitions say. */
import { describe, expect, it } from 'vitest'
import { SKETCH_MINIMA, shingleDifference, sketchDifference, sketchOf } from '../../../../src/change/sketches.js'
import { costAtStaleness, costCurve, stalenessAtCost } from '../../../../src/lab/experiments/longevity/findings.js'
import { differenceOf } from '../../../../src/lab/experiments/longevity/fragment-histories.js'
import { outcomeIn, replayPolicy } from '../../../../src/lab/experiments/longevity/replay.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'
import { changingAt, fragmentSet, historiesOf, randomPage, still, type ToldPage } from './told-pages.js'

/** Eq. 3 of two lists. */
function divergence(a: readonly number[], b: readonly number[]): number {
  const [setA, setB] = [new Set(a), new Set(b)]
  const union = new Set([...a, ...b])
  const shared = [...setA].filter((one) => setB.has(one))
  return union.size === 0 ? 0 : 1 - shared.length / union.size
}

/** Appendix B. */
function eagerness(page: ToldPage): number {
  const parts = page.slice(2).flatMap((third, at) => {
    const [early, late] = [divergence(page[at]!, page[at + 1]!), divergence(page[at]!, third)]
    return early === 0 && late === 0 ? [] : [early >= late ? 1 : early / late]
  })
  return parts.length === 0 ? 0.5 : parts.reduce((sum, part) => sum + part, 0) / parts.length
}

/** Eq. 1 and 2, interval by interval. */
function stalenessTwin(
  pages: readonly ToldPage[],
  schedules: readonly Set<number>[],
  atMs: Float64Array,
  from: number,
  to: number,
) {
  let sum = 0
  pages.forEach((page, number) => {
    const eager = eagerness(page)
    for (let step = from; step < to; step++) {
      const refreshes = [...schedules[number]!].filter((one) => one <= step)
      const copy = page[Math.max(0, ...refreshes)]!
      const here = (1 - eager) * divergence(copy, page[step]!) + eager * divergence(copy, page[step + 1]!)
      sum += here * (atMs[step + 1]! - atMs[step]!)
    }
  })
  return sum / pages.length / (atMs[to]! - atMs[from]!)
}

describe('a replay of refreshes', () => {
  it('is as stale as the definition says, at any schedule', () => {
    withSeed('longevity staleness', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) {
        const steps = random.between(3, 20)
        const pages = Array.from({ length: random.between(1, 6) }, () => randomPage(random, steps))
        let nowMs = 0
        const atMs = Float64Array.from({ length: steps }, () => (nowMs += random.between(1, 9)))
        const rate = random.next()
        const schedules = pages.map(
          () =>
            new Set(Array.from({ length: steps }, (_, step) => step).filter((step) => step > 0 && random.chance(rate))),
        )
        const histories = historiesOf(pages, atMs)
        const totals = replayPolicy(histories, (page) => (step) => {
          const later = [...schedules[page]!].filter((one) => one > step)
          return Math.min(...later, Number.POSITIVE_INFINITY)
        })
        const from = random.int(steps - 1)
        const to = random.between(from + 1, steps - 1)
        const { cost, staleness } = outcomeIn(histories, totals, { from, to })
        expect(staleness).toBeCloseTo(stalenessTwin(pages, schedules, atMs, from, to), 6)
        const inside = schedules.flatMap((schedule) => [...schedule].filter((one) => one >= from && one < to))
        expect(cost).toBeCloseTo(inside.length / pages.length / Math.max(1, to - Math.max(1, from)), 12)
      }
    })
  })

  it('knows how far any two versions are apart, whole and by sketches', () => {
    withSeed('longevity differences', (seed) => {
      const random = new SeededRandom(seed)
      const pages = Array.from({ length: 20 }, () => randomPage(random, 15))
      const histories = historiesOf(pages)
      pages.forEach((page, number) => {
        for (let a = 0; a < 15; a++) {
          for (let b = 0; b < 15; b++) {
            const [setA, setB] = [fragmentSet(page[a]!), fragmentSet(page[b]!)]
            const whole = differenceOf(histories, histories.differences, number, a, b)
            expect(whole).toBeCloseTo(shingleDifference(setA, setB), 6)
            const estimate = sketchDifference(sketchOf(setA), 0, sketchOf(setB), 0, SKETCH_MINIMA)
            expect(differenceOf(histories, histories.sketchDifferences, number, a, b)).toBeCloseTo(estimate, 6)
          }
        }
      })
    })
  })

  it('takes what a page says again for the version that it was', () => {
    const there = changingAt(6, [1])
    const back = there.map((fragments, step) => (step >= 3 ? there[0]! : fragments))
    const { versionCounts, versions } = historiesOf([back, still(6)])
    expect([...versionCounts]).toEqual([2, 1])
    expect([...versions.slice(0, 6)]).toEqual([0, 1, 1, 0, 0, 0])
  })

  it('refuses a refresh that does not come later', () => {
    expect(() => replayPolicy(historiesOf([still(4)]), () => (step) => step)).toThrow('after step 0, received 0')
  })
})

describe('curves of staleness by cost', () => {
  const curve = costCurve([
    { cost: 0.5, staleness: 0.1 },
    { cost: 0.1, staleness: 0.3 },
    { cost: 0.1, staleness: 0.4 },
  ])

  it('are straight between their points and even beyond them', () => {
    expect(stalenessAtCost(curve, 0.1)).toBe(0.3)
    expect(stalenessAtCost(curve, 0.3)).toBeCloseTo(0.2, 12)
    expect(stalenessAtCost(curve, 0.9)).toBe(0.1)
    expect(stalenessAtCost(curve, 0.05)).toBeUndefined()
    expect(stalenessAtCost([], 0.05)).toBeUndefined()
  })

  it('tell what a level costs', () => {
    expect(costAtStaleness(curve, 0.2)).toBeCloseTo(0.3, 12)
    expect(costAtStaleness(curve, 0.3)).toBe(0.1)
    expect(costAtStaleness(curve, 0.35)).toBeUndefined()
    expect(costAtStaleness(curve, 0.05)).toBeUndefined()
  })
})
