import { describe, expect, it } from 'vitest'
import { GainCalibration } from '../../../src/frontier/impact/gain-calibration.js'
import { SeededRandom, withSeed } from '../../support/seed.js'

type Pair = readonly [expected: number, measured: number]

/**
 * By the definition, from the list of all pairs: 30 pages more of the same size, at 1 or at what all levels say; then
 * the rising line.
 */
function twin(pairs: readonly Pair[], expected: number): { factor: number; pages: number } {
  const levelOf = (gain: number) => Math.round(Math.log2(gain) / 2)
  const useful = pairs.filter(([gain]) => gain > 0)
  const ofLevel = (level: number) => useful.filter(([gain]) => levelOf(gain) === level)
  const meanOf = (level: number) => sum(ofLevel(level).map(([gain]) => gain)) / ofLevel(level).length
  const levelFactor = (level: number, prior: number) => {
    const mean = meanOf(level)
    const all = [...ofLevel(level), ...Array.from({ length: 30 }, (): Pair => [mean, prior * mean])]
    return sum(all.map(([, measured]) => measured)) / sum(all.map(([gain]) => gain))
  }
  const votes = useful.map(([gain]) => Math.log(levelFactor(levelOf(gain), 1)))
  const overall = Math.exp(sum(votes) / (votes.length + 30))
  const levels = [...new Set(useful.map(([gain]) => levelOf(gain)))].sort((a, b) => a - b)
  const xs = levels.map((level) => Math.log(meanOf(level)))
  const heights = levels.map((level, at) => 0.9 * xs[at]! + Math.log(levelFactor(level, overall)))
  const weights = levels.map((level) => ofLevel(level).length + 30)
  const ys = isotonic(heights, weights).map((height, at) => height + 0.1 * xs[at]!)
  if (expected === 0 || levels.length === 0) return { factor: 1, pages: 0 }
  return { factor: Math.exp(along(xs, ys, Math.log(expected))) / expected, pages: ofLevel(levelOf(expected)).length }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/**
 * The rising sequence of least squares: at each place the largest over beginnings of the smallest over ends of the
 * means between.
 */
function isotonic(values: readonly number[], weights: readonly number[]): number[] {
  const meanOf = (from: number, to: number) =>
    sum(values.slice(from, to + 1).map((value, at) => value * weights[from + at]!)) / sum(weights.slice(from, to + 1))
  return values.map((_, at) =>
    Math.max(
      ...values
        .slice(0, at + 1)
        .map((_, from) => Math.min(...values.slice(at).map((_, more) => meanOf(from, at + more)))),
    ),
  )
}

/** On the lines between the points, and at 45 degrees beyond them. */
function along(xs: readonly number[], ys: readonly number[], x: number): number {
  if (x <= xs[0]!) return ys[0]! + x - xs[0]!
  if (x >= xs.at(-1)!) return ys.at(-1)! + x - xs.at(-1)!
  const at = xs.filter((point) => point < x).length
  const share = (x - xs[at - 1]!) / (xs[at]! - xs[at - 1]!)
  return (1 - share) * ys[at - 1]! + share * ys[at]!
}

function calibrated(pairs: readonly Pair[]): GainCalibration {
  const calibration = new GainCalibration()
  for (const [expected, measured] of pairs) calibration.note(expected, measured)
  return calibration
}

describe('the calibration of expected gains', () => {
  it('is that of the definition', () => {
    withSeed('gain calibration', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 40; round++) {
        // Heavy tails on both sides, and pages of which nothing was expected or found.
        const gain = () => (random.chance(0.1) ? 0 : Math.exp(12 * random.next() - 6))
        const pairs = Array.from({ length: random.int(200) }, (): Pair => [gain(), gain()])
        const calibration = calibrated(pairs)
        expect(calibration.pages).toBe(pairs.filter(([expected]) => expected > 0).length)
        for (const expected of [0, 1e-9, 1e9, ...Array.from({ length: 10 }, gain)]) {
          const { factor, pages } = twin(pairs, expected)
          const found = calibration.of(expected)
          expect(found.pages).toBe(pages)
          expect(found.factor / factor).toBeCloseTo(1, 9)
        }
      }
    })
  })

  it('believes expectations until pages say otherwise, and pages the more the more they are', () => {
    expect(new GainCalibration().of(5)).toEqual({ factor: 1, pages: 0 })
    const factors = [1, 10, 100, 1000].map(
      (pages) => calibrated(Array.from({ length: pages }, (): Pair => [8, 2])).of(8).factor,
    )
    factors.reduce((before, factor) => {
      expect(factor).toBeLessThan(before)
      return factor
    }, 1)
    expect(factors[3]).toBeCloseTo(0.25, 1)
    expect(factors[3]).toBeGreaterThan(0.25)
  })

  it('tells sizes apart, and goes on evenly between and beyond them', () => {
    const pairs = Array.from({ length: 600 }, (_, at): Pair => (at % 2 === 0 ? [1, 0.1] : [4096, 4096]))
    const calibration = calibrated(pairs)
    expect(calibration.of(1).factor).toBeLessThan(0.2)
    expect(calibration.of(4096).factor).toBeGreaterThan(0.9)
    const between = calibration.of(64)
    expect(between.pages).toBe(0)
    expect(between.factor).toBeGreaterThan(calibration.of(1).factor)
    expect(between.factor).toBeLessThan(calibration.of(4096).factor)
    expect(calibration.of(1e-6).factor).toBeCloseTo(calibration.of(1).factor, 9)
    expect(calibration.of(1e9).factor).toBeCloseTo(calibration.of(4096).factor, 9)
  })

  it('never turns the order of pages round', () => {
    withSeed('order of gains', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 40; round++) {
        const gain = () => Math.exp(12 * random.next() - 6)
        const calibration = calibrated(Array.from({ length: 1 + random.int(500) }, (): Pair => [gain(), gain() ** 2]))
        const gains = Array.from({ length: 100 }, gain).sort((a, b) => a - b)
        gains
          .map((one) => one * calibration.of(one).factor)
          .reduce((before, one) => {
            expect(one).toBeGreaterThan(before)
            return one
          }, 0)
      }
    })
  })

  it('is not carried away by one page that gained a million times what was expected', () => {
    const pairs: Pair[] = [[1e-6, 1], ...Array.from({ length: 100 }, (): Pair => [100, 50])]
    expect(calibrated(pairs).of(100).factor).toBeLessThan(0.7)
  })

  it('refuses what is no gain', () => {
    const calibration = new GainCalibration()
    expect(() => calibration.note(-1, 0)).toThrow('expected must be a finite gain, at least 0, received -1')
    expect(() => calibration.note(1, Number.NaN)).toThrow('measured must be a finite gain, at least 0, received NaN')
    expect(() => calibration.of(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })
})
