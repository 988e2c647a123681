import { describe, expect, it } from 'vitest'
import { beginningOf, plainText } from '../../src/base/plain-text.js'

describe('the beginning of a text', () => {
  it.each(['', 'ferry', 'Fähre', '\ud83d\ude00\ud83d', '\udc00\ud800x', 'a\0b'])('is that of slice: %j', (text) => {
    for (let units = 0; units <= text.length + 1; units++) expect(beginningOf(text, units)).toBe(text.slice(0, units))
  })
})

describe('the plain form of a text', () => {
  it('has no accents, no capitals and single blanks', () => {
    expect(plainText('  Fähre \n NACH  Łódź ')).toBe('fahre nach łodz ')
  })
})
