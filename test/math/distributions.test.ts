import { describe, expect, it } from 'vitest'
import { compareMeans } from '../../src/lab/experiments/clusters/paper-checks.js'
import { normalTail, studentQuantile, studentTail } from '../../src/math/distributions.js'
import { SeededRandom, withSeed } from '../support/seed.js'

describe("Student's distribution", () => {
  it.each([
    // The usual table: degrees, then t that is passed with probability .1, .05, .025, .01 and .005.
    [1, 3.078, 6.314, 12.706, 31.821, 63.657],
    [2, 1.886, 2.92, 4.303, 6.965, 9.925],
    [3, 1.638, 2.353, 3.182, 4.541, 5.841],
    [5, 1.476, 2.015, 2.571, 3.365, 4.032],
    [10, 1.372, 1.812, 2.228, 2.764, 3.169],
    [30, 1.31, 1.697, 2.042, 2.457, 2.75],
    [120, 1.289, 1.658, 1.98, 2.358, 2.617],
    [1e9, 1.282, 1.645, 1.96, 2.326, 2.576],
  ])('of %d degrees has the published quantiles', (degrees, ...quantiles) => {
    const tails = [0.1, 0.05, 0.025, 0.01, 0.005]
    const found = tails.map((tail) => Number(studentQuantile(1 - tail, degrees).toFixed(3)))
    expect(found).toEqual(quantiles)
  })

  it('is that of its closed forms', () => {
    for (const t of [0, 0.01, 0.3, 1, 2.5, 10, 1e3, 1e6]) {
      // Of one degree the tail is that of Cauchy's distribution, without a difference of nearly equal numbers.
      expect(relative(studentTail(t, 1), Math.atan2(1, t) / Math.PI)).toBeLessThan(1e-12)
      const root = Math.sqrt(2 + t * t)
      expect(relative(studentTail(t, 2), 1 / (root * (root + t)))).toBeLessThan(1e-12)
      const three = Math.sqrt(3)
      const middle = Math.atan(t / three) + (t * three) / (t * t + 3)
      expect(studentDistribution(t, 3)).toBeCloseTo(0.5 + middle / Math.PI, 12)
      expect(studentDistribution(-t, 3)).toBeCloseTo(0.5 - middle / Math.PI, 12)
    }
  })

  it('is the integral of its density, on random degrees', () => {
    withSeed('student', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 40; round++) {
        // With fewer degrees the tail is too heavy for the rule below.
        const degrees = 2 + 60 * random.next() ** 2
        const [low, high] = [5 * random.next() - 3, 5 * random.next()].sort((a, b) => a - b) as [number, number]
        const density = (t: number) => (1 + (t * t) / degrees) ** (-(degrees + 1) / 2)
        // The factor before the density by symmetry: the half from 0 on, with t = s / (1 - s), has the integral 1/2.
        const half = integral((s) => density(s / (1 - s)) / (1 - s) ** 2, 0, 1 - 1e-9)
        const found = studentDistribution(high, degrees) - studentDistribution(low, degrees)
        expect(found).toBeCloseTo(integral(density, low, high) / half / 2, 6)
      }
    })
  })

  it('gives back what its quantiles were asked for', () => {
    withSeed('quantiles', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 200; round++) {
        const [probability, degrees] = [0.001 + 0.998 * random.next(), 0.3 + 10 ** (4 * random.next() - 1)]
        expect(studentDistribution(studentQuantile(probability, degrees), degrees)).toBeCloseTo(probability, 11)
      }
    })
    expect(studentQuantile(0.5, 7)).toBe(0)
  })

  it('refuses what is no probability, and no degrees', () => {
    expect(() => studentQuantile(0, 3)).toThrow(/probability must be a finite number from 0 to 1/)
    expect(() => studentQuantile(1, 3)).toThrow(/probability must be below 1/)
    expect(() => studentTail(1, 0)).toThrow(/degrees must be a finite number above 0/)
  })
})

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [0.5, 0.308537538725987],
    [1, 0.158655253931457],
    [1.959963984540054, 0.025],
    [2, 0.0227501319481792],
    [3, 0.00134989803163009],
    [3.090232306167813, 0.001],
    [5, 2.86651571879194e-7],
    [10, 7.61985302416053e-24],
    [37, 5.72557122252458e-300],
  ])('has the published tail beyond %d', (z, tail) => {
    expect(relative(normalTail(z), tail)).toBeLessThan(1e-12)
    expect(normalDistribution(-z)).toBe(normalTail(z))
    expect(normalDistribution(z)).toBeCloseTo(1 - tail, 12)
  })

  it('is what Student has of many degrees', () => {
    for (const z of [0.1, 1, 2.9, 3.1, 4]) expect(relative(studentTail(z, 1e6), normalTail(z))).toBeLessThan(1e-4)
    expect(normalTail(Number.POSITIVE_INFINITY)).toBe(0)
  })
})

