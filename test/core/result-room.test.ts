import { describe, expect, it } from 'vitest'
import { Freshdex, type Key } from '../../src/index.js'

interface Row {
  readonly id: Key
  readonly body: string
}

async function indexOf(keys: readonly Key[]): Promise<Freshdex<Row>> {
  const index = await Freshdex.open<Row>(':memory:', { key: 'id', fields: { body: {} }, workload: false })
  await index.write({ put: keys.map((id, at) => ({ id, body: `fox ${'dog '.repeat(at % 7)}` })) })
  return index
}

describe('results that are made at once and results with a buffer of their own', () => {
  it('are the same', async () => {
    const index = await indexOf(['a', 17, 'é🌊', -3, 'b'.repeat(900)])
    const bare = index.search('fox', { limit: 5 })
    // Documents are asked for, so that the result takes the other way.
    const whole = index.search('fox', { limit: 5, docs: true })
    expect(bare.hits.map(({ key, score }) => ({ key, score }))).toEqual(
      whole.hits.map(({ key, score }) => ({ key, score })),
    )
    expect({ ...bare, hits: [] }).toEqual({ ...whole, hits: [] })
    expect(Object.keys(bare)).toEqual(Object.keys(whole))
    await index.close()
  })

  it('stay as they are when the next search comes', async () => {
    const index = await indexOf(['a', 'b', 'c'])
    const first = index.search('fox')
    const before = structuredClone(first)
    index.search('dog')
    expect(first).toEqual(before)
    expect(Object.isFrozen(first.hits[0])).toBe(true)
    await index.close()
  })

  it('hold as many and as long keys as asked for', async () => {
    const keys = Array.from({ length: 400 }, (_, at) => `${at} ${'x'.repeat(at * 2)}`)
    const index = await indexOf(keys)
    for (const limit of [1, 10, 60, 61, 62, 100, 400])
      expect(index.search('fox', { limit }).hits.map(({ key }) => key)).toHaveLength(limit)
    expect(new Set(index.search('fox', { limit: 400 }).hits.map(({ key }) => key))).toEqual(new Set(keys))
    await index.close()
  })
})

describe('countUpTo', () => {
  it('says how far matches are counted', async () => {
    const index = await indexOf(Array.from({ length: 300 }, (_, at) => at))
    const query = 'fox OR dog'
    expect(index.search(query)).toMatchObject({ total: 300, isTotalExact: true })
    expect(index.search(query, { countUpTo: 299 })).toMatchObject({ total: 299, isTotalExact: false })
    expect(index.search(query, { countUpTo: 300 })).toMatchObject({ total: 300, isTotalExact: true })
    expect(index.search(query, { countUpTo: Number.POSITIVE_INFINITY })).toMatchObject({ total: 300 })
    // As far as hits are asked for they are counted in any case.
    expect(index.search(query, { countUpTo: 0, limit: 20 })).toMatchObject({ total: 20, isTotalExact: false })
    // Of a single word the number is known.
    expect(index.search('fox', { countUpTo: 5 })).toMatchObject({ total: 300, isTotalExact: true })
    const exact = index.search(query, { countUpTo: Number.POSITIVE_INFINITY })
    expect(index.search(query, { countUpTo: 0 }).hits).toEqual(exact.hits)
    expect(index.snapshot().search(query, { countUpTo: 7, limit: 1 })).toMatchObject({ total: 7, isTotalExact: false })
    await index.close()
  })
})
