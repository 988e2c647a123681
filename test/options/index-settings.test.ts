import { describe, expect, it } from 'vitest'
import { resolveOpenOptions } from '../../src/options/index-settings.js'
import { resolveSearchOptions } from '../../src/search/search-options.js'

const MINIMAL = { key: 'url', fields: { title: {} } }
const ANALYZER = { name: 'blanks', version: '1', analyze: (text: string) => text.split(' ') }

function open(more: object) {
  return resolveOpenOptions({ ...MINIMAL, ...more })
}

describe('open options', () => {
  it('fill in the defaults', () => {
    expect(resolveOpenOptions(MINIMAL)).toEqual({
      key: 'url',
      fieldNames: ['title'],
      fieldBoosts: [1],
      columns: [],
      fieldAnalyzers: ['standard'],
      analyzer: 'standard',
      scoring: { model: 'bm25', k1: 1.2, b: 0.75, weight: undefined, alpha: 1, beta: 0 },
      stored: 'all',
      storedAs: 'msgpack',
      documentBytes: 16 * 1024 * 1024,
    })
  })

  it('keep what was given, fields in their order', () => {
    const settings = resolveOpenOptions({
      key: 'id',
      fields: { title: { boost: 2.5 }, body: {}, __tags: { boost: 0 } },
      analyzer: ANALYZER,
      scoring: { model: 'tfidf', weight: 'links', alpha: 0.5, beta: 3 },
      store: ['title', 'note'],
      limits: { documentBytes: 1000 },
    })
    expect(settings).toMatchObject({
      fieldNames: ['title', 'body', '__tags'],
      fieldBoosts: [2.5, 1, 0],
      scoring: { model: 'tfidf', weight: 'links', alpha: 0.5, beta: 3 },
      stored: ['title', 'note'],
      storedAs: 'msgpack',
      documentBytes: 1000,
    })
    expect(settings.analyzer).toBe(ANALYZER)
  })

  it('take undefined for not given', () => {
    const absent = { analyzer: undefined, scoring: undefined, store: undefined, limits: undefined }
    expect(open(absent)).toEqual(resolveOpenOptions(MINIMAL))
    expect(open({ scoring: { k1: undefined, weight: undefined }, limits: { documentBytes: undefined } })).toEqual(
      resolveOpenOptions(MINIMAL),
    )
  })

  it('count a page weight fully unless told otherwise', () => {
    expect(open({ scoring: { weight: 'links' } }).scoring).toMatchObject({ weight: 'links', alpha: 1, beta: 1 })
  })

  it('understand store: false as nothing but the key', () => {
    expect(open({ store: false }).stored).toEqual([])
    expect(open({ store: true }).stored).toBe('all')
  })

  it('keep columns in their order, and a date column by which documents expire', () => {
    const columns = { until: 'date', title: 'keyword', words: 'number', draft: 'boolean' }
    expect(open({ columns, expires: 'until' })).toMatchObject({
      columns: Object.entries(columns).map(([name, kind]) => ({ name, kind })),
      expires: 'until',
    })
    expect(open({ columns, expires: false }).expires).toBeUndefined()
    const most = Object.fromEntries(Array.from({ length: 64 }, (_, nth) => [`c${nth}`, 'keyword']))
    expect(open({ columns: most }).columns).toHaveLength(64)
  })

  it('allow 32 fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 32 }, (_, nth) => [`f${nth}`, {}]))
    expect(open({ fields }).fieldNames).toHaveLength(32)
  })

  it.each<[string, unknown, string]>([
    ['no options at all', undefined, 'key and fields'],
    ['null', null, 'received null'],
    ['a list', [], 'received []'],
    ['no key', { fields: { title: {} } }, 'key must be the name of a property, received undefined'],
    ['an empty key', { ...MINIMAL, key: '' }, 'key must be'],
    ['no fields', { key: 'url' }, 'fields must be an object'],
    ['fields as a list', { ...MINIMAL, fields: ['title'] }, 'fields must be an object'],
    ['a field without options', { ...MINIMAL, fields: { title: undefined } }, 'fields.title'],
    ['a field that is true', { ...MINIMAL, fields: { title: true } }, 'received true'],
    ['the empty field', { ...MINIMAL, fields: { '': {} } }, 'empty property'],
    [
      'columns as a list',
      { ...MINIMAL, columns: ['section'] },
      "such as { section: 'keyword' }, received [ 'section' ]",
    ],
    ['a column that is true', { ...MINIMAL, columns: { a: true } }, "columns.a must be 'keyword', 'number', 'date'"],
    ['the empty column', { ...MINIMAL, columns: { '': 'date' } }, 'empty property'],
    ['an expiry without columns', { ...MINIMAL, expires: 'until' }, "there is none: columns: { validUntil: 'date' }"],
    [
      'an expiry by a number',
      { ...MINIMAL, columns: { words: 'number', until: 'date' }, expires: 'words' },
      'expires must be the name of a date column, received "words"; there are until',
    ],
    ['an unknown option', { ...MINIMAL, analyser: 'english' }, 'unknown open option "analyser" (received "english")'],
    ['an unknown field option', { ...MINIMAL, fields: { title: { bost: 2 } } }, '"bost" (received 2)'],
    ['an unknown scoring option', { ...MINIMAL, scoring: { k2: 1 } }, '"k2" (received 1)'],
    ['an unknown limit', { ...MINIMAL, limits: { bytes: 1 } }, '"bytes" (received 1)'],
    [
      'a boost that is text',
      { ...MINIMAL, fields: { title: { boost: '2' } } },
      'fields.title.boost must be a number, received "2"',
    ],
    ['an analyzer that is a number', { ...MINIMAL, analyzer: 5 }, 'received 5'],
    ['an analyzer without a name', { ...MINIMAL, analyzer: { ...ANALYZER, name: '' } }, 'analyzer.name'],
    ['an analyzer without a version', { ...MINIMAL, analyzer: { ...ANALYZER, version: 1 } }, 'analyzer.version'],
    ['an analyzer that cannot analyse', { ...MINIMAL, analyzer: { ...ANALYZER, analyze: 1 } }, 'analyzer.analyze'],
    [
      'an analyzer with a wrong normalize',
      { ...MINIMAL, analyzer: { ...ANALYZER, normalize: 1 } },
      'analyzer.normalize',
    ],
    ['a model that is a number', { ...MINIMAL, scoring: 5 }, 'scoring options must be an object'],
    ['alpha without weight', { ...MINIMAL, scoring: { alpha: 1 } }, 'scoring.alpha needs scoring.weight'],
    ['beta without weight', { ...MINIMAL, scoring: { beta: 1 } }, 'scoring.beta needs scoring.weight'],
    ['k1 for tfidf', { ...MINIMAL, scoring: { model: 'tfidf', k1: 1 } }, 'scoring.k1 belongs to the model bm25'],
    ['b for tfidf', { ...MINIMAL, scoring: { model: 'tfidf', b: 1 } }, 'scoring.b belongs to the model bm25'],
    ['a store that is a number', { ...MINIMAL, store: 1 }, 'store must be'],
    ['a store with a number in it', { ...MINIMAL, store: ['title', 5] }, 'store[1]'],
    ['a store that repeats itself', { ...MINIMAL, store: ['title', 'title'] }, '"title" twice'],
  ])('refuse %s as a TypeError', (_, options, message) => {
    expect(() => resolveOpenOptions(options)).toThrow(TypeError)
    expect(() => resolveOpenOptions(options)).toThrow(message)
  })

  it.each<[string, object, string]>([
    ['no field', { fields: {} }, 'received 0'],
    [
      '33 fields',
      { fields: Object.fromEntries(Array.from({ length: 33 }, (_, nth) => [`f${nth}`, {}])) },
      'received 33',
    ],
    [
      '65 columns',
      { columns: Object.fromEntries(Array.from({ length: 65 }, (_, nth) => [`c${nth}`, 'keyword'])) },
      'received 65',
    ],
    ['an unknown kind of column', { columns: { a: 'text' } }, 'received "text"'],
    ['a negative boost', { fields: { title: { boost: -1 } } }, 'received -1'],
    ['an infinite boost', { fields: { title: { boost: Number.POSITIVE_INFINITY } } }, 'received Infinity'],
    ['a boost that is no number', { fields: { title: { boost: Number.NaN } } }, 'received NaN'],
    ['an unknown preset', { analyzer: 'klingon' }, 'received "klingon"'],
    ['an unknown model', { scoring: 'bm26' }, "'bm25' or 'tfidf', received \"bm26\""],
    ['a negative k1', { scoring: { k1: -0.1 } }, 'scoring.k1'],
    ['a b above 1', { scoring: { b: 1.01 } }, 'scoring.b must be a finite number from 0 to 1, received 1.01'],
    ['a negative alpha', { scoring: { weight: 'links', alpha: -1 } }, 'scoring.alpha'],
    ['no bytes', { limits: { documentBytes: 0 } }, 'limits.documentBytes'],
    ['half a byte', { limits: { documentBytes: 1.5 } }, 'received 1.5'],
    ['more than a batch', { limits: { documentBytes: 2 ** 30 + 1 } }, 'limits.documentBytes'],
  ])('refuse %s as a RangeError', (_, more, message) => {
    expect(() => open(more)).toThrow(RangeError)
    expect(() => open(more)).toThrow(message)
  })

  it('ignore what an object inherits from Object.prototype', () => {
    const polluted = Object.prototype as { store?: unknown }
    polluted.store = false
    try {
      expect(resolveOpenOptions(MINIMAL).stored).toBe('all')
    } finally {
      delete polluted.store
    }
  })
})

