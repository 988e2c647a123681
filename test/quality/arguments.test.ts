import { describe, expect, it } from 'vitest'
import { loadAddon } from '../../src/core/binding.js'

const core = loadAddon()
const call = core as unknown as Record<string, (...args: unknown[]) => unknown>
const scores = Float32Array.of(5, 4, 3, 2, 1)
const values = core.fitCurve(scores, 3)
const other = { head: Float64Array.of(1, 0.5), tail: Float64Array.of(10, 0.1) }

describe('the quality functions of the addon', () => {
  it.each([
    ['fitCurve', ['5', 3], /^scores must be a Float32Array, received a string$/],
    ['fitCurve', [new Float64Array(5), 3], /^scores must be a Float32Array, received an object$/],
    ['fitCurve', [], /^scores must be a Float32Array, received undefined$/],
    ['fitCurve', [scores], /^pieces must be a number, received undefined$/],
    ['interpolateCurve', [scores, '3'], /^pieces must be a number, received a string$/],
    ['rankOf', [[...values], 5, 1], /^values must be a Float32Array, received an object$/],
    ['rankOf', [values, 5n, 1], /^n must be a number, received a bigint$/],
    ['rankOf', [values, 5, null], /^score must be a number, received null$/],
    ['scoreAt', [values, 5], /^rank must be a number, received undefined$/],
    ['deltaQuality', [values, 5, null, 1, 2], /^view must be undefined or an object, received null$/],
    [
      'deltaQuality',
      [values, 5, { head: [1], tail: other.tail }, 1, 2],
      /^view\.head must be a Float64Array, received an object$/,
    ],
    [
      'deltaQuality',
      [values, 5, { head: other.head }, 1, 2],
      /^view\.tail must be a Float64Array, received undefined$/,
    ],
    ['deltaQuality', [values, 5, undefined, 1], /^s2 must be a number, received undefined$/],
  ])('%s refuses wrong types, case %#', (name, args, message) => {
    expect(() => call[name]?.(...args)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(message) }),
    )
  })

  it.each([
    ['fitCurve', [new Float32Array(0), 3], /^scores must be a list of at least one score, received 0$/],
    ['fitCurve', [Float32Array.of(2, 3), 3], /^scores must be finite, above 0 and descending, received 3$/],
    ['fitCurve', [Float32Array.of(2, 0), 3], /^scores must .* received 0$/],
    ['fitCurve', [Float32Array.of(2, Number.NaN), 3], /^scores must .* received nan$/i],
    ['fitCurve', [Float32Array.of(Number.POSITIVE_INFINITY), 3], /^scores must .* received inf$/],
    ['fitCurve', [scores, 0], /^pieces must be an integer from 1 to 8, received 0$/],
    ['interpolateCurve', [scores, 9], /^pieces must be an integer from 1 to 8, received 9$/],
    ['fitCurve', [scores, 2.5], /^pieces must be an integer from 1 to 8, received 2.5$/],
    ['fitCurve', [scores, Number.NaN], /^pieces must be an integer from 1 to 8/],
    ['rankOf', [values, 6, 1], /^values must be the curve of a list of n pages, received 6$/],
    ['rankOf', [values.subarray(0, 2), 5, 1], /^values must be the curve/],
    ['rankOf', [new Float32Array(3), 2, 1], /^values must be the curve/],
    ['rankOf', [new Float32Array(5), 0, 1], /^n must be an integer from 1 to 4294967294, received 0$/],
    ['rankOf', [values, 2 ** 32 - 1, 1], /^n must be an integer/],
    ['rankOf', [values, 5, 0], /^score must be a finite number above 0, received 0$/],
    ['rankOf', [values, 5, Number.POSITIVE_INFINITY], /^score must be a finite number above 0, received inf$/],
    ['scoreAt', [values, 5, 0.99], /^rank must be a number from 1 to n, received 0.98/],
    ['scoreAt', [values, 5, 5.01], /^rank must be a number from 1 to n/],
    ['deltaQuality', [values, 5, undefined, -1, 0], /^s1 must be a finite number of at least 0, received -1$/],
    ['deltaQuality', [values, 5, undefined, 0, Number.NaN], /^s2 must be a finite number of at least 0/],
    ['deltaQuality', [values, 5, { ...other, head: new Float64Array(0) }, 1, 2], /^view must be non-increasing/],
    ['deltaQuality', [values, 5, { ...other, tail: Float64Array.of(10) }, 1, 2], /^view must be non-increasing/],
    ['deltaQuality', [values, 5, { ...other, tail: Float64Array.of(10, 0.9) }, 1, 2], /^view must be non-increasing/],
  ])('%s refuses wrong values, case %#', (name, args, message) => {
    expect(() => call[name]?.(...args)).toThrow(
      expect.objectContaining({ name: 'RangeError', message: expect.stringMatching(message) }),
    )
  })

  it('let an error of a getter through', () => {
    const trap = {
      get head(): Float64Array {
        throw new Error('not today')
      },
      tail: other.tail,
    }
    expect(() => core.deltaQuality(values, 5, trap, 1, 2)).toThrow('not today')
  })

  it('leave their arguments as they were', () => {
    const before = [...scores, ...values]
    core.deltaQuality(values, 5, other, 1, 2)
    core.fitCurve(scores, 8)
    expect([...scores, ...values]).toEqual(before)
  })
})
