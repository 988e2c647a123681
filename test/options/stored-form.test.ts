import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { decodeStored, encodeStored } from '../../src/options/stored-form.js'

function roundTrip(document: object): object {
  return decodeStored(encodeStored(document, 'id', 'k', 'all'), 'id', 'k')
}

describe('a stored document', () => {
  it.each<[string, unknown]>([
    ['text', 'text é 🌊 \0'],
    ['numbers', [0, 1, -1, 0.1, 1e300, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN]],
    ['big integers', [5n, 2n ** 64n - 1n, -(2n ** 63n)]],
    ['booleans and nothing', [true, false, null, undefined]],
    ['dates', [new Date(86_400_123), new Date(-1)]],
    ['nested lists and records', { a: [{ b: { c: [[]] } }], '': {}, constructor: 1, toString: 'x', hasOwnProperty: 2 }],
  ])('brings back %s', (_, value) => {
    expect(roundTrip({ id: 'k', value })).toEqual({ id: 'k', value })
  })

  it.each(['msgpack', 'json'] as const)('brings back names that objects have meanings for, as %s', (format) => {
    const names = { constructor: 1, toJSON: 2, toString: 3, valueOf: 4, hasOwnProperty: 5 }
    const document = { id: 'k', ...names, nested: [{ ...names, deep: { toJSON: 'x', constructor: [names] } }] }
    const back = decodeStored<object>(encodeStored(document, 'id', 'k', 'all', format), 'id', 'k')
    expect(back).toEqual(document)
    expect(Object.keys(back)).toEqual(Object.keys(document))
  })

  it('refuses names that would become one, and has no -0', () => {
    for (const value of [{ 'a\ud800': 1, 'a\ud801': 2 }, [{ '\udc00': 1 }]])
      expect(() => roundTrip({ id: 'k', value })).toThrow(/not well-formed/)
    expect(() => roundTrip({ id: 'k', 'a\ud800': 1 })).toThrow(/not well-formed/)
    const { value } = roundTrip({ id: 'k', value: [-0, 0, -1] }) as { value: number[] }
    expect(value.map((each) => Object.is(each, -0))).toEqual([false, false, false])
  })

  it('brings back bytes that share no memory', () => {
    const bytes = new Uint8Array([1, 0, 255]).subarray(1)
    const { value } = roundTrip({ id: 'k', value: bytes }) as { value: Uint8Array }
    expect([...value]).toEqual([0, 255])
    expect(value.buffer).not.toBe(bytes.buffer)
  })

  it('brings back the own properties of an instance, and the key even if it is inherited', () => {
    class Page {
      title = 'own'
      get id() {
        return 'k'
      }
    }
    expect(roundTrip(new Page())).toEqual({ id: 'k', title: 'own' })
  })

  it('accepts plain values of another realm', () => {
    const value = runInNewContext('({ list: [1, { deep: true }], when: new Date(5), bytes: new Uint8Array([7]) })')
    const back = roundTrip({ id: 'k', value }) as { value: { bytes: Uint8Array } }
    expect({ ...back.value, bytes: [...back.value.bytes] }).toEqual({
      list: [1, { deep: true }],
      when: new Date(5),
      bytes: [7],
    })
  })

  it('repairs lone surrogates as UTF-8 does', () => {
    expect(roundTrip({ id: 'k', short: '\ud800', long: `${'x'.repeat(100)}\udc00` })).toEqual({
      id: 'k',
      short: '\ufffd',
      long: `${'x'.repeat(100)}\ufffd`,
    })
  })

  it('keeps only what is named, and always the key', () => {
    const document = { id: 'k', title: 'title', body: 'body', bad: () => 1 }
    const stored = (properties: readonly string[]) =>
      decodeStored(encodeStored(document, 'id', 'k', properties), 'id', 'k')
    expect(stored(['title'])).toEqual({ id: 'k', title: 'title' })
    expect(stored(['title', 'id', 'absent', 'toString'])).toEqual({ id: 'k', title: 'title' })
    expect(encodeStored(document, 'id', 'k', [])).toHaveLength(0)
    expect(stored([])).toEqual({ id: 'k' })
  })

  it('reads each getter once', () => {
    let reads = 0
    const document = {
      id: 'k',
      get value() {
        return ++reads
      },
    }
    expect(roundTrip(document)).toEqual({ id: 'k', value: 1 })
  })

  it('may share parts and be 100 levels deep', () => {
    const shared = { a: 1 }
    expect(roundTrip({ id: 'k', one: shared, two: shared })).toEqual({ id: 'k', one: shared, two: shared })
    expect(roundTrip({ id: 'k', deep: nested(100) })).toEqual({ id: 'k', deep: nested(100) })
  })
})

