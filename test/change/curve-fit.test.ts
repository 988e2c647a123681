import { describe, expect, it } from 'vitest'
import { combineObservations, fitDivergenceCurve } from '../../src/change/curve-fit.js'
import { type DivergenceCurve, divergenceAt, utilityAt } from '../../src/change/divergence-curve.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe('a fitted curve', () => {
  it('is as close as the closest of all that are tried', () => {
    withSeed('fits', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 400; round++) {
        const { agesMs, divergences } = randomObservations(random)
        const fitted = fitDivergenceCurve(agesMs, divergences)!
        const error = fitSquaredError(fitted, agesMs, divergences)
        const closest = closestByBruteForce(agesMs, divergences)
        const squares = divergences.reduce((sum, divergence) => sum + divergence ** 2, 0)
        expect(error).toBeLessThanOrEqual(closest.error + 1e-4 * squares)
        expect(error).toBeGreaterThanOrEqual(closest.error - 1e-12)
        expect(fitted.share).toBeGreaterThanOrEqual(0)
        expect(fitted.share).toBeLessThanOrEqual(1)
      }
    })
  })

  it('comes near the curve that it was seen of', () => {
    withSeed('recovered curves', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const items = random.pick([1, 2, 3, 5, 10, 20])
        const curve: DivergenceCurve = {
          ratePerMs: 10 ** (-9 * random.next()),
          items,
          share: 0.2 + 0.8 * random.next(),
        }
        // From a sixth of what an item lives to twice that. The grid of rates is no finer than the tolerance.
        const agesMs = Array.from({ length: 12 }, (_, at) => ((at + 1) / 6) * (items / curve.ratePerMs))
        const divergences = agesMs.map((ageMs) => divergenceAt(curve, ageMs))
        const fitted = fitDivergenceCurve(agesMs, divergences)!
        for (const ageMs of agesMs) {
          expect(Math.abs(divergenceAt(fitted, ageMs) - divergenceAt(curve, ageMs))).toBeLessThan(0.06)
        }
        const oldest = agesMs.at(-1)!
        expect(Math.abs(utilityAt(fitted, oldest) / utilityAt(curve, oldest) - 1)).toBeLessThan(0.15)
      }
    })
  })

  it('tells churn from scroll, and how many items that holds', () => {
    const agesMs = [1, 2, 3, 4, 6, 8, 12, 16]
    // On the grid: between two of its rates churn may be nearer to a short scroll than to itself.
    const ratePerMs = (1 / (30 * 16)) * (90 * 16) ** (20 / 23)
    for (const items of [1, 2, 3, 5, 10, 20]) {
      const curve: DivergenceCurve = { ratePerMs, items, share: 0.7 }
      const divergences = agesMs.map((ageMs) => divergenceAt(curve, ageMs))
      expect(fitDivergenceCurve(agesMs, divergences)!.items).toBe(items)
    }
  })

  it('is churn where all are equally close', () => {
    expect(fitDivergenceCurve([5, 5], [0.3, 0.4])!.items).toBe(1)
    expect(fitDivergenceCurve([5, 5], [0.3, 0.4])!.share).toBeGreaterThan(0.35)
  })

  it('has no share where nothing diverged', () => {
    expect(fitDivergenceCurve([1, 2, 3], [0, 0, 0])).toEqual({ ratePerMs: 0, items: 1, share: 0 })
  })

  it('needs two observations, of which only the first are looked at if so told', () => {
    expect(fitDivergenceCurve([], [])).toBeUndefined()
    expect(fitDivergenceCurve([1], [0.5])).toBeUndefined()
    const [agesMs, divergences] = [Float32Array.of(1, 4, 9, 2), Float32Array.of(0.125, 0.25, 0.5, 1)]
    expect(fitDivergenceCurve(agesMs, divergences, 1)).toBeUndefined()
    expect(fitDivergenceCurve(agesMs, divergences, 3)).toEqual(fitDivergenceCurve([1, 4, 9], [0.125, 0.25, 0.5]))
    const curve = fitDivergenceCurve([1, 4, 9], [0.125, 0.25, 0.5])!
    expect(fitSquaredError(curve, agesMs, divergences, 3)).toBe(fitSquaredError(curve, [1, 4, 9], [0.125, 0.25, 0.5]))
  })

  it('does not mind how many observations there are, nor in which order', () => {
    withSeed('many observations', (seed) => {
      const random = new SeededRandom(seed)
      const ages = random.shuffle(Array.from({ length: 300 }, (_, at) => at + 1))
      const curve: DivergenceCurve = { ratePerMs: 0.01, items: 1, share: 0.6 }
      const fitted = fitDivergenceCurve(
        ages,
        ages.map((ageMs) => divergenceAt(curve, ageMs)),
      )!
      expect(Math.abs(divergenceAt(fitted, 100) - divergenceAt(curve, 100))).toBeLessThan(0.02)
    })
  })
})

