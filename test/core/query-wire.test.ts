import { describe, expect, it } from 'vitest'
import type { Analyzer } from '../../src/analysis/analyzer.js'
import { FreshdexError } from '../../src/base/errors.js'
import { type QueryDefaults, QueryEncoder } from '../../src/core/query-wire.js'
import type { Query } from '../../src/search/query.js'

const FIELDS = ['title', 'body', 'tags']
const ALL = 0b111

const capitals: Analyzer = {
  name: 'capitals',
  version: '1',
  analyze: (text) =>
    text
      .toUpperCase()
      .split(' ')
      .map((word) => (word === 'UND' ? '' : word)),
  normalize: (word) => word.toUpperCase(),
}

function encode(query: unknown, defaults: Partial<QueryDefaults> = {}, analyzer: Analyzer | 'standard' = 'standard') {
  const encoder = new QueryEncoder({ fieldAnalyzers: FIELDS.map(() => analyzer), fieldNames: FIELDS })
  return encoder.encode(query, { fields: undefined, operator: 'and', ...defaults })
}

/** The wire form read back, by a decoder that knows only the table at the head of query-wire.ts. */
function decode(wire: Uint8Array): unknown {
  const bytes = Buffer.from(wire)
  let at = 0
  const take = (length: number) => {
    at += length
    return at - length
  }
  const u8 = () => bytes.readUInt8(take(1))
  const u16 = () => bytes.readUInt16LE(take(2))
  const u32 = () => bytes.readUInt32LE(take(4))
  const f64 = () => bytes.readDoubleLE(take(8))
  const text = (length: number) => bytes.toString('utf8', take(length), at)
  const payload = (form: number) => {
    const length = u32()
    if (form === 0) return { text: text(length) }
    const tokens: [number, string][] = []
    for (const end = at + length; at < end; ) {
      const size = u16()
      tokens.push([u16(), text(size)])
    }
    return { tokens }
  }
  const node = (): unknown => {
    const kind = u8()
    if (kind === 8) return { kind }
    if (kind === 7) return { kind, child: node() }
    if (kind >= 5) {
      const boost = f64()
      return { kind, boost, children: Array.from({ length: u16() }, node) }
    }
    const head = { kind, fields: u32(), boost: f64() }
    if (kind <= 2) return { ...head, ...payload(u8()) }
    return kind === 3 ? { ...head, text: text(u32()) } : { ...head, edits: u8(), text: text(u32()) }
  }
  const root = node()
  expect(at).toBe(bytes.length)
  return root
}

const wordNode = (text: string, more: object = {}) => ({ kind: 1, fields: ALL, boost: 1, text, ...more })