describe('the comparison of two means', () => {
  it('is that of a known example', () => {
    // How much longer people slept after two drugs (Student, The probable error of a mean, 1908), taken as two samples.
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const { t, degreesOfFreedom, pValue, meanDifference } = compareMeans(first, second)
    expect(meanDifference).toBeCloseTo(-1.58, 12)
    expect(t).toBeCloseTo(-1.8608, 4)
    expect(degreesOfFreedom).toBeCloseTo(17.776, 3)
    expect(pValue).toBeCloseTo(0.07939, 5)
  })

  it('passes 1.960 where the chance of it is .05 in large samples', () => {
    const sample = (mean: number) => Array.from({ length: 2400 }, (_, at) => mean + (at % 2 === 0 ? 1 : -1))
    const gap = 1.959964 * Math.sqrt(2 / 2399)
    const { t, normalPValue, pValue } = compareMeans(sample(gap), sample(0))
    expect(t).toBeCloseTo(1.959964, 9)
    expect(normalPValue).toBeCloseTo(0.05, 7)
    expect(pValue).toBeCloseTo(0.05006, 5)
  })

  it('finds samples of one population different as often as its p-value says', () => {
    withSeed('false alarms', (seed) => {
      const random = new SeededRandom(seed)
      const rounds = 4000
      let alarms = 0
      for (let round = 0; round < rounds; round++) {
        const sample = (count: number) => Array.from({ length: count }, () => gaussian(random))
        if (compareMeans(sample(5), sample(8)).pValue < 0.05) alarms++
      }
      // Five standard deviations of the count; Welch's test is itself only nearly exact in samples as small.
      expect(Math.abs(alarms / rounds - 0.05)).toBeLessThan(5 * Math.sqrt((0.05 * 0.95) / rounds) + 0.004)
    })
  })

  it('knows samples that do not vary, and refuses those that are none', () => {
    expect(compareMeans([1, 1], [1, 1])).toMatchObject({ t: 0, pValue: 1, normalPValue: 1 })
    expect(compareMeans([2, 2], [1, 1])).toMatchObject({ t: Number.POSITIVE_INFINITY, pValue: 0, normalPValue: 0 })
    expect(() => compareMeans([1], [1, 2])).toThrow(/first must hold at least two values, received 1/)
    expect(() => compareMeans([1, 2], [1, Number.NaN])).toThrow(/second\[1\] must be a finite number/)
  })
})

/** The probability of a value of at most t. */
function studentDistribution(t: number, degrees: number): number {
  const above = studentTail(Math.abs(t), degrees)
  return t > 0 ? 1 - above : above
}

/** The probability of a normal value of at most z. */
function normalDistribution(z: number): number {
  return z > 0 ? 1 - normalTail(z) : normalTail(-z)
}

function relative(found: number, expected: number): number {
  return Math.abs(found / expected - 1)
}

function gaussian(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}

/** Simpson's rule. */
function integral(value: (x: number) => number, low: number, high: number): number {
  const pieces = 20_000
  const step = (high - low) / pieces
  let sum = value(low) + value(high)
  for (let at = 1; at < pieces; at++) sum += value(low + at * step) * (at % 2 === 0 ? 2 : 4)
  return (sum * step) / 3
}