describe('observations of several profiles', () => {
  it('are united by age, and averaged at equal ages', () => {
    const combined = combineObservations([
      { agesMs: [2, 5, 9], divergences: [0.1, 0.2, 0.6] },
      { agesMs: [], divergences: [] },
      { agesMs: Float64Array.of(3, 5), divergences: Float64Array.of(0.25, 0.5) },
      { agesMs: [5], divergences: [0.2] },
    ])
    expect(combined.agesMs).toEqual([2, 3, 5, 9])
    expect(combined.divergences[2]).toBeCloseTo(0.3, 12)
    expect(combined.divergences.filter((_, at) => at !== 2)).toEqual([0.1, 0.25, 0.6])
    expect(combineObservations([])).toEqual({ agesMs: [], divergences: [] })
  })
})

function randomObservations(random: SeededRandom): { agesMs: number[]; divergences: number[] } {
  const count = random.between(2, 15)
  const unitMs = 10 ** random.between(0, 10)
  const spread = random.chance(0.3) ? 1000 : 10
  const agesMs = Array.from({ length: count }, () => unitMs * (1 + spread * random.next() ** 3)).sort((a, b) => a - b)
  const slope = random.next() / (unitMs * spread)
  const divergences = agesMs.map((ageMs) => Math.min(1, Math.round(8 * (slope * ageMs + 0.3 * random.next())) / 8))
  if (!divergences.some((divergence) => divergence > 0)) divergences[0] = 0.125
  return { agesMs, divergences }
}

/** Every rate of the grid with every number of items, and the shares of a fine grid besides the best. */
function closestByBruteForce(agesMs: number[], divergences: number[]): { error: number } {
  const lowest = 1 / (30 * Math.max(...agesMs))
  const highest = 3 / Math.min(...agesMs)
  let closest = { error: Number.POSITIVE_INFINITY }
  for (let rate = 0; rate < 24; rate++) {
    const ratePerMs = lowest * (highest / lowest) ** (rate / 23)
    for (const items of [1, 2, 3, 5, 10, 20]) {
      const curve = agesMs.map((ageMs) => divergenceAt({ ratePerMs, items, share: 1 }, ageMs))
      const product = curve.reduce((sum, value, at) => sum + value * divergences[at]!, 0)
      const power = curve.reduce((sum, value) => sum + value ** 2, 0)
      for (const share of [0, 0.25, 0.5, 0.75, 1, Math.min(1, product / power)]) {
        const error = curve.reduce((sum, value, at) => sum + (divergences[at]! - share * value) ** 2, 0)
        if (error < closest.error) closest = { error }
      }
    }
  }
  return closest
}

/** The sum over the first `count` observations of the squared distance to the curve. */
function fitSquaredError(
  curve: DivergenceCurve,
  agesMs: ArrayLike<number>,
  divergences: ArrayLike<number>,
  count = agesMs.length,
): number {
  let sum = 0
  for (let at = 0; at < count; at++) sum += (divergences[at]! - divergenceAt(curve, agesMs[at]!)) ** 2
  return sum
}