describe('a document that cannot be stored', () => {
  const cyclic: Record<string, unknown> = { id: 'k' }
  cyclic.self = { list: [cyclic] }
  const bushy: unknown[] = []
  bushy.push(bushy, bushy)

  it.each<[string, object, string]>([
    ['a function', { act: () => 1 }, 'act is a function'],
    ['a symbol', { deep: { mark: Symbol('s') } }, 'deep.mark is a symbol'],
    ['a cycle', cyclic, 'self.list.0 is a reference'],
    ['a cycle with branches', { bushy }, 'bushy.0 is a reference'],
    ['101 levels', { deep: nested(101) }, 'more than 100 levels'],
    ['100,000 levels', { deep: nested(100_000) }, 'more than 100 levels'],
    ['a map', { map: new Map() }, 'map is an instance of a class'],
    ['a set', { set: new Set([1]) }, 'set is an instance'],
    ['a regular expression', { re: /a/ }, 're is an instance'],
    ['an error', { error: new Error('x') }, 'error is an instance'],
    ['a promise', { promise: Promise.resolve() }, 'promise is an instance'],
    ['a boxed string', { boxed: Object('x') }, 'boxed is an instance'],
    ['floats', { floats: new Float32Array(1) }, 'floats is an instance'],
    ['a URL', { url: new URL('http://example.com/') }, 'url is an instance'],
    [
      'a property named __proto__',
      JSON.parse('{"__proto__": {"polluted": true}}'),
      '__proto__ is a property named __proto__',
    ],
    ['one deeper down', { a: JSON.parse('{"__proto__": 1}') }, 'a.__proto__'],
    ['a huge integer', { big: 2n ** 64n }, 'big is a bigint'],
  ])('has %s', (_, document, message) => {
    const act = () => encodeStored(document, 'id', 'the key', 'all')
    expect(act).toThrow(TypeError)
    expect(act).toThrow('document "the key" cannot be stored: ')
    expect(act).toThrow(message)
  })

  it('leaves the next one alone', () => {
    expect(() => encodeStored({ act: () => 1 }, 'id', 'k', 'all')).toThrow()
    expect(roundTrip({ id: 'k', a: 1 })).toEqual({ id: 'k', a: 1 })
  })
})

function nested(levels: number): object {
  let value: object = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

describe('a document stored as JSON', () => {
  const encode = (document: object) => encodeStored(document, 'id', 'k', 'all', 'json')

  it('is JSON, and comes back as it was', () => {
    const document = { id: 'k', text: 'a "b"\n\u2028é😀', list: [1, null, true, { deep: -1.5 }], empty: {} }
    const bytes = encode(document)
    expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(document)
    expect(decodeStored(bytes, 'id', 'k')).toEqual(document)
  })

  it.each<[string, unknown]>([
    ['a date', new Date(5)],
    ['bytes', new Uint8Array([1, 2])],
    ['a bigint', 5n],
    ['NaN', Number.NaN],
    ['an infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
  ])('is MessagePack if it has %s, also deep inside', (_, value) => {
    for (const document of [
      { id: 'k', value },
      { id: 'k', list: [{ value }] },
    ]) {
      const bytes = Buffer.from(encode(document))
      expect(bytes[0]).not.toBe(0x7b)
      expect(bytes).toEqual(Buffer.from(encodeStored(document, 'id', 'k', 'all')))
    }
  })
})
