/** Queries that are too much, not queries, or merely odd. */

import type { Freshdex, Query } from 'freshdex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCallRefused, openSpecimen, type Page } from './specimen.js'

let index: Freshdex<Page>

beforeAll(async () => {
  index = await openSpecimen()
})

afterAll(() => index.close())

const MANY = 100_000

function nestedText(levels: number): string {
  return `${'('.repeat(levels)}fox${')'.repeat(levels)}`
}

function nestedNode(levels: number, wrap: (inner: Query) => Query): Query {
  let node: Query = { word: 'fox' }
  for (let level = 0; level < levels; level++) node = wrap(node)
  return node
}

describe('queries that are too much', () => {
  const cyclic: { and: Query[] } = { and: [{ word: 'fox' }] }
  cyclic.and.push(cyclic)
  const ring = { not: undefined as unknown as Query }
  ring.not = { or: [ring] }

  test.each<[string, () => Query]>([
    ['100,000 nested parentheses', () => nestedText(MANY)],
    ['100,000 open parentheses', () => '('.repeat(MANY)],
    ['30,000 nested parentheses, within the bytes', () => nestedText(30_000)],
    ['33 levels of parentheses', () => nestedText(33)],
    ['100,000 groups side by side', () => '(fox)'.repeat(MANY)],
    ['100,000 empty groups', () => '()'.repeat(MANY)],
    ['100,000 words', () => 'fox '.repeat(MANY)],
    ['1,025 words', () => 'fox '.repeat(1_025)],
    ['100,000 minus signs', () => `${'-'.repeat(MANY)}fox`],
    ['1 MB of one word', () => 'x'.repeat(1_000_000)],
    ['1 MB of blanks', () => ' '.repeat(1_000_000)],
    ['one byte over 64 KiB', () => 'x'.repeat(65_537)],
    ['64 KiB of characters in more bytes', () => 'é'.repeat(32_769)],
    ['a typed query of 100,000 levels of and', () => nestedNode(MANY, (inner) => ({ and: [inner] }))],
    ['a typed query of 100,000 levels of not', () => nestedNode(MANY, (inner) => ({ not: inner }))],
    ['a typed query of 33 levels', () => nestedNode(33, (inner) => ({ or: [inner] }))],
    ['a typed query of 100,000 clauses', () => ({ or: Array.from({ length: MANY }, () => ({ word: 'fox' })) })],
    ['a typed query of 1,025 clauses', () => ({ and: Array.from({ length: 1_025 }, () => 'fox') })],
    ['1,025 clauses in two lists', () => ({ or: [{ and: words(512) }, { and: words(513) }] })],
    ['a typed query that contains itself', () => cyclic],
    ['a ring of not and or', () => ring],
    ['a typed word of 1 MB', () => ({ word: 'x'.repeat(1_000_000) })],
  ])('%s', async (_, make) => {
    const query = make()
    await expectCallRefused(index, () => index.search(query), { kind: 'QUERY_TOO_COMPLEX' })
  })
})

describe('queries just within the limits', () => {
  test.each<[string, () => Query]>([
    ['1,024 words', () => 'fox '.repeat(1_024)],
    ['1,024 typed clauses', () => ({ and: words(1_024) })],
    ['64 KiB of text', () => `fox${' '.repeat(65_533)}`],
    ['a long word beside others', () => ({ or: ['fox', { word: 'x'.repeat(60_000) }] })],
    ['a phrase of 2,000 words beside others', () => ({ or: ['fox', { phrase: 'fox '.repeat(2_000) }] })],
    ['31 levels of parentheses', () => nestedText(31)],
    ['31 typed levels', () => nestedNode(31, (inner) => ({ or: [inner] }))],
  ])('%s', (_, make) => {
    expect(index.search(make()).total).toBe(24)
  })
})

describe('text that people write is never an error', () => {
  test.each<[string, string, number]>([
    ['nothing', '', 0],
    ['blanks', ' \n\t', 0],
    ['a star alone', '*', 24],
    ['a star and nothing beside it', '* -""', 0],
    ['a tilde alone', '~', 0],
    ['a prefix of one letter', 'f*', 24],
    ['an open quote', '"quick brown', 24],
    ['an open parenthesis', '(quick (brown', 24],
    ['a stray parenthesis', 'quick) brown)', 24],
    ['an empty group', '()', 0],
    ['20,000 empty groups', '()'.repeat(20_000), 0],
    ['20,000 stray parentheses', `quick${')'.repeat(20_000)}`, 24],
    ['an empty phrase', '""', 0],
    ['an operator at the end', 'quick AND', 24],
    ['an operator at the start', 'OR quick', 24],
    ['operators alone', 'AND OR NOT', 0],
    ['a minus alone', '-', 0],
    ['two operators in a row', 'quick AND OR brown', 24],
    ['a boost of nothing', '^2', 0],
    ['a boost without a number', 'quick^', 24],
    ['a field that does not exist', 'nowhere:quick', 0],
    ['a field without a word is a word', 'title:', 24],
    ['a backslash at the end', 'quick\\', 24],
    ['escaped syntax', '\\(quick\\)', 24],
    ['NUL and controls', 'quick\0brown', 24],
    ['a lone surrogate', 'quick \ud800', 24],
    ['words of Object.prototype', 'constructor __proto__', 0],
    ['a field named like a member of Object.prototype', 'constructor:quick', 0],
  ])('%s', (_, query, total) => {
    expect(index.search(query).total).toBe(total)
  })

  test('a word that a misread field makes part of the text', () => {
    expect(index.search('nowhere:quick', { operator: 'or' }).total).toBe(index.search({ word: 'nowhere:quick' }).total)
  })

  test('numbers after ^ that make no boost do not make a score that is no number', () => {
    for (const boost of ['nan', 'Infinity', '-1', '1e999', '0', '00', '1.2.3', '', '9'.repeat(400)]) {
      const { hits } = index.search(`quick^${boost}`, { operator: 'or' })
      for (const { score } of hits)
        expect(Number.isFinite(score), `quick^${boost.slice(0, 9)} scores ${score}`).toBe(true)
    }
  })
})

