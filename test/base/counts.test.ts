import { expect, test } from 'vitest'
import { count, thousands } from '../../src/base/counts.js'

test('numbers are grouped as in en-US', () => {
  for (const number of [
    0,
    1,
    12,
    999,
    1000,
    -999,
    -1000,
    123_456,
    1_234_567,
    -1_234_567,
    Number.MAX_SAFE_INTEGER,
    1234.5,
  ])
    expect(thousands(number)).toBe(number.toLocaleString('en-US'))
  expect(count(1, 'page')).toBe('1 page')
  expect(count(2000, 'entry', 'entries')).toBe('2,000 entries')
})
