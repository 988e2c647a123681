import { describe, expect, it } from 'vitest'
import { FreshdexError } from '../../src/base/errors.js'
import type { QueryNode } from '../../src/search/query.js'
import { parseQueryText } from '../../src/search/query-text.js'
import { seededRandom, withSeed } from '../support/seed.js'

const FIELDS = new Set(['title', 'body', 'dc:date'])

function parse(text: string, operator: 'and' | 'or' = 'and') {
  return parseQueryText(text, { fields: FIELDS, operator })
}

const word = (text: string, more: object = {}) => ({ word: text, ...more })
const phrase = (text: string, more: object = {}) => ({ phrase: text, ...more })
const prefix = (text: string, more: object = {}) => ({ prefix: text, ...more })
const fuzzy = (text: string, edits = 1, more: object = {}) => ({ fuzzy: text, edits, ...more })
const and = (...parts: object[]) => ({ and: parts })
const or = (...parts: object[]) => ({ or: parts })
const not = (part: object) => ({ not: part })
const [a, b, c, d] = [word('a'), word('b'), word('c'), word('d')]

type Row = readonly [text: string, tree: object | undefined]

function table(rows: readonly Row[], operator: 'and' | 'or' = 'and') {
  it.each(rows)('%s', (text, tree) => {
    expect(parse(text, operator)).toEqual(tree)
  })
}

describe('words and operators', () => {
  table([
    ['a', a],
    ['a b', and(a, b)],
    ['a b c', and(a, b, c)],
    ['a AND b', and(a, b)],
    ['a OR b', or(a, b)],
    ['a b OR c', or(and(a, b), c)],
    ['a OR b c', or(a, and(b, c))],
    ['a b OR c d', or(and(a, b), and(c, d))],
    ['a AND b OR c AND d', or(and(a, b), and(c, d))],
    ['a OR b AND c', or(a, and(b, c))],
    ['a OR b OR c', or(a, b, c)],
    ['-a', not(a)],
    ['NOT a', not(a)],
    ['a -b', and(a, not(b))],
    ['a NOT b', and(a, not(b))],
    ['a AND NOT b', and(a, not(b))],
    ['a OR -b', or(a, not(b))],
    ['NOT NOT a', not(not(a))],
    ['NOT -a', not(not(a))],
    ['and or not', and(word('and'), word('or'), word('not'))],
    ['ANDROID ORB NOTE', and(word('ANDROID'), word('ORB'), word('NOTE'))],
    ['\ta\u00a0b\u3000c\n', and(a, b, c)],
  ])
})

describe('with the operator or', () => {
  table(
    [
      ['a b', or(a, b)],
      ['a b AND c d', or(a, and(b, c), d)],
      ['a AND b', and(a, b)],
      ['a (b c)', or(a, or(b, c))],
      ['a -b', or(a, not(b))],
    ],
    'or',
  )
})

describe('groups', () => {
  table([
    ['(a)', a],
    ['((a))', a],
    ['(a b)', and(a, b)],
    ['(a OR b) c', and(or(a, b), c)],
    ['a (b OR c)', and(a, or(b, c))],
    ['a(b)c', and(a, b, c)],
    ['((a OR b) (c OR d))', and(or(a, b), or(c, d))],
    ['-(a b)', not(and(a, b))],
    ['NOT(a)', not(a)],
    ['a AND(b OR c)', and(a, or(b, c))],
  ])
})

describe('phrases', () => {
  table([
    ['"a b"', phrase('a b')],
    ['"a" "b"', and(phrase('a'), phrase('b'))],
    ['a"b c"d', and(a, phrase('b c'), d)],
    ['-"a b"', not(phrase('a b'))],
    ['"a AND (b* -c:d^2"', phrase('a AND (b* -c:d^2')],
    ['"a \\" b"', phrase('a " b')],
    ['"back\\\\slash"', phrase('back\\slash')],
  ])
})

describe('prefix and fuzzy words', () => {
  table([
    ['abc*', prefix('abc')],
    ['abc~', fuzzy('abc')],
    ['abc~1', fuzzy('abc')],
    ['abc~2', fuzzy('abc', 2)],
    ['-abc*', not(prefix('abc'))],
    ['abc**', prefix('abc')],
    ['a*c', word('a*c')],
    ['abc~3', word('abc~3')],
    ['abc~22', word('abc~22')],
    ['a~b', word('a~b')],
    ['12', word('12')],
    ['2~2', fuzzy('2', 2)],
    ['*abc', word('*abc')],
  ])
})

