/** What a search may say of columns, and what it becomes. */
import { describe, expect, it } from 'vitest'
import type { ColumnSetting } from '../../src/base/columns.js'
import { resolveSearchOptions } from '../../src/search/search-options.js'

const COLUMNS: readonly ColumnSetting[] = [
  { name: 'section', kind: 'keyword' },
  { name: 'words', kind: 'number' },
  { name: 'published', kind: 'date' },
  { name: 'draft', kind: 'boolean' },
]
const NOW = Date.UTC(2026, 5, 1)
const SCHEMA = { fieldNames: ['title'], storedFields: ['title'], columns: COLUMNS, expires: undefined, now: () => NOW }

function resolved(options: object, schema: object = {}) {
  return resolveSearchOptions(options, { ...SCHEMA, ...schema })
}

function filterOf(filter: unknown) {
  return resolved({ filter }).filter
}

const DAY_2026 = Date.UTC(2026, 0, 1)
const range = (column: number, min: number, max: number, isMinOpen = false, isMaxOpen = false) => ({
  ...{ kind: 'range', column, min, max, isMinOpen, isMaxOpen },
})

describe('a filter', () => {
  it.each<[string, unknown, unknown]>([
    ['one value', { section: 'docs' }, { kind: 'any', column: 0, values: ['docs'] }],
    ['any of a list', { section: ['docs', 'blog', 'docs'] }, { kind: 'any', column: 0, values: ['docs', 'blog'] }],
    ['none of an empty list', { section: [] }, { kind: 'or', children: [] }],
    ['any', { words: { any: [1, -0] } }, { kind: 'any', column: 1, values: [1, 0] }],
    ['all', { section: { all: ['a', 'b'] } }, { kind: 'all', column: 0, values: ['a', 'b'] }],
    ['all of none', { section: { all: [] } }, { kind: 'and', children: [] }],
    ['a range', { words: { gte: 100, lt: 500 } }, range(1, 100, 500, false, true)],
    ['an open range', { words: { gt: 7 } }, range(1, 7, Number.POSITIVE_INFINITY, true, false)],
    ['a date as text', { published: { gte: '2026-01-01' } }, range(2, DAY_2026, Number.POSITIVE_INFINITY)],
    ['a Date', { published: new Date(DAY_2026) }, { kind: 'any', column: 2, values: [DAY_2026] }],
    ['a date in milliseconds', { published: { lte: 5 } }, range(2, Number.NEGATIVE_INFINITY, 5)],
    ['a boolean', { draft: false }, { kind: 'any', column: 3, values: [0] }],
    ['a value that is there', { words: { exists: true } }, { kind: 'exists', column: 1 }],
    ['none that is there', { words: { exists: false } }, { kind: 'not', child: { kind: 'exists', column: 1 } }],
    ['text', 'section:docs', { kind: 'any', column: 0, values: ['docs'] }],
    ['nothing', {}, { kind: 'and', children: [] }],
    ['what was not said', { section: undefined, draft: true }, { kind: 'any', column: 3, values: [1] }],
    [
      'several conditions',
      { words: { any: [1], gt: 0 }, draft: true },
      {
        kind: 'and',
        children: [
          {
            kind: 'and',
            children: [{ kind: 'any', column: 1, values: [1] }, range(1, 0, Number.POSITIVE_INFINITY, true, false)],
          },
          { kind: 'any', column: 3, values: [1] },
        ],
      },
    ],
    [
      'joined filters',
      { or: [{ section: 'a' }, { not: { draft: true } }], and: [] },
      {
        kind: 'and',
        children: [
          {
            kind: 'or',
            children: [
              { kind: 'any', column: 0, values: ['a'] },
              { kind: 'not', child: { kind: 'any', column: 3, values: [1] } },
            ],
          },
          { kind: 'and', children: [] },
        ],
      },
    ],
  ])('of %s', (_, filter, tree) => expect(filterOf(filter)).toEqual(tree))

  it.each<[string, unknown, string]>([
    ['a number', 5, "filter must be an object such as { section: 'docs' }, received 5"],
    ['text', 'docs', 'filter must be clauses such as section:docs or words:>100, received "docs"; columns: section'],
    ['text with a wrong value', 'words:many section:a', 'filter must be clauses'],
    ['no text', ' ', 'filter must be clauses'],
    ['null', null, 'received null'],
    [
      'an unknown column',
      { secton: 'docs' },
      'filter names "secton", which is not a column of the index; columns: section (keyword), words (number)',
    ],
    ['a number for a keyword', { section: 5 }, 'filter.section must be a string: "section" is a keyword column; rec'],
    ['text for a number', { words: { gte: '5' } }, 'filter.words.gte must be a number: "words" is a number column'],
    ['text for a boolean', { draft: 'false' }, 'filter.draft must be true or false'],
    ['null for a value', { draft: null }, 'received null'],
    ['null in a list', { section: ['a', null] }, 'filter.section[1] must be a string'],
    ['a list for a date', { published: [['2026']] }, 'filter.published[0] must be a Date'],
    ['a range of keywords', { section: { gt: 'a' } }, 'filter.section.gt: "section" is a keyword column, which has no'],
    ['a range of booleans', { draft: { lt: true } }, 'has no ranges'],
    ['an unknown condition', { words: { above: 5 } }, 'any, all, exists, gt, gte, lt, lte, received "above"'],
    ['no condition', { words: {} }, 'received none'],
    ['two lower ends', { words: { gt: 1, gte: 1 } }, 'filter.words may have gt or gte, received both'],
    ['any of no list', { words: { any: 5 } }, 'filter.words.any must be a list of values, received 5'],
    ['exists that is 1', { words: { exists: 1 } }, 'filter.words.exists must be true or false'],
    ['and of no list', { and: { section: 'a' } }, 'filter.and must be a list of filters'],
    ['not of a list', { not: [{ section: 'a' }] }, 'filter.not must be an object'],
    ['a wrong filter inside', { or: [{}, { and: [{ wrds: 1 }] }] }, 'filter.or[1].and[0] names "wrds"'],
  ])('of %s is a TypeError', (_, filter, message) => {
    expect(() => filterOf(filter)).toThrow(TypeError)
    expect(() => filterOf(filter)).toThrow(message)
  })

  it.each<[string, unknown, string]>([
    ['NaN', { words: Number.NaN }, 'filter.words must be a finite number, received NaN'],
    ['infinity', { words: { lt: Number.POSITIVE_INFINITY } }, 'filter.words.lt must be a finite number'],
    ['no date', { published: '2026-02-30' }, 'filter.published must be a moment that exists'],
    ['an invalid Date', { published: new Date(Number.NaN) }, 'filter.published must be a moment that exists'],
    ['10,001 values', { words: Array.from({ length: 10_001 }, (_, nth) => nth) }, 'a filter may have 10000 values'],
  ])('of %s is a RangeError', (_, filter, message) => {
    expect(() => filterOf(filter)).toThrow(RangeError)
    expect(() => filterOf(filter)).toThrow(message)
  })

  it('has a limit of levels and of clauses', () => {
    const cyclic: { not?: unknown } = {}
    cyclic.not = cyclic
    expect(() => filterOf(cyclic)).toThrow('too complex')
    expect(() => filterOf({ or: Array.from({ length: 1025 }, () => ({ draft: true })) })).toThrow('too complex')
  })

  it('says how to have columns where there are none', () => {
    expect(() => resolved({ filter: { section: 'a' } }, { columns: [] })).toThrow(
      'the index has none: open it with columns: { "section": \'keyword\' }',
    )
  })

  it('leaves out what has expired, at the moment of the search', () => {
    const expired = (ms: number) => ({
      kind: 'or',
      children: [
        { kind: 'not', child: { kind: 'exists', column: 2 } },
        range(2, ms, Number.POSITIVE_INFINITY, true, false),
      ],
    })
    const schema = { expires: 'published' }
    expect(resolveSearchOptions(undefined, { ...SCHEMA, ...schema }).filter).toEqual(expired(NOW))
    expect(resolved({}, schema).filter).toEqual(expired(NOW))
    expect(resolved({ at: 77 }, schema).filter).toEqual(expired(77))
    expect(resolved({ at: 77, filter: { draft: true } }, schema).filter).toEqual({
      kind: 'and',
      children: [{ kind: 'any', column: 3, values: [1] }, expired(77)],
    })
  })
})

