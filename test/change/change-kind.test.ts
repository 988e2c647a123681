/**
 * Churn or scroll, told of pages that are generated as the one or the other, through sketches as an index makes them.
 */
import { describe, expect, it } from 'vitest'
import { kindOfChange, stillProbability } from '../../src/change/change-kind.js'
import { fitDivergenceCurve } from '../../src/change/curve-fit.js'
import { SKETCH_MINIMA, sketchDifference, sketchOf } from '../../src/change/sketches.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const FRAGMENTS = 120
const VISITS = 12

interface Known {
  /** The share of the fragments that moves. */
  readonly moving: number
  readonly items: number
  readonly updatesPerVisit: number
}

/** What twelve visits see of a page of a known kind; the unit of time is a visit. */
function visited(random: SeededRandom, { moving, items, updatesPerVisit }: Known) {
  const fragment = () => (BigInt(random.uint32()) << 32n) | BigInt(random.uint32())
  const movingCount = Math.round(FRAGMENTS * moving)
  const list = (count: number) => Array.from({ length: count }, fragment)
  const still = list(FRAGMENTS - movingCount)
  const item = () => list(Math.max(1, Math.round(movingCount / items)))
  const region = Array.from({ length: items }, item)
  const sketch = () => sketchOf(BigUint64Array.from([...still, ...region.flat()]).sort(), SKETCH_MINIMA)
  const base = sketch()
  const divergences: number[] = []
  const changed: boolean[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    const updates = poisson(random, updatesPerVisit)
    for (let update = 0; update < updates; update++) region.splice(0, region.length, ...region.slice(1), item())
    changed.push(updates > 0)
    divergences.push(updates === 0 ? (divergences.at(-1) ?? 0) : sketchDifference(base, 0, sketch(), 0, SKETCH_MINIMA))
  }
  return { agesMs: Array.from({ length: VISITS }, (_, at) => at + 1), divergences, changed }
}

function poisson(random: SeededRandom, mean: number): number {
  let count = 0
  for (let product = random.next(); product > Math.exp(-mean); product *= random.next()) count++
  return count
}

interface Told {
  readonly right: number
  readonly rightByCurve: number
  readonly probabilities: number
  readonly sure: number
  readonly sureAndRight: number
  readonly count: number
}

/** How often the kind is right, by the probabilities and by the closest curve, over pages that were seen to change. */
function toldOf(random: SeededRandom, kinds: readonly Known[], pages: number): Told {
  const told = { right: 0, rightByCurve: 0, probabilities: 0, sure: 0, sureAndRight: 0, count: 0 }
  for (const known of kinds) {
    for (let page = 0; page < pages; page++) {
      const observations = visited(random, known)
      if (!observations.divergences.some((divergence) => divergence > 0)) continue
      const { kind, probability } = kindOfChange(observations)
      const isRight = (kind === 'churn') === (known.items === 1)
      const curve = fitDivergenceCurve(observations.agesMs, observations.divergences)!
      told.count++
      told.probabilities += probability
      if (isRight) told.right++
      if ((curve.items === 1) === (known.items === 1)) told.rightByCurve++
      if (probability > 0.9) told.sure++
      if (probability > 0.9 && isRight) told.sureAndRight++
    }
  }
  return told
}

const SHARES = [0.2, 0.5, 1]
const of = (items: readonly number[], rates: readonly number[]): Known[] =>
  SHARES.flatMap((moving) =>
    items.flatMap((one) => rates.map((updatesPerVisit) => ({ moving, items: one, updatesPerVisit }))),
  )

describe('the kind of change', () => {
  it('is churn for nine of ten pages that churn at most once a visit, of which curves miss half', () => {
    withSeed('churn', (seed) => {
      const { right, rightByCurve, count } = toldOf(new SeededRandom(seed), of([1], [0.25, 1]), 15)
      expect(right / count).toBeGreaterThan(0.9)
      expect(rightByCurve / count).toBeLessThan(0.6)
    })
  })

  it('is right where it is sure, and right about as often as it says', () => {
    withSeed('kinds', (seed) => {
      const random = new SeededRandom(seed)
      // As many pages that churn as pages that scroll.
      const churn = toldOf(random, of([1], [0.5, 1, 2]), 10)
      const scroll = toldOf(random, of([10, 20], [0.5, 1, 2]), 5)
      const sum = (name: keyof Told) => churn[name] + scroll[name]
      expect(sum('sure') / sum('count')).toBeGreaterThan(0.25)
      expect(sum('sureAndRight') / sum('sure')).toBeGreaterThan(0.93)
      expect(Math.abs(sum('right') - sum('probabilities')) / sum('count')).toBeLessThan(0.12)
    })
  })

  it('has the longevity of a list that fills a page, or a part of it, within a factor of two', () => {
    withSeed('longevity', (seed) => {
      const random = new SeededRandom(seed)
      for (const moving of [0.5, 1]) {
        const known = { moving, items: 10, updatesPerVisit: 1 }
        const ratios = Array.from({ length: 15 }, () => {
          const { items, ratePerMs } = kindOfChange(visited(random, known))
          return (items / ratePerMs) * (known.updatesPerVisit / known.items)
        }).sort((a, b) => a - b)
        expect(ratios[7]).toBeGreaterThan(0.5)
        expect(ratios[7]).toBeLessThan(2)
      }
    })
  })

  it('is less sure of pages that were watched less', () => {
    withSeed('few visits', (seed) => {
      const random = new SeededRandom(seed)
      const known = { moving: 1, items: 10, updatesPerVisit: 1 }
      const probabilityAfter = (visits: number) => {
        let sum = 0
        for (let page = 0; page < 15; page++) {
          const { agesMs, divergences } = visited(random, known)
          const seen = { agesMs: agesMs.slice(0, visits), divergences: divergences.slice(0, visits) }
          sum += seen.divergences.some((divergence) => divergence > 0) ? kindOfChange(seen).probability : 0.5
        }
        return sum / 15
      }
      expect(probabilityAfter(12)).toBeGreaterThan(probabilityAfter(3))
    })
  })

  it('is still the more surely, the longer nothing was seen to change', () => {
    const probabilities = [1, 2, 5, 20].map((visits) => stillProbability(visits, visits))
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => a - b))
    expect(probabilities[0]).toBeGreaterThan(0.5)
    expect(probabilities.at(-1)).toBeLessThan(1)
  })
})
