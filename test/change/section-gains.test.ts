import { describe, expect, it } from 'vitest'
import { type SectionGain, sectionGainFactors } from '../../src/change/sections.js'
import { SeededRandom, withSeed } from '../support/seed.js'

function gains(count: number, section: number, surprise: number): SectionGain[] {
  return Array.from({ length: count }, () => ({ section, surprise }))
}

function randomTree(random: SeededRandom): number[] {
  const parents = [0]
  for (let left = random.int(12); left > 0; left--) parents.push(random.int(parents.length))
  return parents
}

/** As it is defined: each section sums over all gains below it, and asks its parent. */
function twinFactor(parents: readonly number[], all: readonly SectionGain[], section: number): number {
  const isWithin = (inner: number, outer: number): boolean =>
    inner === outer || (inner !== 0 && isWithin(parents[inner]!, outer))
  const meanOf = (of: number): number => {
    const roots = all.filter((gain) => isWithin(gain.section, of)).map(({ surprise }) => surprise ** 0.5)
    const [weight, above] = of === 0 ? [3, 0.1 ** 0.5] : [30, meanOf(parents[of]!)]
    return (roots.reduce((sum, root) => sum + root, 0) + weight * above) / (roots.length + weight)
  }
  return meanOf(section) / meanOf(0)
}

describe('what changes of sections gain', () => {
  it('is that of a plain twin', () => {
    withSeed('section gains', (seed) => {
      const random = new SeededRandom(seed)
      for (let round = 0; round < 60; round++) {
        const parents = randomTree(random)
        const all = Array.from({ length: random.pick([0, 1, 20, 300]) }, () => ({
          section: random.int(parents.length),
          surprise: random.chance(0.5) ? 0 : 10 ** (6 * random.next() - 2),
        }))
        const factors = sectionGainFactors({ parents }, all)
        expect(factors).toHaveLength(parents.length)
        for (const section of parents.keys())
          expect(Math.abs(factors[section]! / twinFactor(parents, all, section) - 1)).toBeLessThan(1e-9)
      }
    })
  })

  it('is as usual in the whole, where nothing was seen, and as the parent where only that was', () => {
    const parents = [0, 0, 1, 0]
    expect(sectionGainFactors({ parents }, [])).toEqual(new Float64Array(4).fill(1))
    const factors = sectionGainFactors({ parents }, [...gains(50, 1, 4), ...gains(50, 0, 1)])
    expect(factors[0]).toBe(1)
    expect(factors[1]).toBeGreaterThan(1.1)
    expect(factors[2]).toBeCloseTo(factors[1]!, 12)
    expect(factors[3]).toBeCloseTo(1, 12)
  })

  it('tells sections apart the surer the more was seen, and never as far as they seem to be', () => {
    const parents = [0, 0, 0]
    let before = 1
    for (const count of [3, 30, 3000]) {
      const [, more, less] = sectionGainFactors({ parents }, [...gains(count, 1, 9), ...gains(count, 2, 1)])
      expect(more! / less!).toBeGreaterThan(before)
      expect(more! / less!).toBeLessThan(3)
      before = more! / less!
    }
    expect(before).toBeGreaterThan(2.9)
  })

  it('is not ruled by one gain, and is above 0 also where nothing was ever gained', () => {
    const one = sectionGainFactors({ parents: [0, 0] }, [...gains(40, 1, 1), ...gains(400, 0, 1), ...gains(1, 1, 1000)])
    expect(one[1]).toBeGreaterThan(1.1)
    expect(one[1]).toBeLessThan(1.6)
    const nothing = sectionGainFactors({ parents: [0, 0] }, [...gains(10_000, 1, 0), ...gains(10, 0, 1)])
    expect(nothing[1]).toBeGreaterThan(0)
    expect(nothing[1]).toBeLessThan(1)
  })
})
