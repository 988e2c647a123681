/** Tables that are read in portions: where a damaged one gives rows out of order, reading ends. */
import { expect, test } from 'vitest'
import { placeBehind } from '../../src/catalog/connection.js'

test('the next place is behind the last one, or the table is damaged', () => {
  expect(placeBehind(-1, 0, 'catalog')).toBe(0)
  expect(placeBehind(Number.MIN_SAFE_INTEGER, -7, 'catalog')).toBe(-7)
  for (const next of [3, 4, Number.NaN, undefined, 'x', -9e18])
    expect(() => placeBehind(4, next, 'catalog')).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
})