test('boosts in text multiply without failing and without a score that is no number', () => {
  for (const digits of [1, 3, 5, 6, 8, 10, 12, 15, 16, 20, 38, 50, 300]) {
    const boost = `)^${'9'.repeat(digits)}`
    const { hits } = index.search(`${'('.repeat(30)}quick${boost.repeat(30)}`)
    for (const { score } of hits) expect(Number.isFinite(score), `${digits} digits: ${score}`).toBe(true)
  }
})

describe('typed queries that are refused', () => {
  const getter = {
    get word(): string {
      throw new Error('getter failed')
    },
  }

  test.each<[string, unknown, string, string?]>([
    ['undefined', undefined, 'TypeError'],
    ['null', null, 'TypeError'],
    ['a number', 5, 'TypeError'],
    ['an array', ['fox'], 'TypeError'],
    ['an empty object', {}, 'TypeError'],
    ['a function', () => 'fox', 'TypeError'],
    ['two kinds at once', { word: 'fox', phrase: 'fox' }, 'TypeError'],
    ['an unknown kind', { regexp: 'fox' }, 'TypeError', 'regexp'],
    ['an unknown member', { word: 'fox', bost: 2 }, 'TypeError', 'bost'],
    ['a word that is no string', { word: 5 }, 'TypeError'],
    ['and that is no list', { and: 'fox' }, 'TypeError'],
    ['or that is no list', { or: { word: 'fox' } }, 'TypeError'],
    ['a child that is no query', { and: ['fox', null] }, 'TypeError'],
    ['not of nothing', { not: undefined }, 'TypeError'],
    ['an unknown field', { word: 'fox', field: 'nowhere' }, 'TypeError', 'nowhere'],
    ['a field of Object.prototype', { word: 'fox', field: 'constructor' }, 'TypeError', 'constructor'],
    ['a field that is no string', { word: 'fox', field: 0 }, 'TypeError'],
    ['a boost that is NaN', { word: 'fox', boost: Number.NaN }, 'RangeError', 'boost'],
    ['a boost that is Infinity', { word: 'fox', boost: Number.POSITIVE_INFINITY }, 'RangeError', 'boost'],
    ['a boost that is -Infinity', { prefix: 'f', boost: Number.NEGATIVE_INFINITY }, 'RangeError', 'boost'],
    ['a negative boost', { and: ['fox'], boost: -1 }, 'RangeError', 'boost'],
    ['a boost that is a string', { word: 'fox', boost: '2' }, 'TypeError', 'boost'],
    ['no edits', { fuzzy: 'fox', edits: 0 }, 'RangeError', 'edits'],
    ['three edits', { fuzzy: 'fox', edits: 3 }, 'RangeError', 'edits'],
    ['one and a half edits', { fuzzy: 'fox', edits: 1.5 }, 'RangeError', 'edits'],
    ['edits that are a string', { fuzzy: 'fox', edits: '1' }, 'TypeError', 'edits'],
    ['a getter that throws', getter, 'Error', 'getter failed'],
  ])('%s', async (_, query, kind, names) => {
    await expectCallRefused(index, () => index.search(query as Query), { kind, ...(names ? { names } : {}) })
  })

  test('boosts beyond the largest, which as text are the largest', async () => {
    const huge = nestedNode(20, (inner) => ({ and: [inner], boost: 1e300 }))
    await expectCallRefused(index, () => index.search(huge), { kind: 'RangeError', names: 'boost' })
    expect(index.search('((fox^999999)^999)').hits).toEqual(index.search({ word: 'fox', boost: 1e6 }).hits)
    const largest = nestedNode(30, (inner) => ({ and: [inner], boost: 1e6 }))
    for (const { score } of index.search(largest).hits) expect(score).toBeLessThan(Number.POSITIVE_INFINITY)
  })

  test('a query object that calls the index is refused the call', () => {
    const codes: string[] = []
    const nosy = {
      get word(): string {
        try {
          index.search('fox')
        } catch (error) {
          codes.push((error as { code: string }).code)
        }
        return 'fox'
      },
    }
    expect(index.search(nosy).total).toBe(24)
    expect(new Set(codes)).toEqual(new Set(['REENTRANT']))
  })
})

function words(count: number): Query[] {
  return Array.from({ length: count }, () => ({ word: 'fox' }))
}