describe('facets', () => {
  it('are requests by the numbers of columns', () => {
    const facets = [
      'section',
      { column: 'draft', limit: 3 },
      { column: 'words', ranges: [{ lt: 100 }, { gte: 100, lte: 200 }] },
      { column: 'published', interval: 'month' },
    ]
    expect(resolved({ facets }).facets?.requests).toEqual([
      { kind: 'values', column: 0, limit: 100 },
      { kind: 'values', column: 3, limit: 3 },
      {
        kind: 'ranges',
        column: 1,
        ranges: [
          { min: Number.NEGATIVE_INFINITY, max: 100, isMinOpen: false, isMaxOpen: true },
          { min: 100, max: 200, isMinOpen: false, isMaxOpen: false },
        ],
      },
      { kind: 'interval', column: 2, interval: 'month' },
    ])
    expect(resolved({ facets: [] }).facets).toBeUndefined()
  })

  it.each<[string, unknown, string]>([
    ['a name', 'section', "facets must be a list such as ['section']"],
    ['an unknown column', ['sektion'], 'facets[0] names "sektion", which is not a column'],
    ['a number', [5], 'facets[0] must be an object'],
    ['a column twice', ['section', { column: 'section', limit: 1 }], 'the column "section" twice'],
    ['two kinds', [{ column: 'published', interval: 'day', limit: 1 }], 'facets[0] may have limit or interval'],
    ['an interval of numbers', [{ column: 'words', interval: 'day' }], 'is for a date column: "words" is a number'],
    ['a range without ends', [{ column: 'words', ranges: [{}] }], 'facets[0].ranges[0] must have an end'],
    ['no range', [{ column: 'words', ranges: [] }], 'facets[0].ranges must be a list'],
    ['an unknown end', [{ column: 'words', ranges: [{ from: 1 }] }], 'unknown range option "from"'],
    ['ranges of keywords', [{ column: 'section', ranges: [{ lt: 'a' }] }], 'which has no ranges'],
  ])('of %s are a TypeError', (_, facets, message) => {
    expect(() => resolved({ facets })).toThrow(TypeError)
    expect(() => resolved({ facets })).toThrow(message)
  })

  it('of a wrong limit or interval are a RangeError', () => {
    expect(() => resolved({ facets: [{ column: 'section', limit: 0 }] })).toThrow(RangeError)
    expect(() => resolved({ facets: [{ column: 'published', interval: 'decade' }] })).toThrow(RangeError)
    expect(() => resolved({ facets: Array.from({ length: 65 }, () => 'section') })).toThrow(RangeError)
  })
})