describe('the wire form', () => {
  it('of one word is these bytes', () => {
    const encoder = new QueryEncoder({ fieldAnalyzers: ['standard'], fieldNames: ['title'] })
    const wire = encoder.encode('a', { fields: undefined, operator: 'and' })
    expect(Buffer.from(wire).toString('hex')).toBe('01' + '01000000' + '000000000000f03f' + '00' + '01000000' + '61')
  })

  it.each<[string, Query, object]>([
    ['a word', { word: 'Ab é' }, wordNode('Ab é')],
    ['a word in a field', { word: 'a', field: 'body', boost: 2.5 }, wordNode('a', { fields: 0b010, boost: 2.5 })],
    ['a phrase', { phrase: 'a b' }, { ...wordNode('a b'), kind: 2 }],
    ['a prefix', { prefix: 'Ab' }, { kind: 3, fields: ALL, boost: 1, text: 'Ab' }],
    ['a fuzzy word', { fuzzy: 'ab' }, { kind: 4, fields: ALL, boost: 1, edits: 1, text: 'ab' }],
    [
      'a fuzzy word of two edits',
      { fuzzy: 'ab', edits: 2, field: 'tags' },
      { kind: 4, fields: 4, boost: 1, edits: 2, text: 'ab' },
    ],
    ['and', { and: ['a', { word: 'b' }], boost: 0 }, { kind: 5, boost: 0, children: [wordNode('a'), wordNode('b')] }],
    ['or', { or: ['a'] }, { kind: 6, boost: 1, children: [wordNode('a')] }],
    ['not', { not: 'a' }, { kind: 7, child: wordNode('a') }],
    [
      'text',
      'title:a OR -b',
      { kind: 6, boost: 1, children: [wordNode('a', { fields: 1 }), { kind: 7, child: wordNode('b') }] },
    ],
    [
      'text inside a tree',
      { not: { or: ['a b', 'c*'] } },
      {
        kind: 7,
        child: {
          kind: 6,
          boost: 1,
          children: [
            { kind: 5, boost: 1, children: [wordNode('a'), wordNode('b')] },
            { kind: 3, fields: ALL, boost: 1, text: 'c' },
          ],
        },
      },
    ],
    ['an empty word, for the core to drop', { word: '' }, wordNode('')],
    ['an empty prefix', { prefix: '' }, { kind: 3, fields: ALL, boost: 1, text: '' }],
    ['undefined beside a kind', { word: 'a', field: undefined, boost: undefined } as never, wordNode('a')],
    ['a lone surrogate', { word: '\ud800' }, wordNode('\ufffd')],
  ])('holds %s', (_, query, tree) => {
    expect(decode(encode(query))).toEqual(tree)
  })

  it('has the fields of the options where the query names none', () => {
    expect(decode(encode('a body:b', { fields: ['title', 'tags'] }))).toEqual({
      kind: 5,
      boost: 1,
      children: [wordNode('a', { fields: 0b101 }), wordNode('b', { fields: 0b010 })],
    })
  })

  it('reads text by the operator of the options, at any depth', () => {
    const children = [wordNode('a'), wordNode('b')]
    expect(decode(encode({ not: 'a b' }, { operator: 'or' }))).toEqual({
      kind: 7,
      child: { kind: 6, boost: 1, children },
    })
  })

  it('has a bit for the 32nd field', () => {
    const fieldNames = Array.from({ length: 32 }, (_, nth) => `f${nth}`)
    const encoder = new QueryEncoder({ fieldAnalyzers: fieldNames.map(() => 'standard' as const), fieldNames })
    const defaults = { fields: undefined, operator: 'and' } as const
    expect(decode(encoder.encode('f31:a', defaults))).toEqual(wordNode('a', { fields: 0x80000000 }))
    expect(decode(encoder.encode('a', defaults))).toEqual(wordNode('a', { fields: 0xffffffff }))
    expect(decode(encoder.encode('a', { ...defaults, fields: ['f0', 'f31'] }))).toEqual(
      wordNode('a', { fields: 0x80000001 }),
    )
  })

  it('is nothing when nothing is asked for', () => {
    for (const query of ['', '()', { and: [] }, { or: [{ and: [] }, ''] }, { not: { not: '' } }] as Query[]) {
      expect(decode(encode(query))).toEqual({ kind: 8 })
    }
  })

  it('leaves out what vanishes and keeps the rest', () => {
    expect(decode(encode({ and: ['', 'a', { not: { or: [] } }, { or: ['', 'b'] }] }))).toEqual({
      kind: 5,
      boost: 1,
      children: [wordNode('a'), { kind: 6, boost: 1, children: [wordNode('b')] }],
    })
  })

  it('does not depend on the query before it, failed or not', () => {
    const encoder = new QueryEncoder({ fieldAnalyzers: FIELDS.map(() => 'standard' as const), fieldNames: FIELDS })
    const defaults = { fields: undefined, operator: 'and' } as const
    const alone = Buffer.from(encoder.encode('a "b c"', defaults))
    expect(() => encoder.encode({ and: ['a', { or: ['b', 5] }] }, defaults)).toThrow(TypeError)
    expect(Buffer.from(encoder.encode('a "b c"', defaults))).toEqual(alone)
  })
})

