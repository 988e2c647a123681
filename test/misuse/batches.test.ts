/** Batches that are refused as a whole. */

import type { Freshdex } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectWriteRefused, fingerprint, openSpecimen, type Page, rejectionOf } from './specimen.js'

let index: Freshdex<Page>

beforeAll(async () => {
  index = await openSpecimen()
})

afterAll(() => index.close())

const fresh = { id: 'new', title: 'new', body: 'new' }

describe('the same key twice in one batch', () => {
  test.each<[string, object]>([
    ['put and put', { put: [fresh, { id: 'new', body: 'other' }] }],
    ['put and put of a known key', { put: [{ id: 3, body: 'a' }, fresh, { id: 3, body: 'b' }] }],
    ['put and removed', { put: [fresh, { id: 'page 1', body: 'new' }], remove: ['page 1'] }],
    ['removed and removed', { put: [fresh], remove: ['page 1', 'page 2', 'page 1'] }],
    ['absent, removed and removed', { put: [fresh], remove: ['absent', 'absent'] }],
    [
      'both zeros',
      {
        put: [
          { id: 0, body: 'a' },
          { id: -0, body: 'b' },
        ],
      },
    ],
  ])('%s', async (_, batch) => {
    await expectWriteRefused(index, batch, { kind: 'DUPLICATE_KEY', more: ['new'] })
  })

  test('the number and the string of the same digits are not the same', async () => {
    const own = await openSpecimen()
    const report = await own.write({ put: [{ id: '3', body: 'string' }], remove: [3] })
    expect(report).toMatchObject({ added: 1, removed: 1 })
    await own.close()
  })
})

describe('what is not a batch', () => {
  test.each<[string, unknown, string?]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['a string', 'put'],
    ['an array', [fresh]],
    ['an unknown member', { puts: [fresh] }, 'puts'],
    ['an unknown member beside a known one', { put: [fresh], delete: ['page 1'] }, 'delete'],
    ['put that is not iterable', { put: 5 }, 'put'],
    ['put that is one document', { put: fresh }, 'put'],
    ['put that is null', { put: null }, 'put'],
    ['put that is a string', { put: 'new' }],
    ['put that is asynchronous', { put: asynchronous() }, 'put'],
    ['remove that is not iterable', { remove: 5 }, 'remove'],
    ['remove that is a string', { remove: 'page 1' }, 'remove'],
  ])('%s', async (_, batch, names) => {
    await expectWriteRefused(index, batch, { kind: 'TypeError', more: ['new'], ...(names ? { names } : {}) })
  })
})

describe('batches with nothing in them', () => {
  test.each<[string, object]>([
    ['no members', {}],
    ['empty lists', { put: [], remove: [] }],
    ['members that are undefined', { put: undefined, remove: undefined }],
  ])('%s change nothing', async (_, batch) => {
    const before = (await fingerprint(index)) as { stats: object }
    const report = await index.write(batch)
    expect(report).toMatchObject({ added: 0, replaced: 0, unchanged: 0, removed: 0, missing: 0 })
    const after = (await fingerprint(index)) as { stats: object }
    expect({ ...after, stats: { ...after.stats, sequence: 0 } }).toEqual({
      ...before,
      stats: { ...before.stats, sequence: 0 },
    })
  })
})

describe('iterators of the user', () => {
  test('one that throws halfway writes nothing', async () => {
    function* halfway() {
      yield fresh
      throw new Error('the source ran dry')
    }
    await expectWriteRefused(index, { put: halfway() }, { kind: 'Error', names: 'the source ran dry', more: ['new'] })
    await expectWriteRefused(index, { put: [fresh], remove: halfwayKeys() }, { kind: 'Error', more: ['new'] })
  })

  test('one that is refused halfway is closed', async () => {
    let closed = false
    function* source() {
      try {
        yield fresh
        yield { id: Number.NaN }
        yield { id: 'never reached' }
      } finally {
        closed = true
      }
    }
    await expectWriteRefused(index, { put: source() }, { kind: 'INVALID_KEY', more: ['new'] })
    expect(closed).toBe(true)
  })

  test('one that calls the index is refused the call', async () => {
    const own = await openSpecimen()
    const refused: string[] = []
    function* nosy() {
      try {
        own.search('fox')
      } catch (error) {
        refused.push((error as { code: string }).code)
      }
      yield fresh
    }
    await own.write({ put: nosy() })
    expect(refused).toEqual(['REENTRANT'])
    expect(own.has('new')).toBe(true)
    await own.close()
  })

  test('sets, maps and generators are as good as arrays', async () => {
    const own = await openSpecimen()
    await own.write({ put: new Set([fresh]), remove: new Map([['page 1', 0]]).keys() })
    expect([own.has('new'), own.has('page 1')]).toEqual([true, false])
    await own.close()
  })
})

test('a refused write does not stop the writes around it', async () => {
  const own = await openSpecimen()
  const first = own.write({ put: [fresh] })
  const second = rejectionOf(() => own.write({ put: [{ id: 'bad', body: 5 }] }))
  const third = own.write({ remove: ['page 1'] })
  expect((await first).added).toBe(1)
  expect((await second).kind).toBe('TypeError')
  expect((await third).removed).toBe(1)
  await own.close()
})

async function* asynchronous() {
  yield fresh
}

function* halfwayKeys() {
  yield 'page 1'
  throw new Error('the source ran dry')
}