describe('sort', () => {
  it.each<[string, unknown, boolean, unknown]>([
    ['score', 'score', false, []],
    ['score in a list', ['score'], false, []],
    ['priority', 'priority', true, []],
    ['a column', { published: 'desc' }, false, [{ by: 'column', column: 2, isDescending: true }]],
    [
      'a list',
      [{ section: 'asc' }, 'score', { words: 'desc' }],
      false,
      [
        { by: 'column', column: 0, isDescending: false },
        { by: 'score' },
        { by: 'column', column: 1, isDescending: true },
      ],
    ],
    ['priority first', ['priority', { words: 'asc' }], true, [{ by: 'column', column: 1, isDescending: false }]],
  ])('by %s', (_, sort, isByPriority, keys) => {
    expect(resolved({ sort })).toMatchObject({ isByPriority, sort: keys })
  })

  it.each<[string, unknown, string]>([
    ['a number', 5, "sort must be 'score', 'priority' or { column: 'asc' | 'desc' }, received 5"],
    ['two columns', { section: 'asc', words: 'asc' }, 'sort must name one column'],
    ['no column', {}, 'sort must name one column'],
    ['an unknown column', [{ wrds: 'asc' }], 'sort[0] names "wrds", which is not a column'],
    ['a direction that is a number', { words: 1 }, "sort.words must be 'asc' or 'desc', received 1"],
    ['priority second', ['score', 'priority'], "sort[1]: 'priority' can only be the first order"],
    ['a column twice', [{ words: 'asc' }, { words: 'desc' }], 'sort names the column "words" twice'],
    ['score twice', ['score', 'score'], "sort names 'score' twice"],
  ])('by %s is a TypeError', (_, sort, message) => {
    expect(() => resolved({ sort })).toThrow(TypeError)
    expect(() => resolved({ sort })).toThrow(message)
  })

  it.each([['date'], [{ words: 'up' }], [Array.from({ length: 9 }, () => 'score')]])('by %o is a RangeError', (sort) =>
    expect(() => resolved({ sort })).toThrow(RangeError),
  )
})