describe('with an analyzer of the user', () => {
  const leaf = (kind: number, ...tokens: string[]) => ({
    kind,
    fields: ALL,
    boost: 1,
    tokens: tokens.map((token) => [0, token]),
  })

  it.each<[string, Query, object]>([
    ['words', { word: 'ab' }, leaf(1, 'AB')],
    ['words of several tokens', { word: 'ab und cd' }, leaf(1, 'AB', 'CD')],
    ['phrases', '"ab cd"', leaf(2, 'AB', 'CD')],
    ['prefixes', 'ab*', { kind: 3, fields: ALL, boost: 1, text: 'AB' }],
    ['fuzzy words', 'ab~2', { kind: 4, fields: ALL, boost: 1, edits: 2, text: 'AB' }],
    [
      'words without tokens',
      { or: [{ word: 'und' }, 'ab', { not: 'und' }] },
      { kind: 6, boost: 1, children: [leaf(1, 'AB')] },
    ],
    ['only words without tokens', { and: [{ word: 'und' }, { not: { phrase: 'und' } }] }, { kind: 8 }],
    ['long tokens, cut as in documents', { word: 'é'.repeat(200) }, leaf(1, 'É'.repeat(127))],
  ])('crosses as tokens: %s', (_, query, tree) => {
    expect(decode(encode(query, {}, capitals))).toEqual(tree)
  })

  it('fails with ANALYZER_FAILED when that does', () => {
    const fault = new Error('out of words')
    const failing: Analyzer = {
      ...capitals,
      analyze() {
        throw fault
      },
      normalize: () => 5 as never,
    }
    expect(() => encode('a', {}, failing)).toThrow(expect.objectContaining({ code: 'ANALYZER_FAILED', cause: fault }))
    expect(() => encode('a*', {}, failing)).toThrow(expect.objectContaining({ code: 'ANALYZER_FAILED' }))
  })

  it('is not carried away by one that multiplies the text', () => {
    const many: Analyzer = { ...capitals, analyze: () => Array(1e6).fill('token') }
    expect(() => encode('a', {}, many)).toThrow(expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' }))
  })
})

describe('what is not a query', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'query must be text or a query object, received undefined'],
    ['null', null, 'received null'],
    ['a number', 5, 'received 5'],
    ['a list', ['a'], "received [ 'a' ]"],
    ['a function', () => 'a', 'query must be'],
    ['an object without a kind', { field: 'title' }, 'exactly one of word, phrase'],
    ['an object of two kinds', { word: 'a', phrase: 'b' }, 'received word and phrase'],
    ['a misspelt kind', { words: 'a' }, 'exactly one of'],
    ['a misspelt property', { word: 'a', bost: 2 }, 'unknown property "bost" (received 2); known: word, field, boost'],
    ['edits for a word', { word: 'a', edits: 1 }, '"edits"'],
    ['a field for a group', { and: ['a'], field: 'title' }, '"field"'],
    ['a boost for not', { not: 'a', boost: 2 }, '"boost"'],
    ['a word that is a number', { word: 5 }, 'query.word must be a string, received 5'],
    ['and that is not a list', { and: 'a' }, 'query.and must be a list of queries'],
    ['a set of queries', { or: new Set(['a']) }, 'query.or must be a list'],
    [
      'an unknown field',
      { word: 'a', field: 'titel' },
      'query.field must be a field of the index, received "titel"; fields: title',
    ],
    ['a field that every object has', { word: 'a', field: 'constructor' }, 'query.field'],
    ['a boost that is text', { word: 'a', boost: '2' }, 'query.boost must be a number, received "2"'],
    ['a bad part', { and: ['a', { not: { or: ['b', 5] } }] }, 'query.and[1].not.or[1] must be text or a query object'],
    ['a hole', { and: Array(3) }, 'query.and[0]'],
  ])('is a TypeError: %s', (_, query, message) => {
    expect(() => encode(query)).toThrow(TypeError)
    expect(() => encode(query)).toThrow(message)
  })

  it.each<[string, unknown]>([
    ['a negative boost', { word: 'a', boost: -1 }],
    ['an infinite boost', { and: ['a'], boost: Number.POSITIVE_INFINITY }],
    ['a boost that is no number', { word: 'a', boost: Number.NaN }],
    ['three edits', { fuzzy: 'a', edits: 3 }],
    ['no edits', { fuzzy: 'a', edits: 0 }],
    ['half an edit', { fuzzy: 'a', edits: 1.5 }],
    ['a boost beyond the largest', { and: [{ word: 'a', boost: 1.1e6 }] }],
  ])('is a RangeError: %s', (_, query) => {
    expect(() => encode(query)).toThrow(RangeError)
  })

  it('passes on what a getter throws', () => {
    const fault = new Error('getter failed')
    const query = {
      get word() {
        throw fault
      },
    }
    expect(() => encode(query)).toThrow(fault)
  })
})

