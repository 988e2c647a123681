import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  CHANGE_WEIGHTINGS,
  type ChangeWeighting,
  changeFrequency,
  changeProbability,
  PACKED_CYCLES,
  packedChangeFrequency,
  withCycle,
} from '../../src/clusters/change-weights.js'
import { SeededRandom, withSeed } from '../support/seed.js'

interface Setting {
  readonly lam: number
  readonly phi: number
}
const vectors: { histories: { bits: number[]; settings: Record<ChangeWeighting, Setting> }[] } = JSON.parse(
  readFileSync(new URL('vectors/clusters.json', import.meta.url), 'utf8'),
)

describe('change frequencies', () => {
  it('are those of the reference values, packed or not', () => {
    expect(vectors.histories.length).toBe(2)
    for (const { bits, settings } of vectors.histories) {
      for (const weighting of CHANGE_WEIGHTINGS) {
        const { lam, phi } = settings[weighting]
        expect(changeFrequency(bits, weighting)).toBeCloseTo(lam, 12)
        expect(packedChangeFrequency(packed(bits), weighting)).toBeCloseTo(lam, 12)
        expect(changeProbability(changeFrequency(bits, weighting))).toBeCloseTo(phi, 12)
      }
    }
  })

  it('are those of the definition, packed or not', () => {
    withSeed('change weights', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 500; round++) {
        const share = random.next()
        const bits = Array.from({ length: random.between(1, PACKED_CYCLES) }, () => Number(random.chance(share)))
        for (const weighting of CHANGE_WEIGHTINGS) {
          const weights = definedWeights(weighting, bits.length)
          const expected = bits.reduce((sum, bit, at) => sum + bit * weights[at]!, 0)
          expect(changeFrequency(bits, weighting)).toBeCloseTo(expected, 12)
          expect(packedChangeFrequency(packed(bits), weighting)).toBeCloseTo(expected, 12)
        }
      }
    })
  })

  it('have weights that sum up to 1, however long the history', () => {
    for (const cycles of [1, 2, 32, 33, 1100, 5000]) {
      for (const weighting of CHANGE_WEIGHTINGS) {
        expect(changeFrequency(Array(cycles).fill(1), weighting)).toBeCloseTo(1, 12)
        expect(changeFrequency(Array(cycles).fill(false), weighting)).toBe(0)
      }
    }
    // Far from the start a geometric history is an average in which every cycle counts half of the one after it.
    const long = [...Array(2000).fill(1), 0, 1, 0]
    expect(changeFrequency(long, 'gad')).toBeCloseTo(0.25 + 0.125, 12)
  })

  it('are 0 without a history, and see nothing beyond it', () => {
    for (const weighting of CHANGE_WEIGHTINGS) {
      expect(changeFrequency([], weighting)).toBe(0)
      expect(packedChangeFrequency({ bits: 0xffff_ffff, cycles: 0 }, weighting)).toBe(0)
      expect(packedChangeFrequency({ bits: 0xffff_fff0, cycles: 4 }, weighting)).toBe(0)
    }
    expect(packedChangeFrequency({ bits: 0xffff_ffff, cycles: 32 }, 'gad')).toBe(1)
    expect(packedChangeFrequency({ bits: -1, cycles: 32 }, 'nad')).toBe(1)
  })

  it('forget the oldest cycle of a full history', () => {
    let history = { bits: 0, cycles: 0 }
    for (let cycle = 0; cycle < 40; cycle++) history = withCycle(history, cycle < 9)
    expect(history).toEqual({ bits: 0x8000_0000, cycles: 32 })
  })

  it('refuse what is none', () => {
    expect(() => changeFrequency([1], 'mad' as ChangeWeighting)).toThrow(/weighting must be 'nad' or/)
    expect(() => packedChangeFrequency({ bits: 1, cycles: 33 })).toThrow(/cycles must be an integer from 0 to 32/)
    expect(() => changeProbability(-0.1)).toThrow(/frequency must be a finite number of at least 0/)
    expect(() => changeProbability(Number.NaN)).toThrow(RangeError)
  })
})

/** Oldest first. */
function packed(bits: readonly number[]): { bits: number; cycles: number } {
  return bits.reduce((history, bit) => withCycle(history, bit === 1), { bits: 0, cycles: 0 })
}

function definedWeights(weighting: ChangeWeighting, n: number): number[] {
  const cycles = Array.from({ length: n }, (_, at) => at + 1)
  if (weighting === 'nad') return cycles.map(() => 1 / n)
  if (weighting === 'sad') return cycles.map((i) => (i === n ? 1 : 0))
  if (weighting === 'aad') return cycles.map((i) => i / ((n * (n + 1)) / 2))
  return cycles.map((i) => 2 ** (i - 1) / (2 ** n - 1))
}
