import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { encodeKey, type Key } from '../../src/base/keys.js'
import { decodeHits } from '../../src/core/hits.js'
import { encodeStored } from '../../src/options/stored-form.js'
import type { Explanation } from '../../src/search/search-result.js'

const SETTINGS = { key: 'id', fieldNames: ['title', 'body'] }

interface Row {
  readonly key: Key
  readonly score: number
  readonly doc?: object
  readonly explain?: object
}

/** A result buffer, written from the table at the head of hits.ts. */
function result(rows: readonly Row[], { total = rows.length, flags = 0 } = {}): ArrayBuffer {
  const head = Buffer.alloc(16)
  head.writeUInt32LE(rows.length, 0)
  head.writeUInt32LE(flags, 4)
  head.writeDoubleLE(total, 8)
  const scores = Buffer.from(Float64Array.from(rows, (row) => row.score).buffer)
  const numbers = Buffer.from(Uint32Array.from(rows, (_, row) => row + 100).buffer)
  const sections = [rows.map((row) => Buffer.from(encodeKey(row.key)))]
  if (flags & 4)
    sections.push(rows.map((row) => Buffer.from(row.doc ? encodeStored(row.doc, 'id', row.key, 'all') : [])))
  if (flags & 8) sections.push(rows.map((row) => Buffer.from(JSON.stringify(row.explain))))
  const ends = sections.map((items) => {
    let end = 0
    return Buffer.from(Uint32Array.from(items, (item) => (end += item.length)).buffer)
  })
  const all = Buffer.concat([head, scores, numbers, ...ends, ...sections.flat()])
  return new Uint8Array(all).buffer
}

const ROWS: readonly Row[] = [
  { key: 'a', score: 2.5, doc: { id: 'a', title: 'first' } },
  { key: 17, score: 1.25, doc: { id: 17, list: [1, 2] } },
  { key: 'é🌊', score: 0 },
]

describe('a result', () => {
  it('has hits, total and flags', () => {
    const { hits, total, partial, truncated } = decodeHits(result(ROWS, { total: 99 }), SETTINGS)
    expect(hits).toEqual([
      { key: 'a', score: 2.5 },
      { key: 17, score: 1.25 },
      { key: 'é🌊', score: 0 },
    ])
    expect([total, partial, truncated]).toEqual([99, false, false])
    expect(decodeHits(result(ROWS, { flags: 1 }), SETTINGS)).toMatchObject({ partial: true, truncated: false })
    expect(decodeHits(result(ROWS, { flags: 2 }), SETTINGS)).toMatchObject({ partial: false, truncated: true })
    expect(decodeHits(result(ROWS), SETTINGS).isTotalExact).toBe(true)
    expect(decodeHits(result(ROWS, { flags: 32 }), SETTINGS).isTotalExact).toBe(false)
  })

  it('reads keys that are all ASCII in one go', () => {
    const rows = ROWS.slice(0, 2)
    expect(decodeHits(result(rows, { flags: 16 }), SETTINGS).hits).toEqual([
      { key: 'a', score: 2.5 },
      { key: 17, score: 1.25 },
    ])
  })

  it('looks like a plain object too', () => {
    const found = decodeHits(result(ROWS, { flags: 1 }), SETTINGS)
    const plain = {
      total: 3,
      isTotalExact: true,
      truncated: false,
      partial: true,
      hits: found.hits.map((hit) => ({ ...hit })),
    }
    expect(JSON.parse(JSON.stringify(found))).toEqual(plain)
    expect({ ...found }).toEqual(plain)
    expect(inspect(found, { breakLength: Infinity })).toBe(inspect(plain, { breakLength: Infinity }))
  })

  it('may be empty, with every column', () => {
    for (const flags of [0, 4, 8, 12]) {
      expect(decodeHits(result([], { flags, total: 7 }), SETTINGS)).toEqual({
        hits: [],
        total: 7,
        isTotalExact: true,
        partial: false,
        truncated: false,
      })
    }
  })

  it('has documents where they were asked for, the key alone where nothing is stored', () => {
    const { hits } = decodeHits(result(ROWS, { flags: 4 }), SETTINGS)
    expect(hits.map((hit) => hit.doc)).toEqual([{ id: 'a', title: 'first' }, { id: 17, list: [1, 2] }, { id: 'é🌊' }])
  })

  it('has explanations with the names of the fields', () => {
    const term = { kind: 'word', term: 'x', tf: 1, df: 2, idf: 0.5, length: 3, averageLength: 4, boost: 1, score: 0.25 }
    const explain = {
      text: 0.25,
      weight: 0,
      score: 0.25,
      terms: [
        { ...term, field: 1 },
        { ...term, field: 0 },
      ],
    }
    const rows = ROWS.map((row) => ({ ...row, explain }))
    for (const flags of [8, 12]) {
      const { hits } = decodeHits(result(rows, { flags }), SETTINGS)
      const expected = {
        ...explain,
        terms: [
          { ...term, field: 'body' },
          { ...term, field: 'title' },
        ],
      } as Explanation
      expect(hits.map((hit) => hit.explain)).toEqual([expected, expected, expected])
    }
  })
})

describe('a hit', () => {
  const [hit] = decodeHits(result(ROWS, { flags: 4 }), SETTINGS).hits

  it('looks like the plain object that it stands for', () => {
    const plain = { key: 'a', score: 2.5, doc: { id: 'a', title: 'first' } }
    expect(hit).toEqual(plain)
    expect({ ...hit }).toEqual(plain)
    expect(Object.keys(hit ?? {})).toEqual(['key', 'score', 'doc'])
    expect(JSON.stringify(hit)).toBe(JSON.stringify(plain))
    expect(structuredClone(hit)).toEqual(plain)
    expect(inspect(hit)).toBe(inspect(plain))
  })

  it('lacks what was not asked for', () => {
    const [bare] = decodeHits(result(ROWS), SETTINGS).hits
    expect('doc' in (bare ?? {})).toBe(false)
    expect('explain' in (bare ?? {})).toBe(false)
    expect(bare?.doc).toBeUndefined()
  })

  it('decodes its document once', () => {
    expect(hit?.doc).toBe(hit?.doc)
  })

  it('cannot be changed', () => {
    expect(() => Object.assign(hit ?? {}, { score: 5 })).toThrow(TypeError)
    expect(() => Object.assign(hit ?? {}, { key: 'other' })).toThrow(TypeError)
  })

  it('decodes nothing before it is asked', () => {
    const damaged = result(ROWS, { flags: 4 })
    new Uint8Array(damaged).fill(0xc1, damaged.byteLength - 4)
    expect(() => decodeHits(damaged, SETTINGS)).not.toThrow()
  })
})
