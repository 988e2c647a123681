import { describe, expect, it } from 'vitest'
import xxhash from 'xxhash-wasm'
import { isLargeUpdate, shingleDifference, shinglesOf } from '../../src/change/sketches.js'
import { SeededRandom, withSeed } from '../support/seed.js'

const { h64 } = await xxhash()

describe('shingles', () => {
  it('are the runs of four words, hashed, each once and ascending', () => {
    const set = shinglesOf('One two, THREE four! Five? one two three four', h64)
    const runs = [
      'one two three four',
      'two three four five',
      'three four five one',
      'four five one two',
      'five one two three',
    ]
    const expected = runs.map((run) => h64(run)).sort((a, b) => (a < b ? -1 : 1))
    expect([...set]).toEqual(expected)
  })

  it('of a short text are one, of a text without words none', () => {
    expect([...shinglesOf('Two words', h64)]).toEqual([h64('two words')])
    expect([...shinglesOf(' … !', h64)]).toEqual([])
    expect([...shinglesOf('Äpfel 7', h64, 1)].length).toBe(2)
  })

  it('refuse a length that is none', () => {
    expect(() => shinglesOf('a', h64, 0)).toThrow(RangeError)
    expect(() => shinglesOf('a', h64, 1.5)).toThrow(/shingleWords must be an integer/)
  })

  it('differ as sets of strings do, on random texts', () => {
    withSeed('shingles', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 300; round++) {
        const k = random.between(1, 4)
        const words = () => Array.from({ length: random.between(0, 12) }, () => random.pick(['a', 'b', 'c']))
        const [one, two] = [words(), words()]
        const difference = shingleDifference(shinglesOf(one.join(' '), h64, k), shinglesOf(two.join(' '), h64, k))
        expect(difference).toBeCloseTo(plainDifference(plainShingles(one, k), plainShingles(two, k)), 12)
      }
    })
  })
})

describe('a large update', () => {
  it('reaches the threshold, and changes something', () => {
    expect(isLargeUpdate(0.5, 0.5)).toBe(true)
    expect(isLargeUpdate(0.49, 0.5)).toBe(false)
    expect(isLargeUpdate(1, 1)).toBe(true)
    expect(isLargeUpdate(0, 0)).toBe(false)
  })

  it('is counted among all updates', () => {
    expect(largeUpdateShare([0.1, 0.6, 1, 0], 0.5)).toBe(0.5)
    expect(largeUpdateShare([], 0.5)).toBe(0)
  })
})

function plainShingles(words: readonly string[], k: number): Set<string> {
  if (words.length === 0) return new Set()
  if (words.length < k) return new Set([words.join(' ')])
  return new Set(words.slice(k - 1).map((_, at) => words.slice(at, at + k).join(' ')))
}

function plainDifference(a: Set<string>, b: Set<string>): number {
  const all = new Set([...a, ...b])
  const apart = [...all].filter((item) => a.has(item) !== b.has(item))
  return all.size === 0 ? 0 : apart.length / all.size
}

/** d(p) of EBR: the share of the updates of a page that are large; 0 without any update. */
function largeUpdateShare(differences: readonly number[], threshold: number): number {
  const large = differences.filter((difference) => isLargeUpdate(difference, threshold)).length
  return differences.length === 0 ? 0 : large / differences.length
}
