import { describe, expect, it } from 'vitest'
import { BatchEncoder } from '../../src/core/batch.js'
import { resolveOpenOptions } from '../../src/options/index-settings.js'

const OPTIONS = { key: 'id', fields: { title: {}, body: {} }, store: false }

function encoder(more: object = {}, batchBytes?: number) {
  return new BatchEncoder(resolveOpenOptions({ ...OPTIONS, ...more }), batchBytes)
}

function hex(batch: unknown, more: object = {}): string {
  return Buffer.from(encoder(more).encode(batch).bytes).toString('hex')
}

/** Parts that are easier to read apart, joined. */
const bytes = (...parts: string[]) => parts.join('').replaceAll(' ', '')

describe('the bytes of a batch', () => {
  it('are eight zeros for an empty one', () => {
    for (const batch of [{}, { put: [], remove: [] }, { put: undefined, remove: new Set() }]) {
      expect(hex(batch)).toBe('00000000' + '00000000')
    }
  })

  it('of removals are their keys', () => {
    expect(hex({ remove: ['a', -5] })).toBe(bytes('00000000 02000000', '02000000 73 61', '03000000 6e 2d35'))
  })

  it('of a put are key, weight, stored form and fields in the order of the schema', () => {
    expect(hex({ put: [{ id: 'é', body: 'ab', title: ['x', 'y'] }] })).toBe(
      bytes(
        '01000000 00000000',
        '03000000 73 c3a9',
        '0000000000000000',
        '00000000',
        '00 03000000 78 0a 79',
        '00 02000000 61 62',
      ),
    )
  })

  it('hold the weight and the stored document', () => {
    const options = { store: ['n'], scoring: { weight: 'links' } }
    expect(hex({ put: [{ id: 7, links: 1, n: 5 }] }, options)).toBe(
      bytes(
        '01000000 00000000',
        '02000000 6e 37',
        '000000000000f03f',
        // MessagePack: { id: 7, n: 5 }
        '08000000 82 a2 6964 07 a1 6e 05',
        '00 00000000',
        '00 00000000',
      ),
    )
  })

  it('hold tokens instead of text when there is an analyzer', () => {
    const analyzer = { name: 'blanks', version: '1', analyze: (text: string) => text.split(' ') }
    expect(hex({ put: [{ id: 'k', title: 'a  bé', body: '' }] }, { analyzer })).toBe(
      bytes(
        '01000000 00000000',
        '02000000 73 6b',
        '0000000000000000',
        '00000000',
        '01 08000000 0100 61 0300 62c3a9',
        '01 00000000',
      ),
    )
  })

  it('do not depend on the batch before', () => {
    const one = encoder()
    const batch = { put: [{ id: 1, title: 'a' }], remove: [2] }
    const first = Buffer.from(one.encode(batch).bytes)
    expect(() => one.encode({ put: [{ id: 1 }, { id: 3, title: 5 }] })).toThrow(TypeError)
    expect(Buffer.from(one.encode(batch).bytes)).toEqual(first)
  })
})

describe('a batch is refused', () => {
  it.each<[string, unknown]>([
    ['for a key put twice', { put: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }],
    ['for a key removed twice', { remove: [1, 1] }],
    ['for a key put and removed', { put: [{ id: 'a' }], remove: ['a'] }],
    ['for both zeros', { put: [{ id: 0 }], remove: [-0] }],
  ])('%s', (_, batch) => {
    expect(() => hex(batch)).toThrow(expect.objectContaining({ code: 'DUPLICATE_KEY' }))
  })

  it('but not for the number and the string of the same digits', () => {
    expect(() => hex({ put: [{ id: 1 }], remove: ['1'] })).not.toThrow()
  })

  it.each<[string, unknown, string]>([
    ['that is missing', undefined, 'write needs a batch'],
    ['that is null', null, 'received null'],
    ['that is a list', [{ id: 1 }], 'must be an object'],
    ['with a misspelt part', { puts: [] }, 'unknown batch option "puts"'],
    ['whose put is no list', { put: { id: 1 } }, '"put" must be iterable'],
    ['whose put is text', { put: 'abc' }, '"put" must be iterable'],
    ['whose remove is a key', { remove: 'abc' }, '"remove" must be iterable'],
    ['with a document that is none', { put: ['abc'] }, 'a document must be an object, received "abc"'],
    ['with a document without a key', { put: [{ title: 'a' }] }, 'a key must be'],
    ['that is a list of documents', [{ id: 1 }], 'write({ put: [...] }) puts documents'],
    [
      'whose third document has no key',
      { put: [{ id: 1 }, { id: 2 }, { title: 'a' }] },
      'document 3 of the batch, key property "id": a key must be a string or a number, received undefined',
    ],
    ['whose second document is none', { put: [{ id: 1 }, 5] }, 'document 2 of the batch: a document must be an object'],
    ['whose second key to remove is none', { remove: ['a', null] }, 'key 2 to remove: a key must be'],
    ['whose put is one document', { put: { id: 1 } }, 'as in write({ put: [document, …] })'],
    ['with a wrong field', { put: [{ id: 'k', title: 5 }] }, 'field "title" of document "k"'],
  ])('%s', (_, batch, message) => {
    expect(() => hex(batch)).toThrow(TypeError)
    expect(() => hex(batch)).toThrow(message)
  })

  it('and its iterator closed', () => {
    let closed = false
    function* documents() {
      try {
        yield { id: 1 }
        yield { id: 1 }
      } finally {
        closed = true
      }
    }
    expect(() => hex({ put: documents() })).toThrow()
    expect(closed).toBe(true)
  })
})

