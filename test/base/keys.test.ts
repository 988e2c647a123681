import { describe, expect, it } from 'vitest'
import { FreshdexError } from '../../src/base/errors.js'
import { decodeKey, encodeKey, type Key, requireKey } from '../../src/base/keys.js'

describe('the bytes of a key', () => {
  it.each<[Key, string]>([
    ['a', 'sa'],
    ['1', 's1'],
    [1, 'n1'],
    [0, 'n0'],
    [-0, 'n0'],
    [-17, 'n-17'],
    [Number.MAX_SAFE_INTEGER, 'n9007199254740991'],
    ['n1', 'sn1'],
    ['é🌊', 'sé🌊'],
    ['\0', 's\0'],
  ])('of %s are those of %s', (key, text) => {
    expect(Buffer.from(encodeKey(key)).toString()).toBe(text)
  })

  it.each<[Key]>([['a'], ['\ufeff'], ['é🌊'], [0], [-1], [Number.MIN_SAFE_INTEGER], ['__proto__'], ['k'.repeat(1024)]])(
    '%s comes back',
    (key) => {
      expect(decodeKey(Buffer.from(encodeKey(key)).toString())).toBe(key)
    },
  )
})

describe('a key', () => {
  it.each<[unknown]>([['k'.repeat(1024)], ['é'.repeat(512)], ['🌊'.repeat(256)], [' '], [Number.MIN_SAFE_INTEGER]])(
    'may be %s',
    (key) => {
      expect(requireKey(key)).toBe(key)
    },
  )

  it.each<[string, unknown]>([
    ['empty', ''],
    ['of 1,025 bytes', 'k'.repeat(1025)],
    ['of 1,026 bytes in 513 letters', 'é'.repeat(513)],
    ['a lone surrogate', 'a\ud800'],
    ['a fraction', 0.5],
    ['not a number', Number.NaN],
    ['unsafe', 2 ** 53],
  ])('that is %s is INVALID_KEY', (_, key) => {
    const act = () => requireKey(key)
    expect(act).toThrow(FreshdexError)
    expect(act).toThrow(expect.objectContaining({ code: 'INVALID_KEY', detail: { key: expect.any(String) } }))
  })

  it.each([[undefined], [null], [true], [5n], [Symbol('k')], [{}], [['k']], [Object('k')]])(
    'of another type, %s, is a TypeError',
    (key) => {
      expect(() => requireKey(key)).toThrow(TypeError)
    },
  )
})
