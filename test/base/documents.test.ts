import { describe, expect, it } from 'vitest'
import { readProperty, readText, readWeight, requireDocument } from '../../src/base/documents.js'

class Article {
  own = 'own'
  #hidden = 'from a getter'
  get computed() {
    return this.#hidden
  }
}

describe('a property', () => {
  it('is read from the document or its class', () => {
    expect(readProperty({ a: 1 }, 'a')).toBe(1)
    expect(readProperty(new Article(), 'own')).toBe('own')
    expect(readProperty(new Article(), 'computed')).toBe('from a getter')
    expect(readProperty(Object.create({ inherited: 1 }), 'inherited')).toBe(1)
    expect(readProperty(Object.assign(Object.create(null), { bare: 1 }), 'bare')).toBe(1)
  })

  it('constructor is absent in an instance of a class too', () => {
    expect(readProperty(new Article(), 'constructor')).toBeUndefined()
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])('%s is absent unless own', (name) => {
    expect(readProperty({}, name)).toBeUndefined()
    expect(readProperty(Object.create(null), name)).toBeUndefined()
    expect(readProperty(JSON.parse(`{"${name}": "mine"}`), name)).toBe('mine')
  })
})

describe('the text of a field', () => {
  it.each<[string, unknown, string]>([
    ['a string', 'text', 'text'],
    ['the empty string', '', ''],
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a list', ['one', 'two'], 'one\ntwo'],
    ['an empty list', [], ''],
    ['a list of one', ['one'], 'one'],
  ])('may be %s', (_, body, text) => {
    expect(readText({ body }, 'body', 'k')).toBe(text)
  })

  it.each<[string, unknown]>([
    ['a number', 5],
    ['a boolean', true],
    ['an object', {}],
    ['a String object', Object('boxed')],
    ['a function', () => 'text'],
    ['a list of numbers', ['one', 2]],
    ['a list with a hole', Array(1)],
    ['a list with null', [null]],
    ['a symbol', Symbol('text')],
  ])('may not be %s', (_, body) => {
    expect(() => readText({ body }, 'body', 'the key')).toThrow(TypeError)
    expect(() => readText({ body }, 'body', 'the key')).toThrow('field "body" of document "the key"')
  })

  it('passes on what a getter throws', () => {
    const fault = new Error('getter failed')
    const document = {
      get body() {
        throw fault
      },
    }
    expect(() => readText(document, 'body', 1)).toThrow(fault)
  })
})

describe('the weight', () => {
  it.each<[unknown, number]>([
    [undefined, 0],
    [null, 0],
    [0, 0],
    [1.5, 1.5],
    [1e12, 1e12],
  ])('%s counts as %d', (links, weight) => {
    expect(readWeight({ links }, 'links', 'k')).toBe(weight)
  })

  it.each<[unknown, typeof RangeError | typeof TypeError]>([
    [-1, RangeError],
    [1.1e12, RangeError],
    [Number.NaN, RangeError],
    [Number.POSITIVE_INFINITY, RangeError],
    ['5', TypeError],
    [5n, TypeError],
    [true, TypeError],
  ])('%s is refused', (links, kind) => {
    expect(() => readWeight({ links }, 'links', 'k')).toThrow(kind)
    expect(() => readWeight({ links }, 'links', 'k')).toThrow('weight "links" of document "k"')
  })
})

describe('a document', () => {
  it('is an object', () => {
    const article = new Article()
    expect(requireDocument(article)).toBe(article)
    for (const other of [null, undefined, 5, 'text', [], () => 1]) {
      expect(() => requireDocument(other)).toThrow(TypeError)
    }
  })
})