describe('fields', () => {
  table([
    ['title:a', word('a', { field: 'title' })],
    ['title:"a b"', phrase('a b', { field: 'title' })],
    ['title:(a b)', and(word('a', { field: 'title' }), word('b', { field: 'title' }))],
    ['title:(a body:b)', and(word('a', { field: 'title' }), word('b', { field: 'body' }))],
    [
      'title:(a (b OR "c d")) e',
      and(
        and(word('a', { field: 'title' }), or(word('b', { field: 'title' }), phrase('c d', { field: 'title' }))),
        word('e'),
      ),
    ],
    ['title:abc*', prefix('abc', { field: 'title' })],
    ['title:abc~2', fuzzy('abc', 2, { field: 'title' })],
    ['-title:a', not(word('a', { field: 'title' }))],
    ['NOT title:(a OR b)', not(or(word('a', { field: 'title' }), word('b', { field: 'title' })))],
    ['title:a:b', word('a:b', { field: 'title' })],
    ['title:AND', word('AND', { field: 'title' })],
    ['dc\\:date:a', word('a', { field: 'dc:date' })],
    ['author:a', word('author:a')],
    ['author:"a b"', and(word('author:'), phrase('a b'))],
    ['http://example.com/', word('http://example.com/')],
    ['toString:a', word('toString:a')],
    ['title\\:a', word('title:a')],
    ['title: a', and(word('title:'), a)],
    ['title:', word('title:')],
    ['(title:)', word('title:')],
    ['Title:a', word('Title:a')],
    [':a', word(':a')],
  ])
})

describe('boosts', () => {
  table([
    ['a^2', word('a', { boost: 2 })],
    ['a^0.5', word('a', { boost: 0.5 })],
    ['a^.5', word('a', { boost: 0.5 })],
    ['a^0', word('a', { boost: 0 })],
    ['a^1', a],
    ['"a b"^2', phrase('a b', { boost: 2 })],
    ['(a b)^0.5', { ...and(a, b), boost: 0.5 }],
    ['(a OR b)^3 c', and({ ...or(a, b), boost: 3 }, c)],
    ['(a^2)^3', word('a', { boost: 6 })],
    ['abc*^2', prefix('abc', { boost: 2 })],
    ['abc~2^3', fuzzy('abc', 2, { boost: 3 })],
    ['title:a^2', word('a', { field: 'title', boost: 2 })],
    ['title:"a"^2', phrase('a', { field: 'title', boost: 2 })],
    ['-a^2', not(word('a', { boost: 2 }))],
    ['(-a)^2', not(a)],
    ['a^999999.999999', word('a', { boost: 999999.999999 })],
    ['a^1000000', word('a^1000000')],
    ['a^-1', word('a^-1')],
    ['a^1e3', word('a^1e3')],
    ['a^', word('a^')],
    ['a^x', word('a^x')],
    ['a^2^3', word('a^2', { boost: 3 })],
    ['"a"^2x', and(phrase('a'), word('^2x'))],
  ])
})

describe('escapes', () => {
  table([
    ['\\(a\\)', word('(a)')],
    ['a\\ b', word('a b')],
    ['a\\*', word('a*')],
    ['a\\~1', word('a~1')],
    ['a\\^2', word('a^2')],
    ['a\\**', prefix('a*')],
    ['\\-a', word('-a')],
    ['\\-', word('-')],
    ['\\AND', word('AND')],
    ['\\"a', word('"a')],
    ['a\\\\b', word('a\\b')],
    ['a\\', a],
    ['\\', undefined],
    ['a \\', a],
    ['\\a*', prefix('a')],
  ])
})

describe('what people type', () => {
  table([
    ['', undefined],
    ['   ', undefined],
    ['()', undefined],
    ['( ( ) )', undefined],
    ['""', undefined],
    ['"  "', undefined],
    ['AND', undefined],
    ['NOT', undefined],
    ['a AND', a],
    ['OR a', a],
    ['a OR', a],
    ['a NOT', a],
    ['a AND OR b', and(a, b)],
    ['a OR AND b', or(a, b)],
    ['a NOT AND b', and(a, not(b))],
    ['(AND) a', a],
    ['(a', a],
    ['((a OR b', or(a, b)],
    ['a)', a],
    ['a) b', and(a, b)],
    [')) a ((', a],
    ['"a b', phrase('a b')],
    ['title:"a b', phrase('a b', { field: 'title' })],
    ['title:(a', word('a', { field: 'title' })],
    ['a "', a],
    ['-', undefined],
    ['a - b', and(a, b)],
    ['a -', a],
    ['-)a', a],
    ['-() a', a],
    ['NOT () a', a],
    ['--force', word('--force')],
    ['well-known', word('well-known')],
    ['*', { all: true }],
    ['**', undefined],
    ['~', undefined],
    ['~2', undefined],
    ['^2', undefined],
    ['*^2 a', a],
    ['title:*', undefined],
    ['"a b"~2', phrase('a b')],
    ['c++ c#', and(word('c++'), word('c#'))],
    ['日本語 "検索 エンジン"', and(word('日本語'), phrase('検索 エンジン'))],
    ['naïve Ελλάδα*', and(word('naïve'), prefix('Ελλάδα'))],
    ['👩‍👩‍👧 -😀', and(word('👩‍👩‍👧'), not(word('😀')))],
    ['a\0b', word('a\0b')],
    ['\ud800', word('\ud800')],
  ])
})

