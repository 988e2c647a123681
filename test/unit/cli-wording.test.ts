import { describe, expect, it } from 'vitest'
import { toJson } from '../../src/cli/json-text.js'
import { byteSize, count, duration, oneLine, shortened, table } from '../../src/cli/wording.js'

describe('the wording of the command line', () => {
  it('counts', () => {
    expect([0, 1, 2, 1234].map((number) => count(number, 'page'))).toEqual([
      '0 pages',
      '1 page',
      '2 pages',
      '1,234 pages',
    ])
  })

  it('measures', () => {
    expect([0, 1, 999, 1000, 12_345, 999_999, 5e9, 7e15].map(byteSize)).toEqual([
      '0 bytes',
      '1 byte',
      '999 bytes',
      '1.0 kB',
      '12.3 kB',
      '1000.0 kB',
      '5.0 GB',
      '7000.0 TB',
    ])
    expect([1.23, 45.6, 7890].map(duration)).toEqual(['1.2 ms', '46 ms', '7.9 s'])
  })

  it('lets no control character through', () => {
    expect(oneLine('a\r\nb\u001b[31mc\u0085d\u2028e')).toBe('a b [31mc d e')
  })

  it('shortens by characters, not by halves of them', () => {
    expect(['😀😀😀', '😀😀😀😀', 'abc', 'abcd'].map((text) => shortened(text, 3))).toEqual([
      '😀😀😀',
      '😀😀…',
      'abc',
      'ab…',
    ])
  })

  it('lays out tables', () => {
    expect(
      table([
        ['a', 'bb', 'c'],
        ['aaa', 'b'],
      ]),
    ).toBe('a    bb  c\naaa  b')
  })

  it('says in JSON what a document can hold', () => {
    const document = {
      big: 2n ** 60n,
      bytes: Buffer.from('hi'),
      plain: new Uint8Array([1]),
      at: new Date(0),
      none: null,
    }
    expect(JSON.parse(toJson(document))).toEqual({
      big: '1152921504606846976',
      bytes: 'aGk=',
      plain: 'AQ==',
      at: '1970-01-01T00:00:00.000Z',
      none: null,
    })
  })
})
