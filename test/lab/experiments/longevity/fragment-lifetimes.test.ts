import { describe, expect, it } from 'vitest'
import { type DivergenceCurve, lifetimeShare } from '../../../../src/change/divergence-curve.js'
import type { ShingleSet } from '../../../../src/change/sketches.js'
import { fragmentLifetimes } from '../../../../src/lab/experiments/longevity/lifetimes.js'
import { SeededRandom, withSeed } from '../../../support/seed.js'

const snapshot = (letters: string): ShingleSet =>
  BigUint64Array.from([...new Set(letters)].sort(), (letter) => BigInt(letter.codePointAt(0) as number))

const of = (...snapshots: string[]) => fragmentLifetimes(snapshots.map(snapshot))

describe('lifetimes of fragments', () => {
  it('are counted in snapshots, without what was there at the beginning or in the end', () => {
    const { lifetimes, survivedUpdates, longevity, changeFrequency } = of('sa', 'sb', 'sbc', 'sbc', 'scd', 'se')
    // b lives 3 snapshots and one update, c 3 and one, d 1 and none.
    expect(lifetimes.toSorted()).toEqual([1, 3, 3])
    expect(survivedUpdates.toSorted()).toEqual([0, 1, 1])
    expect(longevity).toBeCloseTo(7 / 3, 12)
    expect(changeFrequency).toBe(4 / 5)
  })

  it('begin anew for a fragment that comes back', () => {
    expect(of('s', 'sb', 's', 'sbc', 'sb', 's').lifetimes.toSorted()).toEqual([1, 1, 2])
    expect(of('sb', 's', 'sb', 's').lifetimes).toEqual([])
  })

  it('tell churn and scroll, and of equally common ones the smaller', () => {
    expect(of('s', 'sa', 'sb', 'sc', 's').dominantItems).toBe(1)
    expect(of('abc', 'bcd', 'cde', 'def', 'efg', 'fgh', 'ghi').dominantItems).toBe(3)
    expect(of('s', 'sa', 'sb', 'sbc', 's').dominantItems).toBe(1)
  })

  it('of a page that never changes, or has hardly been seen, are none', () => {
    const none = { lifetimes: [], survivedUpdates: [], longevity: undefined, dominantItems: undefined }
    expect(of('st', 'st', 'st')).toEqual({ ...none, changeFrequency: 0 })
    expect(of('st')).toEqual({ ...none, changeFrequency: 0 })
    expect(of()).toEqual({ ...none, changeFrequency: 0 })
    expect(of('st', 'su')).toEqual({ ...none, changeFrequency: 1 })
  })

  it('of a made-up scroll are those of the model', () => {
    withSeed('scrolling page', (seed) => {
      const random = new SeededRandom(seed)
      const curve: DivergenceCurve = { ratePerMs: 0.05, items: 3, share: 1 }
      const snapshots = scrollingPage(random, curve, 40_000)
      const { lifetimes, dominantItems, longevity, changeFrequency } = fragmentLifetimes(snapshots)
      expect(dominantItems).toBe(curve.items)
      // A fragment is seen by the snapshots that lie within its life: by so many in the mean.
      const mean = curve.items / curve.ratePerMs
      const error = Math.sqrt(curve.items) / curve.ratePerMs / Math.sqrt(lifetimes.length / curve.items)
      expect(Math.abs(longevity! - mean)).toBeLessThan(5 * error)
      expect(Math.abs(changeFrequency - -Math.expm1(-curve.ratePerMs))).toBeLessThan(0.01)
      for (const ageMs of [20, 60, 100]) {
        const share = lifetimes.filter((lifetime) => lifetime <= ageMs).length / lifetimes.length
        // Whole snapshots round a lifetime up or down, by a half in the mean.
        expect(Math.abs(share - lifetimeShare(curve, ageMs + 0.5))).toBeLessThan(0.05)
      }
    })
  })
})

/** A snapshot every millisecond; updates come as a Poisson process, each pushes the oldest item out. */
function scrollingPage(random: SeededRandom, { ratePerMs, items }: DivergenceCurve, count: number): ShingleSet[] {
  let newest = items
  const interval = () => -Math.log(1 - random.next()) / ratePerMs
  let nextMs = interval()
  return Array.from({ length: count }, (_, atMs) => {
    for (; nextMs <= atMs; nextMs += interval()) newest++
    return BigUint64Array.from({ length: items }, (_, at) => BigInt(newest - items + 1 + at))
  })
}
