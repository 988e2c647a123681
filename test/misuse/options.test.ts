/** Options of open and search: unknown names and values out of range are refused by name. */
import { Freshdex, type OpenOptions, type SearchOptions } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCallRefused, openSpecimen, type Page, rejectionOf } from './specimen.js'

describe('open is refused', () => {
  const good = { key: 'id', fields: { body: {} } }
  const analyzer = { name: 'words', version: '1', analyze: (text: string) => text.split(' ') }
  const manyFields = Object.fromEntries(Array.from({ length: 33 }, (_, nth) => [`f${nth}`, {}]))

  test.each<[string, unknown, string, string?]>([
    ['without options', undefined, 'TypeError'],
    ['with null', null, 'TypeError'],
    ['with an array', [good], 'TypeError'],
    ['without a key', { fields: { body: {} } }, 'TypeError', 'key'],
    ['with a key that is no name', { ...good, key: 5 }, 'TypeError', 'key'],
    ['with an empty key', { ...good, key: '' }, 'TypeError', 'key'],
    ['without fields', { key: 'id' }, 'TypeError', 'fields'],
    ['with a list of fields', { key: 'id', fields: ['body'] }, 'TypeError', 'fields'],
    ['with no field', { key: 'id', fields: {} }, 'RangeError', 'fields'],
    ['with 33 fields', { key: 'id', fields: manyFields }, 'RangeError', '33'],
    ['with a field that is true', { key: 'id', fields: { body: true } }, 'TypeError', 'body'],
    ['with an unknown option', { ...good, feilds: {} }, 'TypeError', 'feilds'],
    ['with an unknown option of a field', { key: 'id', fields: { body: { bost: 1 } } }, 'TypeError', 'bost'],
    ['with a boost that is NaN', { key: 'id', fields: { body: { boost: Number.NaN } } }, 'RangeError', 'boost'],
    ['with a boost that is Infinity', { key: 'id', fields: { body: { boost: 1 / 0 } } }, 'RangeError', 'boost'],
    ['with a boost that is -Infinity', { key: 'id', fields: { body: { boost: -1 / 0 } } }, 'RangeError', 'boost'],
    ['with a negative boost', { key: 'id', fields: { body: { boost: -0.1 } } }, 'RangeError', 'boost'],
    ['with a boost that is a string', { key: 'id', fields: { body: { boost: '2' } } }, 'TypeError', 'boost'],
    ['with an unknown analyzer', { ...good, analyzer: 'klingon' }, 'RangeError', 'klingon'],
    ['with an analyzer without a name', { ...good, analyzer: { ...analyzer, name: '' } }, 'TypeError', 'name'],
    ['with an analyzer without a version', { ...good, analyzer: { ...analyzer, version: 1 } }, 'TypeError', 'version'],
    [
      'with an analyzer that can not analyze',
      { ...good, analyzer: { ...analyzer, analyze: 1 } },
      'TypeError',
      'analyze',
    ],
    ['with an analyzer that is a function', { ...good, analyzer: analyzer.analyze }, 'TypeError', 'analyzer'],
    ['with an unknown scoring', { ...good, scoring: 'bm26' }, 'RangeError', 'bm26'],
    ['with an unknown option of scoring', { ...good, scoring: { k2: 1 } }, 'TypeError', 'k2'],
    ['with k1 that is NaN', { ...good, scoring: { k1: Number.NaN } }, 'RangeError', 'k1'],
    ['with k1 that is Infinity', { ...good, scoring: { k1: 1 / 0 } }, 'RangeError', 'k1'],
    ['with a negative k1', { ...good, scoring: { k1: -1 } }, 'RangeError', 'k1'],
    ['with b over 1', { ...good, scoring: { b: 1.1 } }, 'RangeError', 'b'],
    ['with a negative b', { ...good, scoring: { b: -0.1 } }, 'RangeError', 'b'],
    ['with alpha that is NaN', { ...good, scoring: { weight: 'w', alpha: Number.NaN } }, 'RangeError', 'alpha'],
    ['with a negative beta', { ...good, scoring: { weight: 'w', beta: -1 } }, 'RangeError', 'beta'],
    ['with a weight that is no name', { ...good, scoring: { weight: 5 } }, 'TypeError', 'weight'],
    ['with store that is a string', { ...good, store: 'body' }, 'TypeError', 'store'],
    ['with store of something else than names', { ...good, store: [5] }, 'TypeError', 'store'],
    ['with an unknown limit', { ...good, limits: { documentbytes: 5 } }, 'TypeError', 'documentbytes'],
    ['with a limit of zero', { ...good, limits: { documentBytes: 0 } }, 'RangeError', 'documentBytes'],
    ['with a limit that is a fraction', { ...good, limits: { documentBytes: 1.5 } }, 'RangeError', 'documentBytes'],
    ['with a limit that is NaN', { ...good, limits: { documentBytes: Number.NaN } }, 'RangeError', 'documentBytes'],
  ])('%s', async (_, options, kind, names) => {
    const { kind: got, message } = await rejectionOf(() => Freshdex.open(':memory:', options as OpenOptions<Page>))
    expect(got, message).toBe(kind)
    if (names !== undefined) expect(message).toContain(names)
  })

  test.each<[string, unknown, string]>([
    ['a path of a file', 'package.json', 'NOT_AN_INDEX'],
    ['a folder of somebody else', 'docs', 'NOT_AN_INDEX'],
    ['an empty path', '', 'TypeError'],
    ['a path that is no string', 5, 'TypeError'],
    ['no path', undefined, 'TypeError'],
  ])('with %s', async (_, path, kind) => {
    expect(
      (await rejectionOf(() => Freshdex.open<Page>(path as string, { key: 'id', fields: { body: {} } }))).kind,
    ).toBe(kind)
  })

  test('32 fields are accepted', async () => {
    const fields = Object.fromEntries(Object.entries(manyFields).slice(1))
    const index = await Freshdex.open<Page>(':memory:', { key: 'id', fields } as OpenOptions<Page>)
    await index.write({ put: [{ id: 1, f32: 'last', f1: 'first' }] })
    expect(index.search('f32:last f1:first').total).toBe(1)
    expect(index.search('last', { fields: ['f31'] }).total).toBe(0)
    await index.close()
  })

  test('methods do not work on other objects', async () => {
    const index = await openSpecimen()
    expect(() => index.search.call({} as never, 'fox')).toThrow(TypeError)
    expect(() => index.get.call({ ...index } as never, 'page 1')).toThrow(TypeError)
    expect(() => index.stats.call(Object.create(index) as never)).toThrow(TypeError)
    await index.close()
  })
})