describe('groups and boosts', () => {
  it('are by the numbers of columns', () => {
    expect(resolved({ group: { by: 'section' } }).group).toEqual({ column: 0, size: 1 })
    expect(resolved({ group: { by: 'published', size: 3 } }).group).toEqual({ column: 2, size: 3 })
    const boosts = [
      { log: 'words' },
      { log: 'words', factor: 0.5 },
      { decay: 'published', halfLife: 1000 },
      { decay: 'words', halfLife: 2, origin: 7, floor: 0.1 },
      { decay: 'published', halfLife: 1, origin: '2026-01-01' },
    ]
    expect(resolved({ boosts }).boosts).toEqual([
      { kind: 'log', column: 1, factor: 1 },
      { kind: 'log', column: 1, factor: 0.5 },
      { kind: 'decay', column: 2, origin: NOW, halfLife: 1000, floor: 0 },
      { kind: 'decay', column: 1, origin: 7, halfLife: 2, floor: 0.1 },
      { kind: 'decay', column: 2, origin: DAY_2026, halfLife: 1, floor: 0 },
    ])
    expect(resolved({ at: 50, boosts: boosts.slice(2, 3) }).boosts).toMatchObject([{ origin: 50 }])
  })

  it.each<[string, object, string]>([
    ['a group by nothing', { group: {} }, 'group.by must be the name of a column'],
    ['an unknown group', { group: { by: 'x' } }, 'group.by names "x"'],
    ['groups by priority', { group: { by: 'section' }, sort: 'priority' }, 'group does not go with'],
    ['boosts that are none', { boosts: { log: 'words' } }, 'boosts must be a list'],
    ['a boost of nothing', { boosts: [{}] }, 'boosts[0] must have exactly one of decay, log'],
    ['two in one', { boosts: [{ log: 'words', decay: 'words' }] }, 'exactly one of'],
    ['the logarithm of a date', { boosts: [{ log: 'published' }] }, 'boosts[0].log must be a number column'],
    ['a decay of keywords', { boosts: [{ decay: 'section', halfLife: 1 }] }, 'must be a date or number column'],
    ['no half-life', { boosts: [{ decay: 'published' }] }, 'boosts[0] needs a halfLife'],
    ['no origin', { boosts: [{ decay: 'words', halfLife: 1 }] }, 'boosts[0] needs an origin'],
  ])('refuse %s', (_, options, message) => {
    expect(() => resolved(options)).toThrow(TypeError)
    expect(() => resolved(options)).toThrow(message)
  })
})

describe('after', () => {
  it.each(['', 'x', 'bnVsbA', 5, null, Buffer.from('["a","b",1,-1]').toString('base64url')])('refuses %o', (after) => {
    expect(() => resolved({ after })).toThrow('after must be the cursor of an earlier result')
  })
})
