import { describe, expect, it } from 'vitest'
import { GainCalibration } from '../../src/frontier/gain-calibration.js'
import { SeededRandom, withSeed } from '../support/seed.js'

type Pair = readonly [expected: number, measured: number]

/** By the definition, from the list of all pairs: 30 pages more of the same size, at 1 or at what all levels say. */
function twin(pairs: readonly Pair[], expected: number): { factor: number; pages: number } {
  const levelOf = (gain: number) => Math.round(Math.log2(gain) / 2)
  const useful = pairs.filter(([gain]) => gain > 0)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const levelFactor = (level: number, prior: number) => {
    const own = useful.filter(([gain]) => levelOf(gain) === level)
    const mean = sum(own.map(([gain]) => gain)) / own.length
    const more = Array.from({ length: 30 }, (): Pair => [mean, prior * mean])
    const all = [...own, ...more]
    return sum(all.map(([, measured]) => measured)) / sum(all.map(([gain]) => gain))
  }
  const votes = useful.map(([gain]) => Math.log(levelFactor(levelOf(gain), 1)))
  const overall = Math.exp(sum(votes) / (votes.length + 30))
  const pages = expected === 0 ? 0 : useful.filter(([gain]) => levelOf(gain) === levelOf(expected)).length
  return { factor: pages === 0 ? overall : levelFactor(levelOf(expected), overall), pages }
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

  it('tells sizes apart, and takes the others for sizes that it never saw', () => {
    const pairs = Array.from({ length: 600 }, (_, at): Pair => (at % 2 === 0 ? [1, 0.1] : [4096, 4096]))
    const calibration = calibrated(pairs)
    expect(calibration.of(1).factor).toBeLessThan(0.2)
    expect(calibration.of(4096).factor).toBeGreaterThan(0.9)
    const unseen = calibration.of(64)
    expect(unseen.pages).toBe(0)
    expect(unseen.factor).toBeGreaterThan(calibration.of(1).factor)
    expect(unseen.factor).toBeLessThan(calibration.of(4096).factor)
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
