/** Field names that every object has: they are names like any other, and nothing leaks into Object.prototype. */
import { Freshdex, type OpenOptions } from 'freshdex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

type Row = Record<string, unknown>

const prototypeBefore = Object.getOwnPropertyNames(Object.prototype)

/** An own property named __proto__, which an object literal can not make. */
function own(json: string): Row {
  return JSON.parse(json) as Row
}

const fields = own('{ "__proto__": {}, "constructor": { "boost": 2 }, "prototype": {}, "toString": {} }')

let index: Freshdex<Row>

beforeEach(async () => {
  index = await Freshdex.open<Row>(':memory:', { key: 'id', fields, store: false } as OpenOptions<Row>)
})

afterEach(async () => {
  expect((await index.check()).ok).toBe(true)
  await index.close()
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore)
  expect(({} as Row).polluted).toBeUndefined()
})

describe('fields named like members of Object.prototype', () => {
  test('are empty in a document that only inherits them', async () => {
    await index.write({ put: [{ id: 1 }] })
    expect(index.search({ not: { word: 'x' } }).total).toBe(1)
    expect(index.search('function OR native OR object').total).toBe(0)
  })

  test('are searched in a document that has them', async () => {
    const document =
      '{ "id": 1, "__proto__": "polluted", "constructor": "made", "prototype": "mould", "toString": "rope" }'
    await index.write({ put: [own(document)] })
    for (const word of ['polluted', 'made', 'mould', 'rope']) expect(index.search(word).total).toBe(1)
    expect(index.search('constructor:made').total).toBe(1)
    expect(index.search('__proto__:polluted').total).toBe(1)
    expect(index.search({ word: 'polluted', field: '__proto__' }).total).toBe(1)
    expect(index.search({ word: 'polluted', field: 'constructor' }).total).toBe(0)
    expect(index.search('polluted', { fields: ['__proto__'] }).total).toBe(1)
  })

  test('are refused when the document has something else than text there', async () => {
    const document = own('{ "id": 1, "__proto__": { "polluted": true } }')
    await expect(index.write({ put: [document] })).rejects.toThrow(TypeError)
    expect(index.stats().documents).toBe(0)
  })

  test('are empty in an instance of a class that does not define them', async () => {
    class Rope {
      id = 1
      get prototype() {
        return 'from the class'
      }
    }
    await index.write({ put: [new Rope() as unknown as Row] })
    expect(index.search('class').total).toBe(1)
  })

  test('a document without a prototype is a document', async () => {
    const document = Object.assign(Object.create(null) as Row, { id: 1, prototype: 'bare' })
    await index.write({ put: [document] })
    expect(index.search('bare').total).toBe(1)
  })
})

describe('stored properties named like members of Object.prototype', () => {
  async function stored(json: string): Promise<Row | undefined> {
    const whole = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} } })
    await whole.write({ put: [own(json)] })
    const got = whole.get(1)
    await whole.close()
    return got
  }

  test('come back as own properties', async () => {
    const got = await stored('{ "id": 1, "constructor": "a", "toString": "b", "hasOwnProperty": "c" }')
    expect(Object.entries(got ?? {})).toEqual([
      ['id', 1],
      ['constructor', 'a'],
      ['toString', 'b'],
      ['hasOwnProperty', 'c'],
    ])
  })

  test('__proto__ can not be stored, at the top or below', async () => {
    await expect(stored('{ "id": 1, "__proto__": { "polluted": true } }')).rejects.toThrow(TypeError)
    await expect(stored('{ "id": 1, "deep": [{ "__proto__": { "polluted": true } }] }')).rejects.toThrow(TypeError)
  })
})

test('options inherited from Object.prototype are not options', async () => {
  Object.defineProperty(Object.prototype, 'limit', { value: 1, configurable: true, writable: true })
  try {
    await index.write({ put: [{ id: 1 }, { id: 2 }] })
    expect(index.search({ not: { word: 'x' } }, {}).hits.length).toBe(2)
  } finally {
    delete (Object.prototype as Row).limit
  }
})
