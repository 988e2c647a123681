import { describe, expect, it } from 'vitest'
import {
  NO_MINIMUM,
  type ShingleSet,
  SKETCH_MINIMA,
  shingleDifference,
  sketchDifference,
  sketchOf,
} from '../../src/change/sketches.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const hashes = (...upper: number[]): ShingleSet =>
  BigUint64Array.from(upper, (value, at) => (BigInt(value) << 32n) | BigInt(at))

describe('a sketch', () => {
  it('holds the smallest upper halves, ascending, each once', () => {
    expect([...sketchOf(hashes(3, 5, 5, 8, 13), 3)]).toEqual([3, 5, 8])
    expect([...sketchOf(hashes(3, 5, 5), 4)]).toEqual([3, 5, NO_MINIMUM, NO_MINIMUM])
    expect([...sketchOf(hashes())]).toEqual(Array(SKETCH_MINIMA).fill(NO_MINIMUM))
    expect(sketchOf(hashes()).byteLength).toBe(32)
  })

  it('never takes a hash for nothing', () => {
    expect([...sketchOf(hashes(7, NO_MINIMUM), 3)]).toEqual([7, NO_MINIMUM - 1, NO_MINIMUM])
    expect([...sketchOf(hashes(NO_MINIMUM - 1, NO_MINIMUM), 2)]).toEqual([NO_MINIMUM - 1, NO_MINIMUM])
  })
})

describe('the difference of sketches', () => {
  it('is 0 for equal and for empty sets, 1 for sets with nothing in common', () => {
    const [some, other, none] = [sketchOf(hashes(1, 2, 3)), sketchOf(hashes(4, 5)), sketchOf(hashes())]
    expect(sketchDifference(some, 0, some, 0, 8)).toBe(0)
    expect(sketchDifference(none, 0, none, 0, 8)).toBe(0)
    expect(sketchDifference(some, 0, other, 0, 8)).toBe(1)
    expect(sketchDifference(some, 0, none, 0, 8)).toBe(1)
  })

  it('looks at the smallest of both together, wherever they lie', () => {
    // 1 2 3 4 are the smallest of both; 2 and 4 are in both. What comes after the sketches is not theirs.
    const column = Uint32Array.from([99, 1, 2, 4, 9, 5, 2, 3, 4, 8, 5])
    expect(sketchDifference(column, 1, column, 6, 4)).toBe(0.5)
  })

  it('is that of the sets where both fit into a sketch', () => {
    withSeed('small sketches', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 500; round++) {
        const { a, b } = randomPair(random, random.between(0, 12), random.next())
        const difference = sketchDifference(sketchOf(a, 12), 0, sketchOf(b, 12), 0, 12)
        expect(difference).toBeCloseTo(shingleDifference(a, b), 12)
      }
    })
  })

  it.each([8, 32])('of %i minima is right in the mean, and as uncertain as a draw of so many', (minima) => {
    withSeed(`unbiased ${minima}`, (seed) => {
      const random = new SeededRandom(seed)
      const [rounds, shingles] = [3000, 120]
      for (const resemblance of [0.05, 0.25, 0.5, 0.75, 0.95]) {
        let sum = 0
        let squares = 0
        for (let round = 0; round < rounds; round++) {
          const { a, b } = randomPair(random, shingles, resemblance)
          const estimate = sketchDifference(sketchOf(a, minima), 0, sketchOf(b, minima), 0, minima)
          sum += estimate
          squares += (estimate - (1 - resemblance)) ** 2
        }
        // The minima are a draw without return from all shingles.
        const variance = ((resemblance * (1 - resemblance)) / minima) * ((shingles - minima) / (shingles - 1))
        // Five standard errors are passed by chance once in 1.7 million. That of the mean square is √2 in a normal law,
        // here up to twice that.
        expect(Math.abs(sum / rounds - (1 - resemblance))).toBeLessThan(5 * Math.sqrt(variance / rounds))
        expect(Math.abs(squares / rounds / variance - 1)).toBeLessThan((5 * 2 * Math.SQRT2) / Math.sqrt(rounds))
      }
    })
  })
})

/** Sets with so many shingles together, of which this share is in both. */
function randomPair(random: SeededRandom, shingles: number, resemblance: number): { a: ShingleSet; b: ShingleSet } {
  const all = new BigUint64Array(Uint32Array.from({ length: 2 * shingles }, () => random.uint32()).buffer)
  const shared = Math.round(shingles * resemblance)
  const onlyInA = shared + random.int(shingles - shared + 1)
  const a = all.slice(0, onlyInA).sort()
  const b = new BigUint64Array([...all.slice(0, shared), ...all.slice(onlyInA)]).sort()
  return { a, b }
}