describe('limits', () => {
  const tooComplex = expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' })

  it('allow 64 KiB of text and no byte more', () => {
    expect(parse('x'.repeat(65_536))).toEqual(word('x'.repeat(65_536)))
    expect(parse('é'.repeat(32_768))).toEqual(word('é'.repeat(32_768)))
    expect(() => parse('x'.repeat(65_537))).toThrow(tooComplex)
    expect(() => parse('é'.repeat(32_769))).toThrow(tooComplex)
    expect(() => parse('x'.repeat(1e8))).toThrow(tooComplex)
  })

  it('allow 1,024 clauses and not one more', () => {
    expect(parse('a '.repeat(1024))).toEqual(and(...Array(1024).fill(a)))
    expect(() => parse('a '.repeat(1025))).toThrow(tooComplex)
    expect(() => parse('a '.repeat(32_768))).toThrow(tooComplex)
    expect(() => parse('"a"'.repeat(20_000))).toThrow(tooComplex)
    expect(() => parse('a '.repeat(100_000))).toThrow(tooComplex)
  })

  it('allow 32 levels of parentheses and not one more', () => {
    expect(parse(`${'('.repeat(32)}a${')'.repeat(32)}`)).toEqual(a)
    expect(() => parse(`${'('.repeat(33)}a${')'.repeat(33)}`)).toThrow(tooComplex)
    expect(() => parse('('.repeat(60_000))).toThrow(tooComplex)
    expect(() => parse('('.repeat(100_000))).toThrow(tooComplex)
    expect(() => parse('NOT '.repeat(10_000))).toThrow(tooComplex)
  })

  it('do not count what is passed over', () => {
    expect(parse(`${')'.repeat(60_000)}a`)).toEqual(a)
    expect(parse(`${'()'.repeat(30_000)}a`)).toEqual(a)
    expect(parse(`${'AND '.repeat(16_000)}a`)).toEqual(a)
    expect(parse(`${'* ~ '.repeat(16_000)}a`)).toEqual(a)
  })
})

describe('any text at all', () => {
  const PIECES = [
    ...'()"\\:*~^-+123. \t\n',
    ...['AND', 'OR', 'NOT', ' AND ', ' OR ', ' NOT ', 'title:', 'body:', 'author:', 'dc\\:date:', '^2', '~1', '^0.5'],
    ...['a', 'bc', 'é', '日本', '😀', '\ud800', '\0', '__proto__', 'constructor:', '""', '()', '\\"', '^^', '**', '~~'],
  ]

  function expectTree(node: QueryNode, depth = 0): void {
    expect(depth).toBeLessThan(200)
    if ('and' in node) for (const part of node.and) expectTree(part as QueryNode, depth + 1)
    else if ('or' in node) for (const part of node.or) expectTree(part as QueryNode, depth + 1)
    else if ('not' in node) expectTree(node.not as QueryNode, depth + 1)
    else if ('field' in node && node.field !== undefined) expect(FIELDS.has(node.field)).toBe(true)
  }

  it('gives a tree, nothing or QUERY_TOO_COMPLEX', () => {
    withSeed('query text', (seed) => {
      const random = seededRandom('query text', seed)
      for (let nth = 0; nth < 20_000; nth++) {
        const text = Array.from({ length: random.between(0, nth % 100 === 0 ? 400 : 14) }, () =>
          random.pick(PIECES),
        ).join('')
        try {
          const tree = parse(text, random.chance(0.5) ? 'and' : 'or')
          if (tree !== undefined) expectTree(tree)
        } catch (error) {
          if (error instanceof FreshdexError && error.code === 'QUERY_TOO_COMPLEX') continue
          throw new Error(`parsing ${JSON.stringify(text)}`, { cause: error })
        }
      }
    })
  })

  it('takes time in proportion to its length, whatever is repeated', () => {
    // No clock: quadratic work on these texts would run into the timeout of the test.
    for (const piece of PIECES) {
      const text = piece.repeat(Math.floor(65_536 / Buffer.byteLength(piece)))
      for (const variant of [text, `a${text.slice(1)}`, `"${text.slice(1)}`, `title:${text.slice(6)}`]) {
        try {
          parse(variant)
        } catch (error) {
          expect(error).toMatchObject({ code: 'QUERY_TOO_COMPLEX' })
        }
      }
    }
  })
})
