import { inspect } from 'node:util'
import { expect, it, describe as suite } from 'vitest'
import { describe, escaped } from '../../src/base/describe.js'

suite('describe', () => {
  it.each<[unknown, string]>([
    ['text', '"text"'],
    ['line\nfeed', '"line\\nfeed"'],
    [5, '5'],
    [-0, '-0'],
    [undefined, 'undefined'],
    [null, 'null'],
    [5n, '5n'],
    [Symbol('s'), 'Symbol(s)'],
    [{ a: { b: 1 } }, '{ a: [Object] }'],
    [[1, 2, 3, 4], '[ 1, 2, 3, ... 1 more item ]'],
  ])('shows %s', (value, shown) => {
    expect(describe(value)).toBe(shown)
  })

  it.each(['\u009b', '\u007f', '\u202e', '\u2066', '\u200f', '\u2028'])(
    'shows what misleads as an escape: %j',
    (mark) => {
      const code = mark.charCodeAt(0).toString(16).padStart(4, '0')
      expect(describe(`a${mark}b`)).toBe(`"a\\u${code}b"`)
      expect(escaped(`a${mark}b`)).toBe(`a\\u${code}b`)
      expect(describe({ [mark]: mark })).not.toContain(mark)
    },
  )

  it('is short whatever it is given', () => {
    for (const value of ['x'.repeat(1e6), Array(1e5).fill('y'.repeat(1000)), { ['k'.repeat(1e5)]: 1 }]) {
      expect(describe(value).length).toBeLessThanOrEqual(101)
    }
  })

  it('runs no code of the value', () => {
    const trap = () => {
      throw new Error('ran')
    }
    const hostile = {
      get a() {
        return trap()
      },
      [inspect.custom]: trap,
      toString: trap,
    }
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    for (const value of [hostile, new Proxy({}, { get: trap, ownKeys: trap }), proxy]) {
      expect(() => describe(value)).not.toThrow()
    }
  })
})