describe('search options', () => {
  const FIELDS = {
    fieldNames: ['title', 'body'],
    storedFields: ['title', 'body'],
    columns: [],
    expires: undefined,
    now: () => 0,
  }

  it('fill in the defaults', () => {
    const defaults = {
      limit: 10,
      offset: 0,
      fields: undefined,
      operator: 'and',
      asYouType: false,
      didYouMean: false,
      docs: false,
      explain: false,
      deadlineMs: 0,
      maxScored: 0,
      countUpTo: 1000,
      refresh: false,
      isByPriority: false,
      sort: [],
      atMs: undefined,
      learn: true,
      session: undefined,
    }
    expect(resolveSearchOptions(undefined, FIELDS)).toEqual(defaults)
    expect(resolveSearchOptions({}, FIELDS)).toEqual(defaults)
    expect(resolveSearchOptions({ limit: undefined }, FIELDS)).toEqual(defaults)
  })

  it('allow the ends of each range', () => {
    const most = { limit: 10_000, offset: 1_000_000, deadlineMs: 1e9, maxScored: 2 ** 53 - 1, countUpTo: Infinity }
    const least = { limit: 0, offset: 0, deadlineMs: 0.001, maxScored: 1, countUpTo: 0 }
    expect(resolveSearchOptions(most, FIELDS)).toMatchObject(most)
    expect(resolveSearchOptions(least, FIELDS)).toMatchObject(least)
    expect(resolveSearchOptions({ fields: ['body'], operator: 'or', docs: true, explain: true }, FIELDS)).toMatchObject(
      {
        fields: ['body'],
        operator: 'or',
        docs: true,
        explain: true,
      },
    )
  })

  it.each<[string, unknown, string]>([
    ['null', null, 'received null'],
    ['a number', 10, 'search options must be an object, received 10'],
    ['an unknown option', { limt: 5 }, 'unknown search option "limt" (received 5); known: limit, offset'],
    ['a limit that is text', { limit: '5' }, 'limit must be a number, received "5"'],
    ['an operator that is a number', { operator: 1 }, 'operator'],
    ['docs that is 1', { docs: 1 }, 'docs must be true or false, received 1'],
    ['fields that is a name', { fields: 'title' }, 'fields must be a list of names'],
    ['an unknown field', { fields: ['titel'] }, '"titel", which is not a field of the index; fields: title, body'],
    ['a field twice', { fields: ['title', 'title'] }, 'twice'],
  ])('refuse %s as a TypeError', (_, options, message) => {
    expect(() => resolveSearchOptions(options, FIELDS)).toThrow(TypeError)
    expect(() => resolveSearchOptions(options, FIELDS)).toThrow(message)
  })

  it.each<[string, unknown]>([
    ['a limit of -1', { limit: -1 }],
    ['a limit of 10,001', { limit: 10_001 }],
    ['a limit of 1.5', { limit: 1.5 }],
    ['a limit that is no number', { limit: Number.NaN }],
    ['an offset of 1,000,001', { offset: 1_000_001 }],
    ['an operator xor', { operator: 'xor' }],
    ['a deadline of 0', { deadlineMs: 0 }],
    ['an infinite deadline', { deadlineMs: Number.POSITIVE_INFINITY }],
    ['maxScored of 0', { maxScored: 0 }],
    ['no fields', { fields: [] }],
  ])('refuse %s as a RangeError', (_, options) => {
    expect(() => resolveSearchOptions(options, FIELDS)).toThrow(RangeError)
  })
})
