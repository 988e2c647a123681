/** What may be a key, and that a key is data and nothing else. */

import type { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCallRefused, expectWriteRefused, openSpecimen, type Page } from './specimen.js'

let index: Freshdex<Page>

beforeAll(async () => {
  index = await openSpecimen()
})

afterAll(() => index.close())

describe('keys that are refused', () => {
  const REFUSED: readonly (readonly [string, unknown, string])[] = [
    ['a lone high surrogate', 'a\ud800b', 'INVALID_KEY'],
    ['a lone low surrogate', '\udc00', 'INVALID_KEY'],
    ['surrogates in the wrong order', '\udc00\ud800', 'INVALID_KEY'],
    ['the empty string', '', 'INVALID_KEY'],
    ['1,025 bytes', 'k'.repeat(1_025), 'INVALID_KEY'],
    ['1,025 bytes in fewer characters', `${'é'.repeat(512)}k`, 'INVALID_KEY'],
    ['NaN', Number.NaN, 'INVALID_KEY'],
    ['Infinity', Number.POSITIVE_INFINITY, 'INVALID_KEY'],
    ['a fraction', 1.5, 'INVALID_KEY'],
    ['an integer that is not safe', 2 ** 53, 'INVALID_KEY'],
    ['an object', { id: 1 }, 'TypeError'],
    ['an array', ['a'], 'TypeError'],
    ['a String object', new String('a'), 'TypeError'],
    ['a symbol', Symbol('a'), 'TypeError'],
    ['a bigint', 1n, 'TypeError'],
    ['a boolean', true, 'TypeError'],
    ['null', null, 'TypeError'],
    ['undefined', undefined, 'TypeError'],
    ['a function', () => 'a', 'TypeError'],
  ]

  test.each(REFUSED)('%s in a put', async (_, key, kind) => {
    await expectWriteRefused(
      index,
      {
        put: [
          { id: 'new', body: 'new' },
          { id: key, body: 'new' },
        ],
      },
      { kind, more: ['new'] },
    )
  })

  test.each(REFUSED)('%s in a removal', async (_, key, kind) => {
    await expectWriteRefused(index, { remove: ['page 1', key] }, { kind })
  })

  test.each(REFUSED)('%s in get', async (_, key, kind) => {
    await expectCallRefused(index, () => index.get(key as never), { kind })
  })

  test.each(REFUSED)('%s in has', async (_, key, kind) => {
    await expectCallRefused(index, () => index.has(key as never), { kind })
  })

  test('a document without its key', async () => {
    await expectWriteRefused(index, { put: [{ body: 'new' }] }, { kind: 'TypeError' })
  })
})

describe('keys that are only data', () => {
  const LEGAL: readonly (readonly [string, string | number])[] = [
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['a path upwards', '../../etc/passwd'],
    ['a drive', 'C:\\'],
    ['NUL alone', '\0'],
    ['NUL inside', 'a\0b'],
    ['a byte order mark', '\ufeff'],
    ['blanks', ' \t\n'],
    ['1,024 bytes', 'k'.repeat(1_024)],
    ['1,024 bytes of two each', 'é'.repeat(512)],
    ['1,024 bytes of four each', '🌊'.repeat(256)],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER],
    ['the smallest safe integer', Number.MIN_SAFE_INTEGER],
    ['zero', 0],
    ['a negative number', -1],
    ['digits', '1'],
    ['a number like a string key', 1],
    ['n1, as if already tagged', 'n1'],
    ['NFC', '\u00e9'],
    ['NFD', 'e\u0301'],
  ]

  test('all of them side by side are found under themselves', async () => {
    const own = await openSpecimen()
    await own.write({ remove: [0] })
    const report = await own.write({ put: LEGAL.map(([name, key]) => ({ id: key, title: 'legal', body: name })) })
    expect(report.added).toBe(LEGAL.length)
    for (const [name, key] of LEGAL) {
      expect(own.has(key)).toBe(true)
      expect(own.get(key)).toEqual({ id: key, title: 'legal', body: name })
    }
    const found = own.search('title:legal', { limit: 100 }).hits.map((hit) => hit.key)
    expect(new Set(found)).toEqual(new Set(LEGAL.map(([, key]) => key)))
    expect((await own.check()).ok).toBe(true)
    expect((await own.write({ remove: LEGAL.map(([, key]) => key) })).removed).toBe(LEGAL.length)
    await own.close()
  })

  test('both zeros are one key', async () => {
    const own = await openSpecimen()
    expect((await own.write({ put: [{ id: -0, body: 'negative zero' }] })).replaced).toBe(1)
    expect(own.get(0)?.body).toBe('negative zero')
    await own.close()
  })

  test('1 and "1" are two documents in one batch', async () => {
    const own = await openSpecimen()
    const report = await own.write({
      put: [
        { id: 1, body: 'number' },
        { id: '1', body: 'string' },
      ],
    })
    expect(report.added).toBe(2)
    expect([own.get(1)?.body, own.get('1')?.body]).toEqual(['number', 'string'])
    await own.close()
  })
})
