/** The twin and the core give the reference values, computed beforehand by a third program. */
import { describe, expect, it } from 'vitest'
import { loadAddon } from '../../src/core/binding.js'
import { exactShift, paperView } from './exact-quality.js'
import { closedSum, deltaQuality, interpolateCurve, rankOf, scoreAt, sumOneByOne, type ViewSum } from './twin.js'
import vectors from './vectors/delta-quality.json' with { type: 'json' }

const core = loadAddon()
const { n, pieces } = vectors.curve
const bytes = Buffer.from(vectors.curve.bytes, 'hex')
const values = Float32Array.from({ length: pieces + 2 }, (_, at) => bytes.readFloatLE(4 * at))
const curve = { n, values: [...values] }

describe('the curve of the reference list', () => {
  it('has 20 bytes, the same from the twin', () => {
    expect(Buffer.from(Float32Array.from(interpolateCurve(vectors.list, pieces).values).buffer).toString('hex')).toBe(
      vectors.curve.bytes,
    )
    expect(bytes).toHaveLength(20)
  })

  it('is the same from the core, whose lists are float32, as from the twin with such a list', () => {
    const list = Float32Array.from(vectors.list)
    const fromCore = core.interpolateCurve(list, pieces)
    expect([...fromCore]).toEqual(interpolateCurve([...list], pieces).values)
    // The reference has its scores in doubles: 4.2 as a float32 moves the second knot by its last bit.
    expect(
      [...fromCore].map((value, at) => Math.abs(value - (values[at] as number)) / Math.abs(value) < 1e-7),
    ).not.toContain(false)
    expect([...fromCore].filter((value, at) => value !== values[at])).toHaveLength(1)
  })

  it('has its knots where the reference has them', () => {
    // The last is a little beyond n, since ln n is a float32.
    for (const [j, rank] of vectors.curve.knotRanks.slice(0, -1).entries()) {
      const score = Math.exp(values[j + 1] as number)
      expect(scoreAt(curve, rank)).toBeCloseTo(score, 9)
      expect(core.scoreAt(values, n, rank)).toBeCloseTo(score, 9)
    }
  })
})

describe.each(vectors.cases)('the move "$name"', ({ place, s1, s2, exact, continuous, ranks, ...expected }) => {
  it('has the exact effect', () => {
    const shift = exactShift(vectors.list, place, s2)
    expect(shift.before).toBe(exact.before ?? Number.POSITIVE_INFINITY)
    expect(shift.after).toBe(exact.after ?? Number.POSITIVE_INFINITY)
    expect(shift.deltaQuality).toBeCloseTo(exact.deltaQuality, 9)
  })

  it('has the continuous ranks', () => {
    for (const [score, rank] of [
      [s1, continuous.before],
      [s2, continuous.after],
    ] as const) {
      if (rank === null) continue
      // Ours end at n, theirs at n + 1 or where ln n as float32 ends.
      expect(rankOf(curve, score)).toBeCloseTo(Math.min(rank, n), 9)
      expect(core.rankOf(values, n, score)).toBeCloseTo(Math.min(rank, n), 9)
    }
  })

  it('has the estimate, from the twin', () => {
    const shift = deltaQuality(curve, paperView, s1, s2)
    expect(shift.before).toBe(ranks.before ?? Number.POSITIVE_INFINITY)
    expect(shift.after).toBe(ranks.after ?? Number.POSITIVE_INFINITY)
    expect(shift.deltaQuality).toBeCloseTo(expected.meanDifference, 9)
  })

  it('has the estimate with sums of five ranks and more in closed form, from the twin', () => {
    const closedFrom5: ViewSum = (first, last) =>
      last - first >= 4 ? closedSum(first, last) : sumOneByOne(paperView)(first, last)
    expect(deltaQuality(curve, paperView, s1, s2, closedFrom5).deltaQuality).toBeCloseTo(expected.closedFrom5, 9)
  })

  it('has the estimate, from the core', () => {
    const shift = core.deltaQuality(values, n, undefined, s1, s2)
    expect([shift.rankBefore, shift.rankAfter]).toEqual([ranks.before ?? 0, ranks.after ?? 0])
    expect(shift.deltaQuality).toBeCloseTo(expected.meanDifference, 9)
  })
})

it.each(vectors.partialSums)('the sum of r^-3/2 from $first to $last', ({ first, last, exact, closed }) => {
  expect(sumOneByOne(paperView)(first, last)).toBeCloseTo(exact, 9)
  expect(closedSum(first, last)).toBeCloseTo(closed, 9)
})