describe('search is refused', () => {
  let index: Freshdex<Page>

  beforeAll(async () => {
    index = await openSpecimen()
  })

  afterAll(() => index.close())

  test.each<[string, unknown, string, string?]>([
    ['null', null, 'TypeError'],
    ['an array', [], 'TypeError'],
    ['a number', 10, 'TypeError'],
    ['a misspelt limit', { limt: 5 }, 'TypeError', 'limt'],
    ['a misspelt limit that is undefined', { limt: undefined }, 'TypeError', 'limt'],
    ['a negative limit', { limit: -1 }, 'RangeError', 'limit'],
    ['a limit that is a fraction', { limit: 1.5 }, 'RangeError', 'limit'],
    ['a limit that is NaN', { limit: Number.NaN }, 'RangeError', 'limit'],
    ['a limit that is Infinity', { limit: 1 / 0 }, 'RangeError', 'limit'],
    ['a limit over 10,000', { limit: 10_001 }, 'RangeError', 'limit'],
    ['a limit that is a string', { limit: '10' }, 'TypeError', 'limit'],
    ['a limit that is null', { limit: null }, 'TypeError', 'limit'],
    ['a negative offset', { offset: -1 }, 'RangeError', 'offset'],
    ['an offset that is a fraction', { offset: 0.5 }, 'RangeError', 'offset'],
    ['an offset that is NaN', { offset: Number.NaN }, 'RangeError', 'offset'],
    ['an offset over a million', { offset: 1_000_001 }, 'RangeError', 'offset'],
    ['an offset that is a bigint', { offset: 1n }, 'TypeError', 'offset'],
    ['an unknown field', { fields: ['title', 'nowhere'] }, 'TypeError', 'nowhere'],
    ['a field of Object.prototype', { fields: ['constructor'] }, 'TypeError', 'constructor'],
    ['fields that are a string', { fields: 'title' }, 'TypeError', 'fields'],
    ['fields that are numbers', { fields: [0] }, 'TypeError', 'fields'],
    ['no field at all', { fields: [] }, 'RangeError', 'fields'],
    ['an unknown operator', { operator: 'xor' }, 'RangeError', 'operator'],
    ['an operator in capitals', { operator: 'AND' }, 'RangeError', 'operator'],
    ['docs that are no boolean', { docs: 1 }, 'TypeError', 'docs'],
    ['explain that is no boolean', { explain: 'yes' }, 'TypeError', 'explain'],
    ['a deadline of zero', { deadlineMs: 0 }, 'RangeError', 'deadlineMs'],
    ['a deadline that is NaN', { deadlineMs: Number.NaN }, 'RangeError', 'deadlineMs'],
    ['a negative deadline', { deadlineMs: -1 }, 'RangeError', 'deadlineMs'],
    ['maxScored of zero', { maxScored: 0 }, 'RangeError', 'maxScored'],
    ['maxScored that is a fraction', { maxScored: 1.5 }, 'RangeError', 'maxScored'],
    ['a negative countUpTo', { countUpTo: -1 }, 'RangeError', 'countUpTo'],
    ['countUpTo that is a fraction', { countUpTo: 0.5 }, 'RangeError', 'countUpTo'],
    ['countUpTo that is a string', { countUpTo: '10' }, 'TypeError', 'countUpTo'],
  ])('%s', async (_, options, kind, names) => {
    await expectCallRefused(index, () => index.search('fox', options as SearchOptions<Page>), {
      kind,
      ...(names ? { names } : {}),
    })
  })

  test.each<[string, SearchOptions<Page>, number]>([
    ['a limit of zero', { limit: 0 }, 0],
    ['a limit of 10,000', { limit: 10_000 }, 24],
    ['an offset of a million', { offset: 1_000_000 }, 0],
    ['an offset at the last hit', { offset: 23 }, 1],
    ['both at their largest', { limit: 10_000, offset: 1_000_000 }, 0],
  ])('%s is accepted', (_, options, hits) => {
    const result = index.search('fox', options)
    expect([result.hits.length, result.total]).toEqual([hits, 24])
  })

  test('a budget makes the answer partial, not wrong', () => {
    const exact = index.search('fox OR lazy', { limit: 100 })
    const scores = new Map(exact.hits.map(({ key, score }) => [key, score]))
    const cut = index.search('fox OR lazy', { limit: 100, maxScored: 1 })
    expect(exact.partial).toBe(false)
    for (const { key, score } of cut.hits) expect(score).toBe(scores.get(key))
    if (cut.hits.length < exact.hits.length) expect(cut.partial).toBe(true)
  })
})