describe('limits', () => {
  const tooLarge = (code: string) => expect.objectContaining({ code })

  it('count the UTF-8 bytes of all fields of a document', () => {
    const limits = { documentBytes: 10 }
    expect(() => hex({ put: [{ id: 1, title: 'x'.repeat(4), body: 'é'.repeat(3) }] }, { limits })).not.toThrow()
    expect(() => hex({ put: [{ id: 1, title: 'x'.repeat(5), body: 'é'.repeat(3) }] }, { limits })).toThrow(
      tooLarge('DOCUMENT_TOO_LARGE'),
    )
    expect(() => hex({ put: [{ id: 'k', body: 'x'.repeat(11) }] }, { limits })).toThrow(
      expect.objectContaining({ detail: { key: 'k', limit: 10 } }),
    )
  })

  it('count the text and not the tokens of an analyzer', () => {
    const analyzer = { name: 'none', version: '1', analyze: () => [] }
    const limits = { documentBytes: 10 }
    expect(() => hex({ put: [{ id: 1, body: 'é'.repeat(5) }] }, { analyzer, limits })).not.toThrow()
    expect(() => hex({ put: [{ id: 1, body: 'é'.repeat(6) }] }, { analyzer, limits })).toThrow(
      tooLarge('DOCUMENT_TOO_LARGE'),
    )
  })

  it('count all bytes of a batch', () => {
    const small = encoder({}, 1000)
    expect(() => small.encode({ put: [{ id: 1, body: 'x'.repeat(900) }] })).not.toThrow()
    expect(() => small.encode({ put: [{ id: 1, body: 'x'.repeat(999) }] })).toThrow(tooLarge('BATCH_TOO_LARGE'))
    expect(() => small.encode({ remove: Array.from({ length: 200 }, (_, nth) => nth) })).toThrow(
      tooLarge('BATCH_TOO_LARGE'),
    )
    expect(small.encode({}).bytes).toHaveLength(8)
  })

  it('stop an endless batch', () => {
    function* endless() {
      for (let id = 0; ; id++) yield { id, body: 'and on and on' }
    }
    expect(() => encoder({}, 1e5).encode({ put: endless() })).toThrow(tooLarge('BATCH_TOO_LARGE'))
  })
})

describe('an analyzer', () => {
  it('has its long tokens cut and counted', () => {
    const analyzer = { name: 'whole', version: '1', analyze: (text: string) => [text, ''] }
    const put = [
      { id: 1, title: 'x'.repeat(255), body: 'x'.repeat(256) },
      { id: 2, body: 'é'.repeat(128) },
    ]
    const encoded = encoder({ analyzer }).encode({ put })
    expect(encoded.truncatedTokens).toBe(2)
    const slab = Buffer.from(encoded.bytes).toString('hex')
    const kept = [`ff00${'78'.repeat(255)}`, `fe00${'c3a9'.repeat(127)}`]
    expect(kept.map((token) => slab.split(token).length - 1)).toEqual([2, 1])
    expect(encoder({ analyzer }).encode({}).truncatedTokens).toBe(0)
  })

  it('that throws, or returns something else, is ANALYZER_FAILED', () => {
    const fault = new Error('no')
    const throwing = {
      name: 'throwing',
      version: '1',
      analyze() {
        throw fault
      },
    }
    const put = [{ id: 1, title: 'text' }]
    expect(() => hex({ put }, { analyzer: throwing })).toThrow(
      expect.objectContaining({ code: 'ANALYZER_FAILED', cause: fault }),
    )
    for (const result of ['text', undefined, [5], [undefined], new Set(['a'])]) {
      const analyzer = { name: 'wrong', version: '1', analyze: () => result }
      expect(() => hex({ put }, { analyzer })).toThrow(expect.objectContaining({ code: 'ANALYZER_FAILED' }))
    }
  })

  it('is not asked about empty text', () => {
    const analyzer = { name: 'eager', version: '1', analyze: (text: string) => [`<${text}>`] }
    expect(hex({ put: [{ id: 1 }] }, { analyzer })).toBe(
      bytes('01000000 00000000', '02000000 6e 31', '0000000000000000', '00000000', '01 00000000', '01 00000000'),
    )
  })
})
