import { describe, expect, it } from 'vitest'
import { gammaProbability, gammaQuantile } from '../../../src/math/gamma.js'
import { integrate } from '../../../src/math/quadrature.js'
import { gainInterval, NO_GAIN, withGain } from '../../../src/refresh/model/gain-interval.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

describe('the gamma distribution', () => {
  it('is the exponential one for shape 1', () => {
    for (const x of [1e-6, 0.1, 1, 2.5, 10, 50]) expect(gammaProbability(1, x)).toBeCloseTo(-Math.expm1(-x), 12)
    expect(gammaQuantile(1, 0.5)).toBeCloseTo(Math.LN2, 12)
  })

  it('agrees with sums of exponentials for whole shapes, and with an integral for others', () => {
    for (const shape of [2, 5, 40])
      for (const x of [0.5, shape / 2, shape, 2 * shape]) {
        let term = Math.exp(-x)
        let above = 0
        for (let n = 0; n < shape; n++) {
          above += term
          term *= x / (n + 1)
        }
        expect(gammaProbability(shape, x)).toBeCloseTo(1 - above, 12)
      }
    // Of shape 5/2: Γ(5/2) = 3/4 √π.
    const density = (x: number) => (x ** 1.5 * Math.exp(-x)) / (0.75 * Math.sqrt(Math.PI))
    expect(gammaProbability(2.5, 3)).toBeCloseTo(integrate(density, 0, 3), 9)
  })

  it('has quantiles that are the inverse of its probabilities', () => {
    withSeed('gamma quantiles', (seed) => {
      const random = new SeededRandom(seed)
      for (let run = 0; run < 300; run++) {
        const shape = 10 ** (random.next() * 7 - 2)
        const probability = 0.001 + 0.998 * random.next()
        const x = gammaQuantile(shape, probability)
        if (x > 1e-300) expect(gammaProbability(shape, x), `shape ${shape}`).toBeCloseTo(probability, 9)
      }
    })
    expect(gammaQuantile(0.001, 0.05)).toBe(0)
    expect(gammaProbability(3, 0)).toBe(0)
    expect(gammaProbability(3, Number.POSITIVE_INFINITY)).toBe(1)
  })
})

describe('the interval of a sum of gains', () => {
  it('is a point where nothing is uncertain', () => {
    expect(gainInterval(NO_GAIN)).toEqual({ low: 0, high: 0 })
    const sure = withGain(NO_GAIN, { changeChance: 1, gainIfChanged: 3, spread: 1 })
    expect(sure).toEqual({ mean: 3, variance: 0 })
    expect(gainInterval(sure)).toEqual({ low: 3, high: 3 })
  })

  it('holds the mean even where most likely nothing is gained', () => {
    const unlikely = withGain(NO_GAIN, { changeChance: 0.01, gainIfChanged: 5, spread: 10 })
    expect(gainInterval(unlikely)).toEqual({ low: 0, high: unlikely.mean })
  })

  it('has the mean and the variance of the pages', () => {
    // 10 with probability 1/4, twice as much as its mean square: 1/4 · 2 · 100 - 2.5².
    expect(withGain(NO_GAIN, { changeChance: 0.25, gainIfChanged: 10, spread: 2 })).toEqual({
      mean: 2.5,
      variance: 43.75,
    })
  })

  it('begins at 0 where it may well be that nothing has changed', () => {
    const { low, high } = gainInterval(withGain(NO_GAIN, { changeChance: 0.2, gainIfChanged: 1, spread: 3 }))
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(0.2)
  })

  it('holds about nine of ten sums of gains that are drawn as assumed', () => {
    withSeed('gain intervals', (seed) => {
      const random = new SeededRandom(seed)
      const exponential = () => -Math.log(1 - random.next())
      let inside = 0
      const runs = 2000
      for (let run = 0; run < runs; run++) {
        const pages = Array.from({ length: random.between(10, 60) }, () => ({
          ...{ changeChance: random.next(), gainIfChanged: exponential(), spread: 2 },
        }))
        const { low, high } = gainInterval(pages.reduce(withGain, NO_GAIN))
        const sum = pages.reduce(
          (gained, { changeChance, gainIfChanged }) =>
            gained + (random.chance(changeChance) ? gainIfChanged * exponential() : 0),
          0,
        )
        if (sum >= low && sum <= high) inside++
      }
      expect(inside / runs).toBeGreaterThan(0.88)
      expect(inside / runs).toBeLessThan(0.93)
    })
  })
})