describe('limits', () => {
  const tooComplex = expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' })

  function nested(levels: number): unknown {
    let query: unknown = { word: 'a' }
    for (let level = 1; level < levels; level++) query = level % 2 ? { not: query } : { and: [query] }
    return query
  }

  it('allow 32 levels and not one more', () => {
    expect(() => encode(nested(32))).not.toThrow()
    expect(() => encode(nested(33))).toThrow(tooComplex)
    expect(() => encode(nested(100_000))).toThrow(tooComplex)
  })

  it('count the levels of text inside a tree', () => {
    const deep = `${'(a OR b '.repeat(14)}`
    expect(() => encode(deep)).not.toThrow()
    expect(() => encode({ not: { not: { not: { not: { not: deep } } } } })).toThrow(tooComplex)
  })

  it('refuse cycles', () => {
    const cycle: Record<string, unknown> = {}
    cycle.not = cycle
    const bush: { and: unknown[] } = { and: [] }
    bush.and.push('a', bush, bush)
    expect(() => encode(cycle)).toThrow(tooComplex)
    expect(() => encode(bush)).toThrow(tooComplex)
  })

  it('allow 1,024 clauses and not one more', () => {
    const clauses = (count: number) => ({ or: Array.from({ length: count }, () => ({ word: 'a' })) })
    expect(() => encode(clauses(1024))).not.toThrow()
    expect(() => encode(clauses(1025))).toThrow(tooComplex)
    expect(() => encode({ and: [clauses(600), clauses(600)] })).toThrow(tooComplex)
    expect(() => encode({ and: ['a '.repeat(600), 'b '.repeat(600)] })).toThrow(tooComplex)
    expect(() => encode({ and: Array(100_000) })).toThrow(tooComplex)
  })

  it('count clauses that vanish, and parts that are shared', () => {
    let shared: unknown = { and: [] }
    for (let level = 0; level < 25; level++) shared = { and: [shared, shared] }
    expect(() => encode(shared)).toThrow(tooComplex)
    expect(() => encode({ and: [{ or: Array(1000).fill('') }, { or: Array(1000).fill('') }] })).toThrow(tooComplex)
  })

  it('allow 64 KiB of text in all and no byte more', () => {
    const half = 'x'.repeat(32_768)
    expect(() => encode({ word: half + half })).not.toThrow()
    expect(() => encode({ and: [{ word: half }, { prefix: half }] })).not.toThrow()
    expect(() => encode({ and: [{ word: half }, { prefix: `${half}x` }] })).toThrow(tooComplex)
    expect(() => encode({ and: [half, half] })).not.toThrow()
    expect(() => encode({ and: [half, `${half}x`] })).toThrow(tooComplex)
    expect(() => encode({ word: 'x'.repeat(1e8) })).toThrow(tooComplex)
  })

  it('say what was too much', () => {
    try {
      encode(nested(33))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(FreshdexError)
      expect(error).toMatchObject({ detail: { what: 'levels', limit: 32 } })
    }
  })
})

describe('wire forms that are kept', () => {
  const defaults: QueryDefaults = { fields: undefined, operator: 'and' }
  const orDefaults: QueryDefaults = { fields: undefined, operator: 'or' }

  it('are those of the query, whatever was asked before', () => {
    const encoder = new QueryEncoder({ fieldAnalyzers: FIELDS.map(() => 'standard' as const), fieldNames: FIELDS })
    const queries: unknown[] = [
      ...['a', 'a b', '', '\0word\0a', '\0and\0a\0b', 'x'.repeat(300)],
      ...[{ word: 'a' }, { phrase: 'a' }, { prefix: 'a' }, { word: 'a', boost: 2 }, { word: 'a', field: 'title' }],
      ...[{ word: 'a\0b' }, { word: '' }, { word: 'x'.repeat(300) }, { not: 'a' }, { and: [] }, { or: [] }],
      ...[{ and: ['a', 'b'] }, { or: ['a', 'b'] }, { and: ['a\0b'] }, { and: ['a b'] }, { and: ['a', 'b'], boost: 2 }],
      ...[{ and: ['a\0b', 'c'] }, { and: ['a', 'b\0c'] }, { and: ['a', { word: 'b' }] }, { and: Array(300).fill('a') }],
    ]
    for (const given of [defaults, orDefaults, defaults, { ...defaults, fields: ['title'] }, orDefaults]) {
      for (const query of [...queries, ...queries.toReversed()])
        expect(Buffer.from(encoder.encode(query, given))).toEqual(Buffer.from(encode(query, given)))
    }
  })

  it('are not those of an object that has changed since, or that gives another value each time', () => {
    const encoder = new QueryEncoder({ fieldAnalyzers: FIELDS.map(() => 'standard' as const), fieldNames: FIELDS })
    const words = ['a', 'b']
    const query = { and: words }
    encoder.encode(query, defaults)
    words[1] = 'c'
    expect(Buffer.from(encoder.encode(query, defaults))).toEqual(Buffer.from(encode({ and: ['a', 'c'] })))
    let read = 0
    const fickle = {
      get word() {
        return `w${read++}`
      },
    }
    expect(Buffer.from(encoder.encode(fickle, defaults))).toEqual(Buffer.from(encode({ word: 'w0' })))
    expect(Buffer.from(encoder.encode({ word: 'w0' }, defaults))).toEqual(Buffer.from(encode({ word: 'w0' })))
    expect(read).toBe(1)
  })

  it('refuse what is no query, also after queries like it', () => {
    const encoder = new QueryEncoder({ fieldAnalyzers: FIELDS.map(() => 'standard' as const), fieldNames: FIELDS })
    encoder.encode({ and: ['a'] }, defaults)
    for (const query of [
      { and: 'a' },
      { word: 1 },
      { word: 'a', or: ['a'] },
      { and: ['a', 1] },
      ['a'],
      {},
      null,
      { a: 'a' },
    ])
      expect(() => encoder.encode(query, defaults)).toThrow(TypeError)
  })
})
