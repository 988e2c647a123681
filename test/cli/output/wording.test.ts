import { describe, expect, it } from 'vitest'
import { toJson } from '../../../src/cli/output/output.js'
import {
  byteSize,
  count,
  duration,
  oneLine,
  percent,
  shortened,
  shortenedKey,
  significant,
  table,
  timeSpan,
  wrapped,
} from '../../../src/cli/output/wording.js'

describe('the wording of the command line', () => {
  it('wraps a text at its spaces', () => {
    expect(wrapped('the ferry leaves at nine', 11)).toEqual(['the ferry', 'leaves at', 'nine'])
    expect(wrapped('a timetable b', 5)).toEqual(['a', 'timetable', 'b'])
  })

  it('counts', () => {
    expect([0, 1, 2, 1234].map((number) => count(number, 'page'))).toEqual([
      '0 pages',
      '1 page',
      '2 pages',
      '1,234 pages',
    ])
  })

  it('counts what has a plural of its own', () => {
    expect([1, 2].map((number) => count(number, 'query', 'queries'))).toEqual(['1 query', '2 queries'])
  })

  it('keeps three digits of a number, and says of a tiny one only that it is tiny', () => {
    const numbers = [0, 1, 0.5, 12.345, 999.4, 999.5, 1234.5, 8.64e7, 0.001, 0.000999, 1.23456e-12]
    expect(numbers.map(significant)).toEqual([
      '0',
      '1',
      '0.5',
      '12.3',
      '999',
      '1,000',
      '1,235',
      '86,400,000',
      '0.001',
      'less than 0.001',
      'less than 0.001',
    ])
    const shares = [0, 0.12345, 1, 1e-9, 0.001234, 0.00738, -1e-7]
    expect(shares.map(percent)).toEqual([
      '0%',
      '12.3%',
      '100%',
      'less than 0.01%',
      '0.12%',
      '0.74%',
      'more than -0.01%',
    ])
  })

  it('cuts a long key in its middle', () => {
    expect(shortenedKey('/docs/a', 7)).toBe('/docs/a')
    expect(shortenedKey('/docs/concepts/workloads/pods', 13)).toBe('/doc…ads/pods')
  })

  it('says how long ago something was, never too much', () => {
    const minute = 60_000
    const spans = [0, 999, 1000, 119_999, 2 * minute, 119.9 * minute, 120 * minute, 47.9 * 60 * minute]
    expect(spans.map(timeSpan)).toEqual([
      ...['0 seconds', '0 seconds', '1 second', '119 seconds'],
      ...['2 minutes', '119 minutes', '2 hours', '47 hours'],
    ])
    const day = 24 * 60 * minute
    expect([2 * day, 700 * day, 731 * day, 1e5 * day].map(timeSpan)).toEqual([
      '2 days',
      '700 days',
      '2 years',
      '273 years',
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
    expect(oneLine('a\u009b31mb\u202ec\u2066d')).toBe('a 31mbcd')
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
