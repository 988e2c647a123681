import { expect, test } from 'vitest'
import { readColumn } from '../../src/options/column-values.js'
import type { ColumnKind } from '../../src/options/columns.js'

const valuesOf = (kind: ColumnKind, value: unknown) => readColumn({ x: value }, { name: 'x', kind }, 'a page')

test('a column has one value, a list of values, or none', () => {
  expect(valuesOf('keyword', 'docs')).toEqual(['docs'])
  expect(valuesOf('keyword', ['b', 'a', 'b'])).toEqual(['b', 'a', 'b'])
  expect(valuesOf('number', [1, null, 2.5, undefined])).toEqual([1, 2.5])
  expect(valuesOf('boolean', [true, false])).toEqual([1, 0])
  for (const none of [undefined, null, []]) expect(valuesOf('number', none)).toEqual([])
  expect(readColumn({}, { name: 'x', kind: 'date' }, 1)).toEqual([])
  // What every object has is no value.
  expect(readColumn({}, { name: 'constructor', kind: 'keyword' }, 1)).toEqual([])
})

test('a date is a Date, a text or milliseconds since 1970, in UTC', () => {
  const noon = Date.UTC(2026, 10, 19, 12)
  const given = [new Date(noon), noon, '2026-11-19T12:00:00Z', '2026-11-19T12:00', '2026-11-19T14:00:00+02:00']
  expect(valuesOf('date', given)).toEqual(given.map(() => noon))
  expect(valuesOf('date', '2026-11-19')).toEqual([Date.UTC(2026, 10, 19)])
  expect(valuesOf('date', [-8.64e15, 8.64e15])).toEqual([-8.64e15, 8.64e15])
})

test.each<[ColumnKind, unknown, ErrorConstructor, string]>([
  ['keyword', 5, TypeError, 'must be a string, or a list of these; received 5'],
  ['keyword', ['a', 5], TypeError, 'received 5'],
  ['keyword', [['a']], TypeError, "received [ 'a' ]"],
  ['keyword', 'x'.repeat(65_536), RangeError, 'a keyword of 65536 bytes; 65535 are possible'],
  ['keyword', '…'.repeat(22_000), RangeError, 'a keyword of 66000 bytes'],
  ['keyword', Array.from({ length: 65_536 }, () => 'x'), RangeError, 'has 65536 values; 65535 are possible'],
  ['number', '5', TypeError, 'must be a finite number, or a list of these; received "5"'],
  ['number', 5n, TypeError, 'received 5n'],
  ['number', Number.NaN, RangeError, 'received NaN'],
  ['number', [1, Number.POSITIVE_INFINITY], RangeError, 'received Infinity'],
  ['boolean', 1, TypeError, 'must be true or false, or a list of these; received 1'],
  ['date', 'yesterday', RangeError, 'received "yesterday"'],
  ['date', '2026-02-30', RangeError, 'received "2026-02-30"'],
  ['date', '19.11.2026', RangeError, 'must be a Date, a text such as'],
  ['date', new Date(Number.NaN), RangeError, 'received Invalid Date'],
  ['date', 8.64e15 + 2, RangeError, 'received 8640000000000002'],
  ['date', true, TypeError, 'received true'],
  ['date', {}, TypeError, 'received {}'],
])('a %s column refuses a wrong value by document, column and value', (kind, value, type, part) => {
  expect(() => valuesOf(kind, value)).toThrow(type)
  expect(() => valuesOf(kind, value)).toThrow('column "x" of document "a page"')
  expect(() => valuesOf(kind, value)).toThrow(part)
})

test('the longest keyword is counted in bytes', () => {
  expect(valuesOf('keyword', '…'.repeat(21_845))).toHaveLength(1)
})
