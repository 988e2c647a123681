import { describe, expect, it } from 'vitest'
import { shingleDifference } from '../../../../src/change/sketches.js'
import { eagernessOf } from '../../../../src/lab/experiments/longevity/change-profiles.js'
import vectors from '../../../change/vectors/information-longevity.json' with { type: 'json' }

/** The divergence from some version at any moment between two snapshots, from those at the two (appendix B). */
function interpolatedDivergence(eagerness: number, before: number, after: number): number {
  return (1 - eagerness) * before + eagerness * after
}

const apart = (before: number, after: number) => Math.abs(after - before)

describe('eagerness', () => {
  it('and what lies between are those of the reference', () => {
    const { D01, D02, E, DBx, DBx1, interp } = vectors.eagerness
    expect(Math.abs(eagernessOf([0, D01, D02], apart) - E)).toBeLessThan(1e-9)
    expect(Math.abs(interpolatedDivergence(E, DBx, DBx1) - interp)).toBeLessThan(1e-9)
    const { F1, F2, D } = vectors.jaccard
    const sets = [F1, F2].map((items) => BigUint64Array.from(items.map(BigInt))) as [BigUint64Array, BigUint64Array]
    expect(Math.abs(shingleDifference(...sets) - D)).toBeLessThan(1e-9)
  })

  it('is a mean over three snapshots in a row that are all there and not all the same', () => {
    expect(eagernessOf([0, 1, 4, undefined, 4, 4, 4], apart)).toBe(0.25)
    expect(eagernessOf([0, 1, 4, 4], apart)).toBe((0.25 + 1) / 2)
    expect(eagernessOf([0, 0, 2], apart)).toBe(0)
  })

  it('is never above 1, also of a page that is what it was again', () => {
    expect(eagernessOf([0, 3, 1], apart)).toBe(1)
    expect(eagernessOf([0, 3, 0], apart)).toBe(1)
  })

  it('is a half where nothing can be told', () => {
    expect(eagernessOf([], apart)).toBe(0.5)
    expect(eagernessOf([0, 5], apart)).toBe(0.5)
    expect(eagernessOf([7, 7, 7, 7], apart)).toBe(0.5)
  })

  it('says which of two snapshots a page is like in between', () => {
    expect([0, 0.5, 1].map((eagerness) => interpolatedDivergence(eagerness, 0.25, 0.75))).toEqual([0.25, 0.5, 0.75])
  })
})
