/** Documents of every wrong or odd shape. */

import type { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWriteRefused, openSpecimen, type Page } from './specimen.js'

let index: Freshdex<Page>

beforeAll(async () => {
  index = await openSpecimen()
})

afterAll(() => index.close())

/** A good document goes before the bad one, so that a batch that is written in part is noticed. */
async function expectRefused(document: unknown, kind: string, names?: string, own = index): Promise<void> {
  const batch = { put: [{ id: 'new', body: 'new words' }, document] }
  await expectWriteRefused(own, batch, { kind, more: ['new', 'bad'], ...(names ? { names } : {}) })
}

describe('documents that are refused', () => {
  const cyclic: Record<string, unknown> = { id: 'bad', body: 'new' }
  cyclic.self = { deeper: [cyclic] }

  test.each<[string, unknown, string?]>([
    ['null', null],
    ['undefined', undefined],
    ['a number', 5],
    ['a string', 'bad'],
    ['an array', ['bad']],
    ['a function', () => ({ id: 'bad' })],
    ['a field that is a number', { id: 'bad', body: 5 }, 'body'],
    ['a field that is an object', { id: 'bad', body: { text: 'new' } }, 'body'],
    ['a field that is a boolean', { id: 'bad', title: false }, 'title'],
    ['a field that is a function', { id: 'bad', title: () => 'new' }, 'title'],
    ['a list with something else than strings', { id: 'bad', body: ['new', 5] }, 'body'],
    ['a list with a hole', { id: 'bad', body: Array(2) }, 'body'],
    ['a list in a list', { id: 'bad', body: [['new']] }, 'body'],
    ['a stored function', { id: 'bad', body: 'new', act: () => 1 }, 'act'],
    ['a stored symbol', { id: 'bad', body: 'new', mark: Symbol('mark') }, 'mark'],
    ['a cycle among stored values', cyclic, 'self'],
  ])('%s', async (_, document, names) => {
    await expectRefused(document, 'TypeError', names)
  })

  test('the message names the field and the key', async () => {
    await expectRefused({ id: 'bad', body: 5 }, 'TypeError', '"bad"')
  })
})

describe('page weights', () => {
  test.each<[string, unknown, string]>([
    ['NaN', Number.NaN, 'RangeError'],
    ['Infinity', Number.POSITIVE_INFINITY, 'RangeError'],
    ['-Infinity', Number.NEGATIVE_INFINITY, 'RangeError'],
    ['a negative number', -1, 'RangeError'],
    ['a string', '1', 'TypeError'],
    ['a bigint', 1n, 'TypeError'],
    ['an object', { valueOf: () => 1 }, 'TypeError'],
  ])('%s', async (_, weight, kind) => {
    const own = await openSpecimen({ scoring: { weight: 'links' } })
    await expectRefused({ id: 'bad', body: 'new', links: weight }, kind, 'links', own)
    await own.close()
  })

  test('none, null and zero are zero; the largest number is a number', async () => {
    const own = await openSpecimen({ scoring: { weight: 'links', alpha: 0, beta: 1 } })
    const weights = [undefined, null, 0, -0, 1e12]
    await own.write({ put: weights.map((links, nth) => ({ id: `w${nth}`, body: 'weighed', links })) })
    const { hits } = own.search('weighed')
    expect(hits.map(({ key, score }) => [key, score])).toEqual([
      ['w4', 1e12],
      ['w0', 0],
      ['w1', 0],
      ['w2', 0],
      ['w3', 0],
    ])
    await own.close()
  })
})

describe('documents with code in them', () => {
  test.each(['id', 'title', 'body', 'other'])('a getter that throws for %s', async (name) => {
    const document = { id: 'bad', title: 'new', body: 'new' }
    Object.defineProperty(document, name, {
      enumerable: true,
      get() {
        throw new Error('getter failed')
      },
    })
    await expectRefused(document, 'Error', 'getter failed')
  })

  test('a proxy that throws', async () => {
    const trap = () => {
      throw new Error('trap sprung')
    }
    await expectRefused(new Proxy({ id: 'bad' }, { get: trap }), 'Error', 'trap sprung')
    await expectRefused(new Proxy({ id: 'bad' }, { getOwnPropertyDescriptor: trap }), 'Error', 'trap sprung')
    await expectRefused(new Proxy({ id: 'bad' }, { ownKeys: trap }), 'Error', 'trap sprung')
  })

  test('a revoked proxy', async () => {
    const { proxy, revoke } = Proxy.revocable({ id: 'bad' }, {})
    revoke()
    await expectRefused(proxy, 'TypeError')
  })

  test('a proxy that behaves is a document', async () => {
    const own = await openSpecimen()
    await own.write({ put: [new Proxy({ id: 'new', body: 'behind a proxy' }, {})] })
    expect(own.get('new')).toEqual({ id: 'new', body: 'behind a proxy' })
    expect(own.search('behind').total).toBe(1)
    await own.close()
  })

  test('a getter is called, and one that calls the index is refused the call', async () => {
    const own = await openSpecimen()
    const codes: string[] = []
    const document = {
      id: 'new',
      get body() {
        try {
          own.get('page 1')
        } catch (error) {
          codes.push((error as { code: string }).code)
        }
        return 'from a getter'
      },
    }
    await own.write({ put: [document] })
    expect(own.search('getter').total).toBe(1)
    expect(new Set(codes)).toEqual(new Set(['REENTRANT']))
    await own.close()
  })

  test('instances of a class are documents', async () => {
    class Article {
      id = 'new'
      #text = 'inside of a class'
      get body() {
        return this.#text
      }
    }
    const own = await openSpecimen()
    await own.write({ put: [new Article() as unknown as Page] })
    expect(own.search('inside').total).toBe(1)
    await own.close()
  })
})

describe('documents the caller keeps', () => {
  test('a frozen one is written and not changed', async () => {
    const own = await openSpecimen()
    const document = Object.freeze({ id: 'new', body: Object.freeze(['frozen', 'lines']) })
    await own.write(Object.freeze({ put: Object.freeze([document]) }))
    expect(own.get('new')).toEqual({ id: 'new', body: ['frozen', 'lines'] })
    await own.close()
  })

  test('one that is changed right after the call is written as it was', async () => {
    const own = await openSpecimen()
    const document: Page = { id: 'new', body: 'before', tags: ['before'] }
    const put = [document]
    const slow = own.write({ put: [{ id: 'other', body: 'first in the queue' }] })
    const done = own.write({ put })
    document.body = 'after'
    ;(document.tags as string[])[0] = 'after'
    put.length = 0
    await Promise.all([slow, done])
    expect(own.get('new')).toEqual({ id: 'new', body: 'before', tags: ['before'] })
    expect([own.search('before').total, own.search('after').total]).toEqual([1, 0])
    await own.close()
  })

  test('what get returns is a copy', async () => {
    const own = await openSpecimen()
    const got = own.get('page 1') as Page
    got.body = 'scribbled'
    expect(own.get('page 1')?.body).not.toBe('scribbled')
    await own.close()
  })

  test('bytes, dates, nested values and big integers come back as they were', async () => {
    const own = await openSpecimen()
    const document = {
      id: 'new',
      body: null,
      when: new Date(86_400_000),
      bytes: new Uint8Array([1, 0, 255]),
      nested: { list: [1, null, { deep: true }], half: 0.5 },
      big: 2n ** 62n,
    }
    await own.write({ put: [document] })
    const got = own.get('new') as typeof document
    expect({ ...got, bytes: [...got.bytes] }).toEqual({ ...document, bytes: [1, 0, 255] })
    await own.close()
  })
})
