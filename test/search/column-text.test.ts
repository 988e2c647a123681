/** Columns in query text. */
import { describe, expect, it } from 'vitest'
import type { ColumnSetting } from '../../src/base/columns.js'
import { parseFilteredText } from '../../src/search/query-text.js'

const COLUMNS: readonly ColumnSetting[] = [
  { name: 'section', kind: 'keyword' },
  { name: 'words', kind: 'number' },
  { name: 'published', kind: 'date' },
  { name: 'draft', kind: 'boolean' },
  { name: 'title', kind: 'keyword' },
]

function read(text: string, operator: 'and' | 'or' = 'and') {
  return parseFilteredText(text, { fields: new Set(['title']), operator, columns: COLUMNS })
}

const ALL = { all: true }
const any = (column: number, value: string | number) => ({ kind: 'any', column, values: [value] })
const range = (column: number, min: number, max: number, isMinOpen = false, isMaxOpen = false) => ({
  ...{ kind: 'range', column, min, max, isMinOpen, isMaxOpen },
})
const ever = Number.POSITIVE_INFINITY

describe('a column in query text', () => {
  it.each<[string, unknown, unknown]>([
    ['section:docs', ALL, any(0, 'docs')],
    ['section:Docs ferry', { word: 'ferry' }, any(0, 'Docs')],
    ['ferry section:"Getting started" boat', { and: [{ word: 'ferry' }, { word: 'boat' }] }, any(0, 'Getting started')],
    ['* section:docs', ALL, any(0, 'docs')],
    ['-section:docs', ALL, { kind: 'not', child: any(0, 'docs') }],
    ['ferry NOT section:docs', { word: 'ferry' }, { kind: 'not', child: any(0, 'docs') }],
    ['-(a -section:docs)', { not: { word: 'a' } }, any(0, 'docs')],
    ['-(section:docs) a', { word: 'a' }, { kind: 'not', child: any(0, 'docs') }],
    ['section:a OR section:b', ALL, { kind: 'or', children: [any(0, 'a'), any(0, 'b')] }],
    ['words:>100', ALL, range(1, 100, ever, true, false)],
    ['words:>=1e2', ALL, range(1, 100, ever)],
    ['words:<-5.5', ALL, range(1, -ever, -5.5, false, true)],
    ['words:<=.5', ALL, range(1, -ever, 0.5)],
    ['words:100..200', ALL, range(1, 100, 200)],
    ['words:100..', ALL, range(1, 100, ever)],
    ['words:..200', ALL, range(1, -ever, 200)],
    ['words:7', ALL, range(1, 7, 7)],
    ['words:>1 words:<9', ALL, { kind: 'and', children: [range(1, 1, ever, true), range(1, -ever, 9, false, true)] }],
    ['draft:false', ALL, any(3, 0)],
    ['draft:*', ALL, { kind: 'exists', column: 3 }],
    ['-draft:* x', { word: 'x' }, { kind: 'not', child: { kind: 'exists', column: 3 } }],
    ['published:2026', ALL, range(2, Date.UTC(2026, 0), Date.UTC(2027, 0), false, true)],
    ['published:2026-02', ALL, range(2, Date.UTC(2026, 1), Date.UTC(2026, 2), false, true)],
    ['published:2026-02-28', ALL, range(2, Date.UTC(2026, 1, 28), Date.UTC(2026, 2, 1), false, true)],
    ['published:>=2026-01-01', ALL, range(2, Date.UTC(2026, 0), ever)],
    ['published:>2026-01', ALL, range(2, Date.UTC(2026, 1), ever)],
    ['published:<2026-01', ALL, range(2, -ever, Date.UTC(2026, 0), false, true)],
    ['published:<=2026-01', ALL, range(2, -ever, Date.UTC(2026, 1), false, true)],
    ['published:2025..2026-03', ALL, range(2, Date.UTC(2025, 0), Date.UTC(2026, 3), false, true)],
    ['published:>2026-01-01T10:00Z', ALL, range(2, Date.UTC(2026, 0, 1, 10, 1), ever)],
    ['published:2026-01-01T10:00:00.5Z', ALL, range(2, Date.UTC(2026, 0, 1, 10) + 500, Date.UTC(2026, 0, 1, 10) + 500)],
  ])('%s', (text, query, filter) => expect(read(text)).toEqual({ query, filter }))

  it('joins nothing, whatever stands beside it', () => {
    const both = { and: [{ word: 'a' }, { word: 'b' }] }
    expect(read('a AND section:x AND b')).toEqual({ query: both, filter: any(0, 'x') })
    expect(read('a section:x b', 'or')).toEqual({ query: { or: [{ word: 'a' }, { word: 'b' }] }, filter: any(0, 'x') })
    expect(read('(a section:x) draft:true')).toEqual({
      query: { word: 'a' },
      filter: { kind: 'and', children: [any(0, 'x'), any(3, 1)] },
    })
  })

  it.each([
    'words:many',
    'words:>',
    'words:1..x',
    'words:..',
    'published:yesterday',
    'published:2026-02-30',
    'draft:no',
  ])('%s is ordinary text', (text) => expect(read(text)).toEqual({ query: { word: text }, filter: undefined }))

  it('is a field where there is one of the name, and text where there is neither', () => {
    expect(read('title:a')).toEqual({ query: { word: 'a', field: 'title' }, filter: undefined })
    expect(read('other:a')).toEqual({ query: { word: 'other:a' }, filter: undefined })
    expect(read('section\\:a')).toEqual({ query: { word: 'section:a' }, filter: undefined })
    expect(read('section:')).toEqual({ query: { word: 'section:' }, filter: undefined })
  })

  it('asks for all documents with a lone star', () => {
    expect(read('*')).toEqual({ query: ALL, filter: undefined })
    expect(read(' * ')).toEqual({ query: ALL, filter: undefined })
    for (const text of ['', ' ', '**', '"*"', '-']) expect(read(text).query).not.toEqual(ALL)
    expect(read('* a')).toEqual({ query: { word: 'a' }, filter: undefined })
    expect(read('* -a')).toEqual({ query: { not: { word: 'a' } }, filter: undefined })
  })

  it('counts as a clause', () => {
    expect(() => read('section:a '.repeat(1025))).toThrow('too complex')
  })
})
